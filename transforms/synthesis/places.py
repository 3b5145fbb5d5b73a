"""The places of a function whose values may decide a failing test, and the function with a hook at each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import libcst as cst

from analysis.synthesis import PlaceKind, Query, SynthesisPlace
from transforms.enumerate.sites import Ground, ground
from transforms.enumerate.streams import FLOOR, suspiciousness
from transforms.ingredients.within_reach import Ingredients
from transforms.operators.operator import Neighbourhood, Site
from transforms.synthesis.spots import Spot, alike_spots, exit_spots
from transforms.tree.candidate import Rejected
from transforms.tree.node_path import NodePath
from transforms.tree.placing import encode_code
from transforms.tree.scope import EditScope
from transforms.tree.spans import NEWLINE, Span

MOST_CONDITIONS = 12
MOST_GUARDS = 8
MOST_VALUES = 12
_MOST_TEXT = 160
_MOST_NAMES, _MOST_LITERALS = 40, 12

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_TESTED = (cst.If, cst.While, cst.IfExp, cst.CompIf, cst.Assert)
_ASSIGNED = (cst.Assign, cst.AnnAssign, cst.AugAssign)
_LEFT_ALONE = (cst.Yield, cst.Await, cst.Lambda, cst.NamedExpr, cst.FormattedString)
_KEPT = (cst.Pass, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.Del)
_PLAIN_LITERALS = ("0", "1", "None", "True", "False", "''", "[]")


@dataclass(frozen=True, slots=True)
class Points:
    """The places that are asked about, each with where it is, and what is sent to find out about them."""

    ask: Query
    spots: tuple[Spot, ...]


def points_of(
    scope: EditScope, near: Neighbourhood, line_scores: Sequence[tuple[int, float]], seconds: float
) -> Points | None:
    """The most suspicious conditions, exits and values of the function; ``None`` where there are none."""
    land, scores = ground(scope, near), dict(line_scores)
    chosen = _choose_places(land.sites, scores)
    if not chosen:
        return None
    exits, alike = exit_spots(land.sites, scores), alike_spots(land.sites, scores)
    values = [spot for spot in chosen if spot.kind is PlaceKind.VALUE]
    # What takes many runs to find out about comes last: time may end before.
    spots = (*(spot for spot in chosen if spot.kind is not PlaceKind.VALUE), *exits, *values, *alike)
    places = []
    for number, spot in enumerate(spots):
        own, level = (_FIXED[spot.kind], 9) if spot.kind in _FIXED else (spot.first.code, level_of(spot.first.node))
        places.append(SynthesisPlace(number, spot.kind, own, level))
    text = instrument_places(scope, land, spots)
    if isinstance(text, Rejected):
        return None
    words = near.ingredients
    ask = Query(scope.function, text, tuple(places), _names(words), _literals(words), seconds)
    return Points(ask, spots)


def instrument_places(scope: EditScope, land: Ground, spots: Sequence[Spot]) -> bytes | Rejected:
    """The function's text in which each place asks the hooks first, whether it is to be evaluated or run."""
    spans: Mapping[NodePath, Span] = dict(land.spans)
    marks: list[tuple[int, int, int, str]] = []
    for number, spot in enumerate(spots):
        opening = f"(__repair_value__({number}) if __repair_first__({number}) else __repair_seen__({number}, ("
        for site in spot.sites:
            if spot.kind is PlaceKind.EXIT:
                start, margin = _statement_start(land.source, spans[site.path][0], site)
                marks.append((start, 1, -len(land.source) - 2, f"if {opening}False))): {spot.exit}\n{margin}"))
            elif spot.kind is PlaceKind.GUARD:
                start, end = spans[(*site.path, "body", 0)]
                marks.append((start, 1, -end - 1, f"if {opening}True))): "))
            else:
                start, end = spans[site.path]
                marks.append((start, 1, -end, opening))
                marks.append((end, 0, -start, ")))"))
    code, done, pieces = land.source, 0, []
    for at, _, _, text in sorted(marks):
        pieces += [code[done:at], text]
        done = at
    return encode_code(scope, "".join([*pieces, code[done:]])[len(scope.header) :])


def _statement_start(source: str, start: int, site: Site) -> tuple[int, str]:
    """Where a statement's own text begins, behind the lines above it, and what stands before it on its line."""
    for _ in getattr(site.node, "leading_lines", ()):
        found = NEWLINE.search(source, start)
        assert found is not None, "each of these lines has an end"
        start = found.end()
    end = start + len(source[start:]) - len(source[start:].lstrip(" \t"))
    return end, source[start:end]


_FIXED = MappingProxyType({PlaceKind.GUARD: "True", PlaceKind.EXIT: "False"})
"""What the program has by itself where nothing is asked: every statement runs, and nothing is left early."""


