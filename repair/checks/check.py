"""What a check is: a question to what is known of a patch's behaviour, with examples that it flags and leaves alone.

A check is pure. It sees records, never a program, and no check imports another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from analysis.behaviour import Behaviour, Call, CallOrigin, CallResult, Difference, Witness, rung_between
from analysis.calls import AgainstOld, CallInput, Comparison, Neighbours, Tried
from analysis.earlier_texts import EarlierText
from analysis.facts import TestId
from analysis.siblings import Sibling
from analysis.stated.condition import Taken
from analysis.stated.fact import Certainty, Condition, End, FactSource, StatedFact
from analysis.stated.function import Stated, stated_of
from repair.checks.rival import RUNGS, FixSeen, Rival, RivalKind, fix_seen, is_refuted, weighed
from repair.checks.stated_facts import who_says_so
from repair.records.ports import Submission
from repair.records.verdict import Doubt
from repair.records.witness_text import ask_which, describe_behaviour, describe_witness, infinitive_of

FAILING, PASSING = TestId("t.py::test_fails"), TestId("t.py::test_passes")
"""Tests of the examples."""


LEAST_SPARED = 3
"""How many neighbours of the tests' calls must be as before for a check to say that the calls alone change."""


@dataclass(frozen=True)
class Behaved:
    """What is known of a patch: how it differs from the old function and from rivals, and on how many inputs."""

    old: AgainstOld = field(default_factory=AgainstOld)
    tried: Tried = field(default_factory=Tried)
    failing: Collection[TestId] = (FAILING,)
    passing: Collection[TestId] = (PASSING,)
    held: tuple[Any, ...] = ()
    """Numbers and texts that stand in the new function or in the old one."""
    brought_in: tuple[Any, ...] = ()
    """Those of the new function alone."""
    rivals: tuple[Rival, ...] = ()
    """Programs that pass the same tests."""
    size: int = 0
    """Nodes of the old function that the patch changes."""
    inputs: tuple[CallInput, ...] = ()
    """Plain calls that tests make."""
    vouching: int = 0
    """Passing tests that run the function, as far as they vouch."""
    stated: Stated = field(default_factory=Stated)
    """What is written of the function."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """The lines of the old function and of the new one, printed anew."""
    earlier: tuple[EarlierText, ...] = ()
    """What the function was before, in the project's history."""
    siblings: tuple[Sibling, ...] = ()
    """The functions beside it."""
    superfluous: tuple[str, ...] = ()
    """Heads of branches that the old function needed, and that the new one has and does not need."""
    answers: Collection[TestId] = ()
    """The tests that are a person's answers."""

    @cached_property
    def fix(self) -> FixSeen:
        """How the failing tests' calls ended, and what is written of the function and to be heeded."""
        return fix_seen(self.old, self.inputs, self.stated, self.told)

    @cached_property
    def told(self) -> tuple[Difference, ...]:
        """The differences from all rivals."""
        return tuple(each for rival in self.rivals for each in rival.differences)

    @cached_property
    def credible(self) -> tuple[Rival, ...]:
        """The rivals that do not break what is written of the function."""
        return tuple(each for each in self.rivals if not is_refuted(each, self.fix))

    def heaviest(self, *kinds: RivalKind) -> tuple[float, Rival, Difference] | None:
        """The rival of one of these kinds that weighs most, with the input that tells it apart."""
        own = [each for each in self.credible if each.kind in kinds]
        return max(weighed(own, self.fix, self.size), key=lambda each: each[0], default=None)


