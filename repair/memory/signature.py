"""What a failure is like: words of closed lists, by which earlier ones are found. No text of a project is in it."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

from analysis.assertion_text import read_assertion
from analysis.errors import UnparseableError
from analysis.facts import Diagnosis, Files, FunctionId
from analysis.frames import short_name, telling_exception
from analysis.functions import functions_of, syntax_tree

SHORT, MEDIUM = 10, 30
"""Lines of a function that is called short, and of one that is no longer than medium."""

OWN_EXCEPTION = "own"
"""Stands for any exception that is not built in: its name is a text of the project."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension)


@dataclass(frozen=True, slots=True)
class FailureSignature:
    """One failure and its suspect: class, subclass, how got stands to wanted, exception, and shape of the function.

    Each is a word of a closed list, or empty where it is not known.
    """

    failure_class: str
    subclass: str = ""
    relation: str = ""
    exception: str = ""
    shape: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Under what it is counted: from all failures there are down to those that are like it in each part."""
        parts = (self.failure_class, self.subclass, self.relation, self.exception, self.shape)
        return ("", *("/".join(parts[: count + 1]) for count in range(len(parts))))


def signature_of(diagnosis: Diagnosis, sources: Files, suspect: FunctionId | None = None) -> FailureSignature:
    """The signature of a failure. ``sources`` are the Python files, those of tests among them."""
    texts = dict(sources)
    raised = telling_exception(diagnosis.failure)
    name = short_name(raised) if raised is not None else ""
    relation = read_assertion(diagnosis, sources).relation
    return FailureSignature(
        diagnosis.failure_class.value,
        str(diagnosis.subclass),
        relation.name.lower() if relation is not None else "",
        name if not name or hasattr(builtins, name) else OWN_EXCEPTION,
        shape_of(texts.get(suspect.path, b""), suspect) if suspect is not None else "",
    )


def shape_of(source: bytes, function: FunctionId) -> str:
    """Its size in three steps, and whether it loops: ``short loop``; empty where it is not found."""
    try:
        spans = functions_of(function.path, source)
        span = next((each for each in spans if each.function.qualname == function.qualname), None)
        tree = syntax_tree(source)
    except (UnparseableError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if span is None:
        return ""
    lines = span.end_line - span.def_line + 1
    size = "short" if lines <= SHORT else "medium" if lines <= MEDIUM else "long"
    node = next((n for n in ast.walk(tree) if _is_function(n) and getattr(n, "lineno", 0) == span.def_line), None)
    loops = node is not None and any(isinstance(each, _LOOPS) for each in ast.walk(node))
    return f"{size} loop" if loops else size


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
