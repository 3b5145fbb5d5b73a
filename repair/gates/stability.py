"""Stability: the same outcomes in other orders, in forks of the patched program or in fresh processes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from analysis.trials import TrialState
from repair.compare.comparing import open_versions
from repair.compare.examples import ExampleRun, Examples
from repair.compare.patched_server import PatchedServer
from repair.observe.patched import is_quick, suite_selection
from repair.observe.second_look import steady_tests
from repair.records.ports import Sandbox, Submission
from repair.records.verdict import Decision, Evidence
from repair.trials.trial_router import TrialTier

FORKED_ORDERS = 3
"""Orders in which forks run the vouching tests; each costs what the tests take."""

_QUESTION = (
    "Do the tests hang on one another, on time or on chance? A patch is no reason for them to fail now and then."
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Tests to run in one order, and those that have to pass in it. No tests to run means the whole selection."""

    run: tuple[TestId, ...]
    passing: tuple[TestId, ...]
    shuffle: int


class Stability:
    """Accepts when the vouching tests pass again, shuffled.

    With a ``server`` that swaps functions in, forks say that they pass; each has random numbers of its own. What forks
    do not say is asked of processes of their own: first among the whole suite, where that is quick.

    - A passing test that fails in that order without the patch too, in one of two runs, says nothing about the patch.
    - Where without the patch the tests do not run to their end in that order, nothing tells whose doing a failure is.
    - A test is not steady that passed before, and passes when the same order is run again. No certificate is given for
      it.
    - None is given either where a test fails among the whole suite alone: tests that never run the function may disturb
      one another.
    """

    name = "stability"

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        seed: int,
        runs: int = 1,
        server: PatchedServer | None = None,
        documented: ExampleRun | None = None,
    ) -> None:
        self._server, self._documented = server, documented
        self._sandbox = sandbox.for_purpose(self.name)
        self._limits = limits
        self._seed = seed
        self._runs = runs

    def judge(self, submission: Submission) -> Evidence:
        """Run the suite and the vouching tests in different orders."""
        tests = submission.vouching
        if not tests:
            return Evidence(self.name, Decision.UNKNOWN, "No test vouches for this change")
        if self._pass_in_forks(submission):
            claim = (
                f"{len(tests)} vouching tests passed in {FORKED_ORDERS} other orders, in forks of the patched program"
            )
            return Evidence(self.name, Decision.ACCEPT, claim, (("runs", FORKED_ORDERS), ("tests", len(tests))))
        excused: set[TestId] = set()
        for attempt in range(self._runs):
            asked = self._choose_order(submission, attempt)
            run = self._run(submission, asked)
            broken = [] if isinstance(run, InvalidRun) else _find_broken(run, asked)
            if not broken and isinstance(run, TestRun):
                continue
            found = self._blame(submission, run, broken, asked)
            if found is not None:
                decision, claim = found
                numbers = (("runs", attempt + 1), ("tests", len(tests)))
                question = "" if decision is Decision.REJECT else _QUESTION
                return Evidence(self.name, decision, claim, numbers, claim, question)
            excused.update(broken)
        return self._accept(submission, excused)

    def _pass_in_forks(self, submission: Submission) -> bool:
        """Whether a server that swaps functions in says that the tests pass in each of the orders."""
        if self._server is None:
            return False
        mine = open_versions(submission).mine
        orders = [shuffle_tests(submission.vouching, self._seed + number) for number in range(FORKED_ORDERS)]
        trials = [replace(mine, only=order) for order in orders]
        examples = self._documented.of(submission) if self._documented else Examples()  # as the server has them anyway
        with self._server.lend(submission, examples.tests, examples.files) as session:
            if session.tier_of(mine.function) is not TrialTier.WARM:
                return False
            states = [outcome.state for outcome in session.trials(trials)]
        return states == [TrialState.PASSED] * FORKED_ORDERS

    def _choose_order(self, submission: Submission, attempt: int) -> _Asked:
        shuffle = self._seed + 11 + attempt
        baseline, tests = submission.baseline, submission.vouching
        if attempt or not is_quick(baseline):
            return _Asked(tests, tests, shuffle)
        return _Asked(suite_selection(baseline), tuple(dict.fromkeys((*tests, *steady_tests(baseline)))), shuffle)

    def _run(self, submission: Submission, asked: _Asked, *, patched: bool = True) -> TestRun | InvalidRun:
        limits = submission.baseline.relax_limits(self._limits)
        files = submission.whole if patched else ()
        return self._sandbox.run(asked.run, files, limits=limits, shuffle=asked.shuffle)

    def _accept(self, submission: Submission, excused: set[TestId]) -> Evidence:
        kept = [test for test in submission.vouching if test not in excused]
        numbers = (("runs", self._runs), ("tests", len(kept)))
        if not kept:
            return Evidence(self.name, Decision.UNKNOWN, "Each vouching test depends on the order of running", numbers)
        times = "once more" if self._runs == 1 else f"{self._runs} more times"
        among = ", once among the whole suite" if is_quick(submission.baseline) else ""
        claim = f"{len(kept)} vouching tests passed {times}, in shuffled order{among}"
        said = "without the patch, too, it depends on the order of running"
        left_out = tuple(f"{test}: {said}" for test in sorted(excused))
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=left_out)

    def _blame(
        self, submission: Submission, run: TestRun | InvalidRun, broken: Sequence[TestId], asked: _Asked
    ) -> tuple[Decision, str] | None:
        """What a run that did not pass says of the patch; ``None`` where its tests break without the patch too."""
        mended = [test for test in broken if test in submission.baseline.failing]
        old = None if mended else self._run(submission, asked, patched=False)
        if isinstance(run, InvalidRun):
            claim = f"Shuffled (seed {asked.shuffle}), the tests do not run to their end: {run.detail}"
        else:
            left = mended or [t for t in broken if not isinstance(old, TestRun) or old.outcome(t) is Outcome.PASSED]
            if not left:
                return None
            claim = f"{left[0]} is {run.outcome(left[0]).value} when the order is shuffled (seed {asked.shuffle})"
        if isinstance(old, InvalidRun):
            return Decision.UNKNOWN, f"{claim}; without the patch that order does not run to its end: {old.detail}"
        if self._passes(submission, asked):
            if mended:
                return Decision.REJECT, claim
            return Decision.UNKNOWN, f"{claim}, and not when that order is run again: it is not steady"
        if not mended and isinstance(run, TestRun) and self._breaks_without(submission, left, asked):
            return None
        alone = _Asked(submission.vouching, submission.vouching, asked.shuffle)
        if asked != alone and self._passes(submission, alone):
            return Decision.UNKNOWN, f"{claim} among the whole suite, and not without the tests that do not vouch"
        return Decision.REJECT, claim

    def _breaks_without(self, submission: Submission, tests: Sequence[TestId], asked: _Asked) -> bool:
        """Whether each of the tests breaks without the patch, too, when that order is run once more."""
        old = self._run(submission, asked, patched=False)
        return isinstance(old, TestRun) and all(old.outcome(test) is not Outcome.PASSED for test in tests)

    def _passes(self, submission: Submission, asked: _Asked) -> bool:
        """Whether those tests pass with the patch when they are run in that order, ``b`` before ``a``, once more."""
        run = self._run(submission, asked)
        return isinstance(run, TestRun) and not _find_broken(run, asked)


def shuffle_tests(tests: Sequence[TestId], seed: int) -> tuple[TestId, ...]:
    """The tests in another order; those of a file stay together, as what they share is set up once."""
    files: dict[str, list[TestId]] = {}
    for test in tests:
        files.setdefault(str(test).partition("::")[0], []).append(test)
    chance = random.Random(seed)
    names = list(files)
    chance.shuffle(names)
    for own in files.values():
        chance.shuffle(own)
    return tuple(test for name in names for test in files[name])


def _find_broken(run: TestRun, asked: _Asked) -> list[TestId]:
    return [test for test in asked.passing if run.outcome(test) is not Outcome.PASSED]
