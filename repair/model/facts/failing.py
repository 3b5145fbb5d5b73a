"""What failed: the call with what came and what was wanted, values where it failed, what follows from it."""

from __future__ import annotations

import ast

from analysis.facts import Diagnosis, Frame, SeenError
from analysis.function_text import names_in
from repair.model.facts.matter import Matter, one_line, shown_value
from repair.model.facts.tests_code import kept_statements

MOST_FRAMES, MOST_MESSAGE, MOST_LOCALS, MOST_OTHERS = 6, 700, 10, 8
_LINKS = {"cause": "caused by ", "context": "while handling ", "group": "with "}


def failing_call(matter: Matter) -> str:
    """The failing test, its call, what came, what was wanted and how the two are related, and the traceback."""
    failure, said = matter.diagnosis.failure, matter.said
    lines = [f"test: {failure.test} ({matter.diagnosis.failure_class.value}, {matter.diagnosis.subclass})"]
    told = (("call", said.call or _call_behind(matter)), ("got", said.got), ("wanted", said.wanted))
    lines += [f"{name}: {one_line(text, 500)}" for name, text in told if text]
    if said.relation is not None:
        lines.append(f"relation of got to wanted: {said.relation.value}")
    if said.item:
        lines.append(f"where: {one_line(said.item, 300)}")
    for number, raised in enumerate(failure.exceptions[:3]):
        lines.append((_LINKS.get(raised.link, "") if number else "") + _describe(raised))
        lines += [_place(frame, matter) for frame in raised.frames if frame.in_project][-MOST_FRAMES:]
    if not failure.exceptions:
        lines.append(one_line(failure.message, MOST_MESSAGE))
    return "\n".join(lines)


def _call_behind(matter: Matter) -> str:
    """The call that made what the failed statement looks at: ``f(3)`` for ``got = f(3)`` above ``assert got == 4``."""
    if matter.case is None or matter.test_frame is None:
        return ""
    *before, last = kept_statements(matter.case, matter.test_frame.line)
    for statement in reversed(before):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if name in names_in(last):
                return ast.unparse(call)
    return ""


def _describe(raised: SeenError) -> str:
    message = raised.message.strip()
    return f"{raised.type_name}: {message if len(message) <= MOST_MESSAGE else message[:MOST_MESSAGE] + '…'}".rstrip(
        ": "
    )


def _place(frame: Frame, matter: Matter) -> str:
    lines = matter.lines_of(frame.path)
    code = lines[frame.line - 1].strip() if 0 < frame.line <= len(lines) else ""
    return f"  {frame.path}:{frame.line} in {frame.qualname or frame.name}: {one_line(code, 160)}".rstrip(": ")


def values_where_it_failed(matter: Matter) -> str:
    """Plain values in the failing test and in the frames of the function and below it, as they were in the end."""
    raised = matter.diagnosis.failure.exceptions[0] if matter.diagnosis.failure.exceptions else None
    frames = [frame for frame in raised.frames if frame.in_project] if raised else []
    own = [f for f in frames if f.path == matter.plan.function.path and _is_function(f, matter)]
    shown = dict.fromkeys([*(frame for frame in frames if frame is matter.test_frame), *own[-1:], *frames[-1:]])
    return "\n".join(text for frame in shown if (text := _values(frame)))


def _is_function(frame: Frame, matter: Matter) -> bool:
    return (
        frame.first_line == matter.plan.function.first_line
        or frame.name == matter.plan.function.qualname.split(".")[-1]
    )


def _values(frame: Frame) -> str:
    known = [f"{v.name} = {shown_value(v.name, v.value)}" for v in frame.locals if v.value is not None]
    kinds = [f"{v.name}: a {v.type_name}" for v in frame.locals if v.value is None and v.name != "self"]
    told = [*known, *kinds][:MOST_LOCALS]
    return f"in {frame.qualname or frame.name} at line {frame.line}:\n  " + "\n  ".join(told) if told else ""


def constraints(matter: Matter) -> str:
    """What the failures say of inputs and operations, those about this function first.

    What another failing test says of an exception is left out where this one wants a result.
    """
    own, first = matter.plan.function.path, matter.diagnosis
    claims = [c for d in (first, *(d for d in matter.plan.diagnoses[1:] if _is_alike(d, first))) for c in d.constraints]
    ordered = sorted(claims, key=lambda each: each.path != own)
    return "\n".join(f"- {claim}" for claim in dict.fromkeys(one_line(c.claim, 300) for c in ordered[:6]))


def _is_alike(one: Diagnosis, other: Diagnosis) -> bool:
    return one.failure_class is other.failure_class and one.subclass == other.subclass


def other_failures(matter: Matter) -> str:
    """The other failing tests, a line each."""
    others = matter.plan.diagnoses[1:]
    lines = [_line(each) for each in others[:MOST_OTHERS]]
    return "\n".join([*lines, *([f"and {len(others) - MOST_OTHERS} more"] if len(others) > MOST_OTHERS else [])])


def _line(diagnosis: Diagnosis) -> str:
    failure = diagnosis.failure
    raised = failure.exceptions[0] if failure.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else failure.message
    return f"{failure.test}: {one_line(text, 160)}"


def task(matter: Matter) -> str:
    """The task as a person described it."""
    return matter.context.description
