"""Where the failing call parts from the nearest passing call: the first value made otherwise, the first other way."""

from __future__ import annotations

from analysis.courses import CallPair, Course, FlowParting, Glance, ValueParting, part
from analysis.errors import OutOfTimeError
from repair.model.facts.matter import Matter, one_line, shown_value

LEAST_LEFT = 6.0
"""Seconds that have to be left of a run for the question to be asked; it takes two at most, of one core."""

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
    return f"{_place(parting.statement, parting.times)}: `{name}` is {here} here, {there} in the passing call"


def _flow(parting: FlowParting, pair: CallPair) -> str:
    here, there = (
        f"goes on with {place}" if place else ("raises" if course.raised else "ends")
        for place, course in ((parting.here, pair.failing), (parting.there, pair.passing))
    )
    place = _place(parting.statement, parting.times) if parting.statement else "at the beginning"
    return f"{place}: the failing call {here}, the passing call {there}"


def _place(statement: str, times: int) -> str:
    return f"behind {statement}" + (f" (time {times})" if times > 1 else "")


def _text(seen: Glance) -> str:
    return shown_value(seen.name, seen.text, MOST_TEXT) if seen.text else f"<{seen.kind}>"
