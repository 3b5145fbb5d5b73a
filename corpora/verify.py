"""Whether a bug is what its corpus says: it fails as stated, time after time, and its reference mends it.

The tree runs cold three times: in order, shuffled, and the failing tests alone. What does not fail the same way each
time cannot measure anything, and is set aside with the reason. The reference then has to pass everything, held-out
tests included. Where the corpus itself says that a bug is flaky or needs what is not here, being so is as stated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.diagnosis import diagnose, is_test_module, is_test_path
from analysis.errors import RepairError, TargetError
from analysis.facts import BROKEN, FailureClass, Files, Limits, Outcome, TestId, TestResult, TestRun
from analysis.failure import failure_of, same_failure
from corpora.bug import Bug, Corpus, Oracle, SetAside
from corpora.environment import interpreter_of
from repair.observe.baseline import explain_uncollected
from repair.observe.complete_runs import complete_run
from repair.records.ports import Sandbox
from repair.trials.layered import LayeredSandbox, lay_over
from sandbox.jail_protocol import Jail
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import scratch_folder
from sandbox.target import open_target

Results = Mapping[TestId, TestResult]

OBSERVED = frozenset({"environment", "flaky", "not_reproduced", "nothing_fails", "unparseable"})
"""Words of ``expected`` that runs alone can confirm; about the others, such as ``out_of_scope``, they say nothing."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How bugs are run: ``python`` where a bug names none, bounds, the seed of the shuffle, the variables around.

    With ``mended`` a bug that states no failing tests has those that its reference mends: what fails with and without
    it is another matter. Otherwise whatever fails is the bug's, and the reference has to mend all of it.
    """

    python: str
    limits: Limits
    seed: int
    cache: Path
    env: tuple[tuple[str, str], ...] = ()
    mended: bool = False


@dataclass(frozen=True, slots=True)
class Verified:
    """A bug that is as stated. ``said`` is the word of ``expected`` that was observed, where the corpus states one.

    ``failing`` are the node ids that fail each time, ``passing`` those that pass each time, ``flaky`` the others
    that once passed and once did not. ``checked`` tells what the reference passed: how many tests, 0 without one.
    """

    id: str
    failing: tuple[str, ...]
    passing: tuple[str, ...]
    failure_class: str
    subclass: str
    checked: int
    flaky: tuple[str, ...] = ()
    said: str = ""


class _Doubt(Exception):
    """Why a bug is not as stated; ``word`` is what a repair of it would end with, if there is such a word."""

    def __init__(self, word: str, sentence: str) -> None:
        self.word = word
        super().__init__(f"{word}: {sentence}" if word else sentence)


def verify_bug(corpus: Corpus, bug: Bug, terms: Terms, jail: Jail) -> Verified | SetAside:
    """The bug as observed, or why it is set aside. Trees are written to a scratch folder and deleted."""
    try:
        with scratch_folder() as scratch:
            root = scratch / bug.id
            corpus.write_tree(bug, root)
            env = dict(terms.env)
            target = open_target(
                str(root),
                python=interpreter_of(bug.environment, terms.python, terms.cache, env),
                pass_env=bug.environment.pass_env,
                pytest_args=bug.environment.pytest_args,
                environ=env,
                jail=jail,
            )
            with LocalSandbox(target, jail=jail, scratch=str(scratch), selection=bug.environment.tests) as sandbox:
                return observe_bug(sandbox, bug, corpus.oracle(bug), terms)
    except (RepairError, OSError) as problem:
        return SetAside(bug.id, " ".join(str(problem).split()))


def observe_bug(sandbox: Sandbox, bug: Bug, oracle: Oracle, terms: Terms) -> Verified | SetAside:
    """What runs in the sandbox, which holds the bug's tree, show of it."""
    try:
        return _Observation(sandbox, bug, oracle, terms).verdict()
    except (RepairError, _Doubt) as problem:
        return SetAside(bug.id, " ".join(str(problem).split()))


