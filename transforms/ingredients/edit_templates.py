"""Templates of edits, by anti-unification of fixes: what two of them share stays, what differs becomes a typed hole.

Getafix (Bader et al., 2019) merges the pairs that share the most, and ranks by how specific a pattern is. Genesis (Long
et al., 2017) fills holes that the old code does not bind by generators. Here a template is one expression or one simple
statement and what is put in its place. From one fix alone, names that its function binds are holes.
"""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.same_flaw import LEAST_NODES, POSITIONS, Functions, bound_names, differing_pieces

LONGEST = 200
"""Characters of either side of an edit."""

LEAST_KEPT = 3
"""Nodes that are no holes of which a template needs so many: fewer fit everywhere."""

MOST_COMPARED = 150
"""Edits of one pair of kinds that are compared with each other, the newest."""

MOST_HOLES = 6
MOST_FILLINGS = 20
"""Ways in which what the old code does not bind is filled at one place."""

HOLE = re.compile(r"hole_(name|attribute|text|number|expression)_(\d+)")
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Delete)
_KEPT_OUT = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""What means something else in another place."""

_BUILTINS = frozenset(dir(builtins))

Words = Callable[[str], Sequence[str]]
"""What may fill a hole of a kind, likeliest first."""


@dataclass(frozen=True, slots=True)
class PieceEdit:
    """The smallest piece of a function that holds a fix, before and after; ``bound`` are the function's own names."""

    before: str
    after: str
    bound: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EditTemplate:
    """What is looked for and what is put in its place, with holes ``hole_name_1``; seen in so many ``commits``.

    ``kept`` counts the nodes of ``before`` that are no holes.
    """

    before: str
    after: str
    commits: int
    kept: int


def piece_edit(before: str, after: str) -> PieceEdit | None:
    """The piece that a change of a function is about; ``None`` where that is no expression or simple statement."""
    old, new = _function(before), _function(after)
    if old is None or new is None:
        return None
    pair = _differing(old, new)
    if pair is None or HOLE.search(before) or HOLE.search(after):
        return None
    texts = [ast.unparse(node) for node in pair]
    if max(map(len, texts)) > LONGEST:
        return None
    return PieceEdit(texts[0], texts[1], tuple(sorted(bound_names(old))))


def learn_templates(edits: Sequence[PieceEdit], most: int) -> tuple[EditTemplate, ...]:
    """Templates of the edits, given newest first: of pairs of them, and of each alone; the best supported first."""
    buckets: dict[tuple[type[ast.AST], type[ast.AST]], list[tuple[_Pair, _Pair]]] = {}
    for edit in edits:
        if (pair := _parse_edit(edit)) is not None:
            renamed = _renamed(pair, frozenset(edit.bound))
            buckets.setdefault((type(pair[0]), type(pair[1])), []).append((pair, renamed))
    found: dict[tuple[str, str], EditTemplate] = {}
    for bucket in buckets.values():
        every = [pair for pair, _ in bucket]
        for pair, renamed in bucket:
            _note(found, pair, renamed, every)
        for (one, _), (_, other) in itertools.combinations(bucket[:MOST_COMPARED], 2):
            _note(found, one, other, every)
    return tuple(sorted(found.values(), key=lambda each: (-each.commits, -each.kept, each.before)))[:most]


def explains(template: EditTemplate, edit: PieceEdit) -> bool:
    """Whether the edit is the template with its holes filled."""
    shape, pair = _parse_edit(PieceEdit(template.before, template.after)), _parse_edit(edit)
    return shape is not None and pair is not None and _is_of(*shape, pair)


