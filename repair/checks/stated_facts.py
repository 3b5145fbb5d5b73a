"""Facts that are written of a function, beside what calls do: which of them to heed, and who breaks one.

Words may be out of date, or meant otherwise than they are read. A fact that a test's own call breaks with the patch is
none. Neither is one that both programs break on a call which nothing had found fault with. But a failing
test's call may break a fact before the patch, and keep to it now. Then the fix is about it, whatever else breaks it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from analysis.behaviour import Behaviour, CallResult, Difference, Returned, Witness, symptom_of
from analysis.calls import AgainstOld, CallInput, call_of
from analysis.stated.fact import Certainty, FactSource, StatedFact
from analysis.stated.function import Stated

SURE, LIKELY = 1.0, 0.6
"""What a broken fact counts, by how sure it is that the text says so."""

_SUBSTITUTES = frozenset(("-1", "0", "False"))


@dataclass(frozen=True, slots=True)
class BrokenFact:
    """A fact, and a call on which the patch breaks it."""

    fact: StatedFact
    witness: Witness

    @property
    def strength(self) -> float:
        """How much it counts."""
        return SURE if self.fact.certainty is Certainty.CERTAIN else LIKELY


def heeded(
    stated: Stated,
    old: AgainstOld,
    inputs: Sequence[CallInput],
    symptoms: Collection[str],
    differences: Sequence[Difference] = (),
) -> Stated:
    """The facts that calls do not speak against.

    Tests make these ``inputs``, and failures have these ``symptoms``. ``differences`` are those from programs that pass
    the same tests. Where one of them keeps to a fact on a test's own call, the test does not deny it.
    """
    if not stated.facts:
        return stated
    gone = {fact for each in old.made for fact in stated.broken_by(each.call, each.mine)}
    gone -= {fact for each in differences if each.call.is_made for fact in stated.kept_by(each.call, each.other)}
    for pair in old.answers:
        fine = pair.input in inputs or symptom_of(pair.old.behaviour) not in symptoms
        if pair.old.digest == pair.mine.digest and fine:
            call = call_of(pair.input)
            broken = stated.broken_by(call, pair.mine.behaviour)
            gone.update(fact for fact in broken if stated.is_like(fact, call, inputs))
    return stated.without(gone - set(mended_facts(stated, old)))


def mended_facts(stated: Stated, old: AgainstOld) -> Iterator[StatedFact]:
    """The facts that a test's call broke before the patch, and keeps to now."""
    for each in old.made:
        kept = stated.kept_by(each.call, each.mine)
        yield from (fact for fact in stated.broken_by(each.call, each.other) if fact in kept)


def find_broken(
    stated: Stated,
    old: AgainstOld,
    differences: Sequence[Difference],
    inputs: Sequence[CallInput],
    sources: Collection[FactSource],
) -> BrokenFact | None:
    """The likeliest fact of these sources that the patch breaks, on the shortest call.

    These calls are looked at:

    - those that it changes;
    - those that tell it from a rival that keeps to the fact;
    - those that it leaves as they were, although the fix is about that very fact.
    """
    if not stated.facts:
        return None
    found = [*_broken_by_change(stated, old), *_told_by_rivals(stated, differences), *_left_broken(stated, old)]
    own = [e for e in found if e.fact.source in sources and stated.is_like(e.fact, e.witness.call, inputs)]
    return min(own, key=lambda each: (-each.strength, len(each.witness.call.source)), default=None)


def _broken_by_change(stated: Stated, old: AgainstOld) -> Iterator[BrokenFact]:
    for each in old.departures:
        yield from (BrokenFact(fact, each) for fact in stated.broken_by(each.call, each.mine))


def _told_by_rivals(stated: Stated, differences: Sequence[Difference]) -> Iterator[BrokenFact]:
    for each in differences:
        kept = stated.kept_by(each.call, each.other)
        yield from (BrokenFact(fact, each) for fact in stated.broken_by(each.call, each.mine) if fact in kept)


def _left_broken(stated: Stated, old: AgainstOld) -> Iterator[BrokenFact]:
    mended = set(mended_facts(stated, old))
    for pair in old.answers if mended else ():
        if pair.old.digest == pair.mine.digest:
            call = call_of(pair.input)
            broken = stated.broken_by(call, pair.mine.behaviour)
            yield from (BrokenFact(fact, CallResult(call, pair.mine.behaviour)) for fact in broken if fact in mended)


def refuting(difference: Difference, stated: Stated) -> tuple[StatedFact, ...]:
    """The facts that the other program breaks on this input and the patch keeps to."""
    kept = stated.kept_by(difference.call, difference.mine)
    return tuple(fact for fact in stated.broken_by(difference.call, difference.other) if fact in kept)


def is_unnamed(behaviour: Behaviour, stated: Stated) -> bool:
    """Whether a call ends in an exception, or in what stands for nothing, and nothing that is written names that end.

    Example: the docstring says "None if nothing matches". -1 is unnamed, and 5 stands for something.
    """
    stands_for_nothing = isinstance(behaviour, Returned) and behaviour.value in _SUBSTITUTES
    return bool(symptom_of(behaviour) or stands_for_nothing) and stated.named_by(behaviour) is None


def who_says_so(witness: Witness, stated: Stated) -> str:
    """The words that speak for one side of a witness, with their place; empty where there are none."""
    broken = stated.broken_by(witness.call, witness.mine)
    if not broken and isinstance(witness, Difference):
        broken = refuting(witness, stated)
    if broken:
        return stated.cite(broken[0])
    ends = (witness.mine, witness.other) if isinstance(witness, Difference) else ()
    named = [stated.named_by(end) for end in ends]
    only = [fact for fact in named if fact is not None]
    return stated.cite(only[0]) if len(only) == 1 else ""
