"""When no single function can hold the fault: said only where it is sure, with a brief to go on from."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.evidence import body_lines
from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass, FunctionId, LineMap, SeenError, Suspect
from analysis.frames import innermost_frame, is_module_level, short_name, telling_exception
from analysis.functions import FunctionSpan


class ScopeReason(enum.Enum):
    """Why one function is not enough."""

    FORMAT = "format"
    MODULE_LEVEL = "module_level"
    MISSING_NAME = "missing_name"
    SIGNATURE = "signature"
    SEVERAL_FUNCTIONS = "several_functions"


@dataclass(frozen=True, slots=True)
class OutOfScope:
    """Why no function is repaired. ``brief`` is text that a person or an agent can go on from."""

    kind: ScopeReason
    reason: str
    brief: str


_Finding = tuple[ScopeReason, str, str]

_NO_NAME = re.compile(
    r"cannot import name '?(?P<name>\w+)'?(?: from (?:partially initialized module )?'(?P<module>[\w.]+)')?"
)
_NO_MODULE = re.compile(r"No module named '?(?P<name>[\w.]+)'?")
_NO_ATTRIBUTE = re.compile(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'")
_CALL = re.compile(r"(?P<function>[\w.]+)\(\) (?P<what>(?:got|missing|takes) .*)")


def out_of_scope(
    diagnoses: Sequence[Diagnosis],
    suspects: Sequence[Suspect],
    functions: Mapping[str, Sequence[FunctionSpan]] | None = None,
    line_map: LineMap = (),
) -> OutOfScope | None:
    """Why no edit of one function can mend all of these failures; ``None`` where one might.

    That several functions are at fault is told only with ``functions`` and a ``line_map`` that covers every failing
    test. No function outside the tests is then run by all of them.
    """
    if not diagnoses:
        return None
    raising = [(d, telling_exception(d.failure)) for d in diagnoses]
    for finder in _FINDERS:
        findings = [finder(d, raised) if raised else None for d, raised in raising]
        sure = [f for f in findings if f is not None]
        if len(sure) == len(diagnoses):
            kind, reason, advice = sure[0]
            return OutOfScope(kind, reason, _brief(reason, advice, diagnoses, suspects))
    apart = _independent_functions(diagnoses, functions or {}, line_map)
    if len(apart) < 2:
        return None
    places = ", ".join(f"{f.path}:{f.qualname}" for f in apart)
    reason = f"no function is run by all {len(diagnoses)} failing tests: several faults, in {places}"
    brief = _brief(reason, "Mend one failing test at a time.", diagnoses, suspects)
    return OutOfScope(ScopeReason.SEVERAL_FUNCTIONS, reason, brief)


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
    reason = f"a file cannot be parsed: {raised.message.splitlines()[0] if raised.message else short_name(raised)}"
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


def _independent_functions(
    diagnoses: Sequence[Diagnosis], functions: Mapping[str, Sequence[FunctionSpan]], line_map: LineMap
) -> tuple[FunctionId, ...]:
    """The functions that raise, where no function runs in every failing test; else none."""
    covered = dict(line_map)
    tests = {d.failure.test for d in diagnoses}
    if len(tests) < 2 or not tests <= covered.keys():
        return ()
    bodies = [
        (s.function, body_lines(s, spans)) for p, spans in functions.items() if not is_test_path(p) for s in spans
    ]
    for function, body in bodies:
        if all(any(path == function.path and body & lines for path, lines in covered[test]) for test in tests):
            return ()
    raising = []
    for raised in (telling_exception(d.failure) for d in diagnoses):
        frame = innermost_frame(raised) if raised else None
        holding = [f for f, body in bodies if frame and f.path == frame.path and frame.line in body]
        raising += holding[:1]
    return tuple(dict.fromkeys(raising))


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
