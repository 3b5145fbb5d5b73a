"""The four decisions of a campaign, each a pure function of pairs that are drawn only as far as it needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from corpora.tuning.evidence import (
    TaskPair,
    bounds,
    count_signs,
    e_value,
    early_threshold,
    mean_difference,
    sign_test,
)

HARM_IN_SCREEN, TASKS_WITHOUT_WIN, MOST_SCREENED = 5.0, 8, 12
HARM_IN_TEST = 10.0
EARLY_PART, LOOK_PART = 0.5, 0.25
"""Of the error of a test, what is spent on ending it early, and on each of two looks after the last task."""
HOPE = 0.25
"""The chance by the first of them up to which the second one is worth its attempts."""


@dataclass(frozen=True, slots=True)
class EditVerdict:
    """What pairs said of an edit: the decision, the reason in words, and all numbers that it rests on.

    ``pairs`` are the tasks in their order, with all samples of the last look. ``path`` is the e-value after each task
    by the samples of the first look, ``error`` what the test spent.
    ``low`` and ``high`` bound the mean gain, where they were needed.
    """

    accepted: bool
    reason: str
    pairs: tuple[TaskPair, ...]
    path: tuple[float, ...] = ()
    chance: float | None = None
    error: float | None = None
    low: float | None = None
    high: float | None = None


def screen(pairs: Iterable[TaskPair], *, to_gain: bool) -> EditVerdict:
    """A race on train tasks: out where harm shows or, of an edit that is to gain, where nothing is won."""
    seen: list[TaskPair] = []
    path: list[float] = []
    wins = losses = 0
    for pair in pairs:
        seen.append(pair)
        wins, losses = count_signs(seen)
        path.append(e_value(wins, losses))
        if e_value(losses, wins) >= HARM_IN_SCREEN:
            break
        if len(seen) >= MOST_SCREENED or (to_gain and (wins - losses >= 3 or _wins_nothing(len(seen), wins))):
            break
    passed = bool(seen) and (wins > losses if to_gain else e_value(losses, wins) < HARM_IN_SCREEN)
    reason = f"screen {'passed' if passed else 'failed'}: {wins} won, {losses} lost of {len(seen)} tasks"
    return EditVerdict(passed, reason, tuple(seen), tuple(path))


def _wins_nothing(tasks: int, wins: int) -> bool:
    return tasks >= TASKS_WITHOUT_WIN and not wins


def judge_gain(
    pairs: Iterable[TaskPair], again: Callable[[], Iterable[TaskPair]], tasks: int, error: float, rng: Random
) -> EditVerdict:
    """The A/B test of an edit that should gain, on at most so many ``tasks``.

    Three looks share ``error``. The e-value may end the test at any task; an edit which does nothing reaches its
    threshold with that chance, exactly. After the last task the exact sign test looks once. Where that leaves hope, it
    looks again at pairs of more samples, which ``again`` draws: those of the first look and as many new ones. A look
    accepts only where the lower bound over projects is above zero.
    """
    seen: list[TaskPair] = []
    path: list[float] = []
    early = early_threshold(error * EARLY_PART, tasks)
    for pair in pairs:
        seen.append(pair)
        wins, losses = count_signs(seen)
        path.append(e_value(wins, losses))
        if e_value(losses, wins) >= HARM_IN_TEST:
            return EditVerdict(False, f"harm: {losses} lost, {wins} won", tuple(seen), tuple(path), error=error)
        if path[-1] >= early and (found := bounds(seen, rng))[0] > 0:
            return EditVerdict(True, f"early: e {path[-1]:.0f}", tuple(seen), tuple(path), None, error, *found)
    level = error * LOOK_PART
    first = _look(seen, level, "sign test", rng)
    hopeful = not first.accepted and first.chance is not None and first.chance <= HOPE
    last = _look(tuple(again()), level, "sign test with more samples", rng) if seen and hopeful else first
    return replace(last, path=tuple(path), error=error)


def _look(seen: Sequence[TaskPair], level: float, called: str, rng: Random) -> EditVerdict:
    wins, losses = count_signs(seen)
    chance, found = sign_test(wins, losses), bounds(seen, rng)
    accepted = bool(seen) and chance <= level and found[0] > 0
    reason = f"{called}: {wins} won, {losses} lost, p {chance:.4f} against {level:.4f}"
    return EditVerdict(accepted, reason, tuple(seen), (), chance, None, *found)


def judge_deletion(pairs: Iterable[TaskPair], margin: float, rng: Random) -> EditVerdict:
    """Whether a deletion costs less than ``margin``, as a share of the tasks: the lower bound has to be above it.

    The mean may not fall by more than a quarter of it, or small losses add up until a seal takes all of them back. It
    ends early where the tasks show harm.
    """
    seen: list[TaskPair] = []
    path: list[float] = []
    for pair in pairs:
        seen.append(pair)
        wins, losses = count_signs(seen)
        path.append(e_value(wins, losses))
        if e_value(losses, wins) >= HARM_IN_TEST:
            return EditVerdict(False, f"harm: {losses} lost, {wins} won", tuple(seen), tuple(path))
    low, high = bounds(seen, rng)
    mean = mean_difference(seen)
    accepted = bool(seen) and low > -margin and mean >= -margin / 4
    reason = f"deletion: mean {mean:+.3f}, lower bound {low:+.3f} against {-margin:+.3f}"
    return EditVerdict(accepted, reason, tuple(seen), tuple(path), None, None, low, high)


def judge_sealed(pairs: Iterable[TaskPair], margin: float, rng: Random, *, shorter_only: bool) -> EditVerdict:
    """Whether the whole chain of edits holds on tasks that nothing has seen, against the prompt at its beginning.

    Its lower bound has to be above ``-margin``. Where the chain is to gain, its mean must not be below zero. A
    chain of deletions alone (``shorter_only``) only has to cost less than the margin.
    """
    seen = tuple(pairs)
    mean, (low, high) = mean_difference(seen), bounds(seen, rng)
    holds = bool(seen) and low > -margin and (shorter_only or mean >= 0)
    return EditVerdict(holds, f"sealed: mean {mean:+.3f}, lower bound {low:+.3f}", seen, (), None, None, low, high)
