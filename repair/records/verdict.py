"""Evidence, and what all of it together says about one candidate."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from analysis.behaviour import Difference
from analysis.mutant_view import MutantView
from repair.records.effect import Effect


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


REPEATED = "answers_repeated"
"""The measurement that counts answers of persons whose calls other tests make: they say nothing new."""

TIME_WAS_UP = "the time of the run was up before it could tell"
"""The claim of a gate that was cut short."""

Measurement = tuple[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason to doubt a patch. ``witness`` shows it, ``question`` would settle it, ``told`` is its input.

    ``feature`` names the weight that it has, ``strength`` says how much of it counts here: from 0 to 1.
    """

    feature: str
    claim: str
    strength: float = 1.0
    witness: str = ""
    question: str = ""
    told: Difference | None = None


@dataclass(frozen=True, slots=True)
class Risk:
    """How likely a patch is not what its author meant, by what its gates found.

    ``shares`` are the parts of the log-odds by feature, the largest first. The weights were learned on ``patches`` of
    ``projects``. Of those with a risk like this one's ``upper`` is the upper bound of the share of wrong ones. For a
    find of the search it is at least that of ``unseen`` certificates. A patch ``by_others`` was not found by the
    search: then both are those of people's patches that looked as good.
    """

    value: float
    upper: float
    patches: int
    projects: int
    limit: float
    shares: tuple[tuple[str, float], ...] = ()
    by_others: bool = False
    by_evidence: float | None = None
    """What the evidence about the patch alone comes to, without its author's risk and what other finds say of it."""
    by_hand: tuple[str, ...] = ()
    """Those features whose weight was set by hand: no patch that it was learned on had them."""
    like: int = 0
    """How many judged patches were rated like it: as many as its band counts, people's where it is by others."""
    like_upper: float = 1.0
    """The upper bound of the share of wrong ones among them, with one patch in five wrong."""
    unseen: int = 0
    """Certificates for finds of the search that were counted in programs which no rule knew; 0 where it has none."""
    unseen_wrong: int = 0
    """How many of these were wrong."""

    @property
    def order(self) -> float:
        """What candidates are ordered by: not by the risk of their authors' patches."""
        return self.value if self.by_evidence is None else self.by_evidence

    @property
    def is_accepted(self) -> bool:
        """Whether it is small enough for a certificate."""
        return self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one gate saw. ``witness`` shows a doubt; ``question`` is what would settle it; ``told`` is its input.

    A gate that weighs gives all of its ``doubts``, of which the first stands in its claim, and what it measured as
    ``features``. A doubt of another gate, or an ``UNKNOWN`` without ``doubts``, is not weighed.
    """

    gate: str
    decision: Decision
    claim: str
    measurements: tuple[Measurement, ...] = ()
    witness: str = ""
    question: str = ""
    not_checked: tuple[str, ...] = ()
    seconds: float = 0.0
    told: Difference | None = None
    effect: Effect | None = None
    """What the change does to callers, where no failing test asks for it."""
    doubts: tuple[Doubt, ...] = ()
    features: tuple[tuple[str, float], ...] = ()
    change: Difference | None = None
    """A call that no test makes and that the patch changes: what may be asked where no doubt is worth a question."""
    changes: tuple[Difference, ...] = ()
    """A few unlike calls on which callers get something else than from the old function."""
    mutants: tuple[MutantView, ...] = ()
    """The mutants of the patch, each with what became of it; lines are those of the patched file."""
    others_say: tuple[str, ...] = ()
    """What checks of third parties say of the patch, each with its name: it weighs nothing."""


CORE_GATES = (
    "shape",
    "capability",
    "test_quality",
    "fixes",
    "regressions",
    "controls",
    "coverage",
    "stability",
    "mutation",
    "behaviour",
)
"""Gates without whose acceptance nothing is certified, in order of cost."""


WEIGHED_GATES = ("shape", "mutation", "behaviour")
"""Gates whose doubts are weighed: none of them withholds a certificate by itself."""


EXTRA_GATES = ("static", "rules", "types", "cost")
"""Gates that ``--gates strict`` requires as well. Elsewhere they are a doubt only with a witness: that one of
them could not look at a candidate is said, and lowers nothing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All evidence on one candidate and the word that follows from it."""

    evidence: tuple[Evidence, ...]
    required: tuple[str, ...] = CORE_GATES
    """The gates without whose acceptance there is no certificate."""
    risk: Risk | None = None
    """What the doubts of all gates come to together; ``None`` where a gate ended it before."""

    @property
    def not_asked(self) -> tuple[str, ...]:
        """Gates that gave no evidence on this candidate, because an earlier one ended it or nobody asked for them."""
        seen = {e.gate for e in self.evidence}
        return tuple(gate for gate in dict.fromkeys((*CORE_GATES, *EXTRA_GATES, *self.required)) if gate not in seen)

    @property
    def status(self) -> PatchStatus:
        """``CERTIFIED`` only when every required gate accepted, no other is in doubt, and the risk is small enough."""
        decisions = {e.gate: e.decision for e in self.evidence}
        if Decision.REJECT in decisions.values() or "fixes" not in decisions:
            return PatchStatus.REJECTED
        accepted = all(decisions.get(gate) is Decision.ACCEPT for gate in self.required)
        accepted = accepted and (self.risk is None or self.risk.is_accepted)
        if accepted and not any(self._is_lowering(e) for e in self.evidence):
            return PatchStatus.CERTIFIED
        return PatchStatus.PLAUSIBLE

    def is_certified_but_for(self, gate: str) -> bool:
        """Whether the patch would be certified, had this gate accepted."""
        accepted = (replace(e, decision=Decision.ACCEPT) if e.gate == gate else e for e in self.evidence)
        return replace(self, evidence=tuple(accepted)).status is PatchStatus.CERTIFIED

    def _is_lowering(self, evidence: Evidence) -> bool:
        excused = evidence.gate in EXTRA_GATES and evidence.gate not in self.required and not evidence.witness
        return evidence.decision is not Decision.ACCEPT and not excused
