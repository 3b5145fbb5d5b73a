"""Test quality: is there a failing test whose turning green says something?"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.behaviour import says_unfit
from analysis.diagnosis import files_of_tests
from analysis.facts import Outcome, TestId, TestResult, TestRun
from analysis.function_text import Unreadable
from analysis.functions import source_encoding
from analysis.quality.case import find_case, read_tests
from analysis.quality.check import examples_changed, smells_of_tests, subject_not_executed
from analysis.quality.executed import assertions_not_run
from analysis.quality.smell import Severity, Smell
from repair.observe.patched import PatchedRun, lines_of
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import list_names


class TestQuality:
    """Accepts when a failing test can vouch: no rejecting smell, and it runs the changed function and its assertions.

    - A test may not be found in its source: it is inherited from elsewhere, or made at run time. Its text does not keep
      it from vouching then, and the evidence says that it was not looked at.
    - Warnings are listed and decide nothing.
    - Without a run of the patched program only texts are asked.
    - A change of a file that holds tests never vouches for itself: helpers and expected values stand beside them.
    """

    __test__ = False
    name = "test_quality"

    def __init__(self, patched: PatchedRun | None = None) -> None:
        self._patched = patched

    def judge(self, submission: Submission) -> Evidence:
        """Look at every failing test's text, and at the lines that it ran."""
        failing = submission.baseline.failing
        if not failing:
            return Evidence(
                self.name, Decision.UNKNOWN, "There is no failing test to mend, so none can vouch for this change"
            )
        if submission.candidate.function.path in files_of_tests(r.test for r in submission.baseline.outcomes):
            claim = f"{submission.candidate.function.path} holds tests itself: who writes them writes the evidence"
            return Evidence(self.name, Decision.UNKNOWN, claim)
        smells, unseen = self._smells(submission)
        fakes = {s.test: s for s in reversed(smells) if s.severity is Severity.REJECT}
        vouching = [test for test in failing if test not in fakes]
        numbers: list[Measurement] = [("failing", len(failing)), ("vouching", len(vouching))]
        numbers += [(s.id, _describe_smell(s)) for s in smells]
        inherited = "no text of their own in their files: they are inherited or made"
        skipped = (f"smells of {list_names(unseen, 'test')} ({inherited})",) if unseen else ()
        if not vouching:
            first = fakes[failing[0]]
            claim = f"none of the {len(failing)} failing tests can vouch: {first.claim}"
            question = f"What should {submission.candidate.function.qualname} do? A test that says so would settle it."
            return Evidence(
                self.name, Decision.UNKNOWN, claim, tuple(numbers), _describe_smell(first), question, skipped
            )
        claim = f"{len(vouching)} of {len(failing)} failing tests can vouch"
        return Evidence(self.name, Decision.ACCEPT, claim, tuple(numbers), not_checked=skipped)

    def _smells(self, submission: Submission) -> tuple[list[Smell], list[TestId]]:
        """All smells of the failing tests, and the tests whose text is not at hand."""
        failing = submission.baseline.failing
        smells: list[Smell] = [*_find_made_to_fit(submission), *_find_idle(submission), *self._find_rotten(submission)]
        seen: set[TestId] = set()
        for path, source in submission.test_sources:
            own = [test for test in failing if str(test).split("::")[0] == path]
            for test, found in smells_of_tests(source, path, own, subject=submission.candidate.function.qualname):
                if found is not None:
                    seen.add(test)
                    smells += found
        return smells, [test for test in failing if test not in seen]

    def _find_rotten(self, submission: Submission) -> Iterator[Smell]:
        """T28 for the failing tests that pass on the patched program; why others do not, other gates say."""
        run = self._patched.of(submission) if self._patched else None
        for path, source in submission.test_sources:
            own = [test for test in submission.baseline.failing if str(test).split("::")[0] == path]
            file = read_tests(source)
            for test in own:
                case = None if isinstance(file, Unreadable) else find_case(file, test)
                if case is not None and isinstance(run, TestRun) and run.outcome(test) is Outcome.PASSED:
                    yield from assertions_not_run(case, test, lines_of(run, test, path))


def _describe_smell(smell: Smell) -> str:
    return f"{smell.test}, line {smell.line}: {smell.claim}"


def _find_made_to_fit(submission: Submission) -> Iterator[Smell]:
    """T27 for the failing tests that are doctests of the changed file."""
    candidate = submission.candidate
    path = candidate.function.path
    encoding = source_encoding(dict(candidate.files)[path])
    before, after = (text.decode(encoding, "replace") for text in (candidate.before, candidate.text))
    for test in submission.baseline.failing:
        smell = examples_changed(test, path, before, after)
        if smell is not None:
            yield smell


def _calls_as_after(result: TestResult, qualname: str) -> bool:
    """Whether the test fails since its call does not fit the old signature: then it can run no line of the function."""
    raised = result.exceptions[0] if result.exceptions else None
    if raised is None or not says_unfit(raised.type_name, raised.message):
        return False
    return raised.message.split("(")[0].rsplit(".", 1)[-1] == qualname.rsplit(".", 1)[-1]


def _find_idle(submission: Submission) -> Iterator[Smell]:
    """T16 for the failing tests that the traced run knows; of others nothing is said."""
    candidate = submission.candidate
    function = candidate.function
    text = candidate.before.decode(source_encoding(dict(candidate.files)[function.path]), "replace")
    unfit = {each.test for each in submission.baseline.outcomes if _calls_as_after(each, function.qualname)}
    for test, files in submission.baseline.traced.line_map:
        if test in submission.baseline.failing and test not in unfit:
            smell = subject_not_executed(test, text, function.first_line, dict(files).get(function.path, frozenset()))
            if smell is not None:
                yield smell
