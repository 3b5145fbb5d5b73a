"""What a failure comes from, as far as one run tells: the likeliest function, how far a change goes, the kind of edit.

The kind is chosen by the failure (its place, whether that place's text stands once, how many lines are suspect), not by
what was tried. It is a suggestion to a person or a model: a search tries all kinds, the smallest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from analysis.evidence import Index
from analysis.facts import Diagnosis, FailureClass, FunctionId, Suspect, TestId
from analysis.failure import describe_code_fence
from analysis.functions import FunctionSpan

UNPATCHABLE = frozenset({FailureClass.FORMAT, FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT})
"""Classes that no patch of a function can answer: they say nothing about suspects either."""

MOST_PATCHED_LINES = 9
"""With more suspicious lines, or in several places, the whole function is to be written anew."""

_NEAR = 0.95
"""A line counts as suspicious from this share of the most suspicious one's score on."""


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
) -> RootCause:
    """The root cause of one failing test, which ``ran`` these lines. ``suspects`` are those of all failing tests."""
    test, said = diagnosis.failure.test, _what_failed(diagnosis)
    if diagnosis.failure_class in UNPATCHABLE:
        why = f"no edit of a function answers a failure of class {diagnosis.failure_class.value}"
        return RootCause(test, said, scope="outside of the program's functions", reason=why)
    for suspect in suspects:
        span = next((s for s in index.get(suspect.function.path, ()) if s.function == suspect.function), None)
        if span is not None and (_runs(span, ran) or _raising_line(diagnosis, span)):
            return _in_function(diagnosis, suspect, span, ran, texts)
    return RootCause(test, said, scope="no function of the project that this test runs", reason="no suspect")


def _in_function(
    diagnosis: Diagnosis, suspect: Suspect, span: FunctionSpan, ran: Mapping[str, Set[int]], texts: Mapping[str, bytes]
) -> RootCause:
    function, raising = suspect.function, _raising_line(diagnosis, span)
    own = ran.get(function.path, frozenset())
    scores = [(line, score) for line, score in suspect.line_scores if line in own or line == raising]
    top = max((score for _, score in scores), default=0.0)
    lines = [line for line, score in scores if score >= _NEAR * top]
    places = sum(1 for place, line in enumerate(lines) if not place or line > lines[place - 1] + 1)
    anchor = raising or (lines[0] if len(lines) == 1 else 0)
    times = _times(anchor, span, texts)
    if anchor and times == 1:
        scope, edit, reason = f"one line, {anchor}", "update", "one place, and its text stands once in the function"
    elif anchor:
        scope, edit, reason = f"one line, {anchor}", "patch", f"the text of the place stands {times} times"
    elif 0 < len(lines) <= MOST_PATCHED_LINES and places == 1:
        scope = f"{len(lines)} lines in one place, {lines[0]} to {lines[-1]}"
        edit, reason = "patch", "several lines are suspect alike, in one place"
    else:
        scope, edit = f"the whole function: {len(lines)} suspicious lines in {places} places", "rewrite"
        reason = "no single place is more suspect than the others"
    line = anchor or (lines[0] if lines else function.first_line)
    where = f"likeliest in {function.qualname} ({function.path}:{line})"
    why = f": {suspect.reasons[0]}" if suspect.reasons else ""
    return RootCause(
        diagnosis.failure.test, f"{_what_failed(diagnosis)}; {where}{why}", function, line, scope, edit, reason
    )


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


def _times(line: int, span: FunctionSpan, texts: Mapping[str, bytes]) -> int:
    """How often the text of a line stands in the function, layout aside."""
    lines = [each.strip() for each in texts.get(span.function.path, b"").splitlines()]
    if not 0 < line <= len(lines):
        return 0
    return lines[span.function.first_line - 1 : span.end_line].count(lines[line - 1])
