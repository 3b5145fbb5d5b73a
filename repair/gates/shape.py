"""Shape: is the edit one that the class of its failure allows, and with how much evidence?"""

from __future__ import annotations

from dataclasses import replace

from repair.compare.policy import policy_of
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence
from transforms.rules.antipatterns import dead_code, repeated_statements, unread_parameters
from transforms.rules.policy import UNREADABLE, Fit, PolicyReport


class Shape:
    """Accepts an edit within its class's policy, and one beyond it with the note ``policy=beyond``.

    Beyond it the mutation gate asks for more. A refused edit is rejected: no further evidence makes up for a lost guard
    or another signature. These are doubts:

    - The edit leaves code standing and cuts it off: what that code did is gone, whatever the tests say.
    - Nothing reads a parameter any more.
    - A statement stands twice in a row: the second run may do what another function was meant to do.
    """

    name = "shape"

    def judge(self, submission: Submission) -> Evidence:
        """How the candidate's edit fits the policy of its class."""
        report, label = policy_of(submission)
        evidence = self._evidence(report, label)
        made = submission.candidate
        dead = dead_code(made.before, made.text, made.encoding)
        if evidence.decision is not Decision.ACCEPT:
            return evidence
        unread = unread_parameters(made.before, made.text, made.encoding)
        if unread:
            claim = f"the edit leaves the parameter {unread[0]} unread, which the old function read"
            question = f"Is {made.function.qualname} meant to give the same whatever {unread[0]} is?"
            return replace(evidence, decision=Decision.UNKNOWN, claim=claim, witness=unread[0], question=question)
        if twice := repeated_statements(made.before, made.text, made.encoding):
            claim = f"with the edit `{twice[0]}` stands twice in a row"
            question = f"Is `{twice[0]}` meant to run twice in a row?"
            return replace(evidence, decision=Decision.UNKNOWN, claim=claim, witness=twice[0], question=question)
        if not dead:
            return evidence
        claim = f"the edit leaves dead code behind: {dead[0]}"
        question = "Is what the dead code did meant to be gone? Then the fix should delete it."
        return replace(evidence, decision=Decision.UNKNOWN, claim=claim, witness=dead[0], question=question)

    def _evidence(self, report: PolicyReport, label: str) -> Evidence:
        reasons = " ".join(f.claim for f in report.findings)
        numbers = (("policy", report.fit.value), ("class", label), ("findings", len(report.findings)))
        if any(f.id == UNREADABLE for f in report.findings):
            return Evidence(self.name, Decision.UNKNOWN, reasons, numbers, question="Is the edit of an allowed shape?")
        if report.fit is Fit.REFUSED:
            return Evidence(self.name, Decision.REJECT, reasons, numbers)
        if report.fit is Fit.BEYOND:
            claim = f"the edit is beyond the policy of {label} so most mutants have to be killed: {reasons}"
            return Evidence(self.name, Decision.ACCEPT, claim, numbers)
        return Evidence(self.name, Decision.ACCEPT, f"the edit is within the policy of {label}", numbers)
