"""How the edit of a submission fits the policy of its failure's class."""

from __future__ import annotations

from analysis.facts import Diagnosis, FailureClass, FunctionId
from analysis.functions import source_encoding
from repair.records.ports import Submission
from transforms.rules.policy import Fit, PolicyReport, judge_edit

_ORDER = (Fit.WITHIN, Fit.BEYOND, Fit.REFUSED)


def policy_of(submission: Submission) -> tuple[PolicyReport, str]:
    """The report of the class that suits the edit best, and that class's name.

    Several failing tests may be of several classes; the edit has to suit one of them.
    """
    candidate = submission.candidate
    encoding = source_encoding(dict(candidate.files)[candidate.function.path])
    old, new = candidate.before.decode(encoding, "replace"), candidate.text.decode(encoding, "replace")
    reports = [_judge_by(old, new, candidate.function, d) for d in submission.diagnoses]
    return min(
        reports or [(judge_edit(old, new, FailureClass.LOGIC, "", (), None), FailureClass.LOGIC.value)],
        key=lambda found: _ORDER.index(found[0].fit),
    )


def _judge_by(old: str, new: str, function: FunctionId, diagnosis: Diagnosis) -> tuple[PolicyReport, str]:
    last = function.first_line + len(old.splitlines()) - 1
    own = tuple(c for c in diagnosis.constraints if c.path == function.path and function.first_line <= c.line <= last)
    report = judge_edit(
        old, new, diagnosis.failure_class, diagnosis.subclass, own, _raising_line(function, last, diagnosis)
    )
    return report, f"{diagnosis.failure_class.value}/{diagnosis.subclass}".rstrip("/")


def _raising_line(function: FunctionId, last: int, diagnosis: Diagnosis) -> int | None:
    """The line of the function's text at which the traceback ends, if it ends there."""
    frames = diagnosis.failure.frames
    if not frames or frames[-1].path != function.path or not function.first_line <= frames[-1].line <= last:
        return None
    return frames[-1].line - function.first_line + 1
