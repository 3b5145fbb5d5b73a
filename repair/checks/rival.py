"""Rivals: programs that pass the same tests as a patch, and how much a difference between the two weighs.

Which of the programs that pass did the author mean? All of them are of one kind, however they were found. What an input
says for a rival depends on how far the two ends are apart, and on how ordinary the input is. It also depends on what
each does there beside the old function. A program that leaves alone what nothing had found fault with is likelier.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.behaviour import (
    Behaviour,
    CallOrigin,
    Difference,
    Returned,
    Rung,
    ends_pathologically,
    is_programming_error,
    is_truth_value,
    is_unfit,
    rung_between,
    symptom_of,
    type_of,
)
from analysis.calls import AgainstOld, CallInput, is_odd
from analysis.stated.fact import Always, Certainty
from analysis.stated.function import Stated
from repair.checks.stated_facts import heeded, is_unnamed, refuting


class RivalKind(enum.Enum):
    """How a rival was found."""

    CANDIDATE = "candidate"
    """Another edit of the old function that a search found."""
    PART = "part"
    """The patch without one of its parts."""
    LOOSER = "looser"
    """The patch without one of its restrictions."""
    NUMBER = "number"
    """The patch with another number in place of its own."""
    MUTANT = "mutant"
    """A mutant of what the patch wrote."""
    NEIGHBOUR = "neighbour"
    """Another edit of the patch that a search found."""
    KEPT = "kept"
    """A mutant of what the patch left as it was."""
    MODEL = "model"
    """The fix of a model that did not see the patch."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A program that passes the same tests, with the inputs that tell it from the patch.

    ``size`` counts the nodes that it changes of the old function; 0 where nobody counted.
    """

    kind: RivalKind
    label: str
    differences: tuple[Difference, ...] = ()
    size: int = 0


RUNGS = {Rung.SAME: 0.0, Rung.EQUAL: 0.05, Rung.NEAR: 0.1, Rung.VALUE: 1.0, Rung.ENDING: 1.0}
"""What a difference weighs by how far apart the two ends are: a test's own comparison sees next to nothing of some."""

UNUSUAL, ODD, TESTED = 0.7, 0.25, 0.7
"""What an input weighs that something sets apart, one beyond what was observed, and one that a test makes itself.

Ordinary inputs weigh one. Of a call that a test makes, its assertion holds either way.
"""

NEEDLESS, UNMENDED, BROUGHT_BACK = 0.4, 0.1, 0.1
"""What a difference weighs where the rival alone departs from the old function, and no failure was there.

The others are for a rival that leaves the failure, and for one that brings it back."""

IMMODEST = 0.25
"""What a rival weighs that changes ordinary calls needlessly."""

REFUTED, UNNAMED = 0.1, 0.5
"""What a difference weighs where the rival is likely to break what is written of the function, the patch being no part
of it. And where it ends an input as nothing that is written names, beside a patch whose end is named."""

SLIP, ACCIDENT, STRANGE = 0.3, 0.1, 0.15
"""Where the rival ends in a slip, where the patch crashes by accident, and where the rival's type is a strange one."""


@dataclass(frozen=True, slots=True)
class FixSeen:
    """What is known of the fix itself: how the failing tests' calls ended, and what else the function returns."""

    failures: frozenset[Behaviour] = frozenset()
    symptoms: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    inputs: tuple[CallInput, ...] = field(default=(), compare=False)
    """Calls that tests make, as far as they are plain."""
    stated: Stated = field(default_factory=Stated, compare=False)
    """What is written of the function, as far as the calls of tests do not speak against it."""

    def has_symptom(self, behaviour: Behaviour) -> bool:
        """Whether a call ends as the failing tests' calls did: in the same exception, in nothing, in the same value."""
        return behaviour in self.failures or symptom_of(behaviour) in self.symptoms


def fix_seen(
    old: AgainstOld,
    inputs: Sequence[CallInput] = (),
    stated: Stated | None = None,
    differences: Sequence[Difference] = (),
) -> FixSeen:
    """What a comparison with the old function says of the fix, with what is ``stated`` of the function.

    ``differences`` are those from programs that pass the same tests.
    """
    failures = frozenset(each.other for each in old.made)
    kept = [each.old.behaviour for each in old.answers if each.old.digest == each.mine.digest]
    types = frozenset(filter(None, map(type_of, kept)))
    mended = {symptom_of(each.mine) for each in old.made}
    symptoms = frozenset(map(symptom_of, failures)) - {"", *mended}
    facts = heeded(stated, old, inputs, symptoms, differences) if stated is not None else Stated()
    return FixSeen(failures, symptoms, types, tuple(inputs), facts)


