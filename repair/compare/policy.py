"""How the edit of a submission fits the policy of its failure's class, and what an edit beyond it has to bring."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import Diagnosis, FailureClass, FunctionId
from analysis.functions import source_encoding
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence
from transforms.rules.policy import Fit, PolicyReport, judge_edit
from transforms.tree.proposal import FOREIGN

BEYOND_SCORE = 0.8
"""The share of its mutants that an edit beyond its class's policy has to have killed."""

BEYOND_REACHING = 10
"""What an edit beyond its class's policy has to bring: killed mutants, and new inputs that reach the change."""

_ORDER = (Fit.WITHIN, Fit.BEYOND, Fit.REFUSED)


def policy_of(submission: Submission) -> tuple[PolicyReport, str]:
    """The report of the class that suits the edit best, and that class's name.

    Several failing tests may be of several classes; the edit has to suit one of them. Our own edits keep the signature.
    That of a change from elsewhere may be meant: `repair/compare/foreign_signature.py` asks.
    """
    candidate = submission.candidate
    encoding = source_encoding(dict(candidate.files)[candidate.function.path])
    old, new = candidate.before.decode(encoding, "replace"), candidate.text.decode(encoding, "replace")
    ours = candidate.origin.proposer != FOREIGN.proposer
    reports = [_judge_by(old, new, candidate.function, d, keeps_signature=ours) for d in submission.diagnoses]
    logic = FailureClass.LOGIC
    return min(
        reports or [(judge_edit(old, new, logic, "", (), None, keeps_signature=ours), logic.value)],
        key=lambda found: _ORDER.index(found[0].fit),
    )


def _judge_by(
    old: str, new: str, function: FunctionId, diagnosis: Diagnosis, *, keeps_signature: bool
) -> tuple[PolicyReport, str]:
    last = function.first_line + len(old.splitlines()) - 1
    own = tuple(c for c in diagnosis.constraints if c.path == function.path and function.first_line <= c.line <= last)
    report = judge_edit(
        old,
        new,
        diagnosis.failure_class,
        diagnosis.subclass,
        own,
        _raising_line(function, last, diagnosis),
        keeps_signature=keeps_signature,
    )
    return report, f"{diagnosis.failure_class.value}/{diagnosis.subclass}".rstrip("/")


def _raising_line(function: FunctionId, last: int, diagnosis: Diagnosis) -> int | None:
    """The line of the function's text at which the traceback ends, if it ends there."""
    frames = diagnosis.failure.frames
    if not frames or frames[-1].path != function.path or not function.first_line <= frames[-1].line <= last:
        return None
    return frames[-1].line - function.first_line + 1


def hold_to_policy(evidence: Evidence, submission: Submission) -> Evidence:
    """Beyond the policy of its class an edit is accepted only when every mutant was run, and all but a few killed.

    Those few are presumed equivalent only after a search on far more inputs than is asked for otherwise.
    """
    report, label = policy_of(submission)
    if evidence.decision is not Decision.ACCEPT or report.fit is not Fit.BEYOND:
        return evidence
    numbers = {name: float(value) for name, value in evidence.measurements}
    all_run, left = not numbers["unrun"], numbers["survived"] + numbers["no_coverage"]
    if all_run and not left:
        return evidence
    if all_run and numbers["score"] >= BEYOND_SCORE and numbers.get("reaching", 0) >= BEYOND_REACHING:
        return evidence
    share = f"{BEYOND_SCORE:.0%} of the mutants be killed and {BEYOND_REACHING} inputs tried on the others"
    claim = f"the edit is beyond the policy of {label}, which asks that {share}: {evidence.claim}"
    return replace(evidence, decision=Decision.UNKNOWN, claim=claim)
