"""Questions about a program that no server can answer: each answer is empty, and says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.calls import CallInput, Calls, Comparison, Tried
from analysis.facts import FunctionId
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial


@dataclass(frozen=True, slots=True)
class NoAnswers:
    """Conforms to ``ProgramQuestions``. ``reason`` says why nobody answers."""

    reason: str

    def record(self, function: FunctionId, most: int) -> Calls:
        """No calls."""
        return Calls()

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        *,
        looser: bool = False,
        against_old: bool = True,
    ) -> Comparison:
        """No inputs, with the reason as a failure."""
        return Comparison(Tried(failures=(f"calls were not compared: {self.reason}",)))

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """No lines, with the reason as a failure."""
        return WorkReport(failures=(f"no work was counted: {self.reason}",))

    def force(self, ask: Query) -> Callable[[], Forced]:
        """No values."""
        return lambda: Forced(said=self.reason)

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        """No expressions."""
        return lambda: Settled(said=self.reason)
