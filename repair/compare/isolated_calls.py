"""The candidate asked again away from the tests: values go to a process of its own, and text comes back.

A function that can tell that it is tested may behave well only there. Where arguments and results are plain, both
versions are therefore called in processes that

- import the function's module and neither tests nor pytest;
- make the calls in another order, with another seed of hashes.

What they give is compared here, where no code of the target runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.calls import CallPair, CallResult, Comparison
from analysis.facts import Files, InvalidRun, Limits
from repair.compare.comparing import Versions
from repair.records.ports import Sandbox, Submission
from repair.trials.cold import place_trial
from repair.trials.layered import lay_over

VALUES, IN_PROCESS = "values", "in-process"
MOST_SECONDS = 20.0
"""What all calls in one process of their own may take."""


@dataclass(frozen=True, slots=True)
class Apart:
    """What was seen away from the tests. ``channel`` says whether anything was; ``agreed`` counts equal answers.

    ``doubt`` is a call that the candidate answers otherwise where nothing looks like a test; ``left`` says what could
    not be compared.
    """

    channel: str
    agreed: int = 0
    doubt: str = ""
    left: tuple[str, ...] = ()


def compare_apart(sandbox: Sandbox, submission: Submission, both: Versions, found: Comparison, limits: Limits) -> Apart:
    """Compare the candidate's answers under the tests with those in a process of its own.

    A difference counts where two things hold; else what the tests set up has a part in it:

    - the old function gives the same in both places;
    - the candidate gives its answer under the tests again as soon as the process looks like one that runs tests.

    Example: ``if 'pytest' in sys.modules`` makes the candidate's answer right under the tests alone.
    """
    if not found.answers:
        return Apart(IN_PROCESS)
    room = _Room(sandbox, both, submission.whole, replace(limits, wall_seconds=min(limits.wall_seconds, MOST_SECONDS)))
    mine, old = (room.call_version(found.answers, old=each) for each in (False, True))
    if isinstance(old, InvalidRun):
        return Apart(IN_PROCESS)
    differing = [
        n for n, answer in enumerate(found.answers) if _is_same(old[n], answer.old) and _differs(mine, n, answer)
    ]
    agreed = sum(_is_same(_pick_answer(mine, n), answer.mine) for n, answer in enumerate(found.answers))
    if not differing:
        return Apart(VALUES, agreed)
    chosen = [found.answers[n] for n in differing]
    again = room.call_version(chosen, old=False, like_tests=True)
    for place, answer in zip(differing, chosen, strict=True):
        if _is_same(_pick_answer(again, chosen.index(answer)), answer.mine):
            return Apart(VALUES, agreed, _witness(both, answer, _pick_answer(mine, place)))
    return Apart(VALUES, agreed, left=(f"{len(differing)} answers hang on what the tests set up",))


@dataclass(frozen=True, slots=True)
class _Room:
    """Where the versions are called."""

    sandbox: Sandbox
    both: Versions
    whole: Files
    limits: Limits

    def call_version(
        self, answers: Sequence[CallPair], *, old: bool, like_tests: bool = False
    ) -> tuple[CallResult | None, ...] | InvalidRun:
        """What a version gives to the calls of these answers."""
        files = lay_over(self.whole, place_trial(self.whole, self.both.before)) if old else self.whole
        calls = [answer.input for answer in answers]
        function = self.both.new.function
        return self.sandbox.call_apart(function, calls, files, limits=self.limits, like_tests=like_tests)


def _pick_answer(told: tuple[CallResult | None, ...] | InvalidRun, place: int) -> CallResult | None:
    return None if isinstance(told, InvalidRun) else told[place]


def _is_same(told: CallResult | None, known: CallResult) -> bool:
    return told is not None and told.digest == known.digest


def _differs(mine: tuple[CallResult | None, ...] | InvalidRun, place: int, answer: CallPair) -> bool:
    """Whether the candidate gives something else; where it ends its process it gives nothing at all."""
    return not _is_same(_pick_answer(mine, place), answer.mine)


def _witness(both: Versions, answer: CallPair, told: CallResult | None) -> str:
    """The call with what it gives in both places."""
    values = answer.input.values()
    assert values is not None, "what is asked apart is plain"
    args, named = values
    given = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())])
    other = told.shown if told else "gives no answer"
    name = both.new.function.qualname
    return f"{name}({given}) {answer.mine.shown} under the tests, and {other} where nothing looks like a test"
