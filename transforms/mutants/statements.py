"""The statements of a function as parts: simple ones, and the heads of compound ones, with what they bind and read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from analysis.constant_truth import constant_truth
from analysis.function_text import FunctionNode, Unreadable, blocks, dotted_name, parse_function

Holder = ast.stmt | ast.ExceptHandler | ast.match_case

_SILENT = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.Try, ast.TryStar)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One statement without the blocks in it; lines count from 1 in the function's own text.

    ``around`` is the part in whose block it stands, ``earlier`` are the statements before it there. ``silent`` parts
    may leave no line in the byte code. Names are plain or dotted.
    """

    node: Holder
    first: int
    last: int
    around: Part | None
    earlier: tuple[ast.stmt, ...]
    binds: frozenset[str]
    reads: frozenset[str]
    silent: bool


@dataclass(frozen=True, slots=True)
class FunctionParts:
    """All parts of a function in source order, those of functions inside it included."""

    parts: tuple[Part, ...]

    def parts_at(self, lines: Set[int]) -> tuple[Part, ...]:
        """The parts that these lines lie in."""
        return tuple(part for part in self.parts if any(part.first <= line <= part.last for line in lines))

    def is_reached(self, part: Part, name: str, edited: Sequence[Part], *, lost: bool) -> bool:
        """Whether the value that an edited part binds to the name may be the one read here; ``lost``: or is missing.

        Example: of an edited ``x = 1`` in front of ``return x``; not where ``x = 2`` stands between them.
        """
        here: Part | None = part
        while here is not None:
            for statement in reversed(here.earlier):
                inside = [p for p in self.parts if name in p.binds and _is_in(p, statement)]
                if any(p in edited for p in inside):
                    return True
                if any(p.node is statement and not isinstance(statement, ast.AugAssign) for p in inside):
                    return False
            around = here.around
            if around is not None:
                if name in around.binds and not isinstance(around.node, FunctionNode):
                    return around in edited
                if isinstance(around.node, FunctionNode):
                    parameters = {each.arg for each in ast.walk(around.node.args) if isinstance(each, ast.arg)}
                    return name not in parameters and (lost or any(name in each.binds for each in edited))
                if isinstance(around.node, _LOOPS) and any(_is_in(p, around.node) for p in edited if name in p.binds):
                    return True
            here = around
        return lost


def parts_of(text: str) -> FunctionParts | None:
    """The parts of the one function of the text, its own head left out; ``None`` where it cannot be read."""
    function = parse_function(text)
    if isinstance(function, Unreadable):
        return None
    return FunctionParts(tuple(_in_block(function.body, None)))


def _in_block(block: Sequence[ast.stmt], around: Part | None) -> Iterator[Part]:
    for index, statement in enumerate(block):
        yield from _parts_of_statement(statement, around, tuple(block[:index]))


def _parts_of_statement(node: Holder, around: Part | None, earlier: tuple[ast.stmt, ...]) -> Iterator[Part]:
    first, last = _range(node)
    own = [inner for each in _own_expressions(node) for inner in ast.walk(each)]
    loaded = (dotted_name(each) for each in own if isinstance(getattr(each, "ctx", None), ast.Load))
    binds, reads = frozenset(_bound_names(node, own)), frozenset(filter(None, loaded))
    part = Part(node, first, last, around, earlier, binds, reads, _is_silent(node))
    yield part
    inner: list[list[ast.stmt]]
    clauses: Sequence[Holder]
    match node:
        case ast.Try() | ast.TryStar():
            inner, clauses = [node.body, node.orelse, node.finalbody], node.handlers
        case ast.Match():
            inner, clauses = [], node.cases
        case _:
            inner, clauses = list(blocks(node)), []
    for block in inner:
        yield from _in_block(block, part)
    for clause in clauses:
        yield from _parts_of_statement(clause, part, ())


def _range(node: Holder) -> tuple[int, int]:
    """The lines of a simple statement, or of a compound one up to its first block."""
    if isinstance(node, ast.match_case):
        first, last = node.pattern.lineno, node.pattern.end_lineno or 0
    else:
        first, last = node.lineno, node.end_lineno or node.lineno
    decorators = getattr(node, "decorator_list", [])
    first = min([first, *(d.lineno for d in decorators)])
    inner = [_range(s)[0] for block in blocks(node) for s in block[:1]]
    return (first, max(first, min(inner) - 1)) if inner else (first, last)


def _own_expressions(node: Holder) -> Iterator[ast.AST]:
    """The expressions of the part itself."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None))
        case _:
            holders = (ast.stmt, ast.ExceptHandler, ast.match_case)
            yield from (child for child in ast.iter_child_nodes(node) if not isinstance(child, holders))


def _bound_names(node: Holder, own: Sequence[ast.AST]) -> Iterator[str]:
    """Names and dotted chains that the part gives a value."""
    for each in own:
        if isinstance(getattr(each, "ctx", None), ast.Store) and dotted_name(each):
            yield dotted_name(each)
        elif isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name:
            yield each.name
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name


def _is_silent(node: Holder) -> bool:
    """Whether no line of it may be seen to run: ``pass``, ``break``, ``try:``, ``while True:``, ``x: int``."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.While(test=test):
            return constant_truth(test) is True
    return isinstance(node, _SILENT)


def _is_in(part: Part, statement: ast.AST) -> bool:
    """Whether the part is the statement, or stands in it: ``b()`` in ``if a: b()``."""
    here: Part | None = part
    while here is not None and here.node is not statement:
        here = here.around
    return here is not None
