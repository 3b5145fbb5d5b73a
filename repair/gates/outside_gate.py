"""A gate of a third party: it can only ask for more, so that its failure or its silence never certifies.

It runs in the engine's process with its rights: whoever installs one beside the engine trusts its code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.errors import OutOfTimeError
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import words_of_failure

LONGEST_CLAIM = 400
"""Characters of what it says."""


@dataclass(frozen=True, slots=True)
class OutsideGate:
    """Conforms to ``Gate``: asks a third party's, and takes its decision, its claim and its numbers.

    ``trouble`` says why there is no such gate: it could not be made.
    """

    name: str
    gate: Any
    trouble: str = ""

    def judge(self, submission: Any) -> Evidence:
        """What it says; unknown where it fails or says nothing that can be read."""
        if self.trouble:
            return self._unknown(self.trouble)
        try:
            said = self.gate.judge(submission)
            if isinstance(said, Evidence) and isinstance(said.decision, Decision):
                claim, witness = str(said.claim)[:LONGEST_CLAIM], str(said.witness)
                return Evidence(self.name, said.decision, claim, _numbers(said.measurements), witness)
        except OutOfTimeError:  # of the run itself, whose end is no failure of theirs
            raise
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - whatever it does, its failure is no yes
            return self._unknown(f"failed: {words_of_failure(problem)}")
        return self._unknown(f"gave no evidence but {type(said).__name__}")

    def _unknown(self, what: str) -> Evidence:
        return Evidence(self.name, Decision.UNKNOWN, f"the gate {self.name} of a third party {what}"[:LONGEST_CLAIM])


def make_outside_gate(name: str, make: Callable[[], Any]) -> OutsideGate:
    """The gate of that name; one that cannot be made is unknown to every patch, as one that fails."""
    try:
        return OutsideGate(name, make())
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - a stranger's defect costs the certificate, not the run
        return OutsideGate(name, None, f"cannot be made: {words_of_failure(problem)}")


def _numbers(given: Any) -> tuple[Measurement, ...]:
    """What it measured, of the types that a record takes; raises ``TypeError`` or ``ValueError`` for anything else."""
    found = tuple((name, number) for name, number in given)
    for name, number in found:
        if not isinstance(name, str) or not isinstance(number, (int, float, str)):
            raise TypeError(f"it measured {type(name).__name__}: {type(number).__name__}, and no name with a number")
    return found
