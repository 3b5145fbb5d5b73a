"""A patch that mends the tested values alone, and examples that have little in common."""

from dataclasses import replace

import pytest
from repair.compare.overfitting import (
    find_narrower_candidates,
    hard_codes_calls,
    is_narrower,
    mends_only_tested,
    pick_unlike,
    picks_digits,
    rejects_single_number,
)

from analysis.calls import Comparison, DigitTried, Neighbours, Witness
from analysis.facts import FunctionId, TestId, digest
from analysis.trials import Trial

FAILING, PASSING = TestId("t.py::test_fails"), TestId("t.py::test_passes")
MENDED = Witness("price('5.5')", "returns 550", "raises ValueError('x')", tested=True)
SPARED = tuple(Witness(f"price('{n}.6')", "raises ValueError('x')", "raises ValueError('x')") for n in range(4))
FOLLOWING = Witness("price('6.5')", "returns 650", "raises ValueError('x')")
FIXED = replace(FOLLOWING, mine="returns 550")
ONLY = Comparison(30, (), reaching=20, touching=25, departures=(MENDED,), neighbours=(Neighbours(FAILING, SPARED),))


def test_where_only_the_tested_call_changes_its_neighbour_is_shown():
    assert mends_only_tested(ONLY, {FAILING}, (550,)) == SPARED[0]


@pytest.mark.parametrize(
    "change",
    [
        {"departures": ()},
        {"departures": (MENDED, FOLLOWING)},
        {"neighbours": ()},
        {"neighbours": (Neighbours(FAILING, SPARED, (FOLLOWING,)),)},
        {"neighbours": (Neighbours(FAILING, SPARED[:2]),)},
        {"neighbours": (Neighbours(PASSING, SPARED),)},
        {"reaching": 7},
    ],
)
def test_there_is_no_doubt_where_more_changes_or_little_was_tried(change):
    assert mends_only_tested(replace(ONLY, **change), {FAILING}, (550,)) is None


def test_without_a_constant_of_its_own_a_patch_is_no_special_case():
    assert mends_only_tested(ONLY, {FAILING}, ()) is None


@pytest.mark.parametrize(("constants", "doubted"), [((550, "5."), True), (("5.",), False)])
def test_what_gets_the_same_constant_answer_has_not_followed(constants, doubted):
    wide = replace(ONLY, departures=(MENDED, FIXED), neighbours=(Neighbours(FAILING, SPARED, (FIXED,)),))
    assert (mends_only_tested(wide, {FAILING}, constants) is not None) is doubted


def test_what_raises_something_else_has_not_followed():
    other = Witness("price('6.5')", "raises TypeError('x')", "raises ValueError('x')")
    assert mends_only_tested(replace(ONLY, departures=(MENDED, other)), {FAILING}, (550,)) == SPARED[0]
    raising = replace(MENDED, mine="raises KeyError('x')")
    assert mends_only_tested(replace(ONLY, departures=(raising, other)), {FAILING}, (550,)) is None


CHANGE = Witness("change([1, 5, 25], 75)", "returns 9", "raises ValueError('x')", tested=True, made=True)
OTHER_CHANGE = replace(CHANGE, call="change([1, 5, 25], -34)", mine="returns 16")


@pytest.mark.parametrize(
    ("departures", "held", "new", "doubted"),
    [
        ((CHANGE, OTHER_CHANGE), (1, 5, 25, 75, 34), (75, 34), True),
        ((CHANGE,), (1, 5, 25, 75, 34), (75, 34), False),
        ((CHANGE, CHANGE), (1, 5, 25, 75, 34), (75, 34), False),
        ((CHANGE, OTHER_CHANGE), (1, 5, 25, 75), (75,), False),
        ((CHANGE, OTHER_CHANGE), (1, 5, 25, 75, 34), (), False),
        ((CHANGE, replace(OTHER_CHANGE, made=False)), (1, 5, 25, 75, 34), (75, 34), False),
        ((CHANGE, replace(OTHER_CHANGE, call="change([1, 5, 25], …")), (1, 5, 25, 75, 34), (75, 34), False),
        ((CHANGE, replace(OTHER_CHANGE, call=f"change({'-' * 100_000}1)")), (1, 5, 25, 75, 34), (75, 34), False),
        ((replace(CHANGE, call="f(404)"), replace(CHANGE, call="f(410)")), (404, 410), (404, 410), False),
    ],
)
def test_a_patch_that_spells_out_several_calls_of_the_tests(departures, held, new, doubted):
    found = replace(ONLY, departures=departures)
    assert hard_codes_calls(found, held, new) == (CHANGE if doubted else None)


def test_another_sign_is_the_same_special_case():
    negative = replace(FOLLOWING, call="price('-5.5')")
    assert mends_only_tested(replace(ONLY, departures=(MENDED, negative)), {FAILING}, (550,)) == SPARED[0]


def test_neighbours_of_several_tests_count_together():
    near = (Neighbours(FAILING, SPARED[:2]), Neighbours(PASSING, SPARED[2:]))
    assert mends_only_tested(replace(ONLY, neighbours=near), {FAILING, PASSING}, (550,)) == SPARED[0]


