"""Coverage: do the failing tests run the change, and does any test run what hangs on it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.exception_kinds import new_handlers
from analysis.facts import InvalidRun, TestId, TestRun
from repair.observe.branches import BranchesOfPatch
from repair.observe.patched import PatchedRun, lines_of
from repair.observe.statements import Measure, measure_statements
from repair.records.functions import edit_scope
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import count_noun
from transforms.mutants.changed_lines import ChangedLines, Dependent, changed_lines
from transforms.tree.scope import EditScope


class Coverage:
    """Accepts when a failing test runs a changed line of the patched function.

    Two things are doubts:

    - A line reads a name which the change binds otherwise, and no test runs that line. Nobody has looked at what the
      change does there. A line that the project excluded from coverage before is told, and is no doubt.
    - A new handler lets nothing out, and no exception of a test reaches it. Nothing says that there is to be no
      exception.
    """

    name = "coverage"

    def __init__(
        self, patched: PatchedRun, measure: Measure = measure_statements, branches: BranchesOfPatch | None = None
    ) -> None:
        """``measure`` says which lines the project's own settings of coverage.py exclude.

        ``branches`` tells those of a patch, where the project measures them: they are counted, and are no doubt.
        """
        self._patched, self._measure, self._branches = patched, measure, branches

    def judge(self, submission: Submission) -> Evidence:
        """Hold the changed lines against those that the tests ran."""
        if not submission.baseline.failing:
            claim = "There is no failing test to mend, so none can run the change"
            return Evidence(self.name, Decision.UNKNOWN, claim)
        candidate = submission.candidate
        old = edit_scope(submission.sources, candidate.function)
        new = edit_scope(submission.whole, candidate.function, candidate.text)
        found = changed_lines(old, new)
        if not found.changed:
            return Evidence(self.name, Decision.UNKNOWN, "The change has no line that a test could run")
        run = self._patched.of(submission)
        if isinstance(run, InvalidRun):
            claim = f"The lines that the tests run could not be told: {run.detail}"
            return Evidence(self.name, Decision.UNKNOWN, claim)
        evidence = self._judge_lines(submission, found, run)
        return (
            evidence
            if evidence.decision is not Decision.ACCEPT
            else _judge_handlers(submission, old, new, run, evidence)
        )

    def _judge_lines(self, submission: Submission, found: ChangedLines, run: TestRun) -> Evidence:
        path = submission.candidate.function.path
        mine = _lines_of_any(run, submission.baseline.failing, path)
        every = mine | _lines_of_any(run, submission.vouching, path)
        ran = [unit for unit in found.changed if unit.has_run(mine)]
        unseen = [unit for unit in found.changed if not unit.has_run(every)]
        numbers: list[Measurement] = [("changed", len(found.changed)), ("run", len(ran)), ("unseen", len(unseen))]
        skipped = tuple(f"line {unit.first} of the change, which no vouching test runs" for unit in unseen)
        if not ran:
            claim = f"No failing test runs the change, which begins in line {found.changed[0].first}"
            witness = f"{path}:{found.changed[0].first}"
            question = f"Which test shows what line {found.changed[0].first} of {path} is for?"
            return Evidence(self.name, Decision.UNKNOWN, claim, tuple(numbers), witness, question, skipped)
        blind = [d for d in found.dependents if not d.unit.has_run(every) and not _was_run_before(submission, d)]
        excluded = self._find_excluded(submission, blind)
        blind = [each for each in blind if each not in excluded]
        numbers.append(("hanging", len(blind)))
        skipped += tuple(f"line {each.unit.first}, which the project excludes from coverage" for each in excluded)
        if blind:
            return _doubt_dependent(submission, blind[0], tuple(numbers), skipped)
        if self._branches is not None:
            taken, left, said = self._branches.count(submission, [(u.first, u.last) for u in found.changed])
            numbers += [("branches", taken + len(left)), ("branches_taken", taken)]
            skipped += tuple(f"the branch from {each}, which no vouching test takes" for each in left)
            skipped += (said,) if said else ()
        claim = f"the failing tests run {len(ran)} of {count_noun(len(found.changed), 'changed line')}"
        return Evidence(self.name, Decision.ACCEPT, claim, tuple(numbers), not_checked=skipped)

    def _find_excluded(self, submission: Submission, blind: Sequence[Dependent]) -> list[Dependent]:
        """Those of the lines that the old file excludes by the project's settings: a patch excludes nothing itself."""
        path = submission.candidate.function.path
        source = dict(submission.sources).get(path)
        if not blind or source is None:
            return []
        excluded = self._measure([(path, source)]).of(path).excluded
        return [each for each in blind if each.before.first in excluded]


def _judge_handlers(
    submission: Submission, old: EditScope, new: EditScope, run: TestRun, evidence: Evidence
) -> Evidence:
    """The evidence, unless the patch swallows an exception that no test brings about."""
    path = submission.candidate.function.path
    ran = _lines_of_any(run, (*submission.baseline.failing, *submission.vouching), path)
    texts = [scope.text.decode(scope.encoding) for scope in (old, new)]
    idle = [each for each in new_handlers(*texts) if not each.has_run({line - new.line_of(0) for line in ran})]
    if not idle:
        return evidence
    line, caught = new.line_of(idle[0].first), idle[0].caught
    claim = f"No test comes to the new handler in line {line}, which lets nothing of {caught} out"
    question = f"Should {submission.candidate.function.qualname} swallow {caught}? A test would settle it."
    witness = f"{path}:{line}: except {caught}"
    return replace(evidence, decision=Decision.UNKNOWN, claim=claim, witness=witness, question=question)


def _doubt_dependent(
    submission: Submission, found: Dependent, numbers: tuple[Measurement, ...], skipped: tuple[str, ...]
) -> Evidence:
    path, line = submission.candidate.function.path, found.unit.first
    claim = f"No test runs line {line}, which reads {found.name}, and the change gives {found.name} other values"
    question = f"What should line {line} of {path} do with the new values of {found.name}? A test would settle it."
    return Evidence("coverage", Decision.UNKNOWN, claim, numbers, f"{path}:{line}: {found.name}", question, skipped)


def _was_run_before(submission: Submission, found: Dependent) -> bool:
    """Whether some passing test ran the same line of the old program: it passes still, or `regressions` says so.

    Example: ``test_total`` ran ``return x``, and the patch edits ``x = 1`` above it.
    """
    baseline = submission.baseline
    path, passing = submission.candidate.function.path, set(baseline.passing)
    return any(
        found.before.has_run(dict(files).get(path, frozenset()))
        for test, files in baseline.traced.line_map
        if test in passing
    )


def _lines_of_any(run: TestRun, tests: Sequence[TestId], path: str) -> frozenset[int]:
    """The lines of the file that some of the tests ran."""
    return frozenset[int]().union(*(lines_of(run, test, path) for test in tests))
