"""What a failure comes from, as far as one run tells: the function, how far a change goes, the kind of edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from analysis.edit_kind import PATCH_LINES, suggest_kind, suspicious_lines
from analysis.evidence import RAISES, Index
from analysis.facts import Diagnosis, FailureClass, FunctionId, Suspect, TestId
from analysis.failure import describe_code_fence
from analysis.functions import FunctionSpan

UNPATCHABLE = frozenset({FailureClass.FORMAT, FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT})
"""Classes that no patch of a function can answer: they say nothing about suspects either."""


@dataclass(frozen=True, slots=True)
class RootCause:
    """One failing test's: in sentences, with the place; ``edit`` is update, patch, rewrite or empty (no edit helps)."""

    test: TestId
    claim: str
    function: FunctionId | None = None
    line: int = 0
    scope: str = ""
    edit: str = ""
    reason: str = ""


def find_root_cause(
    diagnosis: Diagnosis,
    suspects: Sequence[Suspect],
    ran: Mapping[str, Set[int]],
    index: Index,
    texts: Mapping[str, bytes],
    patch_lines: int = PATCH_LINES,
) -> RootCause:
    """The root cause of one failing test, which ``ran`` these lines. ``suspects`` are those of all failing tests.

    Fewer lines than ``patch_lines`` are a patch.
    """
    test, said = diagnosis.failure.test, _what_failed(diagnosis)
    if diagnosis.failure_class in UNPATCHABLE:
        why = f"no edit of a function answers a failure of class {diagnosis.failure_class.value}"
        return RootCause(test, said, scope="outside of the program's functions", reason=why)
    for suspect in suspects:
        span = next((s for s in index.get(suspect.function.path, ()) if s.function == suspect.function), None)
        if span is not None and (_runs(span, ran) or _raising_line(diagnosis, span)):
            return _in_function(diagnosis, suspect, span, ran, texts, patch_lines)
    return RootCause(test, said, scope="no function of the project that this test runs", reason="no suspect")


def _in_function(
    diagnosis: Diagnosis,
    suspect: Suspect,
    span: FunctionSpan,
    ran: Mapping[str, Set[int]],
    texts: Mapping[str, bytes],
    patch_lines: int,
) -> RootCause:
    function, raising = suspect.function, _raising_line(diagnosis, span)
    own = ran.get(function.path, frozenset())
    lines = (raising,) if raising else suspicious_lines([each for each in suspect.line_scores if each[0] in own])
    text = texts.get(function.path, b"")[span.start : span.end].decode(span.encoding, "replace")
    suggested = suggest_kind(text, function.first_line, lines, diagnosis.subclass, patch_lines)
    line = suggested.line or (lines[0] if lines else function.first_line)
    where = f"likeliest in {function.qualname} ({function.path}:{line})"
    own_reasons = [each for each in suspect.reasons if raising or not each.startswith(f"{RAISES} ")]
    why = f": {own_reasons[0]}" if own_reasons else ""
    claim = f"{_what_failed(diagnosis)}; {where}{why}"
    return RootCause(diagnosis.failure.test, claim, function, line, suggested.scope, suggested.kind, suggested.reason)


def _what_failed(diagnosis: Diagnosis) -> str:
    failure = diagnosis.failure
    if diagnosis.constraints:
        return diagnosis.constraints[0].claim.rstrip(".")
    raised = failure.exceptions[0] if failure.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else failure.message or failure.outcome.value
    first = (text.strip().splitlines() or [failure.outcome.value])[0][:200].rstrip(" .:")
    return first + describe_code_fence(failure.message)


def _runs(span: FunctionSpan, ran: Mapping[str, Set[int]]) -> bool:
    lines = ran.get(span.function.path, frozenset())
    return any(line in lines for line in range(span.def_line + 1, span.end_line + 1))


def _raising_line(diagnosis: Diagnosis, span: FunctionSpan) -> int:
    """The line of the function at which the traceback leaves the project; 0 where it does elsewhere."""
    frames = diagnosis.failure.frames
    if not frames or frames[-1].path != span.function.path:
        return 0
    line = frames[-1].line
    return line if span.function.first_line <= line <= span.end_line else 0
