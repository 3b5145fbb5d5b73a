"""Differences that are nothing to hold against a patch."""

from __future__ import annotations

import pytest
from fakes.behaviours import behaviour, changed, differs

from analysis.behaviour import CallOrigin, Difference
from analysis.calls import MOST_DEPARTURES, AgainstOld
from repair.compare.idle_differences import brings_back, is_incidental_crash, is_rounding, keeps_old_message


def found(*departures: Difference) -> AgainstOld:
    return AgainstOld(departures=departures)


@pytest.mark.parametrize(
    ("mine", "other", "same"),
    [
        ("returns -5.00000000006", "returns -5.00000000009", True),
        ("returns [1, 0.30000000000000004], leaves args ([2.0],)", "returns [1, 0.3], leaves args ([2.0],)", True),
        ("returns 1e-13", "returns 0.0", True),
        ("returns 1.5e+20", "returns 1.5000000000001e+20", True),
        ("returns 1.0", "returns 2.0", False),
        ("returns 0.444444", "returns 0.444445", False),
        ("returns 1.00000000001", "returns 1", False),  # another type
        ("returns 10000000001", "returns 10000000002", False),  # whole numbers are exact
        ("returns 1.0", "returns 1.0", False),
        ("returns 1.0, leaves [1]", "returns 1.0, leaves [2]", False),
        ("returns 'v1.0.00000000001'", "returns 'v1.0.00000000002'", False),
        ("returns [1.00000000001, …]", "returns [1.00000000002, …]", False),  # what else differs is not shown
        ("returns [1.0]", "returns [1.0, 2.0]", False),
    ],
)
def test_what_differs_in_rounding_alone(mine: str, other: str, same: bool):
    assert is_rounding(differs("f(1)", mine, other)) is same


MENDED = differs("fits(2, 2)", "returns True", "returns False", made=True)
BACK = differs("fits(2, 3)", "returns True", "returns False")


@pytest.mark.parametrize(
    ("departures", "witness", "back"),
    [
        ((MENDED,), BACK, True),
        ((), BACK, False),  # nobody knows what the failure was
        ((changed(MENDED, origin=CallOrigin.LIKE_TEST),), BACK, False),
        ((MENDED, changed(BACK, origin=CallOrigin.LIKE_TEST)), BACK, False),  # the patch changes that call too
        ((MENDED,), changed(BACK, mine="returns False", other="returns True"), False),  # the mutant mends more
        ((MENDED,), changed(BACK, other="returns None"), False),
        (tuple(changed(MENDED, source=f"fits({n}, {n})") for n in range(100)), BACK, False),  # not all are told
    ],
)
def test_a_rival_that_only_brings_the_failure_back(departures, witness, back):
    assert brings_back(found(*departures), witness) is back


YEARS = "returns items [2017, 2018]"
DOWN = differs("years(2025, 2017, -1)", YEARS, "returns items []", made=True)
CRASH = differs("years(-5)", "raises IndexError('x')", "returns 0", accident=True)


@pytest.mark.parametrize(
    ("departures", "witness", "unmeant"),
    [
        ((DOWN,), CRASH, True),
        ((), CRASH, True),
        ((DOWN,), changed(CRASH, accident=False), False),
        ((DOWN, changed(CRASH, other="returns 1")), CRASH, False),
        ((changed(DOWN, other="raises IndexError('y')"),), CRASH, False),
        ((changed(DOWN, other="raises IndexError('y')", origin=CallOrigin.LIKE_TEST),), CRASH, True),
        (tuple(changed(DOWN, source=f"years({n})") for n in range(MOST_DEPARTURES)), CRASH, False),
        ((DOWN, CRASH), changed(CRASH, other="raises KeyError('x')"), True),
        ((DOWN, CRASH), changed(CRASH, other="raises KeyError('x')", accident=False), False),
    ],
)
def test_a_call_that_crashes_before_and_after_is_not_meant(departures, witness, unmeant):
    assert is_incidental_crash(found(*departures), witness) is unmeant


UNNAMED = "raises ValueError('no name')"


@pytest.mark.parametrize(
    ("mine", "other", "old", "keeps"),
    [
        (UNNAMED, "raises ValueError('no such colour')", "raises TypeError('no name')", True),
        (UNNAMED, "raises ValueError('no such colour')", "raises KeyError(\"'no name'\")", True),
        (UNNAMED, "raises ValueError('no such colour')", "raises KeyError('nothing')", False),
        (UNNAMED, "raises TypeError('no such colour')", "raises LookupError('no name')", False),
        (UNNAMED, "returns None", "raises LookupError('no name')", False),
        ("returns None", "returns 0", "raises KeyError('no name')", False),
        (UNNAMED, "raises ValueError('no such colour')", "returns ('no name')", False),
        ("raises ValueError('no…", "raises ValueError('nil')", "raises KeyError('no…", False),
    ],
)
def test_a_patch_that_raises_another_exception_may_keep_the_words(mine, other, old, keeps):
    departure = differs("name('#1')", mine, old)
    assert keeps_old_message(found(departure), differs("name('#1')", mine, other)) is keeps


def test_where_the_old_function_said_the_same_the_words_are_kept_and_where_it_is_not_known_they_are_not():
    witness = differs("name('#1')", UNNAMED, "raises ValueError('no such colour')")
    assert keeps_old_message(found(), witness)
    assert not keeps_old_message(found(*(changed(DOWN, source=f"f({n})") for n in range(MOST_DEPARTURES))), witness)


def test_a_rival_that_leaves_other_arguments_is_no_mere_rewording():
    left = "raises ValueError('no name'), leaves args ([],)"
    other = "raises ValueError('no name'), leaves args ([1],)"
    assert not keeps_old_message(found(), differs("name([])", left, other))


def test_who_raised_an_exception_is_no_part_of_what_a_call_does():
    mended = differs("fits(2)", "returns True", "raises KeyError('2')", made=True)
    rival = differs("fits(3)", "returns True", "raises KeyError('2')")
    incidental = Difference(rival.call, rival.mine, behaviour("raises KeyError('2')", accident=True))
    assert incidental.other == rival.other
    assert brings_back(found(mended), incidental)
