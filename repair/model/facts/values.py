"""Values: which would mend the failing tests if they stood somewhere, found by forcing them while the tests run."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.errors import OutOfTimeError
from analysis.synthesis import Forced, PlaceKind, WantedValue
from repair.model.facts.matter import Matter, one_line
from repair.records.wording import count_noun
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.synthesis.places import Points, points_of
from transforms.synthesis.spots import Spot

SECONDS = 1.5
"""What the question may take, of one core; where it costs more, it is not asked."""

LEAST_LEFT = 4 * SECONDS
MOST_PLACES, MOST_FORCED = 4, 5
"""Places that are told, and failing tests in which values are forced."""


def angelic_values(matter: Matter) -> str:
    """Places of the function at which another value lets all failing tests pass (Nguyen et al., SemFix, 2013).

    They come from the failing tests alone, and say nothing of what else the value has to be. Conditions and values are
    told first, then statements that are skipped, then exits.
    """
    values = matter.context.values
    if values is None or matter.context.seconds_left() < LEAST_LEFT:
        return ""
    near = Neighbourhood(ingredients_of(matter.context.module_source, matter.plan.function))
    points = points_of(matter.context.scope, near, matter.plan.suspect.line_scores, SECONDS)
    if points is None:
        return ""
    try:
        forced: Forced = values.force(points.ask)()
    except OutOfTimeError:
        return ""
    tests = min(len(matter.plan.diagnoses), MOST_FORCED)
    told = dict.fromkeys(_sentences(matter, points, forced, tests))
    return "\n".join(f"- {each}" for each in list(told)[:MOST_PLACES])


_ORDER = (PlaceKind.CONDITION, PlaceKind.VALUE, PlaceKind.GUARD, PlaceKind.EXIT)


def _sentences(matter: Matter, points: Points, forced: Forced, tests: int) -> Iterator[str]:
    ranked = sorted(forced.wanted, key=lambda each: (_ORDER.index(points.spots[each.place].kind), each.place))
    then = f"{count_noun(tests, 'failing test')} of {len(matter.plan.diagnoses)} pass"
    for wanted in ranked:
        yield f"{_describe(matter, points.spots[wanted.place], wanted)}, {then}"


def _describe(matter: Matter, spot: Spot, wanted: WantedValue) -> str:
    """The place and what would stand there, in the words of a condition: ``were `n // 2` in s7 3 instead of 2``."""
    where, code = _place(matter, spot), one_line(spot.first.code, 80)
    if spot.kind is PlaceKind.GUARD:
        return f"were {where} `{code}` not always run"
    if spot.kind is PlaceKind.EXIT:
        return f"were the function left by `{one_line(spot.exit, 60)}` before {where}, on this input"
    own, given = wanted.shown[0] if wanted.shown else ("", "")
    if not given:
        return f"were `{code}` in {where} another value"
    instead = f" instead of {one_line(own, 80)}" if own else ""
    again = f" in all of {len(spot.sites)} places" if len(spot.sites) > 1 else ""
    return f"were `{code}` in {where} {one_line(given, 80)}{instead}{again}"


def _place(matter: Matter, spot: Spot) -> str:
    """The number of the statement that the place belongs to."""
    return matter.numbered.at_line(spot.first.line - matter.plan.function.first_line + 1) or "the function"
