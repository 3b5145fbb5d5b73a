"""Gates that end with the time of the run: what they could not find out in it is unknown, and never a certificate."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.errors import OutOfTimeError
from repair.engine.rivals import PLAUSIBLE, TEXTUAL
from repair.records.ports import Gate, Submission
from repair.records.verdict import TIME_WAS_UP, Decision, Evidence
from sandbox.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Timed:
    """Conforms to ``Gate``: one of the engine's own, of which nothing goes on after the deadline."""

    gate: Gate
    deadline: Deadline

    @property
    def name(self) -> str:
        """The gate's own name."""
        return self.gate.name

    def judge(self, submission: Submission) -> Evidence:
        """What the gate says, if it says it in time, else that it is unknown.

        Raises ``OutOfTimeError`` where the patch was not shown to pass its tests: then nothing may be said of it.
        """
        try:
            if self.name not in TEXTUAL:
                self.deadline.check()
            return self.gate.judge(submission)
        except OutOfTimeError:
            if self.name in PLAUSIBLE:
                raise
            return Evidence(self.name, Decision.UNKNOWN, TIME_WAS_UP)
