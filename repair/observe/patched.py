"""The patched program's own lines: one cold run of the tests that vouch, read by every gate that asks for lines."""

from __future__ import annotations

from collections.abc import Set

from analysis.facts import Digest, Files, InvalidRun, Limits, TestId, TestRun
from repair.records.ports import Sandbox, Submission

_Asked = tuple[Digest, Files, tuple[TestId, ...]]


class PatchedRun:
    """Runs the failing and the vouching tests on the patched program, cold, with their lines.

    Kept for the latest submission, as gates ask about one after another.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._kept: tuple[_Asked, TestRun | InvalidRun] | None = None

    def of(self, submission: Submission) -> TestRun | InvalidRun:
        """The run for this submission."""
        tests = tuple(dict.fromkeys((*submission.baseline.failing, *submission.vouching)))
        asked = (submission.candidate.digest, submission.whole, tests)
        if self._kept is None or self._kept[0] != asked:
            limits = submission.baseline.relax_limits(self._limits)
            self._kept = (asked, self._sandbox.run(tests, submission.whole, limits=limits, trace=True))
        return self._kept[1]


def lines_of(run: TestRun, test: TestId, path: str) -> Set[int]:
    """The lines of that file that the test ran."""
    return next((dict(files).get(path, frozenset()) for each, files in run.line_map if each == test), frozenset())
