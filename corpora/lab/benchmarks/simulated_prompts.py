"""Prompts whose worth is known: each sentence changes the chance of success of each task by a known amount.

The tasks are of projects of five. A task's own chance of success is drawn from a Beta distribution with most of its
mass at both ends. Two attempts at one task under one prompt differ in about 15 of 100 tasks. All attempts are
independent of each other, also those with the same seed under two prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from corpora.tuning.attempts import Attempts
from corpora.tuning.campaign import PLAN, TaskOutcome, TunePlan, TuneStep, TuneTask
from corpora.tuning.kept_campaign import digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit, sentences
from corpora.tuning.tuning_loop import FRESH_SAMPLE, InMemory, ProposedEdit, Situation, Tuning

TRAIN, SELECT, SEALED = 48, 60, 24
PROJECT = 5
ENDS = (0.22, 0.22)
"""The Beta distribution of tasks that are solved in half of all cases."""
HIGH_ENDS = (0.5, 0.21)
"""That of a prompt whose sentences are needed: about 70 of 100 attempts succeed."""
LOW_ENDS = (1 / 6, 0.5)
"""That of tasks of which a quarter is solved; two attempts differ as seldom as with ``ENDS``."""
NOISY_ENDS = (1.0, 1.0)
"""That of tasks of which two attempts at one differ in a third of all cases."""

SIDES = ("north", "south", "east", "west", "left", "right", "upper", "lower", "inner", "outer")


@dataclass(frozen=True, slots=True)
class Worth:
    """What one sentence does where it stands.

    - ``rescues`` is the share of failures that it turns into successes, ``rescued_tasks`` the share of tasks that it
      mends for good.
    - ``needed`` is the share of successes that are lost without it.
    - ``sealed`` is the share of successes on sealed tasks that it costs.
    """

    rescues: float = 0.0
    rescued_tasks: float = 0.0
    needed: float = 0.0
    sealed: float = 0.0


class SimulatedModel:
    """Attempts whose chance of success is a function of the sentences that stand in the prompt."""

    def __init__(
        self, tasks: Sequence[TuneTask], worth: Mapping[str, Worth], seed: int, ends: tuple[float, float] = ENDS
    ) -> None:
        rng = Random(f"tasks of {seed}")
        self._seed, self._worth = seed, worth
        self._own = {task.id: rng.betavariate(*ends) for task in tasks}
        self._luck = {task.id: rng.random() for task in tasks}
        self._sealed = {task.id for task in tasks if task.share == "sealed"}
        self._standing: dict[str, frozenset[str]] = {}

    def chance(self, prompt: str, task: str) -> float:
        """The chance that an attempt at the task succeeds."""
        if prompt not in self._standing:
            self._standing[prompt] = frozenset(one.text for one in sentences(prompt))
        chance, standing = self._own[task], self._standing[prompt]
        for sentence, worth in self._worth.items():
            if sentence not in standing:
                chance *= 1 - worth.needed
            elif self._luck[task] < worth.rescued_tasks:
                chance = 1.0
            else:
                chance += worth.rescues * (1 - chance)
            if sentence in standing and worth.sealed and task in self._sealed:
                chance = self._own[task] * (1 - worth.sealed)
        return chance

    def truth(self, prompt: str) -> float:
        """The mean chance over all tasks."""
        return sum(self.chance(prompt, task) for task in self._own) / len(self._own)

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """One attempt."""
        drawn = Random(f"{self._seed} {digest_of(prompt)} {task} {seed}").random()
        return TaskOutcome("solved" if drawn < self.chance(prompt, task) else "none")


@dataclass(frozen=True, slots=True)
class ChangedModel:
    """Another model from that seed on."""

    first: SimulatedModel
    other: SimulatedModel
    since: int

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """One attempt, by either of the two."""
        return (self.other if seed >= self.since else self.first).attempt(prompt, task, seed)


class ScriptedEdits:
    """Proposes these edits in turn."""

    def __init__(self, edits: Sequence[PromptEdit]) -> None:
        self._edits = iter(edits)

    def propose(self, situation: Situation) -> ProposedEdit:
        """The next one."""
        return ProposedEdit(next(self._edits, None), "the script is over")


@dataclass(frozen=True, slots=True)
class Simulated:
    """One campaign that ran in memory: its steps, the prompt at its end, and who knows the truth."""

    steps: tuple[TuneStep, ...]
    first: str
    last: str
    model: SimulatedModel


def plan_of(seed: int, *, iterations: int, deletions: bool, select: int = SELECT) -> TunePlan:
    """A plan over tasks that are nothing but names."""
    counts: tuple[tuple[Literal["train", "select", "sealed"], int], ...] = (
        ("train", TRAIN),
        ("select", select),
        ("sealed", SEALED),
    )
    tasks = tuple(
        TuneTask(f"{share}-{n:03}", f"{share}-project-{n // PROJECT}", share)
        for share, many in counts
        for n in range(many)
    )
    return TunePlan(
        PLAN,
        "prompt.txt",
        "",
        "a simulation",
        tasks,
        seed=seed,
        iterations=iterations,
        plateau=1_000,
        deletions=deletions,
    )


def prompt_of(count: int) -> str:
    """A prompt of so many sentences, which differ in words."""
    return "".join(f"{sentence}\n" for sentence in advice("Mind", count))


def advice(verb: str, count: int) -> Iterator[str]:
    """So many sentences that say nothing, each another one."""
    for number in range(count):
        yield f"{verb} the {SIDES[number // 10 % 10]} side before the {SIDES[number % 10]} end."


def run_simulation(
    plan: TunePlan,
    prompt: str,
    worth: Mapping[str, Worth],
    edits: Sequence[PromptEdit] | None,
    ends: tuple[float, float] = ENDS,
    changed_by: int = 0,
) -> Simulated:
    """Run one campaign in memory: by these edits in turn, or by deletions alone.

    With ``changed_by`` the sentinels at the end are answered by another model.
    """
    model = SimulatedModel(plan.tasks, worth, plan.seed, ends)
    other = SimulatedModel(plan.tasks, worth, plan.seed + changed_by, ends)
    source = None if edits is None else ScriptedEdits(edits)
    attempts = Attempts(plan, ChangedModel(model, other, plan.seed * 1_000 + FRESH_SAMPLE))
    tuning = Tuning(plan, prompt, read_tasks(()), attempts, source, InMemory())
    steps = tuple(tuning.steps())
    return Simulated(steps, prompt, tuning.text, model)