@dataclass(frozen=True, slots=True)
class Check:
    """One reason to doubt a patch. ``find`` gives the input that shows it, or ``None``.

    ``claim`` says it in a sentence; ``{test}`` in it is the test that makes the witness's call, ``{detail}`` what
    ``detail`` gives. ``question`` is asked; without one the question is which of the two programs is right, and "this
    patch" is an answer. ``other`` is the name of the other program then. ``strength`` says how much of the check's
    weight counts; without it the witness does.
    """

    name: str
    claim: str
    find: Callable[[Behaved], Witness | None]
    flagged: tuple[Behaved, ...]
    clean: tuple[Behaved, ...]
    question: Callable[[Witness], str] | None = None
    strength: Callable[[Behaved], float] | None = None
    detail: Callable[[Behaved], str] | None = None
    other: str = ""

    def doubt(self, found: Behaved) -> Doubt | None:
        """The doubt that it has about a patch, if any."""
        witness = self.find(found)
        if witness is None:
            return None
        detail = self.detail(found) if self.detail is not None else ""
        claim = self.claim.format(test=witness.call.test, detail=detail)
        told = witness if self.question is None and isinstance(witness, Difference) else None
        asked = (
            ask_which(told, self.other)
            if told is not None
            else self.question(witness)
            if self.question is not None
            else ""
        )
        strength = self.strength(found) if self.strength is not None else _strength_of(witness)
        words = who_says_so(witness, found.fix.stated)
        shown = f"{describe_witness(witness)}; {words}" if words else describe_witness(witness)
        return Doubt(self.name, claim, strength, shown, asked, told)


@dataclass(frozen=True, slots=True)
class Support:
    """Something that speaks for a patch. ``find`` says what it is, in words that people read; else it gives ``""``.

    ``strength`` says how much of the support's weight counts, from 0 to 1. The weight is negative.
    """

    name: str
    find: Callable[[Behaved], str]
    supported: tuple[Behaved, ...]
    silent: tuple[Behaved, ...]
    strength: Callable[[Behaved], float] = lambda found: 1.0


def _strength_of(witness: Witness) -> float:
    return RUNGS[rung_between(witness.mine, witness.other)] if isinstance(witness, Difference) else 1.0


def behaved(
    found: Comparison,
    submission: Submission,
    held: tuple[Any, ...] = (),
    brought_in: tuple[Any, ...] = (),
    rivals: tuple[Rival, ...] = (),
) -> Behaved:
    """What a comparison says of a submission's patch."""
    baseline = submission.baseline
    return Behaved(
        found.old,
        found.tried,
        baseline.failing,
        frozenset(baseline.passing),
        held,
        brought_in,
        rivals,
        submission.candidate.size,
        found.seen,
        len(set(submission.vouching) - set(baseline.failing)),
        stated_of(submission.candidate.function, dict(submission.sources).get(submission.candidate.function.path, b"")),
        answers=frozenset(submission.answers),
    )


def ask_as_before(witness: Witness) -> str:
    """Whether a call is meant to be as it was."""
    deed = infinitive_of(describe_behaviour(witness.mine))
    return f"Should {witness.call.source} {deed}, as before this patch?"


def departed(
    source: str, old: Behaviour, mine: Behaviour, origin: CallOrigin = CallOrigin.GENERATED, *, reached: bool = True
) -> Difference:
    """For examples: a call that changes."""
    return Difference(_call(source, origin), mine, old, reached)


def kept(source: str, both: Behaviour) -> CallResult:
    """For examples: a call that no test makes and that is as before."""
    return CallResult(_call(source, CallOrigin.GENERATED), both)


def near(*spared: CallResult, test: TestId = FAILING, followed: tuple[CallResult, ...] = ()) -> tuple[Neighbours, ...]:
    """For examples: neighbours of the changed calls of one test."""
    return (Neighbours(test, spared, followed),)


def _call(source: str, origin: CallOrigin) -> Call:
    name, bracket, rest = source.partition("(")
    return Call(name, bracket + rest, origin=origin, test=FAILING if origin is CallOrigin.MADE else None)


THOROUGH = Tried(inputs=30, reaching=20, touching=25)
"""For examples: as many inputs as say that nothing else changes."""


def told_apart(kind: RivalKind, *differences: Difference, size: int = 3, label: str = "a rival") -> Rival:
    """For examples: a rival that these inputs tell from the patch."""
    return Rival(kind, label, differences, size)


def written(
    condition: Condition, end: End, quote: str, source: FactSource = FactSource.DOCSTRING, *, sure: bool = True
) -> Stated:
    """For examples: what is written of a function that takes ``n``."""
    certainty = Certainty.CERTAIN if sure else Certainty.LIKELY
    return Stated("prices.py", Taken(("n",), "n"), 1, (StatedFact(condition, end, quote, 4, certainty, source),))
