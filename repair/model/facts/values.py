"""Values as they run: which would mend the failing tests if they stood somewhere, and where a failing call goes astray.

The first are found by forcing values while the tests run. For the second the failing call is held beside the nearest
one that passes: the first value made otherwise, the first other way.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.courses import CallPair, Course, FlowParting, Glance, ValueParting, part
from analysis.errors import OutOfTimeError
from analysis.synthesis import Forced, PlaceKind, WantedValue
from repair.model.facts.matter import Matter, one_line, shown_value
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


MOST_GIVEN, MOST_TEXT = 6, 60
"""Arguments of a call that are told, and characters of each."""


def first_parting(matter: Matter) -> str:
    """Both calls in a line each, and the statements at which a value's class and the control flow first part.

    The failing call is the one from which the exception came, else the last one of the failing test.
    """
    values = matter.context.values
    if values is None or matter.context.seconds_left() < LEAST_LEFT:
        return ""
    function = matter.plan.function
    try:
        pair = values.follow(function, matter.diagnosis.failure.test)
    except OutOfTimeError:
        return ""
    if pair is None:
        return ""
    parting = part(pair, lambda line: matter.numbered.at_line(line - function.first_line + 1))
    if parting.value is None and parting.flow is None:
        return ""
    told = [
        f"the failing call, of {pair.failing.test}: {_call(matter, pair.failing, pair)}",
        f"a call like it that passes, of {pair.passing.test}: {_call(matter, pair.passing, pair)}",
    ]
    if parting.value is not None:
        told.append(f"- {_value(parting.value)}")
    if parting.flow is not None:
        told.append(f"- {_flow(parting.flow, pair)}")
    return "\n".join(told)


def _call(matter: Matter, course: Course, pair: CallPair) -> str:
    """``price(count=3, kind='a') returns 4``; attributes of the instance where they differ between the two."""
    both = {*pair.failing.given} & {*pair.passing.given}
    own = [each for each in course.given if "." not in each.name and (each.text or each not in both)]
    held = [each for each in course.given if "." in each.name and each not in both]
    shown = ", ".join(f"{each.name}={_text(each)}" for each in own[:MOST_GIVEN])
    where = ", ".join(f"{each.name} is {_text(each)}" for each in held[:MOST_GIVEN])
    word, kind, text = course.ending
    end = f"raises {kind}: {one_line(text, MOST_TEXT)}".removesuffix(": ") if course.raised else ""
    result = "" if word != "returned" else f"returns {_text(Glance(matter.plan.function.qualname, kind, text))}"
    name = matter.plan.function.qualname.rsplit(".", 1)[-1]
    return f"{name}({shown})" + (f", where {where}," if where else "") + f" {end or result}"


def _value(parting: ValueParting) -> str:
    name = next(each.name for each in (parting.here, parting.there) if each is not None)
    here, there = (_text(each) if each else "not set" for each in (parting.here, parting.there))
    return f"{_behind(parting.statement, parting.times)}: `{name}` is {here} here, {there} in the passing call"


def _flow(parting: FlowParting, pair: CallPair) -> str:
    here, there = (
        f"goes on with {place}" if place else ("raises" if course.raised else "ends")
        for place, course in ((parting.here, pair.failing), (parting.there, pair.passing))
    )
    place = _behind(parting.statement, parting.times) if parting.statement else "at the beginning"
    return f"{place}: the failing call {here}, the passing call {there}"


def _behind(statement: str, times: int) -> str:
    return f"behind {statement}" + (f" (time {times})" if times > 1 else "")


def _text(seen: Glance) -> str:
    return shown_value(seen.name, seen.text, MOST_TEXT) if seen.text else f"<{seen.kind}>"
