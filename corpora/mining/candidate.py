"""One function that two versions of a program have with different texts: perhaps a mend, perhaps a feature."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.functions import syntax_tree
from corpora.bug import Fault

FIXES = re.compile(
    r"\b(fix\w*|bug\w*|issue|regress\w*|crash\w*|wrong\w*|incorrect\w*|error\w*|broken|handle\w*)\b", re.I
)
FEATURES = re.compile(r"\b(add\w*|support\w*|feature|implement\w*|allow\w*|introduce\w*|new|option)\b", re.I)


@dataclass(frozen=True, slots=True)
class MinedChange:
    """A version whose function differs from its text before. ``marks`` say why that may be a feature and no fix.

    ``before`` names the older text of the program's file where it is kept, ``tests`` the test files to run. ``subject``
    is what the change was called.
    """

    id: str
    version: str
    date: str
    subject: str
    fault: Fault
    before: str
    tests: tuple[str, ...]
    marks: tuple[str, ...]


def marks_of(old: bytes, new: bytes, module: bytes, subject: str) -> Iterator[str]:
    """Why the change from one text of a function to the other may be a feature; ``module`` is the file before."""
    if _signature(old) != _signature(new):
        yield "signature changed"
    known = set(re.findall(rb"[A-Za-z_]\w*", module))
    if any(name not in known for name in re.findall(rb"[A-Za-z_]\w*(?=\()", new)):
        yield "calls what the module did not"
    if FEATURES.search(subject) and not FIXES.search(subject):
        yield "the message speaks of something new"


def _signature(text: bytes) -> str:
    lines = text.splitlines()
    indented = bool(lines) and lines[0][:1] in (b" ", b"\t")
    tree = syntax_tree((b"if 1:\n" if indented else b"") + text)
    node = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    for argument in (*every, *filter(None, (arguments.vararg, arguments.kwarg))):
        argument.annotation = None
    return ast.dump(arguments)
