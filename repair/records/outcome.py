"""What a run came to, in the engine's own records; ``repair.show.publish`` turns it into the published result."""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis.behaviour import Difference
from analysis.facts import Diagnosis, Files, FunctionId, Suspect, TestId
from analysis.root_cause import RootCause
from repair.records.change import Change
from repair.records.ports import Submission
from repair.records.result import Counts, FindingView, Seconds, Status
from repair.records.task import PatchPlan
from repair.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate with the verdict on it.

    ``reasons`` say why a search ranked it where it did. ``differs`` is an input on which this candidate and the answer
    of its run behave differently; the answer is the difference's first side.
    """

    submission: Submission
    verdict: Verdict
    plan: PatchPlan | None = None
    reasons: tuple[str, ...] = ()
    differs: Difference | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended. ``judged`` holds the answer first, then the alternatives."""

    status: Status
    diagnoses: tuple[Diagnosis, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    judged: tuple[Judged, ...] = ()
    plan: PatchPlan | None = None
    tier: str = ""
    """Where edits of the plan's function would be tried, and why not in the quickest tier."""
    tier_reason: str = ""
    counts: Counts = field(default_factory=Counts)
    seconds: Seconds = field(default_factory=Seconds)
    brief: str = ""
    messages: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    findings: tuple[FindingView, ...] = ()
    next_action: str = ""
    change: Change | None = None
    """What was checked, where that is more than one function's new text."""
    partly_mended: tuple[TestId, ...] = ()
    """Of several failing tests those that the best edit mends, where none mends all: they have a cause of their own."""
    broken_by_part: tuple[TestId, ...] = ()
    """The few passing tests that this edit breaks: they pass by chance, most likely."""
    part_in: FunctionId | None = None
    """The function that this edit changes."""
    causes: tuple[Cause, ...] = ()
    """Of a fix: the failing tests by cause, each with an ending of its own."""
    stacks: tuple[Stack, ...] = ()
    """Where there are several causes: programs of patches laid over each other, the largest last."""
    set_aside: tuple[Diagnosis, ...] = ()
    """Failing tests that no patch of a function can answer, beside those that are worked on."""
    root_causes: tuple[RootCause, ...] = ()
    """What each failure comes from, told before any edit."""
    in_place: bool = False
    """Whether the project's files hold the change already."""

    def files(self) -> Change:
        """The files that the first of ``judged`` was judged with, before and after."""
        if self.change is not None:
            return self.change
        first = self.judged[0].submission
        touched = {path for path, _ in first.whole}
        return Change(tuple((path, text) for path, text in first.sources if path in touched), first.whole)


@dataclass(frozen=True, slots=True)
class Cause:
    """Failing tests that one patch may mend together, and how the work on them ended.

    ``number`` counts from 1. ``stands_on`` are the causes whose patches lay under the program when this one was judged,
    lowest first.
    """

    number: int
    tests: tuple[TestId, ...]
    ending: RunOutcome
    stands_on: tuple[int, ...] = ()
    seconds: float = 0.0
    """What the work on it took."""
    base: Files = ()
    """The files of the program with those patches; empty where it stands on none."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Patches of these causes in one program, the lowest first; ``claim`` says how it was tried as a whole."""

    causes: tuple[int, ...]
    status: Status
    change: Change
    claim: str = ""
