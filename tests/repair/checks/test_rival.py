"""What a difference from a rival weighs: by how the two ends differ, on which input, and beside the old function."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.behaviours import behaviour, differs

from analysis.behaviour import Difference
from analysis.calls import AgainstOld, AnswerPair, CallInput, PlainAnswer
from analysis.stated.fact import Argument, Compares, Fixed, Gives, Undecided
from repair.checks.check import Behaved, written
from repair.checks.rival import FixSeen, Rival, RivalKind, fix_seen, is_narrower, is_refuted, likeness, weigh

SEEN = FixSeen(inputs=(CallInput("(5,)", "{}"),))
PLAIN = differs("price(7)", "returns 5", "returns 6")
FAILED = differs("price(0)", "returns 1", "raises KeyError('a')", made=True)


@pytest.mark.parametrize(
    "lighter",
    [
        differs("price(7)", "returns 5.0", "returns 5"),
        differs("price(7)", "raises ValueError('a')", "raises ValueError('b')"),
        differs("price(None)", "returns 5", "returns 6"),
        differs("price(-7)", "returns 5", "returns 6"),
        differs("price(7)", "returns 5", "returns 6", made=True),
        differs("price(7)", "returns 5", "raises TypeError('x')"),
        differs("price(7)", "raises TypeError('x')", "returns 6", accident=True),
        replace(PLAIN, ordinary=False),
        replace(PLAIN, old=PLAIN.mine),  # the rival alone departs from the old function
    ],
)
def test_a_difference_weighs_less_that_hardly_anybody_would_mean(lighter: Difference) -> None:
    assert 0 < weigh(lighter, SEEN) < weigh(PLAIN, SEEN) == 1.0


@pytest.mark.parametrize("deed", ["does not end within 1 s", "raises RecursionError('deep')"])
def test_what_no_program_is_meant_to_do_weighs_nothing(deed: str) -> None:
    assert weigh(replace(PLAIN, other=behaviour(deed)), SEEN) == 0.0


def test_a_rival_that_leaves_the_failure_or_brings_it_back_weighs_little_and_one_that_mends_more_does_not() -> None:
    seen = fix_seen(AgainstOld(departures=(FAILED,)), SEEN.inputs)
    failure = behaviour("raises KeyError('b')")
    leaves = replace(PLAIN, other=failure, old=failure)
    brings_back = replace(PLAIN, other=failure, old=PLAIN.mine)
    mends = replace(PLAIN, mine=failure, other=behaviour("returns 6"), old=failure)
    assert weigh(leaves, seen) < 0.2
    assert weigh(brings_back, seen) < 0.2
    assert weigh(mends, seen) == 1.0


def test_a_type_that_no_other_call_gives_speaks_against_the_rival() -> None:
    kept = AnswerPair(CallInput("(1,)", "{}"), *(PlainAnswer("a", behaviour("returns 3")),) * 2)
    seen = fix_seen(AgainstOld(answers=(kept,)), SEEN.inputs)
    strange = replace(PLAIN, other=behaviour("returns 'six'"))
    assert weigh(strange, seen) < 0.2 < weigh(PLAIN, seen)


def test_narrower_is_a_rival_that_leaves_alone_what_was_no_failure() -> None:
    seen = fix_seen(AgainstOld(departures=(FAILED,)))
    spares = replace(PLAIN, old=PLAIN.other)
    else_ = replace(PLAIN, old=behaviour("returns 9"))
    left = replace(PLAIN, other=behaviour("raises KeyError('b')"), old=behaviour("raises KeyError('b')"))

    def rival(*differences: Difference) -> Rival:
        return Rival(RivalKind.NUMBER, "5 in place of 4", differences)

    assert is_narrower(rival(spares), seen)
    assert is_narrower(rival(spares, left), seen)
    assert not is_narrower(rival(spares, else_), seen)
    assert not is_narrower(rival(left), seen), "it mends less"
    assert not is_narrower(rival(PLAIN), seen), "nobody knows the old function's answer"


def test_an_edit_that_is_larger_than_the_patch_is_a_less_likely_rival() -> None:
    small, large = (Rival(RivalKind.CANDIDATE, "", (), size) for size in (2, 12))
    assert likeness(small, 4) == 1.0
    assert likeness(large, 4) == 0.25
    assert likeness(replace(large, size=0), 4) == 1.0, "nobody counted"


IS_SEVEN = Compares(Argument("n"), "==", Fixed("7"))


@pytest.mark.parametrize(("sure", "most"), [(True, 0.0), (False, 0.1)])
def test_a_difference_weighs_next_to_nothing_where_the_rival_breaks_what_is_written(sure: bool, most: float) -> None:
    stated = written(IS_SEVEN, Gives("5"), "Returns 5 if n is 7.", sure=sure)
    seen = fix_seen(AgainstOld(), SEEN.inputs, stated)
    assert weigh(PLAIN, seen) == most
    assert weigh(replace(PLAIN, mine=behaviour("returns 4")), seen) == 1.0
    assert weigh(replace(PLAIN, mine=PLAIN.other, other=PLAIN.mine), seen) == 1.0


def test_a_rival_that_breaks_what_is_written_for_sure_is_none() -> None:
    stated = written(IS_SEVEN, Gives("5"), "Returns 5 if n is 7.")
    rival = Rival(RivalKind.CANDIDATE, "another", (PLAIN, differs("price(8)", "returns 1", "returns 2")))
    assert is_refuted(rival, fix_seen(AgainstOld(), SEEN.inputs, stated))
    assert not is_refuted(rival, SEEN)
    assert Behaved(rivals=(rival,), stated=stated).heaviest(RivalKind.CANDIDATE) is None
    assert Behaved(rivals=(rival,)).heaviest(RivalKind.CANDIDATE) is not None


def test_words_that_a_test_or_the_whole_program_denies_refute_nobody() -> None:
    stated = written(IS_SEVEN, Gives("5"), "Returns 5 if n is 7.")
    asked = differs("price(7)", "returns 4", "raises KeyError('a')", made=True)
    assert fix_seen(AgainstOld(departures=(asked,)), SEEN.inputs, stated).stated.facts == ()
    kept = AnswerPair(CallInput("(7,)", "{}"), *(PlainAnswer("a", behaviour("returns 3")),) * 2)
    assert fix_seen(AgainstOld(answers=(kept,)), SEEN.inputs, stated).stated.facts == ()


def test_an_end_that_is_named_weighs_more_than_another_way_to_say_nothing() -> None:
    stated = written(Undecided("nothing matches"), Gives("None"), "The first, or None if nothing matches.")
    seen = fix_seen(AgainstOld(), SEEN.inputs, stated)
    assert weigh(differs("price(7)", "returns None", "returns -1"), seen) < 1.0
    assert weigh(differs("price(7)", "returns None", "returns 5"), seen) == 1.0
    assert weigh(differs("price(7)", "returns -1", "returns None"), seen) == 1.0


def test_what_a_predicate_answers_elsewhere_speaks_for_both_sides() -> None:
    """As in ``Compose.__eq__`` of toolz with ``is`` for ``==``: it answered ``False``, and may do so elsewhere.

    As well an ``is_even`` that denied 4 may be mended for 4 alone, where it should be mended for 6, too.
    """
    denied = differs("same(2)", "returns True", "returns False", made=True)
    seen = fix_seen(AgainstOld(departures=(denied,)))
    spared = replace(differs("same(3)", "returns True", "returns False"), old=behaviour("returns False"))
    mended = replace(differs("same(3)", "returns False", "returns True"), old=behaviour("returns False"))
    assert weigh(spared, seen) == 1.0, "the rival leaves alone what may be right"
    assert weigh(mended, seen) == 1.0, "the rival mends what may be wrong"
    assert not is_narrower(Rival(RivalKind.CANDIDATE, "", (spared,)), seen)
    raised = fix_seen(AgainstOld(departures=(FAILED,)))
    left = replace(differs("price(3)", "returns 1", "raises KeyError('a')"), old=behaviour("raises KeyError('a')"))
    assert weigh(left, raised) < 0.2, "an exception is a failure wherever it comes"
