"""The impossible twin of doctests: the same examples at the same lines, each waiting for another output."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator

from analysis.function_text import Unreadable, parse_module
from transforms.inverted_tests.test_files import Perturbed, Twin
from transforms.tree.text_places import Places

_OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_QUOTES = re.compile(r"""[rRuU]?("{3}|'{3})""")


def impossible_examples(source: bytes) -> Twin | Unreadable:
    """The twin of a program's file as far as the examples in its docstrings go."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return tree
    places = Places(source)
    splices: list[tuple[int, int, str]] = []
    perturbed: list[Perturbed] = []
    for name, docstring in _docstrings(tree, ""):
        for line, at, new in _of_docstring(docstring, places):
            splices.append((at, at, new))
            perturbed.append(Perturbed(name, line, line, by_value=True, bare=False))
    edited = places.spliced(splices)
    if isinstance(parse_module(edited), Unreadable):
        return Unreadable("its examples cannot be changed where they stand")
    return Twin(edited, tuple(perturbed))


def _docstrings(owner: ast.AST, name: str) -> Iterator[tuple[str, ast.Constant]]:
    """Docstrings with the qualified name of what they belong to."""
    for node in ast.iter_child_nodes(owner):
        if isinstance(node, _OWNERS[1:]):
            yield from _docstrings(node, f"{name}.{node.name}" if name else node.name)
        elif not isinstance(node, ast.expr):
            yield from _docstrings(node, name)
    if isinstance(owner, _OWNERS) and owner.body and isinstance(owner.body[0], ast.Expr):
        value = owner.body[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield name, value


def _of_docstring(node: ast.Constant, places: Places) -> Iterator[tuple[int, int, str]]:
    """Line, offset and text to put in for each example with an output that stands in the file as it is meant."""
    start = places.span(node)[0]
    raw = places.text(node)
    opening = _QUOTES.match(raw)
    meant = str(node.value).split("\n")
    if opening is None or raw.count("\n") != len(meant) - 1:
        return
    lines = raw.split("\n")
    offsets = [start]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    for number, column, more in _outputs(str(node.value)):
        at = lines[number].find(meant[number])
        if at >= 0:
            yield node.lineno + number, offsets[number] + at + column, more


def _outputs(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and text to put in, in the docstring's own lines, for each output that an example waits for."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    lines = text.split("\n")
    for example in examples:
        first = example.lineno + example.source.count("\n")
        count = example.want.count("\n")
        if example.exc_msg is not None:
            raised = example.exc_msg.split("\n")[0]
            found = (n for n in range(first, first + count) if lines[n].strip() == raised.strip())
            number = next(found, -1)
            if number >= 0:
                yield number, len(lines[number]) - len(lines[number].lstrip()), "Never"
        elif count:
            number = first + count - 1
            yield number, len(lines[number].rstrip()), "~"
