"""Controls: the failure comes back; the tests fail on a sabotaged function, and where they ask for the impossible."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.diagnosis import files_of_tests
from analysis.errors import OutOfTimeError, RepairError
from analysis.facts import BROKEN, Files, Limits, Outcome, TestId, TestResult, TestRun
from analysis.failure import failure_of, same_failure
from analysis.function_text import Unreadable
from analysis.quality.case import names_of
from analysis.statement_lines import has_run
from analysis.trials import Trial, TrialState
from repair.compare.examples import ExampleRun, Examples
from repair.compare.failed_again import FORKS, fail_again
from repair.compare.patched_server import PatchedServer
from repair.observe.complete_runs import complete_run
from repair.observe.patched import lines_of
from repair.records.functions import edit_scope
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.records.verdict import Decision, Evidence
from repair.records.wording import count_noun, list_names
from repair.trials.layered import LayeredSandbox, lay_over
from repair.trials.trial_router import TrialRouter, TrialTier
from transforms.inverted_tests.inversion import MARK, Perturbed, Twin, impossible_examples, impossible_twin
from transforms.mutants.made import sabotages
from transforms.patch.apply import place
from transforms.tree.scope import EditScope

UNREAD = "its file is not at hand as text"


class Controls:
    """Accepts when the failure came back in every run, and each failing test fails under a sabotage and as its twin.

    A sabotaged function raises, returns ``None`` or returns its first argument (extreme mutation: Niedermayr et al.
    2016; Vera-Perez et al. 2018). A test that passes with all three does not run this copy of the function, or does not
    look at what it does.

    A fork of a warm server says that a test notices; that it does not, only a cold run says. A failure that one cold
    run has shown comes back where forks show it with the old text in place. Else another cold run is asked.

    A twin asks for the impossible. A test that passes as its twin does not look at what the program does: its outcome
    is forged, or its value equals everything.
    """

    name = "controls"

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        server: PatchedServer | None = None,
        documented: ExampleRun | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._server, self._documented = server, documented

    def judge(self, submission: Submission) -> Evidence:
        """Sabotage the patched function, cold, and see who notices."""
        baseline = submission.baseline
        if not baseline.failing:
            return Evidence(
                self.name, Decision.UNKNOWN, "There is no failing test to mend, so there is no failure to reproduce"
            )
        if baseline.unsteady:
            claim = f"{baseline.unsteady[0]} fails in a different way each time it is run"
            return Evidence(self.name, Decision.UNKNOWN, claim, (("runs", baseline.runs),), witness=claim)
        forked = baseline.runs < 2 and self._fails_again_in_forks(submission)
        if baseline.runs < 2 and not forked and not self._fails_again(submission):
            claim = "The failure was seen once and did not come back"
            return Evidence(self.name, Decision.UNKNOWN, claim, (("runs", baseline.runs),))
        evidence = self._judge_sabotages(submission, forked=forked)
        return evidence if evidence.decision is not Decision.ACCEPT else self._judge_twins(submission, evidence)

    def _judge_sabotages(self, submission: Submission, *, forked: bool) -> Evidence:
        baseline = submission.baseline
        runs = baseline.runs if forked else max(2, baseline.runs)
        scope = edit_scope(submission.whole, submission.candidate.function, submission.candidate.text)
        blind, tried = self._find_blind_warm(submission, scope)
        for sabotage in sabotages(scope):
            if not blind:
                break
            files = tuple(sorted({**dict(submission.whole), scope.function.path: place(scope, sabotage.text)}.items()))
            run = self._sandbox.for_purpose("sabotages").run(
                baseline.failing, files, limits=baseline.relax_limits(self._limits)
            )
            if isinstance(run, TestRun):
                tried += 1
                blind &= _find_passing(run, baseline.failing)
        forks = (("forks", FORKS),) if forked else ()
        numbers = (("runs", runs), *forks, ("sabotages", tried), ("blind", len(blind)))
        if not tried:
            claim = "No run with a sabotaged function came to its end, so nothing shows that the tests look at it"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=("sabotage of the function",))
        if blind:
            test = min(blind)
            claim = f"{test} passes whatever the function does: it does not vouch for it"
            return Evidence(
                self.name, Decision.UNKNOWN, claim, numbers, witness=claim, question=f"Does {test} run this code?"
            )
        came_back = f"in {FORKS} forks with the old text" if forked else f"in {runs} runs"
        claim = f"the failure came back {came_back}, and the tests notice when the function is sabotaged"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=baseline.lost)

    @contextlib.contextmanager
    def _lend(self, submission: Submission) -> Iterator[TrialRouter | None]:
        """The server of the gates; ``None`` where there is none, or it does not have each failing test."""
        if self._server is None or not {*submission.baseline.failing} <= {*submission.vouching}:
            yield None
            return
        examples = self._documented.of(submission) if self._documented else Examples()
        with self._server.lend(submission, examples.tests, examples.files) as session:
            yield session

    def _fails_again_in_forks(self, submission: Submission) -> bool:
        """Whether forks show the failure again, once the old text is put back. That they do not says nothing."""
        with self._lend(submission) as session:
            return session is not None and fail_again(session, submission)

    def _find_blind_warm(self, submission: Submission, scope: EditScope) -> tuple[set[TestId], int]:
        """The failing tests that fail under no sabotage in forks of the patched program, and how many were tried.

        All of them, where forks cannot answer for the function.
        """
        blind, tried = set(submission.baseline.failing), 0
        with self._lend(submission) as session:
            if session is None or session.tier_of(scope.function) is not TrialTier.WARM:
                return blind, tried
            for sabotage in sabotages(scope):
                if not blind:
                    break
                tried += 1
                blind -= {test for test in sorted(blind) if _is_noticed(session, sabotage, test)}
        return blind, tried

    def _judge_twins(self, submission: Submission, so_far: Evidence) -> Evidence:
        """Run the impossible twins of the failing tests on the patched program, cold, all at once."""
        failing = submission.baseline.failing
        twins = twins_of(failing, submission.test_sources)
        exempt = dict(twins.exempt)
        tests = [test for test in failing if test not in exempt]
        found: tuple[TwinAnswer, ...] = ()
        if tests:
            twinned = LayeredSandbox(self._sandbox.for_purpose("twins"), lay_over(submission.whole, twins.files))
            try:  # one that hangs did not pass: it waits for what its assertion kept from happening
                run = complete_run(twinned, tests, submission.baseline.relax_limits(self._limits), trace=True)
            except OutOfTimeError:
                raise
            except RepairError as problem:
                claim = f"Where they ask for the impossible, the tests give no result: {problem.found}"
                return replace(so_far, decision=Decision.UNKNOWN, claim=claim)
            found = tuple(judge_twins(twins, tests, run))
        exempt |= {each.test: _UNTOUCHED for each in found if each.noticed is Noticed.UNTOUCHED}
        reasons = {why: [test for test, each in exempt.items() if each == why] for why in exempt.values()}
        skipped = tuple(f"the impossible twin of {list_names(tests, 'test')}: {why}" for why, tests in reasons.items())
        numbers = (("twins", len(failing) - len(exempt)), ("untwinned", len(exempt)))
        told = replace(
            so_far,
            claim=f"{so_far.claim}; {numbers[0][1]} of {count_noun(len(failing), 'impossible twin')} fail",
            measurements=(*so_far.measurements, *numbers),
            not_checked=(*so_far.not_checked, *skipped),
        )
        return _doubt(told, found) if any(each.noticed in _DOUBTS for each in found) else told

    def _fails_again(self, submission: Submission) -> bool:
        """Whether all failing tests fail once more without the patch, in the same way; by chance they may not."""
        failing = submission.baseline.failing
        try:
            run = complete_run(
                self._sandbox.for_purpose(self.name), failing, submission.baseline.relax_limits(self._limits)
            )
        except OutOfTimeError:  # which is no answer
            raise
        except RepairError:
            return False
        seen = {r.test: r for r in submission.baseline.outcomes}
        now = {test: result for test in failing if (result := run.result_of(test)) is not None}
        return all(
            test in now and now[test].outcome in BROKEN and same_failure(failure_of(seen[test]), failure_of(now[test]))
            for test in failing
        )


def _is_noticed(session: TrialSession, trial: Trial, test: TestId) -> bool:
    """Whether the test alone fails with the trial."""
    return any(outcome.state is TrialState.FAILED for outcome in session.trials([replace(trial, only=(test,))]))


class Noticed(enum.Enum):
    """What became of one test of the twin.

    ``FAILED`` as it must. ``HOLDS``: the value also equals what was put in the place of the expected one. ``PASSED``
    although it ran a line that asks for the impossible; ``FORGED`` where that line cannot but fail the test.
    ``UNTOUCHED``: it came to no line that was changed, or was not run.
    """

    FAILED = "failed"
    HOLDS = "holds"
    PASSED = "passed"
    FORGED = "forged"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Twins:
    """The files with the twins in their places, what was changed in each, and which tests could not have one."""

    files: Files
    perturbed: tuple[tuple[str, tuple[Perturbed, ...]], ...]
    exempt: tuple[tuple[TestId, str], ...]


@dataclass(frozen=True, slots=True)
class TwinAnswer:
    """One test's answer, and the line of its file that it is about; 0 where there is none."""

    test: TestId
    noticed: Noticed
    line: int = 0


