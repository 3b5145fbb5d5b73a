"""One proposal on its way through the search: drawn, tried, passed, and in the end a candidate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from analysis.trials import Trial
from repair.hunt.candidate_streams import CandidateStream
from repair.records.task import PatchPlan, is_of_reply
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Origin, Proposal


@dataclass(frozen=True, slots=True)
class TriedEdit:
    """A proposal, the stream that it came from, and the trial of its text.

    - ``position`` is its place among the distinct texts of the search.
    - Somebody was ``asked`` for it, alone or joined with the search. Then so many ``before`` it are of another kind.
    - ``passed_at`` is when it passed its trials, and ``sound`` whether nothing in its shape speaks against it then.
    - ``size`` counts changed nodes, once it has passed.
    - ``made`` is the candidate that was made of it. ``seconded`` says that a model has made this text of the search,
      ``seconded_whole`` that a reply held it as it is.
    """

    stream: CandidateStream
    trial: Trial
    proposal: Proposal
    position: int
    passed_at: float | None = None
    sound: bool = False
    size: int = 1
    made: Candidate | None = None
    asked: bool = False
    before: int = 0
    seconded: bool = False
    seconded_whole: bool = False

    @property
    def is_written(self) -> bool:
        """Whether somebody wrote this text as a whole, or wrote it again after the search.

        An edit of the search is the less likely the more it changes, as most fixes are small. A model or an agent means
        a larger one as much as a smaller one.
        """
        return self.seconded_whole or is_written(self.made.origin if self.made is not None else self.proposal.origin)

    @property
    def pieces(self) -> int:
        """What its size counts in the prior: what is written as a whole is one piece."""
        return 1 if self.is_written else self.made.size if self.made is not None else self.size

    @property
    def place(self) -> int:
        """Its place among the edits of its kind."""
        return self.position - self.before

    def seconded_by(self, other: TriedEdit) -> TriedEdit:
        """This edit, where the author of another one has made the same."""
        whole = self.seconded_whole or other.is_written
        return replace(self, seconded=True, seconded_whole=whole, before=max(self.before, self.position - other.place))

    @property
    def plan(self) -> PatchPlan:
        """What the edit was held to."""
        return self.stream.plan

    @property
    def candidate(self) -> Candidate:
        """The candidate that was made of it; whatever a search brings home has one."""
        assert self.made is not None, "a candidate is made of what passed before the search is over"
        return self.made


def is_written(origin: Origin) -> bool:
    """Whether the edit stands in a model's reply, or is all that an agent did: no part of it, and no union of two."""
    if origin.proposer == "agent":
        return not (origin.operator.startswith("fused ") or "+" in origin.operator)
    return origin.proposer == "model" and is_of_reply(origin.operator)


def prior_cost(size: int, position: int) -> float:
    """What speaks against an edit before there is evidence, in doublings of its odds of being wrong.

    Twice as far back costs as much as one changed node more (decision 13).
    """
    return size + math.log2(position)
