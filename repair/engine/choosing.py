"""Which of the plausible candidates comes first, and why.

Passing the tests says little: of several patches that do, most may be wrong. What is known of each beside its tests
orders them, the first difference that counts first:

1. what the judge of texts rejects comes last;
2. then what has a shape that passes tests more often than it mends faults (Tan et al., 2016; Qi et al., 2015);
3. then what a judge would doubt: an answer of its own for the tests' very values, another result of a call that a
   passing test makes, or where the old code never came to the change (``BehaviourClusters.flaws``); and what only walks
   things in another order, where the failing tests reach no end: it comes to the same calls, the first by luck;
4. among the others the least *cost*: the changed nodes, and the place in the stream (which is ordered by likelihood:
   twice as far back costs as much as one node more, decision 13); less for each doubling of the candidates that behave
   alike, less for what does what the failure asks for, more for what returns a literal of a kind of its own, and for
   what departs from the old function near the calls of passing tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.exception_kinds import Subclass
from repair.engine.behaviour_clusters import BehaviourClusters
from repair.hunt.search_result import Survivor
from repair.records.verdict import Decision, Verdict
from repair.records.wording import count_noun
from transforms.rules.antipatterns import antipatterns
from transforms.rules.merits import only_reorders, satisfies_constraint, strange_answers
from transforms.tree.candidate import Candidate

AGREEMENT = 1.0
"""What each doubling of the candidates that behave alike is worth, in changed nodes."""

DEPARTING = 4.0
"""What it costs to change every answer near the calls of passing tests; a part of them costs a part."""

MEETING = 2.0
"""What it is worth to do what a constraint of the failure asks for."""

STRANGE = 2.0
"""What it costs to return a literal of a kind that the function did not return before: ``None`` beside ``True``."""

REORDERS = "changes only the order in which things are walked, where the failing tests reach no end"

SOUND, DOUBTED, SUSPECT, REFUSED = range(4)
"""How grave the gravest thing is that speaks against a candidate."""

Textual = Callable[[Candidate], Verdict]
"""What the gates say that read a candidate's text alone."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A survivor with what decides its rank. ``gravity`` and ``cost`` order choices, the least first."""

    survivor: Survivor
    gravity: int
    flaws: tuple[str, ...]
    cost: float
    met: str = ""
    """The claim of the constraint that it meets."""
    strange: tuple[str, ...] = ()
    """The literals of a new kind that it returns."""
    conduct: BehaviourClusters | None = None
    among: int = 1
    """How many survivors there are."""

    @property
    def candidate(self) -> Candidate:
        """The candidate itself."""
        return self.survivor.candidate

    @property
    def refused(self) -> bool:
        """Whether its text alone is reason to reject it: then it is no rival to others."""
        return self.gravity == REFUSED

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it stands where it stands, for a reader."""
        size, position = self.candidate.size, self.survivor.position
        said = [*self.flaws, f"changes {count_noun(size, 'node')}, and was number {position} of what was tried"]
        if self.conduct is not None and self.conduct.inputs:
            kin, inputs = len(self.conduct.kin), count_noun(self.conduct.inputs, "input")
            alone = "no other of them behaves like it" if kin == 1 else f"{kin} of them behave alike"
            if self.among > 1:
                said.append(f"of {self.among} patches that pass {alone}, on the {inputs} tried first")
            if self.conduct.departures:
                near = count_noun(self.conduct.near, "input")
                said.append(f"answers {self.conduct.departures} of {near} near the passing tests' calls otherwise")
        if self.met:
            said.append(f"does what the failure asks for: {self.met}")
        if self.strange:
            said.append(f"returns `{self.strange[0]}`, which is of no kind that the function returns elsewhere")
        return tuple(said)


def chosen(survivors: Sequence[Survivor], textual: Textual, conducts: Sequence[BehaviourClusters] = ()) -> list[Choice]:
    """The survivors, the most promising first."""
    known = {digest: conduct for conduct in conducts for digest in conduct.kin}
    made = [_choice(s, textual(s.candidate), known.get(s.candidate.digest), len(survivors)) for s in survivors]
    return sorted(made, key=lambda c: (c.gravity, len(_shapes(c.candidate)), c.cost, c.survivor.position))


def _choice(survivor: Survivor, textual: Verdict, conduct: BehaviourClusters | None, among: int) -> Choice:
    said = [e for e in textual.evidence if e.decision is not Decision.ACCEPT]
    shapes = _shapes(survivor.candidate)
    luck = (REORDERS,) if _ends_by_luck(survivor) else ()
    flaws = (*shapes, *luck, *(e.claim for e in said), *(conduct.flaws if conduct is not None else ()))
    gravity = SOUND if not flaws else SUSPECT if shapes else DOUBTED
    if any(e.decision is Decision.REJECT for e in said):
        gravity = REFUSED
    met = _met(survivor)
    candidate = survivor.candidate
    strange = strange_answers(candidate.before, candidate.text, candidate.encoding)
    cost = candidate.size + math.log2(survivor.position) - (MEETING if met else 0.0) + (STRANGE if strange else 0.0)
    if conduct is not None and conduct.inputs:
        cost += DEPARTING * conduct.departing - AGREEMENT * math.log2(len(conduct.kin))
    return Choice(survivor, gravity, flaws, cost, met, strange, conduct, among)


def _shapes(candidate: Candidate) -> tuple[str, ...]:
    return antipatterns(candidate.before, candidate.text, candidate.encoding)


def _ends_by_luck(survivor: Survivor) -> bool:
    """Whether the failing tests hang or recurse without end, and the edit only changes what comes first."""
    candidate, diagnoses = survivor.candidate, survivor.plan.diagnoses
    endless = bool(diagnoses) and all(d.subclass == Subclass.TIMEOUT for d in diagnoses)
    return endless and only_reorders(candidate.before, candidate.text, candidate.encoding)


def _met(survivor: Survivor) -> str:
    """The claim of the first constraint that the edit meets."""
    candidate = survivor.candidate
    asked = dict.fromkeys(c for diagnosis in survivor.plan.diagnoses for c in diagnosis.constraints)
    texts = (candidate.before, candidate.text, candidate.encoding)
    return next((constraint.claim for constraint in asked if satisfies_constraint(constraint, *texts)), "")
