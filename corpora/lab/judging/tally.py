"""What judgements add up to: shares with intervals, by kind and project, beside judges that look at less."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from corpora.bench.statistics import Rate, rate
from corpora.lab.judging.records import UPSTREAM, GateSaid, Judgement, Material, Patch

FAST_TESTS_SECONDS = 1.0
"""The visible tests of a function with a fast test file take less, but for what starts them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One patch with the judge's word on it."""

    patch: Patch
    said: Judgement

    @property
    def is_withheld(self) -> bool:
        """Whether the judge did not certify it."""
        return self.said.status != "certified"

    @property
    def is_withheld_after(self) -> bool:
        """Whether it is not certified either when the fix has answered its question."""
        return (self.said.after or self.said.status) != "certified"

    @property
    def is_rejected(self) -> bool:
        """Whether the judge refused it outright."""
        return self.said.status == "rejected"

    @property
    def speaking_gates(self) -> tuple[GateSaid, ...]:
        """The gates that did not accept, of those that the judge asked."""
        return tuple(said for said in self.said.gates if said.decision != "accept" and not said.late)

    @property
    def deciding_gate(self) -> str:
        """The gate that settled it: what rejected it, else the first that doubted; empty for a certified patch."""
        order = sorted(self.speaking_gates, key=lambda said: said.decision != "reject")
        return order[0].gate if order else ""

    def gate(self, name: str) -> GateSaid | None:
        """What that gate said, also where it was asked only for comparison."""
        return next((said for said in self.said.gates if said.gate == name), None)


def cases(materials: Iterable[Material], said: dict[str, Judgement], most: int) -> tuple[Case, ...]:
    """The patches that were judged, at most so many right and so many wrong ones of a bug."""
    found: list[Case] = []
    for material in materials:
        for right in (True, False):
            judged = [p for p in material.patches if p.right is right and p.id in said and not said[p.id].error]
            found += [Case(patch, said[patch.id]) for patch in judged[:most]]
    return tuple(found)


def wrong_cases(every: Sequence[Case]) -> list[Case]:
    """The wrong patches."""
    return [case for case in every if not case.patch.right]


def right_cases(every: Sequence[Case]) -> list[Case]:
    """The right patches."""
    return [case for case in every if case.patch.right]


def mendable_cases(every: Sequence[Case]) -> list[Case]:
    """The patches of bugs whose upstream fix keeps what no fix of ours may change: a signature, a guard, a raise."""
    refused = {case.patch.place for case in every if case.patch.how == UPSTREAM and _breaks_the_frame(case)}
    return [case for case in every if case.patch.place not in refused]


def _breaks_the_frame(case: Case) -> bool:
    said = case.gate("shape")
    return said is not None and said.decision == "reject"


def share(among: Sequence[Case], holds: Callable[[Case], bool]) -> Rate:
    """The share of the cases that this holds of."""
    return rate(sum(map(holds, among)), len(among))


def by_bug(among: Sequence[Case], holds: Callable[[Case], bool]) -> list[Rate]:
    """The share of the cases of each bug that this holds of."""
    places = dict.fromkeys(case.patch.place for case in among)
    return [share([case for case in among if case.patch.place == place], holds) for place in places]


def stopped_by(gate: str) -> Callable[[Case], bool]:
    """Whether a judge with this gate alone would withhold the patch."""

    def holds(case: Case) -> bool:
        said = case.gate(gate)
        return said is not None and said.decision != "accept"

    return holds


def cases_heard_by(every: Sequence[Case], gate: str) -> list[Case]:
    """The cases in which the gate was asked."""
    return [case for case in every if case.gate(gate) is not None]


def is_alone(case: Case, gate: str) -> bool:
    """Whether nothing but this gate keeps the patch from its certificate.

    After a rejection the gates that come later are known where they were asked for comparison.
    """
    return {said.gate for said in case.said.gates if said.decision != "accept"} == {gate}


@dataclass(frozen=True, slots=True)
class GateRow:
    """One gate: how many wrong and right patches it stops, how many it alone, and its seconds."""

    gate: str
    wrong: int
    wrong_alone: int
    right: int
    right_alone: int
    seconds: float


def gate_rows(every: Sequence[Case]) -> Iterator[GateRow]:
    """A row for each gate that was asked, in the order of asking."""
    for gate in dict.fromkeys(said.gate for case in every for said in case.said.gates):
        stopped = [case for case in every if any(said.gate == gate for said in case.speaking_gates)]
        alone = [case for case in stopped if is_alone(case, gate)]
        seconds = [said.seconds for case in every for said in case.said.gates if said.gate == gate and not said.late]
        yield GateRow(
            gate,
            len(wrong_cases(stopped)),
            len(wrong_cases(alone)),
            len(right_cases(stopped)),
            len(right_cases(alone)),
            median(seconds) if seconds else 0.0,
        )


def fast_seconds(every: Sequence[Case]) -> list[float]:
    """The gates' seconds for patches that went through all of them, where the test file is fast."""
    return [
        case.said.gates_seconds
        for case in every
        if case.said.tests_seconds < FAST_TESTS_SECONDS and not case.is_rejected
    ]
