"""Static: the patch brings no name that nothing defines, and nothing else that Ruff calls fatal."""

from __future__ import annotations

from collections.abc import Callable

from analysis.checkers import Remark, new_remarks
from analysis.facts import Files
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence

Lint = Callable[[Files], tuple[tuple[Remark, ...], ...] | str]
"""What a linter says of each text, or why it says nothing."""


class Static:
    """Accepts when a linter finds nothing in the function's file that it did not find before the patch."""

    name = "static"

    def __init__(self, lint: Lint) -> None:
        self._lint = lint

    def judge(self, submission: Submission) -> Evidence:
        """Compare what is said of the file before and after."""
        path = submission.candidate.function.path
        old, new = dict(submission.sources).get(path), dict(submission.whole).get(path)
        if old is None or new is None:
            return self._decline("The file is not there before and after the patch")
        said = self._lint(((path, old), (path, new)))
        if isinstance(said, str):
            return self._decline(f"The file was not looked at: {said}")
        before, after = said
        numbers = (("before", len(before)), ("after", len(after)))
        found = new_remarks(before, after)
        if not found:
            claim = "the file holds no undefined name and no fatal flaw that it did not hold before"
            return Evidence(self.name, Decision.ACCEPT, claim, numbers)
        first = found[0]
        claim = f"The patch brings what Ruff calls fatal: {first.message}"
        asked = f"Is line {first.line} of {path} right as it stands?"
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, f"{path}:{first.line}: {first.message}", asked)

    def _decline(self, claim: str) -> Evidence:
        return Evidence(self.name, Decision.UNKNOWN, claim, not_checked=("undefined names and fatal flaws",))
