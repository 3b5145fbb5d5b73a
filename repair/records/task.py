"""What is asked of the engine, and what it plans: frozen, recorded before any edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from analysis.edit_kind import PATCH_LINES
from analysis.facts import Diagnosis, Files, FunctionId, Limits, LineMap, Outcome, Suspect, TestId, TestResult, TestRun
from transforms.tree.proposal import EditKind

SLOWER_TIMES = 10.0
"""A test may take so many times what the slowest one took that was observed, wherever nobody waits for thousands."""

SLOWER_SUITE_TIMES = 3.0
"""A run of the suite may take so many times what it took when it was observed."""


SIZE_OF_WORD: Mapping[str, EditKind] = {
    "update": EditKind.UPDATE,
    "patch": EditKind.PATCH,
    "insert before": EditKind.PATCH,
    "insert after": EditKind.PATCH,
    "rewrite": EditKind.REWRITE,
}
"""Each word for an edit in a model's reply with its kind in the words of plans: an insertion is a patch."""


def kind_of_words(words: str) -> EditKind:
    """The kind of a reply whose edits have these words, joined by ``+``: of several the largest."""
    return max((SIZE_OF_WORD[word] for word in words.split("+")), key=[*EditKind].index)


def is_of_reply(operator: str) -> bool:
    """Whether an edit with this operator stands in a reply: what is made of a reply's words or parts does not."""
    return SIZE_OF_WORD.keys() >= {*operator.split("+")}


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend. Money in US dollars; ``None`` means no bound."""

    max_seconds: float = 120.0
    max_candidates: int | None = None
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class RepairTask:
    """One repair as asked for. No paths of ours, no secrets."""

    root: str
    tests: tuple[TestId, ...]
    function: str = ""
    description: str = ""
    seed: int = 0
    budget: Budget = Budget()
    alternatives: int = 0
    """How many runners-up are wanted beside the answer."""
    patch_lines: int = PATCH_LINES
    """How many lines in one place are too many to be called a patch."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The unpatched program as observed in several runs.

    - ``failing`` are the tests to mend, ``unsteady`` those of them whose failure itself differs from run to run.
    - ``flaky`` tests gave different outcomes and are evidence neither for nor against.
    - ``aside`` are failing tests that raise something else when other tests run with them. They count as flaky, but a
      patch under which they fail on leaves a doubt.
    - ``by_chance`` are tests that pass, most likely by chance: a patch that mends many others breaks them. They vouch
      for nothing, and a patch under which they fail is in doubt until they pass on top of it.
    - ``outcomes`` maps each test of the whole suite to what it gave, in the suite's order.
    - ``partial`` says that the suite did not end in time, and only a part of it around the failing tests was observed.
    - ``named_apart`` says that pytest does not collect some of the named tests by itself.
    - ``since_check`` has functions by their first lines: failing tests called them after the last of their checks that
      passed. Where the lines that ran in them are known, it has these, too.
    - ``lost`` are sentences on what counts nowhere: further runs that gave no result, and tests left aside.
    """

    failing: tuple[TestId, ...]
    passing: tuple[TestId, ...]
    flaky: tuple[TestId, ...]
    outcomes: tuple[TestResult, ...]
    traced: TestRun
    runs: int
    suite_seconds: float
    unsteady: tuple[TestId, ...] = ()
    aside: tuple[TestId, ...] = ()
    by_chance: tuple[TestId, ...] = ()
    partial: bool = False
    named_apart: bool = False
    since_check: LineMap = ()
    lost: tuple[str, ...] = ()

    def in_suite_order(self, tests: Iterable[TestId]) -> tuple[TestId, ...]:
        """The tests as the suite runs them: some pass only behind others."""
        places = {result.test: number for number, result in enumerate(self.outcomes)}
        return tuple(sorted(tests, key=lambda test: (places.get(test, len(places)), test)))

    def take_for_chance(self, tests: Collection[TestId]) -> Baseline:
        """The baseline in which these of its passing tests pass by chance."""
        chance = tuple(test for test in self.passing if test in tests)
        return replace(self, passing=tuple(test for test in self.passing if test not in tests), by_chance=chance)

    @property
    def hangs(self) -> bool:
        """Whether one of the failing tests does not end."""
        return any(r.outcome is Outcome.HANG for r in self.outcomes if r.test in self.failing)

    def relax_limits(self, limits: Limits) -> Limits:
        """The limits with time enough for what is slow by itself: many times what the slowest test took that ended.

        Observed on the same machine: where that is busy, the slowest took long too. A suite that took most of the time
        that a run has may need more of it on a machine that is busier now.
        """
        slowest = max((r.seconds for r in self.outcomes if r.outcome is not Outcome.HANG), default=0.0)
        seconds = min(SLOWER_TIMES * slowest, limits.wall_seconds)
        whole = max(limits.wall_seconds, SLOWER_SUITE_TIMES * self.suite_seconds)
        return replace(limits, test_seconds=max(limits.test_seconds, seconds), wall_seconds=whole)


@dataclass(frozen=True, slots=True)
class PatchPlan:
    """Scope, policy, constraints and edit kind of one repair attempt, written down before it starts."""

    suspect: Suspect
    diagnoses: tuple[Diagnosis, ...]
    kinds: tuple[EditKind, ...]
    explanation: str

    @property
    def function(self) -> FunctionId:
        """The one function that may change."""
        return self.suspect.function


@dataclass(frozen=True, slots=True)
class Strategy:
    """What failures alike have shown of ways to mend one. Without earlier runs nothing is said, and nothing moves.

    - ``proposers`` multiply the share of proposals that each has of a function; who is not named has a factor of one.
      One below it multiplies a model's attempts, too.
    - ``kinds`` count edits of models that mended such failures, by ``EditKind``.
    - ``models`` say of each how often it was asked about such failures, and how often it mended one.
    """

    proposers: Mapping[str, float] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    models: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def share(self, proposer: str) -> float:
        """What the proposer's share is multiplied by."""
        return self.proposers.get(proposer, 1.0)


