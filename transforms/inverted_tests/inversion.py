"""The impossible twin of a file of tests: the same tests at the same lines, asking for what cannot be.

Each expected value is changed where it is compared; a condition without one is turned round. A program that does what
the tests ask for fails every test of the twin that comes to such a line. A program that passes does not owe its pass to
what it does. (The idea is that of ImpossibleBench, 2025.) Edits are splices: quotes, lines and all else stay. The twin
of doctests has the same examples at the same lines, each waiting for another output.

Left alone is what would say nothing. That is set-up and fixtures, and functions inside tests, whose callers may swallow
what they raise. It is also what stands in a ``try`` with handlers or under ``suppress``.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.function_text import FunctionNode, Unreadable, dotted_name, last_name, parse_module
from transforms.inverted_tests.assertion_edits import OffAssertion, Splice, invert_assert, invert_call, invert_context
from transforms.tree.text_places import Places

MARK = "impossible twin"
"""How the message begins of a test that came beyond an assertion which cannot hold."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One assertion that can hold no longer, at these lines of the file.

    ``by_value``: it asks for another value, and not merely for the opposite. ``bare``: it stands in a test itself,
    where nothing between it and the runner could swallow its failure.
    """

    function: str
    first: int
    last: int
    by_value: bool
    bare: bool


@dataclass(frozen=True, slots=True)
class Twin:
    """The twin's text, and what was changed in it, in source order."""

    source: bytes
    perturbed: tuple[Perturbed, ...]


def impossible_twin(source: bytes) -> Twin | Unreadable:
    """The twin of a file of tests; of a file in which nothing can be changed its own text."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return tree
    places = Places(source)
    found = [
        edit for name, function in _functions(tree.body, "") for edit in _edits_of_function(name, function, places)
    ]
    edited = places.splice([splice for _, splices in found for splice in splices])
    if isinstance(parse_module(edited), Unreadable) or edited.count(b"\n") != source.count(b"\n"):
        return Unreadable("its assertions cannot be changed where they stand")
    perturbed = sorted((assertion for assertion, _ in found), key=lambda each: (each.first, each.last))
    return Twin(edited, tuple(perturbed))


_Edit = tuple[Perturbed, tuple[Splice, ...]]

_UNTOUCHED = (
    *("setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "asyncSetUp"),
    *("asyncTearDown", "setup", "teardown", "setup_method", "teardown_method", "setup_class", "teardown_class"),
    *("setup_module", "teardown_module", "setup_function", "teardown_function"),
)
_HARMLESS = ("pytest.mark.", "mark.", "mock.patch", "patch", "unittest.mock.patch")


def _functions(scope: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, FunctionNode]]:
    """Functions of the module and of its classes that may run as tests or be called by them."""
    for statement in scope:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                set_up = statement.name in _UNTOUCHED or statement.name.startswith(("pytest_", "__"))
                if not set_up and not any(last_name(_callee(d)).endswith("fixture") for d in statement.decorator_list):
                    yield prefix + statement.name, statement
            case ast.ClassDef():
                yield from _functions(statement.body, f"{prefix}{statement.name}.")
            case ast.If() | ast.Try() | ast.With():
                for block in (statement.body, getattr(statement, "orelse", [])):
                    yield from _functions(block, prefix)


def _callee(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _edits_of_function(name: str, function: FunctionNode, places: Places) -> list[_Edit]:
    """The edits of one function: of values where it has any, else of conditions."""
    decorators = [dotted_name(_callee(d)) for d in function.decorator_list]
    bare = function.name.startswith("test") and all(d.startswith(_HARMLESS) for d in decorators)
    found: list[_Edit] = []
    for node, off, still in _in_block(function.body, places):
        first, last = int(getattr(node, "lineno", 0)), int(getattr(node, "end_lineno", 0))
        splices = off.splices
        if off.ends:
            end = places.span(node)[1]
            splices = (*splices, (end, end, f'; raise RuntimeError("{MARK}: what line {first} asks for holds")'))
        found.append((Perturbed(name, first, last, off.by_value, bare and still), splices))
    return [edit for edit in found if edit[0].by_value] or found


def _in_block(block: Sequence[ast.stmt], places: Places) -> Iterator[tuple[ast.AST, OffAssertion, bool]]:
    """Assertions with what is made of them, and whether their failure surely leaves the function."""
    for statement in block:
        match statement:
            case ast.Assert():
                yield statement, invert_assert(statement, places), True
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                off = invert_call(call, places, whole=isinstance(statement, ast.Expr))
                if off is not None:
                    yield statement, off, True
            case ast.With() | ast.AsyncWith():
                yield from _in_with(statement, places)
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
                yield from _in_block(statement.body, places)
                yield from _in_block(statement.orelse, places)
            case ast.Match(cases=cases):
                for case in cases:
                    yield from _in_block(case.body, places)
            case ast.Try() | ast.TryStar():
                kept = [] if statement.handlers else statement.body
                handling = [s for handler in statement.handlers for s in handler.body]
                for inner in (kept, handling, statement.orelse, statement.finalbody):
                    yield from _swallowable(_in_block(inner, places))


def _in_with(node: ast.With | ast.AsyncWith, places: Places) -> Iterator[tuple[ast.AST, OffAssertion, bool]]:
    contexts = [item.context_expr for item in node.items]
    if any(last_name(_callee(context)) == "suppress" for context in contexts):
        return
    expecting = [(context, invert_context(context, places)) for context in contexts]
    yield from ((context, off, True) for context, off in expecting if off is not None)
    inner = _in_block(node.body, places)
    yield from inner if all(off is not None for _, off in expecting) else _swallowable(inner)


def _swallowable(
    found: Iterator[tuple[ast.AST, OffAssertion, bool]],
) -> Iterator[tuple[ast.AST, OffAssertion, bool]]:
    yield from ((node, off, False) for node, off, _ in found)


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
        for line, at, new in _edits_of_docstring(docstring, places):
            splices.append((at, at, new))
            perturbed.append(Perturbed(name, line, line, by_value=True, bare=False))
    edited = places.splice(splices)
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


def _edits_of_docstring(node: ast.Constant, places: Places) -> Iterator[tuple[int, int, str]]:
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
