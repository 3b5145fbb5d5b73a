"""One proposal on its way through the search: drawn, tried, passed, and in the end a candidate."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.trials import Trial
from repair.hunt.candidate_streams import CandidateStream
from repair.records.task import PatchPlan
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Proposal


@dataclass(frozen=True, slots=True)
class TriedEdit:
    """A proposal, the stream that it came from, and the trial of its text.

    ``position`` is its place among the distinct texts of the search. ``passed_at`` is when it passed its trials, and
    ``sound`` whether nothing in its shape speaks against it then. ``made`` is the candidate that was made of it.
    """

    stream: CandidateStream
    trial: Trial
    proposal: Proposal
    position: int
    passed_at: float | None = None
    sound: bool = False
    made: Candidate | None = None

    @property
    def plan(self) -> PatchPlan:
        """What the edit was held to."""
        return self.stream.plan

    @property
    def candidate(self) -> Candidate:
        """The candidate that was made of it; whatever a search brings home has one."""
        assert self.made is not None, "a candidate is made of what passed before the search is over"
        return self.made
