"""One stream of edits for each operator, and all streams merged, likeliest edit first.

The weight of an edit is P(operator | failure) x P(site | operator) x the operator's own weight for it. Where the first
two come from is said in ``transforms/enumerate/order.py``. A site weighs its line's suspiciousness times what its
context weighs for the operator. Its share is taken among all sites at which the operator has something to offer. So an
operator with three places is not drowned by one with three hundred. An operator whose best place is a line of little
suspicion, or of an unlikely context, is worth as much less. Weights of one operator also fall slowly with what it has
given already, so that no family starves behind a long one.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import libcst as cst

from analysis.facts import digest
from transforms.enumerate.order import Order
from transforms.operators.operator import Edit, Neighbourhood, Operator, Site, edits_at

_BY_PARENT = MappingProxyType(
    {
        cst.Arg: "argument",
        cst.BinaryOperation: "operand",
        **dict.fromkeys((cst.Comparison, cst.ComparisonTarget), "compared"),
        **dict.fromkeys((cst.BooleanOperation, cst.UnaryOperation), "condition"),
        **dict.fromkeys((cst.Assert, cst.CompIf), "test"),
        **dict.fromkeys((cst.Return, cst.Yield, cst.From), "returned"),
        cst.Raise: "raised",
        **dict.fromkeys((cst.Assign, cst.AnnAssign, cst.NamedExpr), "assigned"),
        cst.AugAssign: "added",
        **dict.fromkeys((cst.Index, cst.Slice), "index"),
        cst.Attribute: "receiver",
        **dict.fromkeys((cst.Element, cst.DictElement, cst.StarredElement), "element"),
        **dict.fromkeys((cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp), "element"),
        cst.FormattedStringExpression: "formatted",
        cst.Expr: "alone",
        cst.ExceptHandler: "caught",
        cst.WithItem: "entered",
    }
)

_BY_FIELD = MappingProxyType(
    {
        (cst.If, "test"): "if",
        (cst.While, "test"): "while",
        (cst.IfExp, "test"): "test",
        (cst.IfExp, "body"): "chosen",
        (cst.IfExp, "orelse"): "chosen",
        (cst.For, "iter"): "iterated",
        (cst.CompFor, "iter"): "iterated",
        (cst.Call, "func"): "called",
        (cst.Subscript, "value"): "receiver",
    }
)

_STATEMENTS = MappingProxyType(
    {
        cst.Return: "a return",
        cst.Raise: "a raise",
        **dict.fromkeys((cst.Assign, cst.AnnAssign, cst.AugAssign), "an assignment"),
        cst.Expr: "a call",
        cst.If: "an if",
        **dict.fromkeys((cst.For, cst.While), "a loop"),
        cst.Try: "a try",
        cst.With: "a with",
    }
)

OTHER = "other"


def context_of(site: Site) -> str:
    """One word for the place: of an expression what its value is for, of a statement its kind."""
    if site.role == "statement":
        return _STATEMENTS.get(type(site.small_statement or site.node), OTHER)
    if site.role in ("target", "label"):
        return f"a {site.role}"
    if site.up is None:
        return OTHER
    above = type(site.up.node)
    return _BY_FIELD.get((above, site.field)) or _BY_PARENT.get(above, OTHER)


FLOOR = 0.03
"""Suspiciousness that every line has which the failing tests run."""

IDLE = 0.0005
"""Suspiciousness of a line that no failing test runs, where it is known which ones they run."""

TIMEOUT = "timeout"
LOOPS = (cst.While, cst.For)
OUTSIDE_LOOPS = 0.4
"""What a place outside all loops is worth, where the function hangs and has some."""

PATIENCE = 60.0
"""After so many edits of one operator, its weights have halved."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One edit with its operator and its weight in the whole stream.

    ``ended`` are families of which nothing is left, and was before this edit or the last.
    """

    operator: Operator
    site: Site
    edit: Edit
    weight: float
    ended: tuple[str, ...] = ()


_Entry = tuple[Site, float, int, Iterator[Edit], Edit | None]
"""A site with its score, its place among equals, and its edits; of a choosy operator's the first was asked for."""


