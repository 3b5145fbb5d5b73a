"""What a hunt counts while it runs, and what it brings home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.errors import ModelError
from analysis.facts import Digest, FunctionId
from analysis.trials import Trial
from repair.hunt.candidate_streams import CandidateStream, Cut
from repair.records.events import Event, event
from repair.records.result import Counts, TierLeft
from repair.records.task import Attempt, PatchPlan
from transforms.rules.antipatterns import antipatterns
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Proposal

MOST_SURVIVORS = 8
MOST_PARTIAL = 3
"""Edits that mended a part of the tests, of which one may be shown in the end."""

MOST_ASIDE = 500
"""Trials stopped soon that are kept for another turn."""

MOST_FAMILIES = 3
"""Families of edits that a report of progress names."""

MOST_REASONS = 5
"""Reasons for which single trials left a tier that are told."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that passed its trials, and its place in the stream."""

    candidate: Candidate
    plan: PatchPlan
    position: int

    @property
    def sound(self) -> bool:
        """Whether nothing in its shape speaks against it."""
        return not antipatterns(self.candidate.before, self.candidate.text, self.candidate.encoding)


@dataclass(frozen=True, slots=True)
class Pending:
    """What is remembered of a proposal while its trial runs."""

    lane: CandidateStream
    trial: Trial
    proposal: Proposal
    position: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a hunt brought home, and what it did not get to."""

    survivors: tuple[Survivor, ...]
    drawn: int
    distinct: int
    invalid: int
    executed: int
    best: str
    exhausted: tuple[str, ...]
    cut: tuple[Cut, ...]
    warnings: tuple[str, ...]
    patient_seconds: float = 0.0
    """Time that went to proposers that wait for outcomes."""
    screen_seconds: float = 0.0
    """Time that went to running passing tests on what mends the failing ones."""
    remembered: int = 0
    """How many were not run, since their outcome is known from before."""
    rivals: int = 0
    """How many were run in the search for rivals of the best one."""
    hurried: bool = False
    """Whether the budget ended before the search for rivals of its first find did."""
    tiers: tuple[tuple[str, int], ...] = ()
    """How many trials were run in each tier."""
    left: tuple[TierLeft, ...] = ()
    """Why a tier was left."""
    beyond: tuple[str, ...] = ()
    """Suspects whose turn never comes, since so many are more suspicious."""
    partial: tuple[Pending, ...] = ()
    """Edits with which some of the failing tests passed, the best ones first."""

    def counts(self) -> Counts:
        """How many candidates came how far, for the result."""
        return Counts(
            candidates=self.drawn,
            distinct=self.distinct,
            invalid=self.invalid,
            executed=self.executed,
            plausible=len(self.survivors),
            remembered=self.remembered,
            rivals=self.rivals,
            tiers=dict(self.tiers),
            left=self.left,
        )


@dataclass(frozen=True, slots=True)
class Passed:
    """A text that passed its trials, and when. ``sound`` says whether nothing in its shape speaks against it."""

    drawn: Pending
    sound: bool
    at: float


@dataclass(slots=True)
class SearchState:
    """What changes while a hunt runs."""

    drawn: int = 0
    invalid: int = 0
    executed: int = 0
    remembered: int = 0
    best: int = -1
    failure: ModelError | None = None
    sound: Counter[FunctionId] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    partial: list[Pending] = field(default_factory=list)
    moved: list[tuple[str, str, str]] = field(default_factory=list)
    sent_up: Counter[tuple[str, str]] = field(default_factory=Counter)
    last_report: float = 0.0
    lately: Counter[str] = field(default_factory=Counter)
    """How many edits of each family have ended since the last report."""
    patient_seconds: float = 0.0
    screen_seconds: float = 0.0
    seen: set[Digest] = field(default_factory=set)
    failed: set[Digest] = field(default_factory=set)
    running: dict[Digest, Pending] = field(default_factory=dict)
    finds: list[Passed] = field(default_factory=list)
    passed: set[Digest] = field(default_factory=set)
    made: set[Digest] = field(default_factory=set)
    hardly_screened: set[Digest] = field(default_factory=set)
    """What passed those passing tests that were known when the suite had not been seen as a whole."""
    aside: list[Pending] = field(default_factory=list)
    """What was stopped while it might still have ended, in the order of the stream."""
    attempts: list[Attempt] = field(default_factory=list)
    exhausted: list[str] = field(default_factory=list)
    survivors: list[Survivor] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def find(self, drawn: Pending, now: float) -> Passed | None:
        """Keep what passed now, as text alone: the first few, and the first few that carry an anti-pattern."""
        self.passed.add(drawn.trial.digest)
        scope, text = drawn.lane.scope, drawn.trial.text
        find = Passed(drawn, not antipatterns(scope.text, text, scope.encoding), now)
        if sum(other.sound == find.sound for other in self.finds) >= MOST_SURVIVORS:
            return None
        self.finds.append(find)
        self.sound[drawn.trial.function] += find.sound
        return find

    def set_aside(self, drawn: Pending) -> None:
        """A trial was stopped while it might still have ended; the first ones may have another turn."""
        if len(self.aside) < MOST_ASIDE:
            self.aside.append(drawn)

    def drop(self, find: Passed) -> None:
        """Forget a find of which no candidate could be made."""
        self.finds.remove(find)
        self.sound[find.drawn.trial.function] -= find.sound

    def first(self, *, sound: bool = False) -> float | None:
        """When the first find was made, or the first sound one."""
        return min((find.at for find in self.finds if find.sound or not sound), default=None)

    def note_failure(self, drawn: Pending, passed: int) -> None:
        """A trial ended at a failing test after so many others had passed."""
        if passed > max(0, self.best):
            self.partial.append(drawn)
        self.best = max(self.best, passed)

    def progress(self, suspect: str, failing: int, seconds: float, seconds_left: float) -> Event:
        """How far the hunt has come after so many seconds, as an event."""
        tried = self.executed + self.remembered
        running = [family for family, _ in self.lately.most_common(MOST_FAMILIES)]
        self.lately.clear()
        return event(
            "progress",
            tried=tried,
            rate=round(tried / seconds, 1) if seconds > 0 else 0.0,
            position=self.drawn,
            families=running,
            remembered=self.remembered,
            distinct=len(self.seen),
            invalid=self.invalid,
            plausible=len(self.finds),
            best=self.best_so_far(failing),
            seconds_left=round(max(0.0, seconds_left), 1),
            suspect=suspect,
            tiers=dict(self.tiers),
        )

    def best_so_far(self, failing: int) -> str:
        """The best partial result in words, of so many failing tests; empty where nothing was tried."""
        if self.best < 0:
            return ""
        said = f"{self.best} of {failing} failing tests pass"
        return f"{said}, but another test breaks" if self.best == failing and not self.finds else said

    def catch(self, lanes: Sequence[CandidateStream], failing: int) -> SearchResult:
        """What the hunt over these lanes brought home."""
        return SearchResult(
            survivors=tuple(self.survivors),
            drawn=self.drawn,
            distinct=len(self.seen),
            invalid=self.invalid,
            executed=self.executed,
            remembered=self.remembered,
            best=self.best_so_far(failing),
            exhausted=tuple(self.exhausted),
            cut=tuple(lane.cut for lane in lanes if not lane.empty),
            warnings=tuple(self.warnings),
            patient_seconds=round(self.patient_seconds, 3),
            screen_seconds=round(self.screen_seconds, 3),
            tiers=tuple(sorted(self.tiers.items())),
            left=self._left(),
            partial=tuple(self.partial[: -MOST_PARTIAL - 1 : -1]),
        )

    def _left(self) -> tuple[TierLeft, ...]:
        """Why tiers were left: for whole functions first, then for single trials, the commonest reasons."""
        functions: dict[tuple[str, str], list[str]] = {}
        for tier, reason, function in self.moved:
            functions.setdefault((tier, reason), []).append(function)
        whole = [TierLeft(*key, tuple(dict.fromkeys(names))) for key, names in functions.items()]
        single = [TierLeft(*key, candidates=count) for key, count in self.sent_up.most_common(MOST_REASONS)]
        return (*whole, *single)
