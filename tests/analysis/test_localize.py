"""Ranking: crashes by frames, wrong values by coverage."""

from __future__ import annotations

import textwrap

import pytest

from analysis.diagnosis import is_test_path
from analysis.errors import UsageError
from analysis.facts import Diagnosis, Failure, FailureClass, Frame, LineMap, Outcome, Phase, SeenError, TestId
from analysis.functions import functions_of
from analysis.localize import rank

SHOP = textwrap.dedent(
    """\
    def price(item):           # 1
        net = base(item)       # 2
        return show(net)       # 3
    def base(item):            # 4
        if item > 10:          # 5
            return bulk(item)  # 6
        return item            # 7
    def bulk(item):            # 8
        return item - 1        # 9
    def show(net):             # 10
        return str(net)        # 11
    def outer(x):              # 12
        def inner(y):          # 13
            return y + 1       # 14
        return inner(x)        # 15
    class Till:                # 16
        def update(self):      # 17
            return 1           # 18
    class Safe:                # 19
        def update(self):      # 20
            return 1           # 21
    """
)
INDEX = {"shop.py": functions_of("shop.py", SHOP.encode())}
BAD, GOOD, OTHER = map(
    TestId, ("tests/test_shop.py::test_price", "tests/test_shop.py::test_good", "tests/test_b.py::b")
)


def wrong_value(test: TestId = BAD) -> Diagnosis:
    frame = Frame("tests/test_shop.py", True, 3, None, None, None, "test_price", "test_price", 1)
    raised = SeenError("AssertionError", ("AssertionError",), "assert 1 == 2", (frame,))
    failure = Failure(test, Phase.CALL, Outcome.FAILED, (raised,), "")
    return Diagnosis(failure, FailureClass.LOGIC, "wrong_value", ())


def crash(
    *lines: tuple[str, int], kind: str = "KeyError", failure_class=FailureClass.RUNTIME_SAFETY, test=BAD, sub="key"
):
    frames = [Frame("tests/test_shop.py", True, 3, None, None, None, "test_price", "test_price", 1)]
    frames += [Frame("shop.py", True, line, None, None, None, name, name, 1) for name, line in lines]
    raised = SeenError(kind, (kind, "Exception"), "'x'", tuple(frames))
    return Diagnosis(Failure(test, Phase.CALL, Outcome.FAILED, (raised,), ""), failure_class, sub, ())


def ran(test: TestId, *lines: int) -> tuple:
    return (test, (("shop.py", frozenset(lines)), ("tests/test_shop.py", frozenset({1, 2, 3}))))


def names(suspects) -> list[str]:
    return [s.function.qualname for s in suspects]


def ranked(diagnoses, line_map: LineMap, failing, passing, override: str = ""):
    return rank(diagnoses, line_map, failing, passing, INDEX, is_test_path, override)


def test_wrong_value_two_calls_away_is_found_by_coverage():
    line_map = (ran(BAD, 2, 3, 5, 6, 9, 11), ran(GOOD, 2, 3, 5, 7, 11), ran(OTHER, 2, 3, 5, 7, 11))
    suspects = ranked([wrong_value()], line_map, [BAD], [GOOD, OTHER])
    assert names(suspects)[:2] == ["base", "bulk"]
    assert dict(suspects[1].line_scores) == {9: 1.0}
    assert dict(suspects[0].line_scores)[6] == 1.0 > dict(suspects[0].line_scores)[5]
    assert "run by 1 of 1 failing and 0 of 2 passing tests" in suspects[1].reasons


def test_crash_leads_with_the_raising_function_then_its_callers():
    line_map = (ran(BAD, 2, 5, 6, 9), ran(GOOD, 2, 3, 5, 6, 9, 11))
    suspects = ranked([crash(("price", 2), ("base", 6), ("bulk", 9))], line_map, [BAD], [GOOD])
    assert names(suspects) == ["bulk", "base", "price"]
    assert suspects[0].reasons[0] == "raises KeyError at line 9"
    assert suspects[1].reasons[0] == "passes through KeyError at line 6"
    assert dict(suspects[0].line_scores)[9] == 1.0


def test_deliberate_raise_keeps_its_caller_close():
    frames = (("price", 2), ("base", 6), ("bulk", 9))
    crashed = ranked([crash(*frames)], (), [BAD], [])
    raised = ranked([crash(*frames, failure_class=FailureClass.CONTRACT, sub="unexpected_raise")], (), [BAD], [])
    gap = [s[0].suspiciousness - s[1].suspiciousness for s in (crashed, raised)]
    assert names(raised)[:2] == ["bulk", "base"]
    assert gap[1] < gap[0]


