"""What a patch changes beyond what the tests ask for."""

from dataclasses import replace

import pytest
from repair.compare.collateral import (
    brings_back,
    changes_only_named_value,
    crashes_anew,
    hangs_anew,
    is_incidental_crash,
    is_rounding,
    moves_the_failure,
    passes_by_chance,
    same_exception_old_message,
)

from analysis.calls import MOST_DEPARTURES, Comparison, Neighbours, UnchangedNeighbours, Witness
from analysis.facts import TestId

PASSING = TestId("t.py::test_passes")
YEARS = "returns items [2017, 2018]"
DOWN = Witness("years(2025, 2017, -1)", YEARS, "returns items []", tested=True, made=True)
UP = Witness("years(2017, 2025, 1)", "returns items []", YEARS, tested=True)


def found(*departures: Witness) -> Comparison:
    return Comparison(30, (), departures=departures)


def test_a_failure_that_moves_to_a_call_that_was_fine_is_shown():
    assert moves_the_failure(found(DOWN, UP)) == UP


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("raises KeyError('a')", "raises KeyError('b')"),
        ("returns None", "returns None, leaves args ([1],)"),
        ("returns ''", "returns b''"),
    ],
)
def test_symptoms_are_exceptions_and_nothing(before: str, after: str):
    mended, moved = replace(DOWN, mine="returns 1", other=before), replace(UP, mine=after, other="returns 2")
    assert moves_the_failure(found(mended, moved)) == moved


@pytest.mark.parametrize(
    "departures",
    [
        (DOWN,),
        (UP,),  # nobody knows what the failure was
        (DOWN, replace(UP, made=True)),  # a test looks at it
        (DOWN, replace(UP, mine="returns items [2017]")),
        (DOWN, replace(UP, other="returns items []", mine="returns None")),  # it gave nothing before
        (replace(DOWN, other="returns 5"), UP),  # a value is no symptom
        (DOWN, replace(DOWN, call="years(1)", other="raises KeyError('a')"), UP),  # two symptoms
        (replace(DOWN, other="returns 0"), replace(UP, mine="returns 0")),  # zero is a number like others
        (replace(DOWN, other="returns []!"), replace(UP, mine="returns []")),
    ],
)
def test_other_changes_move_no_failure(departures: tuple[Witness, ...]):
    assert moves_the_failure(found(*departures)) is None


CRASH = Witness("years(9, 5)", "raises IndexError('list index out of range')", YEARS, accident=True)


def test_a_call_that_was_fine_and_crashes_is_shown_the_shortest_one():
    short = replace(CRASH, call="years(5)", mine="raises TypeError('bad operand')")
    assert crashes_anew(found(DOWN, CRASH, short)) == short


@pytest.mark.parametrize(
    "departure",
    [
        DOWN,
        replace(CRASH, accident=False),  # the program raises it
        replace(CRASH, tested=True),
        replace(CRASH, other="raises ValueError('years')"),  # it was not fine
        replace(CRASH, mine="raises ZeroDivisionError('division by zero')"),  # it comes with the values
        replace(CRASH, mine="raises IndexErrors('of ours')"),
    ],
)
def test_other_departures_are_no_crashes(departure: Witness):
    assert crashes_anew(found(departure)) is None


def test_an_exception_that_a_mended_test_asks_for_is_no_crash():
    asked = replace(DOWN, mine="raises IndexError('another')")
    assert crashes_anew(replace(found(asked, CRASH), recorded=((PASSING, asked),))) is None
    assert crashes_anew(found(asked, CRASH)) == CRASH, "a call within a test's call"


def test_a_call_that_was_fine_and_does_not_end_is_shown():
    endless = replace(CRASH, mine="does not end within 1 s", accident=False)
    assert hangs_anew(found(DOWN, CRASH, endless)) == endless
    assert hangs_anew(found(replace(endless, other="raises ValueError('years')"))) is None
    assert hangs_anew(found(replace(endless, tested=True))) is None


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
    assert is_rounding(Witness("f(1)", mine, other)) is same


NINE = Witness("metric(9)", "returns '9.0'", "returns '9.00'")


def around(count: int, moved: int, tried: int = 9, test: TestId = PASSING) -> tuple[UnchangedNeighbours, ...]:
    return (UnchangedNeighbours(test, tried, moved, NINE.call if moved else ""),) * count


