"""What a search tells of edits that came to nothing: to proposers that learn from them, and to who listens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.facts import TestId
from analysis.trials import TrialOutcome
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.search_state import SearchState
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from repair.records.task import Attempt, NearMiss
from transforms.tree.proposal import Proposal

MOST_NEAR, MOST_NEAR_TEXT = 50, 4000
"""Edits of a search that came near and are recorded, and how many characters of each."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Tells of one search for the ``failing`` tests; its ``state`` keeps what was told."""

    state: SearchState
    failing: Sequence[TestId]
    listen: Listener

    def tell_near(self, edit: TriedEdit, outcome: TrialOutcome, *, mends_all: bool) -> None:
        """Record an edit with which failing tests passed, and what it failed at; so many of a search."""
        failing = self.failing
        passed = failing.index(outcome.failed) if outcome.failed in failing else len(failing) * mends_all
        if passed and len(self.state.near) < MOST_NEAR:
            reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
            text = edit.trial.text.decode(edit.stream.scope.encoding, "replace")
            operator, function = edit.proposal.origin.operator, edit.trial.function.qualname
            told = {"operator": operator, "function": function, "passed": passed, "failing": len(failing)}
            self.listen(event("near", **told, reason=reason, text=text[:MOST_NEAR_TEXT]))
            near = NearMiss(edit.trial.function, operator, text, passed, len(failing), reason)
            self.state.near.append(near)

    def note_attempt(
        self,
        stream: CandidateStream,
        proposal: Proposal,
        text: str,
        reason: str,
        state: Literal["failed", "refused", "repeated"] = "refused",
    ) -> None:
        """Remember what came to nothing without a trial that failed, for a proposer that learns from it."""
        if not stream.proposer.eager:
            attempt = Attempt(proposal.origin.operator, text, reason, stream.span.function, state)
            self.tell_attempt(stream, attempt)

    def note_passed(self, edit: TriedEdit) -> None:
        """Remember that an edit passes, for a proposer that would not know otherwise that it was tried."""
        text = edit.trial.text.decode(edit.stream.scope.encoding, "replace")
        label, function = edit.proposal.origin.operator, edit.trial.function
        self.state.attempts.append(Attempt(label, text, "it passes", function, "passed"))

    def tell_attempt(self, stream: CandidateStream, attempt: Attempt) -> None:
        """Remember an attempt as it is."""
        self.state.attempts.append(attempt)
        told = {"reason": attempt.reason, "seen": attempt.seen, "divergence": attempt.divergence}
        where = {"operator": attempt.label, "function": stream.span.function.qualname}
        self.listen(event("attempt", **where, **told, broke=list(attempt.broke)))
