"""What a check is: a question to what is known of a patch's behaviour, with examples that it flags and leaves alone.

A check is pure. It sees records, never a program, and no check imports another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from analysis.behaviour import Behaviour, Call, CallOrigin, CallResult, Difference, Witness
from analysis.calls import AgainstOld, Comparison, Neighbours, Tried
from analysis.facts import TestId
from repair.records.ports import Submission
from repair.records.witness_text import describe_behaviour, infinitive_of

FAILING, PASSING = TestId("t.py::test_fails"), TestId("t.py::test_passes")
"""Tests of the examples."""


LEAST_SPARED = 3
"""How many neighbours of the tests' calls must be as before for a check to say that the calls alone change."""


@dataclass(frozen=True, slots=True)
class Behaved:
    """What is known of a patch: how it differs from the old function, and on how many inputs that was looked at."""

    old: AgainstOld = field(default_factory=AgainstOld)
    tried: Tried = field(default_factory=Tried)
    failing: Collection[TestId] = (FAILING,)
    passing: Collection[TestId] = (PASSING,)
    held: tuple[Any, ...] = ()
    """Numbers and texts that stand in the new function or in the old one."""
    brought_in: tuple[Any, ...] = ()
    """Those of the new function alone."""


@dataclass(frozen=True, slots=True)
class Check:
    """One reason to doubt a patch. ``find`` gives the input that shows it, or ``None``.

    ``claim`` says it in a sentence; ``{test}`` in it is the test that makes the witness's call. ``question`` is asked;
    without one the question is which of the two programs is right, and "this patch" is an answer.
    """

    name: str
    claim: str
    find: Callable[[Behaved], Witness | None]
    flagged: tuple[Behaved, ...]
    clean: tuple[Behaved, ...]
    question: Callable[[Witness], str] | None = None

    def says(self, witness: Witness) -> str:
        """The claim about this witness."""
        return self.claim.format(test=witness.call.test)


def behaved(found: Comparison, submission: Submission, held: tuple[Any, ...], brought_in: tuple[Any, ...]) -> Behaved:
    """What a comparison says of a submission's patch."""
    baseline = submission.baseline
    return Behaved(found.old, found.tried, baseline.failing, frozenset(baseline.passing), held, brought_in)


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