def rewritings(template: EditTemplate, code: str, words: Words) -> Iterator[str]:
    """What the template makes of the code; nothing where it does not fit. Holes that it does not bind are filled."""
    pair, node = _parse_edit(PieceEdit(template.before, template.after)), _parse(code)
    if pair is None or node is None:
        return
    held: dict[str, object] = {}
    if not _fits(pair[0], node, held):
        return
    free = [hole for hole in dict.fromkeys(_holes(pair[1])) if hole not in held]
    choices = [[(hole, word) for word in words(_kind(hole))[:MOST_FILLINGS]] for hole in free]
    for chosen in itertools.islice(itertools.product(*choices), MOST_FILLINGS):
        filled = {**held, **{hole: _filling(hole, word) for hole, word in chosen}}
        if all(value is not None for value in filled.values()):
            made = _Fill(filled).visit(copy.deepcopy(pair[1]))
            text = _code(made)
            if text != ast.unparse(node):
                yield text


_Pair = tuple[ast.AST, ast.AST]


def _note(found: dict[tuple[str, str], EditTemplate], one: _Pair, other: _Pair, every: Sequence[_Pair]) -> None:
    """Take in what both edits have in common, where it is worth a template, with how many edits it is seen in."""
    holes: dict[tuple[str, str], str] = {}
    before, after = (_united(a, b, holes) for a, b in zip(one, other, strict=True))
    if not isinstance(before, ast.AST) or not isinstance(after, ast.AST) or len(holes) > MOST_HOLES:
        return
    kept = _count_kept(before)
    texts = _code(before), _code(after)
    if kept < LEAST_KEPT or texts[0] == texts[1] or texts in found or HOLE.fullmatch(texts[0]):
        return
    found[texts] = EditTemplate(*texts, sum(_is_of(before, after, pair) for pair in every), kept)


def _is_of(before: ast.AST, after: ast.AST, pair: _Pair) -> bool:
    held: dict[str, object] = {}
    return _fits(before, pair[0], held) and _fits(after, pair[1], held)


def _united(one: object, other: object, holes: dict[tuple[str, str], str]) -> object:
    """Both, with a hole where they differ; equal differences get the same hole. Lists have to be of one length."""
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        if type(one) is type(other) and not (isinstance(one, ast.Name) and ast.dump(one) != ast.dump(other)):
            parts: dict[str, object] = {
                name: _united(value, getattr(other, name, None), holes)
                for name, value in ast.iter_fields(one)
                if name not in POSITIONS
            }
            if _NO not in parts.values():
                return type(one)(**parts)
        if isinstance(one, ast.expr) and isinstance(other, ast.expr):
            kind = next((k for k in _KINDS if _is_of_kind(k, one) and _is_of_kind(k, other)), "expression")
            return ast.Name(_hole(kind, ast.dump(one), ast.dump(other), holes), ast.Load())
        return _NO
    if isinstance(one, list) and isinstance(other, list):
        items = [_united(a, b, holes) for a, b in zip(one, other, strict=False)]
        return items if len(one) == len(other) and _NO not in items else _NO
    if one == other and type(one) is type(other):
        return one
    if isinstance(one, str) and isinstance(other, str) and one.isidentifier() and other.isidentifier():
        return _hole("attribute", one, other, holes)
    return _NO


def _code(made: ast.AST) -> str:
    """The text of a tree that stands nowhere."""
    return ast.unparse(ast.fix_missing_locations(made))


class _Different:
    """Stands for what cannot be united, not even by a hole."""


_NO = _Different()
_KINDS = ("name", "text", "number")


def _hole(kind: str, one: str, other: str, holes: dict[tuple[str, str], str]) -> str:
    return holes.setdefault((one, other), f"hole_{kind}_{len(holes) + 1}")


def _kind(hole: str) -> str:
    found = HOLE.fullmatch(hole)
    return found[1] if found else ""


def _is_of_kind(kind: str, node: object) -> bool:
    match kind, node:
        case "name", ast.Name() | ast.Attribute():
            return True
        case "text", ast.Constant(value=str() | bytes()):
            return True
        case "number", ast.Constant(value=int() | float() as value):
            return not isinstance(value, bool)
        case "attribute", str():
            return True
    return kind == "expression" and isinstance(node, ast.expr)