@pytest.mark.parametrize(
    ("surroundings", "doubted"),
    [
        (around(14, 5), True),  # a half of what lies around each: one to sixteen thousand
        (around(13, 5), False),
        (around(88, 1), True),
        (around(80, 1), False),
        (around(99, 0), False),
        (around(99, 1, tried=2), False),  # too little is known of each
        (around(99, 5, test=TestId("t.py::test_fails")), False),
    ],
)
def test_tests_that_pass_amid_changes_pass_by_chance(surroundings: tuple[UnchangedNeighbours, ...], doubted: bool):
    comparison = replace(found(NINE), surroundings=surroundings)
    assert passes_by_chance(comparison, {PASSING}) == (NINE if doubted else None)


def test_there_is_no_doubt_without_a_witness():
    assert passes_by_chance(replace(found(), surroundings=around(99, 5)), {PASSING}) is None


FAILING = TestId("t.py::test_fails")
TWICE = Witness("closed('((')", "returns False", "returns True", tested=True, made=True)
THRICE = Witness("closed('(((')", "returns True", "returns True")
SPECIAL = Comparison(30, (), reaching=8, departures=(TWICE,), neighbours=(Neighbours(FAILING, (THRICE,)),))


def test_a_tested_value_that_is_singled_out_is_shown_by_one_like_it():
    assert changes_only_named_value(SPECIAL, {FAILING}, (7, "((")) == THRICE
    number = replace(SPECIAL, departures=(replace(TWICE, call="closed(77)"),))
    assert changes_only_named_value(number, {FAILING}, (77,)) == THRICE


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({}, ()),
        ({}, ("(",)),
        ({}, ("[[",)),
        ({}, (None, (1, 2))),
        ({"reaching": 7}, ("((",)),
        ({"departures": (TWICE, replace(TWICE, call="closed('(')"))}, ("((",)),
        ({"departures": (replace(TWICE, made=False),)}, ("((",)),
        ({"neighbours": (Neighbours(FAILING, (replace(THRICE, mine="raises KeyError('x')"),)),)}, ("((",)),
        ({"neighbours": (Neighbours(PASSING, (THRICE,)),)}, ("((",)),
    ],
)
def test_nothing_is_singled_out(change, named):
    assert changes_only_named_value(replace(SPECIAL, **change), {FAILING}, named) is None


MENDED = Witness("fits(2, 2)", "returns True", "returns False", tested=True, made=True)
BACK = Witness("fits(2, 3)", "returns True", "returns False")


@pytest.mark.parametrize(
    ("departures", "witness", "back"),
    [
        ((MENDED,), BACK, True),
        ((), BACK, False),  # nobody knows what the failure was
        ((replace(MENDED, made=False),), BACK, False),
        ((MENDED, replace(BACK, made=False)), BACK, False),  # the patch changes that call too
        ((MENDED,), replace(BACK, mine="returns False", other="returns True"), False),  # the mutant mends more
        ((MENDED,), replace(BACK, other="returns None"), False),
        (tuple(replace(MENDED, call=f"fits({n}, {n})") for n in range(100)), BACK, False),  # not all are told
    ],
)
def test_a_rival_that_only_brings_the_failure_back(departures, witness, back):
    assert brings_back(found(*departures), witness) is back


CRASH = Witness("years(-5)", "raises IndexError('x')", "returns 0", accident=True)


@pytest.mark.parametrize(
    ("departures", "witness", "unmeant"),
    [
        ((DOWN,), CRASH, True),
        ((), CRASH, True),
        ((DOWN,), replace(CRASH, accident=False), False),
        ((DOWN, replace(CRASH, other="returns 1")), CRASH, False),
        ((replace(DOWN, other="raises IndexError('y')"),), CRASH, False),
        ((replace(DOWN, other="raises IndexError('y')", made=False),), CRASH, True),
        (tuple(replace(DOWN, call=f"years({n})") for n in range(MOST_DEPARTURES)), CRASH, False),
        ((DOWN, CRASH), replace(CRASH, other="raises KeyError('x')"), True),
        ((DOWN, CRASH), replace(CRASH, other="raises KeyError('x')", accident=False), False),
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
    departure = Witness("name('#1')", mine, old)
    assert same_exception_old_message(found(departure), Witness("name('#1')", mine, other)) is keeps


def test_where_the_old_function_said_the_same_the_words_are_kept_and_where_it_is_not_known_they_are_not():
    witness = Witness("name('#1')", UNNAMED, "raises ValueError('no such colour')")
    assert same_exception_old_message(found(), witness)
    assert not same_exception_old_message(
        found(*(replace(NINE, call=f"f({n})") for n in range(MOST_DEPARTURES))), witness
    )
