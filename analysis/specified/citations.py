"""Which requirements tests name, and which words and files they quote: in names, docstrings, comments and marks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.function_text import FunctionNode, first_line_of
from analysis.specified.fact_record import requirement_ids

_PATH = r"(?<![\w./-])(?P<path>[\w./-]{1,200}\.\w{1,10})"
"""Its length is bounded: else a text of slashes would be looked at over and over."""
_SAYS = re.compile(_PATH + r":(?P<line>\d{1,7})(?:-\d+)? says \"(?P<quote>.+)\"\s*$", re.M)
_PRINT = re.compile(_PATH + r":(?P<line>\d{1,7})(?:-\d+)? sha256:(?P<digest>[0-9a-f]{6,64})")
_FILE = re.compile(
    r"(?<![\w/.:-])(?P<path>(?:[\w.-]{1,80}/){1,20}[\w.-]{1,80}\.(?:md|rst|txt|feature|ya?ml|json|toml))(?![\w/])"
)
_IN_NAME = re.compile(r"(?:^|_)(req|us|ac|fr|nfr|uc|br)_?(\d+(?:_\d+)*)(?=_|$)")


@dataclass(frozen=True, slots=True)
class QuotedWords:
    """Words that a test quotes from a file: the words themselves, or their fingerprint. Line is the test's own."""

    path: str
    quote: str
    digest: str
    line: int


@dataclass(frozen=True, slots=True)
class TestText:
    """A test by its node id without parameters, and what its text names. ``calls`` are the names that it calls."""

    __test__ = False

    name: str
    path: str
    line: int
    requirements: tuple[str, ...]
    quotes: tuple[QuotedWords, ...]
    files: tuple[tuple[str, int], ...]
    calls: frozenset[str]
    scenario: str = ""
    """The scenario that pytest-bdd runs by it."""


def read_tests(path: str, tree: ast.Module, source: str) -> Iterator[TestText]:
    """The tests of a file with what each names; comments right above a test count as its own."""
    lines = source.splitlines()
    yield from _tests(path, tree.body, lines, (), "")


def _tests(path: str, body: list[ast.stmt], lines: list[str], around: tuple[str, ...], said: str) -> Iterator[TestText]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(path, node.body, lines, (*around, node.name), ast.get_docstring(node, clean=False) or "")
        elif isinstance(node, FunctionNode) and node.name.startswith("test"):
            first = first_line_of(node)
            while first > 1 and lines[first - 2].lstrip().startswith("#"):
                first -= 1
            text = "\n".join(lines[first - 1 : node.end_lineno])
            yield TestText(
                "::".join((path, *around, node.name)),
                path,
                node.lineno,
                tuple(dict.fromkeys((*requirement_ids(f"{said}\n{text}"), *_ids_in_name(node.name)))),
                tuple(_quotes(text, first)),
                tuple((m["path"], first + text.count("\n", 0, m.start())) for m in _FILE.finditer(text)),
                frozenset(_called(node)),
                _scenario(node),
            )


def _ids_in_name(name: str) -> Iterator[str]:
    """``REQ-7`` for ``test_req_7_total``."""
    for match in _IN_NAME.finditer(name):
        yield f"{match[1].upper()}-{match[2].replace('_', '.')}"


def _quotes(text: str, first: int) -> Iterator[QuotedWords]:
    for match in _SAYS.finditer(text):
        yield QuotedWords(match["path"], match["quote"], "", first + text.count("\n", 0, match.start()))
    for match in _PRINT.finditer(text):
        yield QuotedWords(match["path"], "", match["digest"], first + text.count("\n", 0, match.start()))


def _called(node: FunctionNode) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name


def _scenario(node: FunctionNode) -> str:
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=ast.Name(id="scenario") | ast.Attribute(attr="scenario"), args=[_, ast.Constant(value)]):
                return str(value)
    return ""
