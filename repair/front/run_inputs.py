"""What a run is given beside its options: last failures, a script of edits, answers, bounds of time, an order."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from repair.compare.answers import FORMS, PersonsAnswer, answer_file, ids_of_answers
from repair.records.json_records import from_plain
from repair.records.ports import Sandbox
from repair.trials.layered import LayeredSandbox
from transforms.enumerate.order import HAND_SET, UNIFORM, UNIFORM_ORDER, FixCounts, Order, learn_order

LASTFAILED = Path(".pytest_cache/v/cache/lastfailed")


def read_last_failed(root: Path) -> tuple[TestId, ...]:
    """The tests of pytest's last-failed list."""
    path = root / LASTFAILED
    try:
        listed = json.loads(path.read_bytes())
    except FileNotFoundError as problem:
        above = next((each for each in root.resolve().parents if (each / LASTFAILED).is_file()), None)
        if above is not None:
            raise UsageError(
                "There is no last-failed list here; pytest has its rootdir above",
                where=str(path),
                remedy=f"Say --root {above}, or give node ids.",
            ) from problem
        raise UsageError(
            "There is no last-failed list", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    except (OSError, ValueError, RecursionError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise UsageError(
            f"The last-failed list cannot be read: {why}", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    if not isinstance(listed, dict) or not listed:
        raise UsageError("The last-failed list is empty", where=str(path), remedy="Give node ids, or none for all.")
    return tuple(TestId(str(name)) for name in listed)


def read_script(path: Path) -> list[tuple[str, str, str]]:
    """The edits of a file: a JSON list of [kind, target, replacement]."""
    try:
        listed = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"The script cannot be read: {problem}", where=str(path)) from problem
    if not isinstance(listed, list) or not all(
        isinstance(edit, list) and len(edit) == 3 and all(isinstance(text, str) for text in edit) for edit in listed
    ):
        raise UsageError(
            "The script is no list of edits", where=str(path), remedy='Write [["update", "old text", "new text"], …].'
        )
    return [(kind, target, replacement) for kind, target, replacement in listed]


@dataclass(frozen=True, slots=True)
class Answered:
    """A sandbox with a person's answers as tests in it; ``demanded`` are those of them that fail without a patch."""

    sandbox: Sandbox
    ids: tuple[TestId, ...] = ()
    demanded: tuple[TestId, ...] = ()


def lay_answers_over(base: Sandbox, answers: Sequence[PersonsAnswer], near: Sequence[str], limits: Limits) -> Answered:
    """The sandbox with the answers as tests ``near`` others.

    Raises ``UsageError`` for an answer that cannot be tried.
    """
    if not answers:
        return Answered(base)
    path, content = answer_file(answers, base.sources(), near)
    layered = LayeredSandbox(base, ((path, content),))
    run = layered.run([TestId(path)], limits=limits)
    ids = ids_of_answers(path, answers)
    found = [run.outcome(test) for test in ids] if isinstance(run, TestRun) else []
    for answer, outcome in itertools.zip_longest(answers, found):
        if outcome not in (Outcome.PASSED, Outcome.FAILED):
            said = run.detail if isinstance(run, InvalidRun) else "its test was not collected"
            raise UsageError(f"The answer {str(answer)!r} cannot be tried: {said}", where="--answer", remedy=FORMS)
    demanded = tuple(test for test, outcome in zip(ids, found, strict=True) if outcome is Outcome.FAILED)
    return Answered(layered, ids, demanded)


LEAST_TEST_SECONDS = 5.0
"""What a single test gets, where there is time for it."""

TEST_SHARE, MOST_TEST_SHARE = 1 / 15, 1 / 6
"""The part of the time for all that a single test gets, and how much of it at most: it is run several times."""


def limits_of(max_seconds: float) -> Limits:
    """Bounds on one run of tests: neither a suite nor a test that hangs may use up the time for the whole."""
    usual = Limits()
    test = min(max(LEAST_TEST_SECONDS, TEST_SHARE * max_seconds), MOST_TEST_SHARE * max_seconds)
    return replace(usual, wall_seconds=min(usual.wall_seconds, max_seconds), test_seconds=min(usual.test_seconds, test))


LEARNED, HAND, REMEMBERED = "learned", "hand", "remembered"
NAMES = (LEARNED, HAND, UNIFORM)


def order_named(name: str, root: Path) -> Order:
    """The order of that name, or what is learned from the counts in that file, whose path starts at the root.

    One that is remembered starts as the learned one; earlier runs move it.
    """
    if name == HAND:
        return HAND_SET
    if name == UNIFORM:
        return UNIFORM_ORDER
    return learn_order(own_counts() if name in (LEARNED, REMEMBERED) else read_counts(root / name))


def own_counts() -> FixCounts:
    """The counts that come with the engine."""
    return _counts(files("transforms.operators").joinpath("counts.json").read_bytes())


def read_counts(path: Path) -> FixCounts:
    """The counts in a file; raises ``UsageError`` where it holds none."""
    try:
        return _counts(path.read_bytes())
    except OSError as problem:
        raise UsageError(
            f"The counts cannot be read: {problem.strerror}",
            where=str(path),
            remedy="Name learned, remembered, hand, uniform, or a file of learned counts.",
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(
            f"The file holds no counts: {problem}",
            where=str(path),
            remedy="Write it with `make learn` in a checkout of the engine.",
        ) from problem


def _counts(content: bytes) -> FixCounts:
    counts: FixCounts = from_plain(FixCounts, json.loads(content), "counts")
    return counts
