"""Where values are asked about: one expression, one statement, an exit to put in front of one, or equal expressions.

Exits are the guards of ACS (Xiong et al., 2017) and of Nopol's preconditions (Xuan et al., 2017). Such a guard is ``if
<condition>: return <value>``, where the condition is found by forcing it. Equal expressions that share one value are
the simplest case of a repair of several places at once (Angelix, Mechtaev, Yi and Roychoudhury, 2016).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from analysis.facts import ConstraintKind
from analysis.synthesis import PlaceKind
from transforms.enumerate.streams import FLOOR, suspiciousness
from transforms.operators.operator import Site

MOST_EXITS = 18
MOST_ALIKE = 4
_EXITS_EACH = 6
_LEAST_ALIKE, _MOST_ALIKE_SITES = 2, 4
_NO_ENTRY = (cst.Pass, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)
_DEFINED = (cst.FunctionDef, cst.ClassDef)
_ALIKE = (cst.Name, cst.Attribute, cst.Subscript, cst.Call, cst.BinaryOperation)
_PLAIN_RESULTS = ("None", "[]", "0", "False", "''")


@dataclass(frozen=True, slots=True)
class Spot:
    """Sites that are asked about as one. ``exit`` is the statement that a condition may be put in front of the site."""

    sites: tuple[Site, ...]
    kind: PlaceKind
    exit: str = ""

    @property
    def first(self) -> Site:
        """The only site, or the first of them."""
        return self.sites[0]


def exit_spots(sites: Sequence[Site], line_scores: Mapping[int, float]) -> list[Spot]:
    """Exits in front of the first statement and of the most suspicious ones, the first of each statement first."""
    found = [(-suspiciousness(s, line_scores), n, s) for n, s in enumerate(sites) if _may_be_entered(s)]
    ranked = [site for score, _, site in sorted(found, key=lambda each: each[:2]) if -score >= FLOOR]
    start = [site for _, _, site in found[:1]]
    places = list({site.path: site for site in [*start, *ranked]}.values())[: MOST_EXITS // _EXITS_EACH]
    return [Spot((site,), PlaceKind.EXIT, text) for site in places for text in list(_exits(site))[:_EXITS_EACH]]


def _may_be_entered(site: Site) -> bool:
    """Whether something may be put in front of it, a statement of the function: of ``x = 1``, not of ``pass``."""
    around = site.enclosing(*_DEFINED)
    if site.place is None or isinstance(site.node, _DEFINED) or isinstance(site.small_statement, _NO_ENTRY):
        return False
    return around is not None and not around.path


def _exits(site: Site) -> Iterator[str]:
    """How the function, or the loop, may be left here: as it says itself elsewhere, then with a plain value."""
    words, own = site.words, site.code.strip()
    said = [c.detail for c in site.near.constraints_of(ConstraintKind.MISSING_RAISE) if c.detail.isidentifier()]
    known = [s.text for s in words.statements if s.distance == 0 and s.text.startswith("return")]
    given = [f"return {p}" for p in words.parameters if p not in ("self", "cls")]
    results = [*known[:2], *given[:1], *(f"return {value}" for value in _PLAIN_RESULTS)]
    if words.is_generator:
        results = ["return"]
    texts = [*(f"raise {name}()" for name in said), *(["break", "continue"] if site.in_loop else []), *results]
    yield from (text for text in dict.fromkeys(texts) if text != own and "\n" not in text)


def alike_spots(sites: Sequence[Site], line_scores: Mapping[int, float]) -> list[Spot]:
    """Expressions that stand in several places of the function, to be replaced in all of them."""
    groups: dict[str, list[Site]] = {}
    for site in sites:
        if site.role == "value" and isinstance(site.node, _ALIKE) and site.is_own_value:
            groups.setdefault(site.code, []).append(site)
    fitting = [g for g in groups.values() if _LEAST_ALIKE <= len(g) <= _MOST_ALIKE_SITES and all(map(_is_open, g))]
    scored = [(-max(suspiciousness(s, line_scores) for s in group), n) for n, group in enumerate(fitting)]
    best = [fitting[n] for score, n in sorted(scored) if -score >= FLOOR]
    return [Spot(tuple(group), PlaceKind.VALUE) for group in best[:MOST_ALIKE]]


def _is_open(site: Site) -> bool:
    """Whether something else may be written there: for ``x`` of ``f(x)``, not of ``f(*x)`` or ``f'{x}'``."""
    up = site.up.node if site.up is not None else None
    is_starred = isinstance(up, cst.StarredElement) or (isinstance(up, cst.Arg) and bool(up.star))
    return not is_starred and not site.enclosing(cst.FormattedString, cst.Lambda, cst.NamedExpr)