def _choose_places(sites: Sequence[Site], line_scores: Mapping[int, float]) -> list[Spot]:
    """The most suspicious of each kind; among equals those that stand first."""
    found: dict[PlaceKind, list[tuple[float, int, Site]]] = {kind: [] for kind in _MOST}
    for order, site in enumerate(sites):
        kind = _kind(site)
        score = suspiciousness(site, line_scores) if kind is not None else 0.0
        if kind is not None and score >= FLOOR:
            found[kind].append((-score, order, site))
    return [Spot((s,), kind) for kind, ranked in found.items() for _, _, s in sorted(ranked)[: _MOST[kind]]]


_MOST = MappingProxyType(
    {PlaceKind.CONDITION: MOST_CONDITIONS, PlaceKind.GUARD: MOST_GUARDS, PlaceKind.VALUE: MOST_VALUES}
)


def _kind(site: Site) -> PlaceKind | None:
    """What the site is asked for; ``None`` where it is left alone."""
    if site.role == "statement":
        # It stands on lines of its own, and is more than its function's last word.
        on_its_own = site.place is not None and site.small_statement is not None
        last_word = isinstance(site.small_statement, cst.Return) and site.is_last
        kept = isinstance(site.small_statement, _KEPT)
        return PlaceKind.GUARD if on_its_own and not kept and not last_word else None
    if site.role != "value" or len(site.code) > _MOST_TEXT or isinstance(site.node, _LEFT_ALONE):
        return None
    if site.enclosing(cst.FormattedString) is not None:
        return None
    if _decides(site):
        return PlaceKind.CONDITION
    return PlaceKind.VALUE if _gives(site) else None


def _decides(site: Site) -> bool:
    """Whether it is a condition, an operand of one, or a truth that is given on: ``a < b`` of ``return a < b``."""
    up = site.up.node if site.up is not None else None
    if isinstance(up, cst.BooleanOperation) or (
        isinstance(up, cst.UnaryOperation) and isinstance(up.operator, cst.Not)
    ):
        return True
    if isinstance(up, _TESTED) and site.field == "test":
        return True
    truth = isinstance(site.node, (cst.Comparison, cst.BooleanOperation))
    return truth and isinstance(up, (cst.Return, *_ASSIGNED))


def _gives(site: Site) -> bool:
    """Whether it is assigned, returned, passed on, or used to look something up: ``x`` of ``f(x)`` or of ``d[x]``."""
    up = site.up.node if site.up is not None else None
    if isinstance(up, cst.Arg):
        return not up.star
    return isinstance(up, (cst.Return, cst.Index, cst.Slice, *_ASSIGNED)) and site.field != "target"


def _names(words: Ingredients) -> tuple[str, ...]:
    """Names and dotted names within reach, those of the function first."""
    near = [i.text for i in (*words.names, *words.attributes) if i.distance == 0]
    far = [i.text for i in (*words.attributes, *words.constants) if i.distance > 0]
    texts = [t for t in dict.fromkeys((*words.parameters, *near, *far)) if _DOTTED.fullmatch(t) and "__" not in t]
    return tuple(texts[:_MOST_NAMES])


def _literals(words: Ingredients) -> tuple[str, ...]:
    """Texts of plain values: those of the function, then the usual ones."""
    own = [i.text for i in (*words.numbers, *words.strings) if i.distance == 0 and len(i.text) <= 40]
    return tuple(dict.fromkeys((*filter(_PLAIN.fullmatch, own[:_MOST_LITERALS]), *_PLAIN_LITERALS)))


_PLAIN = re.compile(r"-?\d+(\.\d+)?|'[^'\\{}]*'|\"[^\"\\{}]*\"")
"""One number, or one string without a prefix."""

_LEVELS: Mapping[type[cst.CSTNode], int] = MappingProxyType(
    {
        cst.Or: 1,
        cst.And: 2,
        cst.Not: 3,
        **dict.fromkeys((cst.Add, cst.Subtract), 6),
        cst.Power: 8,
        **dict.fromkeys((cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.MatrixMultiply), 7),
    }
)
_PIECES = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber, cst.SimpleString, cst.List, cst.Dict)


def level_of(node: cst.CSTNode) -> int:
    """How tightly the expression's outermost operator binds: 1 for ``or`` to 9 for a single piece. It is 0 if it has to
    be put into parentheses anywhere."""
    if getattr(node, "lpar", ()) or isinstance(node, (*_PIECES, cst.BaseComp, cst.Set)):
        return 0 if isinstance(node, cst.GeneratorExp) and not node.lpar else 9
    if isinstance(node, cst.Comparison):
        return 4
    if isinstance(node, (cst.BinaryOperation, cst.BooleanOperation, cst.UnaryOperation)):
        return _LEVELS.get(type(node.operator), 8 if isinstance(node, cst.UnaryOperation) else 5)
    return 0
