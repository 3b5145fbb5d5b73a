"""Attempts at tasks, each made once: what is kept is not asked for again, and a replay asks for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import fsum
from typing import Protocol

from analysis.errors import TargetError
from corpora.tuning.campaign import ATTEMPT, TaskOutcome, TuneAttempt, TunePlan, TuneTask
from corpora.tuning.evidence import TaskPair
from corpora.tuning.kept_campaign import digest_of


class Attempter(Protocol):
    """Runs what is tuned, once."""

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """The outcome of one task with the whole text of the prompt's file. Raises ``TargetError`` where the machine
        fails: that is no outcome."""
        ...


class Attempts:
    """The outcomes of a campaign, by prompt, task and sample. The same sample has the same seed under any prompt."""

    def __init__(
        self,
        plan: TunePlan,
        attempter: Attempter | None,
        kept: Iterable[TuneAttempt] = (),
        keep: Callable[[TuneAttempt], None] = lambda attempt: None,
    ) -> None:
        """Without an ``attempter`` there are only those that are ``kept``."""
        self._plan, self._attempter, self._keep = plan, attempter, keep
        self._known = {(each.prompt, each.task, each.sample): each.outcome for each in kept}
        self._used: set[tuple[str, str, int]] = set()
        self.tokens, self.usd = 0, 0.0

    @property
    def count(self) -> int:
        """How many attempts the decisions so far have needed."""
        return len(self._used)

    def spend(self, tokens: int, usd: float) -> None:
        """Count what one answer took; ``tokens`` have the plan's price where nobody says what they cost."""
        self.tokens += tokens
        self.usd += usd or tokens * (self._plan.price or 0.0) / 1e6

    @property
    def exhausted(self) -> str:
        """Which limit of the plan is reached, as a clause; empty where none is.

        A limit that nobody can keep is reached, too: attempts that do not say what they took might take anything.
        """
        plan = self._plan
        limits = (("attempts", plan.most_attempts, self.count), ("tokens", plan.most_tokens, self.tokens))
        for name, most, used in (*limits, ("US dollars", plan.most_usd, self.usd)):
            if most is not None and self.count and not used:
                return f"no attempt says how many {name} it took, so that the limit of {most:g} cannot be kept"
            if most is not None and used >= most:
                return f"the budget of {most:g} {name} is used up"
        return ""

    def outcome(self, prompt: str, task: str, sample: int) -> TaskOutcome:
        """One outcome, made now where it is not known. Raises ``TargetError`` where nobody can make it."""
        key = (digest_of(prompt), task, sample)
        if key not in self._known:
            if self._attempter is None:
                raise TargetError(
                    "An attempt is not kept",
                    where=f"prompt {key[0][:12]}, task {task}, sample {sample}",
                    remedy="Only what was run then can be replayed.",
                )
            made = self._attempter.attempt(prompt, task, self._plan.seed * 1_000 + sample)
            self._keep(TuneAttempt(ATTEMPT, *key, made))
            self._known[key] = made
        found = self._known[key]
        if key not in self._used:
            self._used.add(key)
            self.spend(found.tokens, found.usd)
        return found

    def outcomes(self, prompt: str, task: str, samples: Sequence[int]) -> tuple[TaskOutcome, ...]:
        """The outcomes of these samples of one task."""
        return tuple(self.outcome(prompt, task, sample) for sample in samples)

    def mean(self, prompt: str, task: str, samples: Sequence[int]) -> float:
        """The mean score of these samples of one task."""
        scores = [found.score(self._plan.weights) for found in self.outcomes(prompt, task, samples)]
        return fsum(scores) / len(scores)

    def pairs(self, before: str, after: str, tasks: Iterable[TuneTask], samples: Sequence[int]) -> Iterator[TaskPair]:
        """Task by task both prompts in turn, as they are asked for."""
        for task in tasks:
            old = new = 0.0
            for sample in samples:
                old += self.mean(before, task.id, (sample,))
                new += self.mean(after, task.id, (sample,))
            yield TaskPair(task.id, task.project, old / len(samples), new / len(samples))
