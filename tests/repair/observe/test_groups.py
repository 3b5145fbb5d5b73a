"""Failing tests are grouped by the function that can be answerable for them, the likeliest function first."""

from dataclasses import replace

import pytest
from fakes.diagnosed import SOURCE, localized_of, observed

from analysis.facts import Outcome, Phase, TestId, TestResult
from repair.observe.groups import describe_left_over, groups, groups_by_cause

ONE, TWO, BOTH = (TestId(f"test_shop.py::test_{name}") for name in ("one", "two", "both"))


def spans():
    return {s.name: s for functions in localized_of("price").index.values() for s in functions}


def lines(*names):
    return (("shop.py", frozenset(spans()[name].end_line for name in names)),)


def grouped(line_map, failing, *suspects):
    seen = observed()
    baseline = replace(seen, failing=failing, traced=replace(seen.traced, line_map=line_map))
    return list(groups(baseline, localized_of(*suspects, source=SOURCE)))


def test_each_function_gets_its_tests_and_the_suspects_that_they_run():
    line_map = ((ONE, lines("price")), (TWO, lines("label")))
    first, second = grouped(line_map, (ONE, TWO), "price", "label")
    assert (first.baseline.failing, second.baseline.failing) == ((ONE,), (TWO,))
    assert [s.function.qualname for s in first.localized.suspects] == ["price"]
    assert [s.function.qualname for s in second.localized.suspects] == ["label"]
    assert (first.others, second.others) == ((TWO,), (ONE,))


@pytest.mark.parametrize(
    ("others", "mended", "said"),
    [
        ((), 0, ()),
        ((TWO,), 0, ("1 other failing test left for a next run: test_shop.py::test_two",)),
        ((TWO,), 1, ()),
        (
            (ONE, TWO),
            1,
            (f"2 other failing tests left for a next run (1 of them pass with this patch): {ONE}, {TWO}",),
        ),
    ],
)
def test_what_is_left_over_is_said_unless_the_answer_mends_it(others, mended, said):
    assert describe_left_over(others, mended) == said


def test_a_test_that_runs_both_goes_with_the_likelier_and_keeps_the_other_as_a_suspect():
    line_map = ((ONE, lines("price")), (TWO, lines("label")), (BOTH, lines("price", "label")))
    first, second = grouped(line_map, (ONE, TWO, BOTH), "price", "label")
    assert first.baseline.failing == (ONE, BOTH)
    assert [s.function.qualname for s in first.localized.suspects] == ["price", "label"]
    assert second.baseline.failing == (TWO,)


def test_a_function_of_which_the_map_is_silent_may_be_answerable_for_all():
    (only,) = grouped(((ONE, lines("label")),), (ONE, TWO), "price", "label")
    assert only.baseline.failing == (ONE, TWO)
    assert only.others == ()


def test_slow_failing_tests_come_last_and_what_hangs_behind_them():
    took = {ONE: (3.0, Outcome.FAILED), TWO: (0.04, Outcome.FAILED), BOTH: (0.001, Outcome.FAILED)}
    seen = observed()
    hang = TestId("test_shop.py::test_hang")
    outcomes = tuple(TestResult(test, outcome, Phase.CALL, seconds) for test, (seconds, outcome) in took.items())
    outcomes += (TestResult(hang, Outcome.HANG, Phase.CALL, 0.5),)
    (only,) = groups(
        replace(seen, failing=(hang, ONE, TWO, BOTH), outcomes=outcomes), localized_of("price", source=SOURCE)
    )
    assert only.baseline.failing == (TWO, BOTH, ONE, hang)


@pytest.mark.parametrize(
    ("outcomes", "causes"),
    [
        ((Outcome.FAILED, Outcome.HANG, Outcome.FAILED), [(ONE, BOTH), (TWO,)]),
        ((Outcome.HANG, Outcome.HANG, Outcome.HANG), [(ONE, TWO, BOTH)]),
        ((Outcome.FAILED, Outcome.FAILED, Outcome.FAILED), [(ONE, TWO, BOTH)]),
    ],
)
def test_what_did_not_end_is_a_cause_behind_what_failed(outcomes, causes):
    """A slow test of everything is no sign of the fault that makes another one fail."""
    seen, localized = observed(), localized_of("price", source=SOURCE)
    ends = tuple(TestResult(t, o, Phase.CALL, 0.01) for t, o in zip((ONE, TWO, BOTH), outcomes, strict=True))
    baseline = replace(seen, failing=(ONE, TWO, BOTH), outcomes=ends)
    found = groups_by_cause(baseline, localized, lambda tests: localized)
    assert [{*group.baseline.failing} for group in found] == [{*tests} for tests in causes]
    assert [group.baseline.failing for group in found][1:] == causes[1:]