def twins_of(tests: Sequence[TestId], texts: Files) -> Twins:
    """The twins of these tests among the files; ``files`` holds only what is changed."""
    known = dict(texts)
    files: list[tuple[str, bytes]] = []
    perturbed: list[tuple[str, tuple[Perturbed, ...]]] = []
    exempt: list[tuple[TestId, str]] = []
    for path in sorted({_path(test) for test in tests}):
        own = [test for test in tests if _path(test) == path]
        made = _twin(known[path], own) if path in known else Unreadable(UNREAD)
        if isinstance(made, Unreadable):
            exempt += [(test, made.detail) for test in own]
        elif made.perturbed:
            files.append((path, made.source))
            perturbed.append((path, made.perturbed))
        else:
            exempt += [(test, "no assertion of its file could be changed") for test in own]
    return Twins(tuple(files), tuple(perturbed), tuple(exempt))


def _twin(source: bytes, tests: Sequence[TestId]) -> Twin | Unreadable:
    """Of the tests in the file, of the examples in its docstrings, or of both."""
    plain = [test for test in tests if not _is_example(test)]
    made: Twin | Unreadable = impossible_twin(source) if plain else Twin(source, ())
    if len(plain) == len(tests) or isinstance(made, Unreadable):
        return made
    examples = impossible_examples(made.source)
    if isinstance(examples, Unreadable):
        return examples
    return Twin(examples.source, (*made.perturbed, *examples.perturbed))


