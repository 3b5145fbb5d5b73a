"""What changes while a search runs: how many edits came how far, what passed, and what is to be tried again.

It is told twice a second.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from analysis.facts import Digest, FunctionId
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from repair.records.result import Counts, TierLeft
from repair.records.task import Attempt, NearMiss
from transforms.operators.catalog import MENDING

EVERY_SECONDS = 0.5

MOST_FAMILIES = 3
"""Families of edits that a report names."""


class ProgressReports:
    """Reports on one search for so many ``failing`` tests; ``state`` is what it counts."""

    def __init__(self, state: SearchState, failing: int, seconds_left: Callable[[], float], listen: Listener) -> None:
        self._state, self._failing, self._listen = state, failing, listen
        self._seconds_left = seconds_left
        self._families = {operator.name: operator.family for operator in MENDING}
        self._lately: Counter[str] = Counter()
        """How many edits of each family have ended since the last report."""
        self._last = 0.0

    def note(self, edit: TriedEdit, now: float, seconds: float) -> None:
        """An edit has ended; tell how far the search has come after so many seconds, where it is time to."""
        origin = edit.proposal.origin
        self._lately[self._families.get(origin.operator.partition("+")[0], origin.proposer)] += 1
        if now - self._last < EVERY_SECONDS:
            return
        self._last = now
        state = self._state
        running = [family for family, _ in self._lately.most_common(MOST_FAMILIES)]
        ended = dict(sorted(self._lately.items()))
        self._lately.clear()
        self._listen(
            event(
                "progress",
                tried=state.tried,
                rate=round(state.tried / seconds, 1) if seconds > 0 else 0.0,
                position=state.drawn,
                families=running,
                ended=ended,
                remembered=state.remembered,
                distinct=len(state.seen),
                invalid=state.invalid,
                plausible=len(state.finds.edits),
                best=state.describe_best(self._failing),
                seconds_left=round(max(0.0, self._seconds_left()), 1),
                suspect=edit.stream.span.function.qualname,
                tiers=dict(state.executed),
            )
        )


MOST_SURVIVORS = 8
MOST_PARTIAL = 6
"""Edits that mended a part of the tests, of which one may be shown in the end."""

MOST_ALIKE = 2
"""Such edits of one function before those of others have their turn."""

MOST_NOTED = 20
"""Such edits of one function that are kept."""

MOST_ASIDE = 500
"""Trials stopped soon that are kept for another turn."""

MOST_REASONS = 5
"""Reasons for which single trials left a tier that are told."""


@dataclass(slots=True)
class Finds:
    """The edits that passed their trials, as text alone, and the candidates made of them."""

    edits: list[TriedEdit] = field(default_factory=list)
    sound: Counter[FunctionId] = field(default_factory=Counter)
    """How many of them have a shape that nothing speaks against, function by function."""
    passed: set[Digest] = field(default_factory=set)
    hardly_screened: set[Digest] = field(default_factory=set)
    """What passed those passing tests that were known when the suite had not been seen as a whole."""
    made: set[Digest] = field(default_factory=set)
    """Trials of which it was tried to make a candidate."""
    survivors: list[TriedEdit] = field(default_factory=list)
    screen_seconds: float = 0.0

    @property
    def answered(self) -> bool:
        """Whether somebody who waits for outcomes has made a sound one, alone or with the search: the asking is over.

        What the search finds by itself ends no asking. It is right more seldom than what a model writes.
        """
        return any(edit.sound and (edit.asked or edit.seconded) for edit in self.edits)

    def first(self, *, sound: bool = False) -> float | None:
        """When the first find was made, or the first sound one."""
        found = [edit for edit in self.edits if edit.sound or not sound]
        return min((edit.passed_at for edit in found if edit.passed_at is not None), default=None)


@dataclass(slots=True)
class PartialFixes:
    """Edits after which some failing tests passed before one failed, so many of each function.

    Those with most of them come first, of equals as they came. What is known of an edit is the share of the failing
    tests that pass. At first only those before the first that fails count, later some that lie evenly among all.
    """

    forgotten: int = 0
    """How often the first of them turned out to mend no part of the tests: each of them breaks others."""
    _shares: dict[Digest, float] = field(default_factory=dict)
    _asked: set[Digest] = field(default_factory=set)
    _noted: defaultdict[FunctionId, list[TriedEdit]] = field(default_factory=lambda: defaultdict(list))

    def __bool__(self) -> bool:
        return any(self._noted.values())

    def note(self, edit: TriedEdit, share: float) -> None:
        """That share of the failing tests passed with the edit before one failed."""
        own = self._noted[edit.trial.function]
        if share:
            self._shares[edit.trial.digest] = share
            own.append(edit)
            own.sort(key=self._rank)
            del own[MOST_NOTED:]

    def ask(self, share_mended: Callable[[Iterable[Trial]], Mapping[Digest, float]]) -> None:
        """Have it asked which share those mend of which nobody has asked: the first of each function, then the next."""
        rows = itertools.zip_longest(*self._noted.values())
        trials = [edit.trial for row in rows for edit in row if edit is not None]
        answered = share_mended(trial for trial in trials if trial.digest not in self._asked)
        self._shares |= answered
        self._asked |= answered.keys()
        for own in self._noted.values():
            own.sort(key=self._rank)

    def best_first(self) -> list[TriedEdit]:
        """All that are kept, the best two of each function first: variants of one edit mend the same."""
        apart = ((place // MOST_ALIKE, edit) for own in self._noted.values() for place, edit in enumerate(own))
        return [edit for _, edit in sorted(apart, key=lambda each: (each[0], self._rank(each[1])))]

    def forget(self) -> None:
        """The first ones mend no part of the tests."""
        self.forgotten += 1
        for edit in self.best_first()[:MOST_PARTIAL]:
            self._noted[edit.trial.function].remove(edit)

    def _rank(self, edit: TriedEdit) -> tuple[float, int]:
        return -self._shares[edit.trial.digest], edit.position


@dataclass(slots=True)
class SearchState:
    """The state of one search. ``best`` is how many failing tests passed with the best edit, -1 before any was tried.

    ``running`` are edits by the digests of their trials. ``aside`` are those that were stopped while they might still
    have ended, as they came.
    """

    drawn: int = 0
    invalid: int = 0
    remembered: int = 0
    best: int = -1
    failure: str = ""
    patient_seconds: float = 0.0
    seen: set[Digest] = field(default_factory=set)
    asked: Counter[bool] = field(default_factory=Counter)
    """How many texts were tried that somebody was asked for: of its own, and joined with the search (``True``)."""
    failed: set[Digest] = field(default_factory=set)
    running: dict[Digest, TriedEdit] = field(default_factory=dict)
    aside: list[TriedEdit] = field(default_factory=list)
    partial: PartialFixes = field(default_factory=PartialFixes)
    near: list[NearMiss] = field(default_factory=list)
    """Edits that mend some failing tests and fail at another, as they came."""
    attempts: list[Attempt] = field(default_factory=list)
    denied: list[FunctionId] = field(default_factory=list)
    """Functions that are not at fault, as a proposer says that waits for outcomes."""
    exhausted: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    executed: Counter[str] = field(default_factory=Counter)
    """How many trials were run in each tier."""
    moved: list[tuple[str, str, str]] = field(default_factory=list)
    """Tier, reason and name of each function that has left a tier."""
    sent_up: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many single trials have left a tier for a reason."""
    finds: Finds = field(default_factory=Finds)

    @property
    def tried(self) -> int:
        """How many edits have an outcome, whether they were run or known from before."""
        return self.executed.total() + self.remembered

    def count(self, outcome: TrialOutcome) -> None:
        """Count an outcome of which no other tier has more to tell."""
        if outcome.remembered:
            self.remembered += 1
        else:
            self.executed[outcome.tier] += 1
        if outcome.state is TrialState.INVALID:
            self.invalid += 1

    def set_aside(self, edit: TriedEdit) -> None:
        """A trial was stopped while it might still have ended; the first ones may have another turn."""
        if len(self.aside) < MOST_ASIDE:
            self.aside.append(edit)

    def note_failure(self, edit: TriedEdit, passed: int, failing: int) -> None:
        """A trial ended at one of so many ``failing`` tests after so many others had passed."""
        self.partial.note(edit, passed / failing)
        self.best = max(self.best, passed)

    def describe_best(self, failing: int) -> str:
        """The best partial result in words, of so many failing tests; empty where nothing was tried."""
        if self.best < 0:
            return ""
        said = f"{self.best} of {failing} failing tests pass"
        return f"{said}, but another test breaks" if self.best == failing and not self.finds.edits else said

    def counts(self) -> Counts:
        """How many edits came how far until now.

        Tiers were left for whole functions first, then for single trials, the commonest reasons first.
        """
        functions: dict[tuple[str, str], list[str]] = {}
        for tier, reason, function in self.moved:
            functions.setdefault((tier, reason), []).append(function)
        whole = [TierLeft(*key, tuple(dict.fromkeys(names))) for key, names in functions.items()]
        single = [TierLeft(*key, candidates=count) for key, count in self.sent_up.most_common(MOST_REASONS)]
        return Counts(
            candidates=self.drawn,
            distinct=len(self.seen),
            invalid=self.invalid,
            executed=self.executed.total(),
            plausible=len(self.finds.survivors),
            remembered=self.remembered,
            tiers=dict(sorted(self.executed.items())),
            left=(*whole, *single),
        )
