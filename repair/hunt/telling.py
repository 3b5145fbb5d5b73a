"""What a search tells of edits that came to nothing: to proposers that learn from them, and to who listens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from analysis.facts import TestId
from analysis.trials import Trial, TrialOutcome
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.search_state import SearchState
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from repair.records.task import Attempt, NearMiss
from transforms.tree.proposal import Origin, Proposal

MOST_NEAR = 50
"""Edits of a search that came near and are recorded."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Tells of one search for the ``failing`` tests; its ``state`` keeps what was told."""

    state: SearchState
    failing: Sequence[TestId]
    listen: Listener

    def tell_program(self, stream: CandidateStream) -> None:
        """Record the function as it is before any edit."""
        where = {"file": stream.span.function.path, "function": stream.span.function.qualname}
        self.listen(event("program", **where, text=_text_of(stream, stream.root.scope.text)))

    def tell_near(self, edit: TriedEdit, outcome: TrialOutcome, *, mends_all: bool) -> None:
        """Record an edit with which failing tests passed, and what it failed at; so many of a search."""
        failing = self.failing
        passed = failing.index(outcome.failed) if outcome.failed in failing else len(failing) * mends_all
        if passed and len(self.state.near) < MOST_NEAR:
            reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
            counts = {"passed": passed, "failing": len(failing)}
            self.listen(event("near", **made_by(edit), **counts, reason=reason))
            text = _text_of(edit.stream, edit.trial.text)
            operator = edit.proposal.origin.operator
            near = NearMiss(edit.trial.function, operator, text, passed, len(failing), reason)
            self.state.near.append(near)

    def note_attempt(
        self,
        stream: CandidateStream,
        proposal: Proposal,
        text: str,
        reason: str,
        state: Literal["failed", "refused", "repeated"] = "refused",
        made: Trial | None = None,
    ) -> None:
        """Remember what came to nothing without a trial that failed, for a proposer that learns from it.

        ``made`` is what it comes to, where it comes to a text; the proposer is told of the ``text`` alone.
        """
        if not stream.proposer.eager:
            attempt = Attempt(proposal.origin.operator, text, reason, stream.span.function, state)
            self._tell(stream, attempt, proposal.origin, _text_of(stream, made.text) if made is not None else text)

    def note_passed(self, edit: TriedEdit) -> None:
        """Remember that an edit passes, for a proposer that would not know otherwise that it was tried."""
        text = _text_of(edit.stream, edit.trial.text)
        label, function = edit.proposal.origin.operator, edit.trial.function
        self._tell(edit.stream, Attempt(label, text, "it passes", function, "passed"), edit.proposal.origin, text)

    def tell_attempt(self, edit: TriedEdit, attempt: Attempt) -> None:
        """Remember an attempt that was tried as it is."""
        self._tell(edit.stream, attempt, edit.proposal.origin, _text_of(edit.stream, edit.trial.text))

    def _tell(self, stream: CandidateStream, attempt: Attempt, origin: Origin, text: str) -> None:
        self.state.attempts.append(attempt)
        left = {"left": len(attempt.failing)} if attempt.failing else {"left": 0} if attempt.state == "passed" else {}
        told = {"reason": attempt.reason, "seen": attempt.seen, "divergence": attempt.divergence}
        self.listen(
            event(
                "attempt",
                **_made(stream, origin, text),
                **told,
                **left,
                state=attempt.state,
                failing=len(self.failing),
                broke=list(map(str, attempt.broke)),
            )
        )


def made_by(edit: TriedEdit) -> dict[str, Any]:
    """Where an edit stands, who made it and how, and its text: fields of an event."""
    return _made(edit.stream, edit.proposal.origin, _text_of(edit.stream, edit.trial.text))


def _made(stream: CandidateStream, origin: Origin, text: str) -> dict[str, Any]:
    function = stream.span.function
    told = {"file": function.path, "function": function.qualname, "origin": origin.proposer}
    asked = {"purpose": origin.detail} if "model" in origin.proposer.split("+") else {}
    return {**told, "operator": origin.operator, **asked, **({"text": text} if text else {})}


def _text_of(stream: CandidateStream, text: bytes) -> str:
    return text.decode(stream.scope.encoding, "replace")
