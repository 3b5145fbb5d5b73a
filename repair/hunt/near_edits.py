"""Edits that came near: some failing tests pass with them, or a model made them. Which is gone on from is drawn.

An edit is gone on from in turns. Whose turn it is follows Thompson sampling over what each promises: REx (Tang et al.,
"Code repair with LLMs gives an exploration-exploitation tradeoff", 2024). A near edit begins with the share of the
failing tests that pass with it, and each turn that brings nothing better speaks against it.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from analysis.facts import Digest, TestId
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.tried_edit import TriedEdit

MOST_KEPT = 48
MOST_ALIKE = 4
"""Near edits of the search with which the same tests pass, in one function: further ones say nothing new."""

CONFIDENCE = 10.0
"""How many turns the share of tests counts for."""

LOOKED_AT = 600
"""Edits that are tried with the last failing test first, each time."""

QUICK = ("warm", "batch")
"""Where trials run of which more is asked: elsewhere each takes too long."""

MOST_UNLOOKED = 2000
"""Edits that are kept to be looked at with the last failing test first."""

TURN_EDITS = 64
"""Edits on top of a near edit that are tried in one turn."""

MOST_TURNS = 31
"""Turns after which a near edit is done with: not quite two thousand edits."""

MOST_SECONDS = 6.0
"""What the turns of one near edit may take, all of them together."""


@dataclass(frozen=True, slots=True)
class NearEdit:
    """An edit and the failing tests that are known to pass with it, out of so many.

    ``broke`` says that all of them pass, and another test breaks. ``reason`` is what it failed at. ``asked`` marks the
    edit of a proposer that waits for outcomes: a model, most likely.
    """

    edit: TriedEdit
    green: frozenset[TestId]
    failing: int
    reason: str = ""
    broke: bool = False
    asked: bool = False

    @property
    def share(self) -> float:
        """The share of the failing tests that pass; a broken test counts like one more that fails."""
        return len(self.green) / (self.failing + self.broke)


@dataclass(slots=True)
class NearEdits:
    """Those of one search, and how often and how long each was gone on from.

    ``failing`` are the tests to mend, in the order of trials.
    """

    failing: Sequence[TestId]
    seed: int = 0
    known: list[NearEdit] = field(default_factory=list)
    turns: Counter[Digest] = field(default_factory=Counter)
    seconds: defaultdict[Digest, float] = field(default_factory=lambda: defaultdict(float))
    _unlooked: deque[NearEdit] = field(default_factory=deque)
    _alike: Counter[tuple[object, ...]] = field(default_factory=Counter)

    def note(self, edit: TriedEdit, outcome: TrialOutcome, *, mends_all: bool) -> None:
        """Keep the edit where it came near: of the search what mends some of the tests, of others what ran."""
        if outcome.state not in (TrialState.FAILED, TrialState.TIMEOUT, TrialState.CRASHED):
            return
        passed = self.failing.index(outcome.failed) if outcome.failed in self.failing else len(self.failing) * mends_all
        asked = not edit.stream.proposer.eager
        reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
        near = NearEdit(edit, frozenset(self.failing[:passed]), len(self.failing), reason, mends_all, asked)
        if asked or 0 < passed < len(self.failing):
            self._keep(near)
        if outcome.failed in self.failing and outcome.tier in QUICK and len(self._unlooked) < MOST_UNLOOKED:
            self._unlooked.append(near)

    @property
    def asked(self) -> tuple[NearEdit, ...]:
        """Those of proposers that wait for outcomes."""
        return tuple(near for near in self.known if near.asked)

    @property
    def is_worthwhile(self) -> bool:
        """Whether there may be something to go on from: edits that came near, or of which more can be asked."""
        return bool(self.known) or self.may_look_back

    @property
    def may_look_back(self) -> bool:
        """Whether edits are left that may be tried with the last failing test first."""
        return bool(self._unlooked) and len(self.failing) > 1

    def look_back(self, run: Callable[[Iterator[Trial]], Iterator[TrialOutcome]]) -> None:
        """Try edits again with the last failing test first: with some of them those pass behind the first that failed.

        ``run`` gives outcomes of trials so. What it does not draw is left for another time.
        """
        looked: dict[Digest, NearEdit] = {}

        def drawn() -> Iterator[Trial]:
            for _ in range(LOOKED_AT):
                if not self._unlooked:
                    return
                near = self._unlooked.popleft()
                looked[near.edit.trial.digest] = near
                yield near.edit.trial

        for outcome in run(drawn()):
            near = looked[outcome.digest]
            if outcome.failed in self.failing and (last := self.failing[self.failing.index(outcome.failed) + 1 :]):
                self._keep(replace(near, green=near.green.union(last)))

    def _keep(self, near: NearEdit) -> None:
        """Keep the edit, in place of what was known of it."""
        known = {each.edit.trial.digest: place for place, each in enumerate(self.known)}
        alike = near.edit.trial.function, near.green
        self._alike[alike] += not near.asked
        if (place := known.get(near.edit.trial.digest)) is not None:
            self.known[place] = near
        elif near.asked or (self._alike[alike] <= MOST_ALIKE and len(self.known) < MOST_KEPT):
            self.known.append(near)

    def best_first(self) -> list[NearEdit]:
        """All of them, those with the largest share of passing tests first, and a model's before the search's."""
        return sorted(self.known, key=lambda near: (-near.share, not near.asked, near.edit.position))

    def draw(self, *, asked: bool = False) -> NearEdit | None:
        """Whose turn it is, of those of a model alone where ``asked``; ``None`` where all of these are done with.

        It is the same for the same seed and the same outcomes.
        """
        left = [near for near in self.known if (near.asked or not asked) and not self._is_done(near.edit.trial.digest)]
        chance = random.Random(f"{self.seed} {len(self.known)} {self.turns.total()}")  # the run's own seed
        drawn = max(left, key=lambda near: chance.betavariate(*self._belief(near)), default=None)
        if drawn is not None:
            self.turns[drawn.edit.trial.digest] += 1
        return drawn

    def took(self, near: NearEdit, seconds: float) -> None:
        """A turn of it took so long."""
        self.seconds[near.edit.trial.digest] += seconds

    def give_up(self, near: NearEdit) -> None:
        """Nothing is left to do with it."""
        self.turns[near.edit.trial.digest] = MOST_TURNS

    def _is_done(self, key: Digest) -> bool:
        return self.turns[key] >= MOST_TURNS or self.seconds[key] >= MOST_SECONDS

    def _belief(self, near: NearEdit) -> tuple[float, float]:
        """The two parameters of what is believed: for it, and against it."""
        turns = self.turns[near.edit.trial.digest]
        return 1.0 + CONFIDENCE * near.share, 1.0 + CONFIDENCE * (1.0 - near.share) + turns
