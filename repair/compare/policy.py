"""How the edit of a submission fits the policy of its failure's class."""

from __future__ import annotations

from analysis.functions import source_encoding
from repair.records.ports import Submission
from transforms.rules.policy import PolicyReport, judge_by_failures
from transforms.tree.proposal import FOREIGN


def policy_of(submission: Submission) -> tuple[PolicyReport, str]:
    """The report of the class that suits the edit best, and that class's name.

    Our own edits keep the signature. That of a change from elsewhere may be meant:
    `repair/compare/foreign_signature.py` asks.
    """
    candidate = submission.candidate
    encoding = source_encoding(dict(candidate.files)[candidate.function.path])
    old, new = candidate.before.decode(encoding, "replace"), candidate.text.decode(encoding, "replace")
    ours = candidate.origin.proposer != FOREIGN
    return judge_by_failures(old, new, candidate.function, submission.diagnoses, keeps_signature=ours)
