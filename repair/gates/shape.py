"""Shape: is the edit one that the class of its failure allows, and with how much evidence?"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from analysis.exception_kinds import Subclass, new_handlers
from repair.compare.comparing import weighed_evidence
from repair.compare.policy import policy_of
from repair.records.ports import Submission
from repair.records.verdict import Decision, Doubt, Evidence
from transforms.rules.antipatterns import (
    antipatterns,
    dead_code,
    repeated_statements,
    trees_of,
    unread_parameters,
)
from transforms.rules.merits import idle_names, only_reorders, sorted_choices, walked_copies
from transforms.rules.policy import GUARD, UNREADABLE, Fit, PolicyReport
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import FOREIGN


class Shape:
    """Accepts an edit within its class's policy, and one beyond it with the note ``policy=beyond``.

    Beyond it the risk is weighed as higher. A refused edit is rejected: no further evidence makes up for a lost guard
    or another signature. These are doubts, which are weighed:

    - The edit leaves code standing and cuts it off: what that code did is gone, whatever the tests say.
    - Nothing reads a parameter any more.
    - Somebody else's edit loses a guard: its question may be asked in another form.
    - A statement stands twice in a row: the second run may do what another function was meant to do.
    - Things are walked in another order, and that is all, where the failing tests reach no end.
    - A copy is walked over, and its elements are called: what they take out of the collection is visited still.
    """

    name = "shape"

    def judge(self, submission: Submission) -> Evidence:
        """How the candidate's edit fits the policy of its class."""
        report, label = policy_of(submission)
        made = submission.candidate
        doubts = (*_doubts_about(made), *_doubt_order(submission))
        if made.origin.proposer == FOREIGN and {each.id for each in report.findings} == {GUARD}:
            lost = report.findings[0].claim
            claim = f"{lost[0].lower()}{lost[1:].removesuffix('.')}"
            asked = f"Is {made.function.qualname} meant to go on where that guard stopped it?"
            doubts = (Doubt("lost_guard", claim, witness=lost, question=asked), *doubts)
            report = PolicyReport(tuple(replace(each, fit=Fit.BEYOND) for each in report.findings))
        evidence = self._evidence(report, label)
        if evidence.decision is not Decision.ACCEPT:
            return evidence
        features = tuple(_measure(made))
        return weighed_evidence(self.name, doubts, evidence.measurements, evidence.claim, (), features)

    def _evidence(self, report: PolicyReport, label: str) -> Evidence:
        reasons = " ".join(f.claim for f in report.findings)
        numbers = (("policy", report.fit.value), ("class", label), ("findings", len(report.findings)))
        if any(f.id == UNREADABLE for f in report.findings):
            return Evidence(self.name, Decision.UNKNOWN, reasons, numbers, question="Is the edit of an allowed shape?")
        if report.fit is Fit.REFUSED:
            return Evidence(self.name, Decision.REJECT, reasons, numbers)
        if report.fit is Fit.BEYOND:
            claim = f"the edit is beyond the policy of {label}: {reasons}"
            return Evidence(self.name, Decision.ACCEPT, claim, numbers)
        return Evidence(self.name, Decision.ACCEPT, f"the edit is within the policy of {label}", numbers)


def _doubts_about(made: Candidate) -> Iterator[Doubt]:
    """What the edit leaves that its author hardly meant."""
    texts = made.before, made.text, made.encoding
    for name in unread_parameters(*texts)[:1]:
        claim = f"the edit leaves the parameter {name} unread, which the old function read"
        question = f"Is {made.function.qualname} meant to give the same whatever {name} is?"
        yield Doubt("unread_parameter", claim, witness=name, question=question)
    for twice in repeated_statements(*texts)[:1]:
        claim, question = f"with the edit `{twice}` stands twice in a row", f"Is `{twice}` meant to run twice in a row?"
        yield Doubt("repeated_statement", claim, witness=twice, question=question)
    for dead in dead_code(*texts)[:1]:
        question = "Is what the dead code did meant to be gone? Then the fix should delete it."
        yield Doubt("dead_code", f"the edit leaves dead code behind: {dead}", witness=dead, question=question)
    for walked in walked_copies(*texts)[:1]:
        claim = f"the edit walks over a copy of `{walked}` and calls its elements: what they take out is visited still"
        question = f"Is what a call takes out of `{walked}` meant to be visited all the same?"
        yield Doubt("walks_copy", claim, witness=walked, question=question)
    for chosen in sorted_choices(*texts)[:1]:
        claim = f"the edit puts `{chosen}` in another order for a loop that is left at its first hit"
        question = f"Which of `{chosen}` is meant to decide: the first one, the first by the alphabet, or all of them?"
        yield Doubt("sorted_choice", claim, witness=chosen, question=question)


def _doubt_order(submission: Submission) -> Iterator[Doubt]:
    """Another order of walking where the failing tests reach no end: which call is met first is the tests' luck."""
    made, diagnoses = submission.candidate, submission.diagnoses
    endless = bool(diagnoses) and all(each.subclass == Subclass.TIMEOUT for each in diagnoses)
    if endless and only_reorders(made.before, made.text, made.encoding):
        claim = "the edit changes only the order in which things are walked, where the failing tests reach no end"
        yield Doubt("only_reorders", claim, question="Does the function reach its end in any order now?")


def _measure(made: Candidate) -> Iterator[tuple[str, float]]:
    """What the text tells of the edit."""
    texts = made.before, made.text, made.encoding
    old, new = (text.decode(made.encoding, "replace") for text in (made.before, made.text))
    yield "antipattern", float(bool(antipatterns(*texts)))
    yield "swallows", float(bool(new_handlers(old, new)))
    had, has = (Counter(map(type, ast.walk(tree))) for tree in trees_of(*texts))
    conditions = (ast.If, ast.IfExp, ast.BoolOp, ast.comprehension)
    yield "guard", float(sum(has[kind] for kind in conditions) > sum(had[kind] for kind in conditions))
    values = [{repr(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant)} for tree in trees_of(*texts)]
    idle, read = idle_names(*texts)
    yield "reads_idle", float(read > 0)
    yield "leaves_idle", float(idle > read)
    yield "brought_in", min(1.0, len(values[1] - values[0]) / 3)
