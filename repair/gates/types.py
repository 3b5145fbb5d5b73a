"""Types: where the project uses a type checker, the patch brings it no new finding in the function's file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis.checkers import Remark, new_remarks, remarks_in, type_checker
from analysis.facts import Files, InvalidRun, Limits
from repair.records.ports import Sandbox, Submission
from repair.records.verdict import Decision, Evidence

SECONDS = 120.0
"""For one run of a type checker, which may have to read the whole project."""

OPTIONS = {
    "mypy": ("--no-pretty", "--no-error-summary", "--no-color-output", "--hide-error-context", "--cache-dir=/dev/null"),
    "pyright": (),
}
"""What each checker is told besides the file; the rest says the project's own configuration."""

FOUND = 1
"""The exit status of both checkers that have findings. A higher one says that they gave up."""


class Types:
    """Accepts when the project's own type checker says of the function's file what it said before, or there is none.

    It runs in the target's interpreter behind the same walls as the tests: its plugins are the project's code.
    """

    name = "types"

    def __init__(self, sandbox: Sandbox, settings: Mapping[str, bytes], limits: Limits) -> None:
        self._sandbox = sandbox
        self._checker = type_checker(settings)
        self._limits = replace(limits, wall_seconds=SECONDS, cpu_seconds=SECONDS)

    def judge(self, submission: Submission) -> Evidence:
        """Run the checker on the file before and after."""
        if not self._checker:
            claim = "the project names no type checker, so there is none to ask"
            return Evidence(self.name, Decision.ACCEPT, claim, not_checked=("types: the project uses no checker",))
        if not self._sandbox.find_importable([self._checker]):
            return self._decline(f"The project names {self._checker}, which its environment does not hold")
        path = submission.candidate.function.path
        before = self._ask_checker(path, ())
        after = before if isinstance(before, str) else self._ask_checker(path, submission.whole)
        if isinstance(before, str) or isinstance(after, str):
            return self._decline(f"{self._checker} says nothing: {before if isinstance(before, str) else after}")
        numbers = (("before", len(before)), ("after", len(after)))
        found = new_remarks(before, after)
        if not found:
            claim = f"{self._checker} finds nothing in the file that it did not find before"
            return Evidence(self.name, Decision.ACCEPT, claim, numbers)
        first = found[0]
        claim = f"The patch brings {self._checker} a new finding: {first.message}"
        asked = f"Is line {first.line} of {path} right as it stands?"
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, f"{path}:{first.line}: {first.message}", asked)

    def _ask_checker(self, path: str, files: Files) -> tuple[Remark, ...] | str:
        """What the checker says of the file with these files laid over, or why it says nothing."""
        ran = self._sandbox.module(self._checker, (*OPTIONS[self._checker], path), files, limits=self._limits)
        if isinstance(ran, InvalidRun):
            return ran.detail
        if ran.status > FOUND:
            last = ran.output.strip().splitlines()[-1:]
            return f"it gave up (status {ran.status}) {' '.join(last)[:200]}".strip()
        found = remarks_in(ran.output, path)
        return "its answer is no list of findings" if ran.status == FOUND and not _names_any(ran.output) else found

    def _decline(self, claim: str) -> Evidence:
        return Evidence(self.name, Decision.UNKNOWN, claim, not_checked=("what the project's type checker says",))


def _names_any(output: str) -> bool:
    """Whether the output has a finding at all, be it in this file or another: ``b.py:3: error: no such name``."""
    return any(": error" in line or " - error" in line for line in output.splitlines())
