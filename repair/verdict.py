"""Evidence, and what all of it together says about one candidate."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from analysis.calls import Witness


class Decision(enum.Enum):
    """The three answers of a gate. ``UNKNOWN`` never certifies."""

    ACCEPT = "accept"
    REJECT = "reject"
    UNKNOWN = "unknown"


class PatchStatus(enum.Enum):
    """The words of a verdict on one patch."""

    CERTIFIED = "certified"
    PLAUSIBLE = "plausible"
    REJECTED = "rejected"


Measurement = tuple[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one gate saw. ``witness`` shows a doubt; ``question`` is what would settle it; ``told`` is its input."""

    gate: str
    decision: Decision
    claim: str
    measurements: tuple[Measurement, ...] = ()
    witness: str = ""
    question: str = ""
    not_checked: tuple[str, ...] = ()
    seconds: float = 0.0
    told: Witness | None = None


CORE_GATES = (
    "shape",
    "capability",
    "test_quality",
    "fixes",
    "regressions",
    "controls",
    "stability",
    "mutation",
    "behaviour",
)
"""Gates without whose acceptance nothing is certified, in order of cost."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All evidence on one candidate and the word that follows from it."""

    evidence: tuple[Evidence, ...]

    @property
    def status(self) -> PatchStatus:
        """``CERTIFIED`` only when every core gate ran and every gate that ran accepted."""
        decisions = {e.gate: e.decision for e in self.evidence}
        if Decision.REJECT in decisions.values() or "fixes" not in decisions:
            return PatchStatus.REJECTED
        complete = all(gate in decisions for gate in CORE_GATES)
        if complete and all(decision is Decision.ACCEPT for decision in decisions.values()):
            return PatchStatus.CERTIFIED
        return PatchStatus.PLAUSIBLE