Strategist = Callable[[PatchPlan, Files], Strategy]
"""What earlier runs say of a plan's failures; the files are the project's."""


def first_strategy(plan: PatchPlan, sources: Files) -> Strategy:
    """That of a first run: nothing is known."""
    return Strategy()


@dataclass(frozen=True, slots=True)
class Pause:
    """A proposer has nothing now: it is asked again after so many proposals of others. ``said`` tells a reader why."""

    draws: int = 0
    said: str = ""
    decides: bool | None = None
    """Whether another value at one place of the function mends the failing tests, once that was tried."""
    elsewhere: FunctionId | None = None
    """Another function that is at fault, as the proposer has it: it is looked at next, and this one never again."""
    words: tuple[str, ...] = ()
    """Pieces of code that a fix may contain, likeliest first: the search builds its own edits of them."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An edit of a search that mends some failing tests and fails at another, or breaks one that passed.

    ``text`` is the function with the edit; ``passed`` of ``failing`` tests pass with it, and ``reason`` says what does
    not.
    """

    function: FunctionId
    label: str
    text: str
    passed: int
    failing: int
    reason: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """An earlier proposal and what became of it: its text was run and *failed*, or it *passed*, or it is *doubted*.

    What was *refused* or is *repeated* was not run.

    - ``failing`` are those of the tests to mend that fail with it, ``broke`` tests that passed before.
    - ``seen`` is what the first of them says, with the values of its assertion.
    - ``divergence`` is the first call in the failing tests that it changes, or that it changes none.
    - ``doubt`` is what the judge says against a text that passes, ``witness`` shows it, ``question`` would settle it.
    """

    label: str
    text: str
    reason: str
    function: FunctionId | None = None
    state: Literal["failed", "passed", "doubted", "refused", "repeated"] = "failed"
    failing: tuple[TestId, ...] = ()
    broke: tuple[TestId, ...] = ()
    seen: str = ""
    divergence: str = ""
    doubt: str = ""
    witness: str = ""
    question: str = ""
    author: str = ""
    """The proposer that a doubt is for."""