class _Stream:
    """Edits of one operator over its sites, heaviest first. Sites are asked only when their turn comes."""

    def __init__(self, operator: Operator, entries: Sequence[_Entry], weight: float) -> None:
        self.operator = operator
        self.given = 0
        self._heap: list[tuple[float, int, int, Site, Iterator[Edit], float, Edit | None]] = []
        # A choosy operator that is surer of some places than of others puts its hopes there.
        surest = max((first.weight for *_, first in entries if first is not None), default=1.0) or 1.0
        sure = [1.0 if first is None else first.weight / surest for *_, first in entries]
        total = sum(entry[1] * share for entry, share in zip(entries, sure, strict=True)) or 1.0
        best = max((entry[1] for entry in entries), default=0.0)
        for count, (site, score, tie, edits, first) in enumerate(entries):
            share = weight * best * score / total
            bound = share * (first.weight if first else 1.0)
            self._heap.append((-bound, tie, count, site, edits, share, first))
        heapq.heapify(self._heap)

    @property
    def bound(self) -> float:
        """No edit of this stream weighs more; 0 when it is empty."""
        return -self._heap[0][0] * PATIENCE / (PATIENCE + self.given) if self._heap else 0.0

    def step(self) -> Offer | None:
        """The next edit, or ``None`` when this step only asked a site for its next one."""
        _, tie, count, site, edits, share, edit = self._heap[0]
        offer = Offer(self.operator, site, edit, self.bound) if edit is not None else None
        following = next(edits, None)
        if following is None:
            heapq.heappop(self._heap)
        else:
            entry = (-share * following.weight, tie, count, site, edits, share, following)
            heapq.heapreplace(self._heap, entry)
        self.given += offer is not None
        return offer


def _entries(operator: Operator, sites: Sequence[tuple[Site, float, int]]) -> Generator[None, None, list[_Entry]]:
    """The sites that the operator has something for, as far as it can be told; a pause behind each that is asked."""
    entries: list[_Entry] = []
    for site, score, tie in sites:
        edits = edits_at(operator, site)
        first = next(edits, None) if operator.choosy else None
        if first is not None or not operator.choosy:
            entries.append((site, score, tie, edits, first))
        if operator.choosy:
            yield
    return entries


def offers(
    operators: Sequence[Operator],
    sites: Sequence[Site],
    near: Neighbourhood,
    line_scores: Mapping[int, float],
    seed: int,
    order: Order,
) -> Iterator[Offer | None]:
    """All edits of all operators, likeliest first; lazy, and the same for the same seed.

    ``None`` stands for a piece of work that gave no edit: whoever draws may look at the clock there.
    """
    hangs_in_loop = near.subclass == TIMEOUT and any(isinstance(site.node, LOOPS) for site in sites)
    scored = []
    for site in sites:
        outside = hangs_in_loop and not isinstance(site.node, LOOPS) and site.enclosing(*LOOPS) is None
        score = suspiciousness(site, line_scores) * (OUTSIDE_LOOPS if outside else 1.0)
        scored.append((site, score, context_of(site)))
    waiting: list[tuple[float, int, _Stream]] = []
    for number, operator in enumerate(operators):
        mine = _places(operator, scored, seed, order)
        if mine:
            entries = yield from _entries(operator, mine)
            stream = _Stream(operator, entries, order.weight(operator, near.failure_class, near.subclass))
            heapq.heappush(waiting, (-stream.bound, number, stream))
    going = Counter(stream.operator.family for _, _, stream in waiting)
    ended = list(dict.fromkeys(operator.family for operator in operators if operator.family not in going))
    while waiting:
        _, number, stream = waiting[0]
        if not stream.bound:
            heapq.heappop(waiting)
            going[stream.operator.family] -= 1
            if not going[stream.operator.family]:
                ended.append(stream.operator.family)
            continue
        offer = stream.step()
        heapq.heapreplace(waiting, (-stream.bound, number, stream))
        if offer is None:
            yield None
            continue
        yield replace(offer, ended=tuple(ended)) if ended else offer
        ended.clear()


def suspiciousness(site: Site, line_scores: Mapping[int, float]) -> float:
    """The highest score of the site's line and of the lines of its statement."""
    if not line_scores:
        return 1.0
    whole = site.statement
    lines = (site.line, *range(whole.line, whole.line + whole.height))
    known = [line_scores[line] for line in lines if line in line_scores]
    if known:
        return FLOOR + max(known)
    # Lines of a nested function are counted for that function alone.
    around = site.enclosing(cst.FunctionDef)
    return FLOOR if around is not None and around.path else IDLE


def _places(
    operator: Operator, scored: Sequence[tuple[Site, float, str]], seed: int, order: Order
) -> list[tuple[Site, float, int]]:
    """The sites that the operator looks at; among equals the seed decides who comes first."""
    factors: dict[str, float] = {}
    kinds: dict[type[cst.CSTNode], bool] = {}
    found: list[tuple[Site, float, int]] = []
    for site, score, context in scored:
        kind = type(site.node)
        if kind not in kinds:
            kinds[kind] = issubclass(kind, operator.on)
        if kinds[kind] and site.role in operator.roles:
            tie = int(digest(str(seed), operator.name, str(site.path))[:8], 16) if seed else len(found)
            if context not in factors:
                factors[context] = order.place(operator, context)
            found.append((site, score * factors[context], tie))
    return found