@dataclass(frozen=True, slots=True)
class _Observation:
    """One bug under observation."""

    sandbox: Sandbox
    bug: Bug
    oracle: Oracle
    terms: Terms

    def verdict(self) -> Verified:
        """The bug as observed; raises ``_Doubt`` or ``TargetError``."""
        first = complete_run(self.sandbox, (), self.terms.limits)
        second = self._shuffled(first)
        results = _by_test(first)
        said = ""
        try:
            failing = self._failing(first)
            self._steady(failing, results, _by_test(second))
        except _Doubt as doubt:
            if doubt.word not in self.oracle.expected:
                raise
            said, failing = doubt.word, _tests_named(self.bug.failing, results)
        if not said and self.oracle.expected and OBSERVED.issuperset(self.oracle.expected):
            raise _Doubt("", f"stated to be {' or '.join(self.oracle.expected)}, and fails as any other bug")
        flaky = tuple(sorted(t for t, r in _by_test(second).items() if _differ(results.get(t), r)))
        passing = self._passing(results, {*failing, *flaky})
        kind = diagnose(failure_of(results[failing[0]]), self.sandbox.sources(), is_test_path) if failing else None
        return Verified(
            id=self.bug.id,
            failing=failing,
            passing=passing,
            failure_class=kind.failure_class.value if kind else said,
            subclass=str(kind.subclass) if kind else "",
            checked=self._checked((*failing, *passing)),
            flaky=tuple(test for test in flaky if test not in failing),
            said=said,
        )

    def _shuffled(self, first: TestRun) -> TestRun:
        """The suite in another order, without what hangs."""
        hanging = {r.test for r in first.results if r.outcome is Outcome.HANG}
        rest = [r.test for r in first.results if r.test not in hanging] if hanging else []
        if hanging and not rest:
            return replace(first, results=())
        run = self.sandbox.run(rest, limits=self.terms.limits, shuffle=self.terms.seed + 1)
        if not isinstance(run, TestRun):
            raise _Doubt("", f"the suite does not run to its end in another order: {run.detail}")
        return run

    def _failing(self, first: TestRun) -> tuple[TestId, ...]:
        """The tests that fail as the corpus states, or all that fail."""
        results = _by_test(first)
        broken = tuple(sorted(test for test, result in results.items() if result.outcome in BROKEN))
        lost = [name for name in self.bug.failing if not _tests_named([name], results)]
        if first.collection_errors and (lost or not broken):
            reason = explain_uncollected(first.collection_errors[0])
            raise _Doubt(reason.status, reason.message)
        if lost:
            raise TargetError(f"No test is named {lost[0]}", remedy="Give node ids as pytest prints them.")
        if not self.bug.failing and not broken:
            raise _Doubt("nothing_fails", "no test fails")
        if not self.bug.failing:
            return self._mended(broken) if self.terms.mended else broken
        return tuple(dict.fromkeys(test for name in self.bug.failing for test in _failing_of(name, results)))

    def _mended(self, broken: Sequence[TestId]) -> tuple[TestId, ...]:
        """Those of the failing tests that pass with the reference; raises where it mends none."""
        after = self._with("the reference", self.oracle.reference)
        found = tuple(test for test in broken if test in after and after[test].outcome is Outcome.PASSED)
        if not found:
            end = f": {_first_line(after[broken[0]])}" if broken[0] in after else ""
            raise _Doubt("", f"the reference mends none of {len(broken)} failing tests: {broken[0]}{end}")
        return found

    def _steady(self, failing: Sequence[TestId], first: Results, second: Results) -> None:
        """Raise where a test does not fail each time in the same way, or fails for want of something on the machine."""
        alone = _by_test(complete_run(self.sandbox, failing, self.terms.limits))
        for test in failing:
            seen = [runs[test] for runs in (first, second, alone) if test in runs]
            if all(result.outcome not in BROKEN for result in seen):
                raise _Doubt("not_reproduced", f"{test} does not fail ({seen[0].outcome.value})")
            if any(_differ(seen[0], other) for other in seen[1:]):
                ends = ", ".join(result.outcome.value for result in seen)
                raise _Doubt("flaky", f"{test} in order, shuffled and alone: {ends}")
            if not all(same_failure(failure_of(seen[0]), failure_of(other)) for other in seen[1:]):
                raise _Doubt("flaky", f"{test} fails in another way when it is run again")
            kind = diagnose(failure_of(seen[0]), self.sandbox.sources(), is_test_path)
            if kind.failure_class is FailureClass.ENVIRONMENT:
                raise _Doubt("environment", f"{test}: {_first_line(seen[0])}")

    def _passing(self, first: Results, others: set[TestId]) -> tuple[TestId, ...]:
        """What passes each time; raises where the corpus states a test that does not."""
        for name in self.bug.passing or ():
            found = _tests_named([name], first)
            bad = next((t for t in found if first[t].outcome is not Outcome.PASSED or t in others), None)
            if bad is not None or not found:
                raise _Doubt("", f"{bad or name} is stated to pass and does not each time")
        wanted = first if self.bug.passing is None else _tests_named(self.bug.passing, first)
        return tuple(t for t in wanted if first[t].outcome is Outcome.PASSED and t not in others)

    def _checked(self, wanted: Sequence[TestId]) -> int:
        """How many tests each known fix passes: all that are wanted and the held-out ones."""
        passed = 0
        fixes = [("the reference", self.oracle.reference)] if self.oracle.reference else []
        fixes += [(f"alternative {number}", files) for number, files in enumerate(self.oracle.alternatives, 1)]
        for name, fix in fixes:
            results = self._with(name, lay_over(fix, self.oracle.held_out))
            asked = self._held_out_tests()
            lost = [test for test in asked if not _tests_named([test], results)]
            if lost:
                raise _Doubt("", f"with {name} no held-out test is named {lost[0]}")
            for test in dict.fromkeys((*wanted, *_tests_named(asked, results))):
                outcome = results[test].outcome if test in results else Outcome.MISSING
                if outcome is not Outcome.PASSED:
                    end = f": {_first_line(results[test])}" if test in results else ""
                    raise _Doubt("", f"{name} does not pass {test} ({outcome.value}{end})")
                passed += 1
        return passed

    def _held_out_tests(self) -> tuple[str, ...]:
        """The held-out node ids; where none are stated, the held-out files that hold tests."""
        files = tuple(path for path, _ in self.oracle.held_out if is_test_module(Path(path).name))
        return self.oracle.held_out_tests or files

    def _with(self, name: str, files: Files) -> Results:
        """The suite and the held-out tests, with the files of a fix in place."""
        sandbox = LayeredSandbox(self.sandbox, files)
        try:
            suite = _by_test(complete_run(sandbox, (), self.terms.limits))
            missing = [TestId(test) for test in self._held_out_tests() if not _tests_named([test], suite)]
            return {**suite, **_by_test(complete_run(sandbox, missing, self.terms.limits))} if missing else suite
        except RepairError as problem:
            raise _Doubt("", f"with {name}: {problem}") from problem


def _by_test(run: TestRun) -> dict[TestId, TestResult]:
    return {result.test: result for result in run.results}


def _tests_named(names: Sequence[str], results: Results) -> tuple[TestId, ...]:
    """The tests of these node ids; one without parameters, or of a class or file, stands for all below it."""
    found = (
        test
        for name in names
        for test in results
        if test == name or test.startswith((f"{name}[", f"{name}::", f"{name}/"))
    )
    return tuple(dict.fromkeys(found))


def _failing_of(name: str, results: Results) -> tuple[TestId, ...]:
    """Of the tests that a stated id stands for, those that fail; all of them where none does."""
    found = _tests_named([name], results)
    return tuple(test for test in found if results[test].outcome in BROKEN) or found


def _differ(one: TestResult | None, other: TestResult) -> bool:
    """Whether one run found the test broken, or passed, and the other did not."""
    if one is None:
        return True
    kinds = {Outcome.FAILED if r.outcome in BROKEN else r.outcome for r in (one, other)}
    return len(kinds) > 1


def _first_line(result: TestResult) -> str:
    raised = result.exceptions[0] if result.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else result.message or result.outcome.value
    return text.strip().splitlines()[0][:200]