def test_hang_ranks_by_its_stack():
    diagnosis = crash(("price", 2), ("base", 6), kind="Hang", failure_class=FailureClass.LOGIC, sub="timeout")
    suspects = ranked([diagnosis], (), [BAD], [])
    assert names(suspects) == ["base", "price"]
    assert suspects[0].reasons[0] == "still running at line 6"


def test_cause_behind_another_exception_counts_less():
    diagnosis = crash(("price", 2))
    behind = SeenError("KeyError", ("KeyError",), "'x'", crash(("bulk", 9)).failure.exceptions[0].frames, "cause")
    failure = diagnosis.failure
    failure = Failure(failure.test, failure.phase, failure.outcome, (*failure.exceptions, behind), "")
    suspects = ranked([Diagnosis(failure, FailureClass.CONTRACT, "unexpected_raise", ())], (), [BAD], [])
    assert names(suspects) == ["price", "bulk"]


def test_without_passing_tests_the_name_in_the_test_decides():
    suspects = ranked([wrong_value()], (ran(BAD, 2, 3, 5, 7, 11),), [BAD], [])
    assert names(suspects)[0] == "price"
    assert "no passing test to compare with" in suspects[0].reasons
    assert "a failing test names it" in suspects[0].reasons


def test_function_that_everything_runs_ranks_low():
    passing = [TestId(f"tests/test_c.py::{n}") for n in range(20)]
    line_map = (ran(BAD, 5, 7, 11), *(ran(t, 11) for t in passing))
    assert names(ranked([wrong_value()], line_map, [BAD], passing)) == ["base", "show"]


def test_nested_functions_own_their_lines():
    suspects = ranked([wrong_value()], (ran(BAD, 13, 14, 15), ran(GOOD, 13, 15)), [BAD], [GOOD])
    assert names(suspects) == ["outer.inner", "outer"]
    assert [line for line, _ in suspects[1].line_scores] == [13, 15]


def test_headers_run_where_functions_are_defined():
    assert ranked([wrong_value()], (ran(BAD, 1, 4, 8, 10),), [BAD], []) == ()


def test_ties_are_broken_the_same_way_whatever_the_order():
    line_map = (ran(BAD, 18, 21), ran(GOOD, 11))
    forward = ranked([wrong_value()], line_map, [BAD], [GOOD])
    assert forward == ranked([wrong_value()], tuple(reversed(line_map)), [BAD], [GOOD])
    assert [s.function.first_line for s in forward] == [17, 20]
    assert all(0 <= s.suspiciousness <= 1 for s in forward)


@pytest.mark.parametrize("override", ["show", "shop.py:show", "shop.py::show", "Safe.update"])
def test_override_pins_a_function(override):
    suspects = ranked([wrong_value()], (ran(BAD, 2, 3, 5, 7),), [BAD], [], override)
    assert names(suspects)[0] == override.rsplit(":", 1)[-1]
    assert suspects[0].reasons[0] == "named by the user"


@pytest.mark.parametrize(
    ("override", "hint"),
    [("shwo", "shop.py:show"), ("update", "update"), ("other.py:show", "shop.py:show"), ("zzz", "qualified name")],
)
def test_unknown_override_names_near_matches(override, hint):
    with pytest.raises(UsageError, match=hint):
        ranked([wrong_value()], (), [BAD], [], override)


def test_of_a_getter_and_a_setter_of_one_name_the_suspect_is_meant():
    source = (
        b"class Till:\n    @property\n    def sum(self):\n        return 1\n"
        b"    @sum.setter\n    def sum(self, value):\n        self.value = value\n"
    )
    index = {"till.py": functions_of("till.py", source)}

    def first(*lines: int) -> int:
        line_map: LineMap = ((BAD, (("till.py", frozenset(lines)),)),)
        return rank([wrong_value()], line_map, [BAD], [], index, is_test_path, "Till.sum")[0].function.first_line

    assert (first(4), first(7), first()) == (2, 5, 5)


def test_override_never_names_a_test():
    index = {"tests/test_shop.py": functions_of("tests/test_shop.py", b"def test_price(): pass\n")}
    with pytest.raises(UsageError):
        rank([wrong_value()], (), [BAD], [], index, is_test_path, "test_price")


def test_nothing_known_gives_no_suspects():
    assert ranked([], (), [], []) == ()