def _fits(shape: object, node: object, held: dict[str, object]) -> bool:
    """Whether the node is the shape with its holes filled; what fills them is written into ``held``."""
    hole = shape.id if isinstance(shape, ast.Name) else shape if isinstance(shape, str) else ""
    if _kind(hole):
        if hole in held:
            return _same(held[hole], node)
        if not _is_of_kind(_kind(hole), node):
            return False
        held[hole] = node
        return True
    if isinstance(shape, ast.AST):
        return type(shape) is type(node) and all(
            _fits(value, getattr(node, name, None), held)
            for name, value in ast.iter_fields(shape)
            if name not in POSITIONS and name != "ctx"
        )
    if isinstance(shape, list):
        return (
            isinstance(node, list)
            and len(shape) == len(node)
            and all(_fits(a, b, held) for a, b in zip(shape, node, strict=True))
        )
    return type(shape) is type(node) and shape == node


def _same(one: object, other: object) -> bool:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.unparse(one) == ast.unparse(other)
    return one == other


def _holes(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        for _, value in ast.iter_fields(each):
            if isinstance(value, str) and HOLE.fullmatch(value):
                yield value


def _filling(hole: str, word: str) -> object:
    """The word as what fills the hole; ``None`` where it cannot."""
    if _kind(hole) == "attribute":
        return word if word.isidentifier() else None
    node = _parse(word)
    return node if isinstance(node, ast.expr) else None


class _Fill(ast.NodeTransformer):
    """Puts what fills the holes in their places."""

    def __init__(self, held: Mapping[str, object]) -> None:
        self._held = held

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self._held.get(node.id)
        return copy.deepcopy(found) if isinstance(found, ast.AST) else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, str) and isinstance(self._held.get(value), str):
                setattr(node, name, self._held[value])
        return super().generic_visit(node)


def _renamed(pair: _Pair, bound: frozenset[str]) -> _Pair:
    """The edit with the function's own names renamed: united with it or with another, they become holes."""
    made = copy.deepcopy(pair)
    for node in (each for tree in made for each in ast.walk(tree)):
        if isinstance(node, ast.Name) and node.id in bound and node.id not in _BUILTINS:
            node.id = f"other_{node.id}"
    return made


def _count_kept(node: ast.AST) -> int:
    return sum(
        not isinstance(each, (ast.expr_context, ast.operator, ast.cmpop)) and not any(map(_kind, _own_texts(each)))
        for each in ast.walk(node)
    )


def _own_texts(node: ast.AST) -> Iterator[str]:
    return (value for _, value in ast.iter_fields(node) if isinstance(value, str))


def _parse_edit(edit: PieceEdit) -> _Pair | None:
    old, new = _parse(edit.before), _parse(edit.after)
    return (old, new) if old is not None and new is not None else None


def _parse(code: str) -> ast.AST | None:
    """The expression or the simple statement that the code is."""
    try:
        body = ast.parse(textwrap.dedent(code).strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) != 1 or not isinstance(body[0], _SIMPLE):
        return None
    return body[0].value if isinstance(body[0], ast.Expr) else body[0]


def _function(text: str) -> Functions | None:
    try:
        body = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0] if len(body) == 1 and isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def _differing(old: ast.AST, new: ast.AST) -> _Pair | None:
    """The smallest pair of expressions or simple statements that holds all differences, and is no mere leaf."""
    pieces = (ast.expr, *_SIMPLE)
    pairs = [p for p in differing_pieces(old, new) if isinstance(p[0], pieces) and isinstance(p[1], pieces)]
    large = [pair for pair in pairs if _size(pair[0]) >= LEAST_NODES]
    pair = next(iter((large or pairs)[-1:]), None)
    if pair is None or any(isinstance(node, _KEPT_OUT) for tree in pair for node in ast.walk(tree)):
        return None
    return pair


def _size(node: ast.AST) -> int:
    return sum(not isinstance(each, ast.expr_context) for each in ast.walk(node))
