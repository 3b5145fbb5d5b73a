"""A gate of a third party: it speaks under the name by which it was asked for, and its failure is no yes.

It runs in the engine's process with its rights: whoever installs one beside the engine trusts its code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.errors import RepairError
from repair.records.verdict import Decision, Evidence

LONGEST_CLAIM = 400
"""Characters of what it says."""


@dataclass(frozen=True, slots=True)
class OutsideGate:
    """Conforms to ``Gate``: asks a third party's, and takes its decision, its claim and its numbers."""

    name: str
    gate: Any

    def judge(self, submission: Any) -> Evidence:
        """What it says; unknown where it fails or says nothing that can be read."""
        try:
            said = self.gate.judge(submission)
        except RepairError:
            raise
        except Exception as problem:  # noqa: BLE001 - whatever it does, its failure is no yes
            return Evidence(self.name, Decision.UNKNOWN, f"the gate failed: {type(problem).__name__}: {problem}")
        if not isinstance(said, Evidence) or not isinstance(said.decision, Decision):
            return Evidence(self.name, Decision.UNKNOWN, f"the gate gave no evidence but {type(said).__name__}")
        return Evidence(self.name, said.decision, str(said.claim)[:LONGEST_CLAIM], said.measurements, said.witness)