LINES: LineMap = (
    (BAD, (("shop.py", frozenset({2, 3, 5, 6, 9, 11})),)),
    (GOOD, (("shop.py", frozenset({2, 5, 7})),)),
)


@pytest.mark.parametrize(
    ("since", "first"),
    [
        ((), "bulk"),
        (((BAD, ()),), "bulk"),  # no check passed
        (((BAD, (("shop.py", frozenset({1, 10})),)),), "show"),
        (((BAD, (("shop.py", frozenset({1, 8, 10})),)),), "bulk"),
        (((GOOD, (("shop.py", frozenset({10})),)),), "bulk"),
    ],
)
def test_what_was_not_called_since_the_last_check_that_passed_is_less_suspect(since, first):
    suspects = rank([wrong_value()], LINES, [BAD], [GOOD], INDEX, is_test_path, since_check=since)
    ranked = [s.function.qualname for s in suspects]
    assert min(("bulk", "show"), key=ranked.index) == first
    assert {"bulk", "show", "price", "base"} == set(ranked)
    said = {s.function.qualname: any("since the last check" in reason for reason in s.reasons) for s in suspects}
    assert said["bulk"] is (first == "show")
    assert not said["show"]


@pytest.mark.parametrize(
    ("since", "scores"),
    [
        ((), {2: 0.603553, 3: 1.0}),
        (((BAD, (("shop.py", frozenset({1})),)),), {2: 0.603553, 3: 1.0}),  # its lines are not known
        (((BAD, (("shop.py", frozenset({1, 3})),)),), {2: 0.301777, 3: 1.0}),
        (((BAD, (("shop.py", frozenset({1, 2})),)),), {2: 1.0, 3: 0.828427}),
        (((GOOD, (("shop.py", frozenset({1, 2})),)),), {2: 0.603553, 3: 1.0}),
    ],
)
def test_lines_that_only_ran_before_the_last_check_that_passed_are_less_suspect(since, scores):
    suspects = rank([wrong_value()], LINES, [BAD], [GOOD], INDEX, is_test_path, since_check=since)
    (price,) = [s for s in suspects if s.function.qualname == "price"]
    assert dict(price.line_scores) == pytest.approx(scores, rel=1e-5)


def test_a_line_that_one_of_the_failing_tests_ran_since_stays_suspect():
    lines = (*LINES, (OTHER, (("shop.py", frozenset({2, 3})),)))
    told = [(BAD, (("shop.py", frozenset({1, 3})),)), (OTHER, (("shop.py", frozenset({1, 2})),))]
    for since in (told, told[:1]):  # of the other test it is not known
        suspects = rank([wrong_value()], lines, [BAD, OTHER], [GOOD], INDEX, is_test_path, since_check=tuple(since))
        (price,) = [s for s in suspects if s.function.qualname == "price"]
        (plain,) = [
            s
            for s in rank([wrong_value()], lines, [BAD, OTHER], [GOOD], INDEX, is_test_path)
            if s.function == price.function
        ]
        assert price.line_scores == plain.line_scores


def test_of_several_failing_tests_one_that_called_it_since_is_enough():
    lines = (*LINES, (OTHER, (("shop.py", frozenset({9})),)))
    since = ((BAD, (("shop.py", frozenset({10})),)), (OTHER, (("shop.py", frozenset({8})),)))
    suspects = rank([wrong_value()], lines, [BAD, OTHER], [GOOD], INDEX, is_test_path, since_check=since)
    (bulk,) = [s for s in suspects if s.function.qualname == "bulk"]
    assert not any("since the last check" in reason for reason in bulk.reasons)


def test_a_helper_of_one_line_comes_behind_its_caller_of_many():
    """Both lines of the branch are run by the failing test alone; the caller has more places to be wrong."""
    caller = b"def caller(x):\n    y = x + 1\n    if y:\n        y = 2\n        y = helper(y)\n    return y\n"
    source = b"def helper(x):\n    return x\n" + caller
    index = {"shop.py": functions_of("shop.py", source)}
    bad, good = ran(BAD, 2, 4, 5, 6, 7, 8), ran(GOOD, 4, 5, 8)
    suspects = rank([wrong_value()], (bad, good), [BAD], [GOOD], index, is_test_path)
    assert names(suspects) == ["caller", "helper"]
    assert [
        reason for reason in suspects[0].reasons if "suspiciousness 1.00 (Ochiai and D*) on 2 of its lines" in reason
    ]
