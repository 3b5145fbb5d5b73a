"""What a search found, without a search."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from repair.engine.ranking import RankedCandidate
from repair.hunt.tried_edit import TriedEdit
from repair.records.task import PatchPlan
from transforms.tree.candidate import Candidate


def survivor_of(candidate: Candidate, position: int = 1, plan: PatchPlan | None = None) -> TriedEdit:
    """An edit that passed, of which this candidate was made."""
    stream, unknown = cast(Any, SimpleNamespace(plan=plan)), cast(Any, None)
    return TriedEdit(stream, unknown, unknown, position, passed_at=0.0, sound=True, made=candidate)


def ranked_of(candidate: Candidate, position: int = 1, gravity: int = 0) -> RankedCandidate:
    """A ranked candidate of which nothing is known beside its gravity."""
    return RankedCandidate(candidate, cast(Any, None), position, gravity, (), 0.0)
