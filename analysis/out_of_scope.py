"""Causes that no single function can hold: said only where it is sure, with a brief to go on from."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass, SeenError, Suspect, TestId
from analysis.failure import describe_code_fence
from analysis.frames import innermost_frame, is_module_level, short_name, telling_exception


class ScopeReason(enum.Enum):
    """Why one function is not enough."""

    FORMAT = "format"
    MODULE_LEVEL = "module_level"
    MISSING_NAME = "missing_name"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class OutOfScope:
    """Why no function is repaired for these tests. ``brief`` is text that a person or an agent can go on from."""

    kind: ScopeReason
    reason: str
    brief: str
    tests: tuple[TestId, ...] = ()


_Finding = tuple[ScopeReason, str, str]

_NO_NAME = re.compile(
    r"cannot import name '?(?P<name>\w+)'?(?: from (?:partially initialized module )?'(?P<module>[\w.]+)')?"
)
_NO_MODULE = re.compile(r"No module named '?(?P<name>[\w.]+)'?")
_NO_ATTRIBUTE = re.compile(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'")
_CALL = re.compile(r"(?P<function>[\w.]+)\(\) (?P<what>(?:got|missing|takes) .*)")


def out_of_scope(diagnoses: Sequence[Diagnosis], suspects: Sequence[Suspect] = ()) -> tuple[OutOfScope, ...]:
    """The causes that no edit of one function can mend, each with its tests; the other failures may have one.

    Failures of the same kind that arise for the same reason have one cause.
    """
    found: dict[_Finding, list[Diagnosis]] = {}
    for diagnosis in diagnoses:
        raised = telling_exception(diagnosis.failure)
        findings = (finder(diagnosis, raised) for finder in _FINDERS) if raised else ()
        finding = next((each for each in findings if each is not None), None)
        if finding is not None:
            found.setdefault(finding, []).append(diagnosis)
    return tuple(
        OutOfScope(kind, reason, _brief(reason, advice, theirs, suspects), tuple(d.failure.test for d in theirs))
        for (kind, reason, advice), theirs in found.items()
    )


def _missing_name(diagnosis: Diagnosis, raised: SeenError) -> _Finding | None:
    if diagnosis.failure_class not in (FailureClass.FORMAT, FailureClass.CONTRACT):
        return None
    frame = innermost_frame(raised)
    if diagnosis.subclass not in (Subclass.IMPORT, Subclass.SIGNATURE) or (frame and not is_test_path(frame.path)):
        return None
    for pattern, offer in ((_NO_NAME, "a name"), (_NO_ATTRIBUTE, "a name"), (_NO_MODULE, "a module")):
        found = pattern.search(raised.message)
        if found:
            module = found.groupdict().get("module")
            reason = f"the test asks for {offer} that the project does not have: {found['name']}"
            place = f" in {module}" if module else ""
            return ScopeReason.MISSING_NAME, reason + place, f"Define {found['name']}{place}, or correct the import."
    return None


def _format(diagnosis: Diagnosis, raised: SeenError) -> _Finding | None:
    if diagnosis.failure_class is not FailureClass.FORMAT or diagnosis.subclass != Subclass.SYNTAX:
        return None
    said = raised.message.splitlines()[0] if raised.message else short_name(raised)
    reason = f"a file cannot be parsed: {said}{describe_code_fence(diagnosis.failure.message)}"
    return ScopeReason.FORMAT, reason, "Mend the syntax: there is no stable tree to patch."


def _module_level(_: Diagnosis, raised: SeenError) -> _Finding | None:
    frame = innermost_frame(raised)
    if frame is None or is_test_path(frame.path) or not is_module_level(frame):
        return None
    reason = f"{short_name(raised)} arises at module level, outside any function: {frame.path}:{frame.line}"
    return ScopeReason.MODULE_LEVEL, reason, f"Mend the statement at {frame.path}:{frame.line}."


def _signature(diagnosis: Diagnosis, raised: SeenError) -> _Finding | None:
    found = _CALL.search(raised.message)
    if diagnosis.subclass != Subclass.SIGNATURE or found is None:
        return None
    reason = f"the test calls {found['function']}() in a way that its signature does not allow: {found['what']}"
    return ScopeReason.SIGNATURE, reason, f"Decide whether {found['function']}() is to change for all of its callers."


_FINDERS: tuple[Callable[[Diagnosis, SeenError], _Finding | None], ...] = (
    _missing_name,
    _format,
    _module_level,
    _signature,
)


def _brief(reason: str, advice: str, diagnoses: Sequence[Diagnosis], suspects: Sequence[Suspect]) -> str:
    lines = [f"{reason[0].upper()}{reason[1:]}.", advice, "Failing:"]
    for diagnosis in diagnoses:
        raised = telling_exception(diagnosis.failure)
        message = raised.message.splitlines()[0] if raised and raised.message else ""
        lines.append(f"- {diagnosis.failure.test}: {short_name(raised) if raised else ''} {message}".rstrip())
        frame = innermost_frame(raised) if raised else None
        if frame is not None:
            lines.append(f"  at {frame.path}:{frame.line} in {frame.qualname}")
    if suspects:
        lines.append("Run by these tests:")
        lines.extend(f"- {s.function.path}:{s.function.qualname}" for s in suspects[:5])
    return "\n".join(lines)
