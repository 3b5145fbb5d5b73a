"""Which branches tests take, where the project measures branches: in a run of their own, since telling it is slow."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from analysis.facts import ARCS, ArcMap, Arcs, Files, InvalidRun, Limits, TestId
from analysis.statement_lines import Branch, Span
from repair.observe.statements import KnownStatements
from repair.records.ports import Sandbox, Submission

PURPOSE = "branches"
"""What these cold starts are counted as."""


@dataclass(frozen=True, slots=True)
class ArcsSeen:
    """The arcs of each test of one run; ``said`` is why there are none."""

    by_test: ArcMap = ()
    said: str = ""

    def of(self, tests: Collection[TestId]) -> Mapping[str, Arcs]:
        """The arcs that these tests ran in each file."""
        found: dict[str, frozenset[tuple[int, int]]] = {}
        for test, files in self.by_test:
            for path, arcs in files if test in tests else ():
                found[path] = found.get(path, frozenset()).union(arcs)
        return found


def observe_arcs(sandbox: Sandbox, limits: Limits, tests: Sequence[TestId] = (), files: Files = ()) -> ArcsSeen:
    """The arcs of these tests, or of the whole selection, in one cold run with the files laid over the program."""
    run = sandbox.for_purpose(PURPOSE).run(tests, files, limits=limits, trace=ARCS)
    return ArcsSeen(said=f"branches were not told: {run.detail}") if isinstance(run, InvalidRun) else ArcsSeen(run.arcs)


@dataclass(frozen=True, slots=True)
class BranchesOfPatch:
    """Counts the branches of what a patch changes, for a project that measures them."""

    sandbox: Sandbox
    limits: Limits
    statements: KnownStatements

    def count(self, submission: Submission, changed: Sequence[Span]) -> tuple[int, tuple[Branch, ...], str]:
        """How many branches of these lines failing and vouching tests take, the others, and why that is not known."""
        path = submission.candidate.function.path
        tests = tuple(dict.fromkeys((*submission.baseline.failing, *submission.vouching)))
        limits = submission.baseline.relax_limits(self.limits)
        seen = observe_arcs(self.sandbox, limits, tests, submission.whole)
        if seen.said:
            return 0, (), seen.said
        file = self.statements.branches([(path, dict(submission.whole)[path])], seen.of(tests)).of(path)
        own = [each for each in file.branches if any(first <= each.start <= last for first, last in changed)]
        left = tuple(each for each in own if not each.taken)
        return len(own) - len(left), left, ""


def branches_of_patch(sandbox: Sandbox, limits: Limits, statements: KnownStatements) -> BranchesOfPatch | None:
    """What counts branches; nothing where the project's settings do not ask for them."""
    return BranchesOfPatch(sandbox, limits, statements) if statements.are_measured else None