ZERO = Witness("port('0')", "raises ValueError('port 0')", "returns 0", tested=True)
BELOW = Witness("port('-1')", "returns -1", "returns -1")


@pytest.mark.parametrize(
    ("departures", "test", "doubted"),
    [
        ((ZERO,), FAILING, True),
        ((ZERO, replace(ZERO, call="port('000')", tested=False)), FAILING, True),
        ((ZERO, replace(ZERO, call="port('-5')", tested=False)), FAILING, False),
        ((ZERO,), PASSING, False),
    ],
)
def test_a_single_number_that_is_refused_between_two_that_are_taken_is_a_doubt(departures, test, doubted):
    found = Comparison(30, (), departures=departures, alone=((test, BELOW),))
    assert rejects_single_number(found, {FAILING}) == (BELOW if doubted else None)


def test_examples_are_the_first_the_shortest_and_the_least_alike():
    departures = [
        Witness("f(111)", "returns '111th'", "returns '111st'"),
        Witness("f(112)", "returns '112th'", "returns '112nd'"),
        Witness("f(1111)", "returns '1111th'", "returns '1111st'"),
        Witness("f(-908)", "raises ValueError('x')", "returns '-908th'"),
        Witness("f(31)", "returns '31th'", "returns '31st'"),
    ]
    chosen = pick_unlike(departures, 3)
    assert [witness.call for witness in chosen] == ["f(111)", "f(31)", "f(-908)"]
    assert pick_unlike(departures, 1) == (departures[0],)
    assert pick_unlike([], 3) == ()
    assert pick_unlike(departures[:1] * 3, 3) == (departures[0],)


@pytest.mark.parametrize(
    ("other", "departures", "found"),
    [
        ("returns '31st'", (Witness("f(31)", "returns '31th'", "returns '31st'"),), True),
        ("returns '31nd'", (Witness("f(31)", "returns '31th'", "returns '31st'"),), False),
        ("returns '31st'", (Witness("f(41)", "returns '41th'", "returns '41st'"),), False),
    ],
)
def test_perhaps_narrower_is_what_leaves_a_call_as_it_was(other, departures, found):
    trial = Trial(digest("x"), FunctionId("a.py", "f", 1), b"", "number:100 in place of 20")
    witness = Witness("f(31)", "returns '31th'", other)
    seen = Comparison(30, ((trial.digest, witness), ("rival", witness)), departures=departures)
    assert find_narrower_candidates(seen, {trial.digest: trial}) == ([(trial, witness)] if found else [])


@pytest.mark.parametrize(("calls", "narrower"), [("a", True), ("ab", False), ("abc", False), ("c", False), ("", False)])
def test_narrower_is_what_changes_a_part_of_it_in_the_same_way(calls, narrower):
    def changing(names):
        return Comparison(30, (), departures=tuple(Witness(name, "returns 1", "returns 2") for name in names))

    assert is_narrower(changing(calls), changing("ab")) is narrower
    other_way = Comparison(30, (), departures=(Witness("a", "returns 3", "returns 2"),))
    assert not is_narrower(other_way, changing("ab"))


def digit(own, other, *, moved, test=FAILING):
    call = f"price('1.{other}')"
    return DigitTried(test, "0[-1]", own, other, moved, Witness(call, "returns 1", "returns 1"))


def tried(mended, spared, pinned=()):
    """Calls with these digits in the last place: mended ones, others in their place, and those of passing tests."""
    own = [digit(n, n, moved=True) for n in mended]
    others = [digit(n, m, moved=m in mended) for n in mended for m in (*mended, *spared) if n != m]
    return Comparison(1, (), digits=(*own, *others, *(digit(n, n, moved=False, test=PASSING) for n in pinned)))


@pytest.mark.parametrize("mended", [(3, 5, 9), (1, 3)])
def test_digits_that_are_mended_here_and_there_are_a_doubt_with_a_digit_between_them(mended):
    assert picks_digits(tried(mended, (4, 6, 7, 8)), {FAILING}, ("x",)) == Witness(
        "price('1.4')", "returns 1", "returns 1"
    )


@pytest.mark.parametrize(
    ("found", "brought_in"),
    [
        (tried((3, 5, 9), (4, 6, 7)), ()),
        (tried((3, 4, 5), (6, 7, 8)), ("x",)),
        (tried((5,), (4, 6, 7)), ("x",)),
        (tried((3, 5, 9), (4, 6)), ("x",)),
        (tried((3, 5, 9), (4, 6, 7), pinned=(4, 7)), ("x",)),
        (Comparison(1, (), digits=(*tried((3, 5), (4, 6, 7)).digits, digit(3, 8, moved=True))), ("x",)),
        (
            Comparison(
                1, (), digits=tuple(d for d in tried((3, 5), (4, 6, 7)).digits if d.own == d.other or not d.moved)
            ),
            ("x",),
        ),
        (Comparison(1, ()), ("x",)),
    ],
    ids=[
        "no constant",
        "a run of digits",
        "one digit",
        "few others",
        "tests pin",
        "another",
        "none follows",
        "nothing",
    ],
)
def test_other_digits_are_none(found, brought_in):
    assert picks_digits(found, {FAILING}, brought_in) is None
    assert picks_digits(tried((3, 5, 9), (4, 6, 7)), {PASSING}, ("x",)) is None