def weigh(difference: Difference, seen: FixSeen) -> float:
    """How much a difference from a rival speaks against the patch: from 0 to 1.

    A predicate may answer ``False`` as a failing test's call does, and be right: half of all calls end so. What a rival
    leaves alone there weighs as much as what it mends.
    """
    mine, other, old = difference.mine, difference.other, difference.old
    if ends_pathologically(other) or is_unfit(other):
        return 0.0
    weight = RUNGS[rung_between(mine, other)] * _weigh_input(difference, seen) * _weigh_words(difference, seen)
    if difference.is_accident and not seen.has_symptom(mine):
        weight *= ACCIDENT
    elif is_programming_error(other) and isinstance(mine, Returned):
        weight *= SLIP
    if old is not None and rung_between(other, old) <= Rung.NEAR:  # the rival leaves the call alone
        weight *= UNMENDED if seen.has_symptom(old) and not is_truth_value(old) else 1.0
    elif old is not None and rung_between(mine, old) <= Rung.NEAR and not seen.has_symptom(old):
        weight *= BROUGHT_BACK if seen.has_symptom(other) else NEEDLESS
    if seen.types and type_of(mine) in seen.types and (strange := type_of(other)) and strange not in seen.types:
        weight *= STRANGE
    return weight


def _weigh_input(difference: Difference, seen: FixSeen) -> float:
    if difference.call.origin is CallOrigin.MADE:
        return TESTED
    if (difference.call.of is None and is_odd(difference.call, seen.inputs)) or seen.stated.is_outside(difference.call):
        return ODD
    return 1.0 if difference.ordinary else UNUSUAL


def _weigh_words(difference: Difference, seen: FixSeen) -> float:
    """What is left of a difference by what is written of the function."""
    broken = refuting(difference, seen.stated)
    if broken:
        return 0.0 if any(fact.certainty is Certainty.CERTAIN for fact in broken) else REFUTED
    return UNNAMED if seen.stated.named_by(difference.mine) and is_unnamed(difference.other, seen.stated) else 1.0


def is_refuted(rival: Rival, seen: FixSeen) -> bool:
    """Whether the rival is certain to break on some input what is written of the function: then nobody means it."""
    return any(
        fact.certainty is Certainty.CERTAIN
        and not (isinstance(fact.condition, Always) and is_odd(each.call, seen.inputs))
        for each in rival.differences
        for fact in refuting(each, seen.stated)
    )


def is_narrower(rival: Rival, seen: FixSeen) -> bool:
    """Whether the rival mends what the tests ask for and leaves alone more of what was no failure.

    Example: the patch cuts texts from 10 letters on, the rival from 12 letters on.
    """
    told = [each for each in rival.differences if each.old is not None]
    spares = [each for each in told if each.old is not None and rung_between(each.other, each.old) <= Rung.NEAR]
    unneeded = [each for each in spares if each.old is not None and not seen.has_symptom(each.old)]
    return bool(unneeded) and len(spares) == len(told)


def likeness(rival: Rival, size: int) -> float:
    """How likely the rival's edit is beside one of so many nodes: half as likely for each four nodes more.

    A model's own fix is as likely as the patch, however it is spelled: it was written for what the failure means.
    """
    if rival.kind is RivalKind.MODEL:
        return 1.0
    return 2.0 ** min(0.0, (size - rival.size) / 4) if rival.size and size else 1.0


def modesty(rival: Rival, seen: FixSeen) -> float:
    """How likely a rival is by what it changes needlessly: ordinary calls that the patch leaves as they were.

    The author meant a program that leaves alone what nothing had found fault with. A rival that does not, and leaves
    nothing else alone that the patch changes, is hardly what was meant.
    """
    known = [each for each in rival.differences if each.old is not None and each.ordinary]
    needless = [e for e in known if e.old is not None and _departs(e.other, e.old) and not _departs(e.mine, e.old)]
    needless = [e for e in needless if e.old is not None and not seen.has_symptom(e.old)]
    spared = [e for e in known if e.old is not None and not _departs(e.other, e.old) and not seen.has_symptom(e.old)]
    return IMMODEST if needless and not spared else 1.0


def _departs(behaviour: Behaviour, old: Behaviour) -> bool:
    return rung_between(behaviour, old) > Rung.NEAR


def weighed(rivals: Sequence[Rival], seen: FixSeen, size: int) -> Iterator[tuple[float, Rival, Difference]]:
    """Each rival with the heaviest of its differences."""
    for rival in rivals:
        likely = likeness(rival, size)
        if rival.kind is not RivalKind.LOOSER:  # the restriction that it lacks is what keeps the patch modest
            likely *= modesty(rival, seen)
        every = [(weigh(each, seen) * likely, each) for each in rival.differences]
        if every:
            weight, difference = max(every, key=lambda each: each[0])
            yield weight, rival, difference
