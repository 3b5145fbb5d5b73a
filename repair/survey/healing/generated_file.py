"""A file of generated tests, read: what each test calls, what it claims, who says so, and whether a person edited it.

Only a file whose first line holds the digest of the rest is a generated one. All others are a person's.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from analysis.function_text import FunctionNode, Unreadable, first_line_of, parse_module
from analysis.moved_definitions import ProgramNames
from analysis.quality.oracle import PINNED
from repair.records.grown import SaidBy
from repair.survey.growing.new_files import MARK, marked

NOTE = "# Healed "
"""How a note on what was changed in a test begins."""

OUTSIDE = frozenset((*sys.stdlib_module_names, "pytest"))
"""Modules that tests import and that are not the project's."""

_SAID = re.compile(r"(Required|Asked): (.+)")
_PLACE = re.compile(r'(?P<path>\S+?):(?P<line>\d+) says "(?P<quote>.*)"$')


@dataclass(frozen=True, slots=True)
class CitedWords:
    """Words that a test quotes, with their place."""

    path: str
    line: int
    quote: str

    def __str__(self) -> str:
        return f'{self.path}:{self.line} says "{self.quote}"'


@dataclass(frozen=True, slots=True)
class GeneratedTest:
    """One test of the file; ``name`` is its node id below the file, ``said`` who says so, without the first word."""

    name: str
    node: FunctionNode
    standing: SaidBy
    said: str = ""

    @property
    def cited(self) -> CitedWords | None:
        """The words that it quotes; ``None`` where it is no sentence of the project that says so."""
        found = _PLACE.match(self.said)
        if self.standing is not SaidBy.REQUIRED or found is None:
            return None
        return CitedWords(found["path"], int(found["line"]), found["quote"])


@dataclass(frozen=True, slots=True)
class GeneratedFile:
    """The text below the first line, its tests, and what its names stand for: ``total`` for ``shop.total``."""

    path: str
    text: str
    tree: ast.Module
    tests: tuple[GeneratedTest, ...]
    parts: Mapping[str, str]
    whole: Set[str]
    """Modules that are imported whole."""


def is_generated(text: bytes) -> bool:
    """Whether the first line says that the file was generated, whoever edited it since."""
    return text.startswith(MARK.encode())


def read_generated(path: str, content: bytes) -> GeneratedFile | str:
    """The file; a sentence where a person edited it, or it cannot be read."""
    try:
        whole = content.decode("utf-8")
    except UnicodeDecodeError:
        return "it is not UTF-8, so a person edited it"
    text = whole.partition("\n")[2]
    if marked(text) != whole:
        return "a person edited it: it is a user's file now"
    tree = parse_module(text)
    if isinstance(tree, Unreadable):
        return f"it cannot be read: {tree.detail}"
    tests = tuple(_tests(tree.body, text.splitlines(), ""))
    parts: dict[str, str] = {}
    modules: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Import(names=names):
                modules |= {each.name for each in names}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                parts |= {each.asname or each.name: f"{module}.{each.name}" for each in names}
    return GeneratedFile(path, text, tree, tests, parts, modules)


def _tests(body: list[ast.stmt], lines: list[str], around: str) -> Iterator[GeneratedTest]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, lines, f"{around}{node.name}::")
        elif isinstance(node, FunctionNode) and node.name.startswith("test"):
            name = f"{around}{node.name}"
            if (ast.get_docstring(node) or "").startswith(PINNED):
                yield GeneratedTest(name, node, SaidBy.PINNED)
                continue
            said = _SAID.match(" ".join(lines[n].strip()[1:].strip() for n in comment_lines_of(node, lines)))
            standing = SaidBy(said[1].lower()) if said else SaidBy.PINNED
            yield GeneratedTest(name, node, standing, said[2] if said else "")


def comment_lines_of(node: FunctionNode, lines: list[str]) -> range:
    """Indices of the comment lines between the head of a test and its first statement."""
    end = first_line_of(node.body[0]) - 1
    first = end
    while first > node.lineno and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return range(first, end)


def meaning(node: ast.AST, file: GeneratedFile, names: ProgramNames) -> str:
    """The dotted name of a definition that an expression stands for; ``""`` for any other expression.

    Example: ``Cart(items=[2]).total`` stands for ``shop.Cart.total`` where ``Cart`` is a class of ``shop``.
    """
    match node:
        case ast.Name(id=name):
            return file.parts.get(name, "")
        case ast.Attribute(value=ast.Call(func=func), attr=attr):
            owner = meaning(func, file, names)
            known = names.definitions.get(owner)
            return f"{owner}.{attr}" if known is not None and known.is_class else ""
        case ast.Attribute(value=value, attr=attr):
            outer = _chain(value) if _chain(value) in file.whole else ""
            before = outer or meaning(value, file, names) or _prefix(value, file)
            return f"{before}.{attr}" if before else ""
    return ""


def _chain(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{_chain(value)}.{attr}" if _chain(value) else ""
    return ""


def _prefix(node: ast.expr, file: GeneratedFile) -> str:
    """The start of the dotted name of a module that is imported whole: ``shop`` of ``shop.prices``."""
    chain = _chain(node)
    return chain if chain and any(each.startswith(f"{chain}.") for each in file.whole) else ""


def used_names(test: GeneratedTest, file: GeneratedFile, names: ProgramNames) -> tuple[str, ...]:
    """What a test names of the project by dotted name, each with what stands before it: ``shop.Cart``."""
    own = {module for module in file.whole if module.partition(".")[0] not in OUTSIDE}
    found: dict[str, None] = {}
    for node in ast.walk(test.node):
        dotted = meaning(node, file, names) if isinstance(node, ast.expr) else ""
        if dotted and dotted not in own and not any(module.startswith(f"{dotted}.") for module in own):
            found.setdefault(dotted)
    return tuple(each for each in found if each.partition(".")[0] not in OUTSIDE)