def judge_twins(twins: Twins, tests: Sequence[TestId], run: TestRun) -> Iterator[TwinAnswer]:
    """What became of each test that has a twin, from a run of them with their lines."""
    results = {result.test: result for result in run.results}
    perturbed = dict(twins.perturbed)
    exempt = {test for test, _ in twins.exempt}
    for test in tests:
        if test not in exempt:
            yield _judge_twin(test, results.get(test), perturbed[_path(test)], run)


def _judge_twin(test: TestId, result: TestResult | None, perturbed: Sequence[Perturbed], run: TestRun) -> TwinAnswer:
    if result is None or result.outcome is Outcome.MISSING:
        return TwinAnswer(test, Noticed.UNTOUCHED)
    if result.outcome in BROKEN:
        return _judge_failed(test, result, perturbed)
    if _is_example(test):
        own = [p for p in perturbed if _is_named_by(test, p)]
        return TwinAnswer(test, Noticed.PASSED, own[0].first) if own else TwinAnswer(test, Noticed.UNTOUCHED)
    executed = lines_of(run, test, _path(test))
    ran = [p for p in perturbed if has_run((p.first, p.last), executed)]
    name = ".".join(names_of(test))
    sure = [p for p in ran if p.bare and p.function == name]
    if sure and result.outcome is Outcome.PASSED:
        return TwinAnswer(test, Noticed.FORGED, sure[0].first)
    return TwinAnswer(test, Noticed.PASSED, ran[0].first) if ran else TwinAnswer(test, Noticed.UNTOUCHED)


def _judge_failed(test: TestId, result: TestResult, perturbed: Sequence[Perturbed]) -> TwinAnswer:
    """A test that came beyond an assertion: one of the opposite only says that the test is not the same each time."""
    said = [raised.message for raised in result.exceptions]  # others may quote the file itself
    held = [p for p in perturbed if any(text.startswith(f"{MARK}: what line {p.first} asks") for text in said)]
    if not held:
        return TwinAnswer(test, Noticed.FAILED)
    return TwinAnswer(test, Noticed.HOLDS if held[0].by_value else Noticed.UNTOUCHED, held[0].first)


def _path(test: TestId) -> str:
    return str(test).partition("::")[0]


def _is_example(test: TestId) -> bool:
    """Whether the test is an example of a docstring: ``shop.py::shop.total``, not ``test_shop.py::test_total``."""
    return not files_of_tests([test])


def _is_named_by(test: TestId, perturbed: Perturbed) -> bool:
    """Whether the doctest is that of the docstring: named by its module, as it is imported, and what it belongs to.

    Example: ``src/shop.py::shop.total`` is that of ``total``, and ``src/shop.py::shop`` that of the module.
    """
    path, _, item = str(test).partition("::")
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    owner = item.removesuffix(f".{perturbed.function}") if perturbed.function else item
    return (owner != item) is bool(perturbed.function) and f".{module}".endswith(f".{owner}")


_UNTOUCHED = "it came to no assertion that could be changed"
_DOUBTS = {
    Noticed.FORGED: (Decision.REJECT, "passes although line {line} asks for the impossible: its outcome is forged"),
    Noticed.PASSED: (Decision.UNKNOWN, "passes although line {line} asks for the impossible"),
    Noticed.HOLDS: (Decision.UNKNOWN, "has a value in line {line} that equals the impossible, too"),
}
"""What a twin that did not fail says, the worst first."""


def _doubt(told: Evidence, found: Sequence[TwinAnswer]) -> Evidence:
    """The evidence with the worst of the twins' answers."""
    order = list(_DOUBTS)
    worst = min((each for each in found if each.noticed in _DOUBTS), key=lambda each: order.index(each.noticed))
    decision, said = _DOUBTS[worst.noticed]
    claim = f"{worst.test} {said.format(line=worst.line)}"
    question = f"Which value should fail line {worst.line} of {worst.test}?"
    return replace(told, decision=decision, claim=claim, witness=claim, question=question)


def _find_passing(run: TestRun, tests: tuple[TestId, ...]) -> set[TestId]:
    return {test for test in tests if run.outcome(test) is Outcome.PASSED}
