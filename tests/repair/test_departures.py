"""A patch that mends the tested values alone, and examples that have little in common."""

from dataclasses import replace

import pytest

from analysis.calls import Comparison, Neighbours, Witness
from analysis.facts import TestId
from repair.departures import mends_only_tested, unlike

FAILING, PASSING = TestId("t.py::test_fails"), TestId("t.py::test_passes")
MENDED = Witness("price('5.5')", "returns 550", "raises ValueError('x')", tested=True)
SPARED = Witness("price('6.6')", "raises ValueError('x')", "raises ValueError('x')")
ONLY = Comparison(
    30, (), reaching=20, touching=25, departures=(MENDED,), neighbours=(Neighbours(FAILING, 5, 0, SPARED),)
)


def test_where_only_the_tested_call_changes_its_neighbour_is_shown():
    assert mends_only_tested(ONLY, {FAILING}) == SPARED


@pytest.mark.parametrize(
    "change",
    [
        {"departures": ()},
        {"departures": (MENDED, replace(MENDED, call="price('7.25')", tested=False))},
        {"neighbours": ()},
        {"neighbours": (Neighbours(FAILING, 5, 1, SPARED),)},
        {"neighbours": (Neighbours(FAILING, 2, 0, SPARED),)},
        {"neighbours": (Neighbours(PASSING, 5, 0, SPARED),)},
        {"reaching": 7},
    ],
)
def test_there_is_no_doubt_where_more_changes_or_little_was_tried(change):
    assert mends_only_tested(replace(ONLY, **change), {FAILING}) is None


def test_neighbours_of_several_tests_count_together():
    near = (Neighbours(FAILING, 2, 0, SPARED), Neighbours(PASSING, 1, 0, SPARED))
    assert mends_only_tested(replace(ONLY, neighbours=near), {FAILING, PASSING}) == SPARED


def test_examples_are_the_first_the_shortest_and_the_least_alike():
    departures = [
        Witness("f(111)", "returns '111th'", "returns '111st'"),
        Witness("f(112)", "returns '112th'", "returns '112nd'"),
        Witness("f(1111)", "returns '1111th'", "returns '1111st'"),
        Witness("f(-908)", "raises ValueError('x')", "returns '-908th'"),
        Witness("f(31)", "returns '31th'", "returns '31st'"),
    ]
    chosen = unlike(departures, 3)
    assert [witness.call for witness in chosen] == ["f(111)", "f(31)", "f(-908)"]
    assert unlike(departures, 1) == (departures[0],)
    assert unlike([], 3) == ()
    assert unlike(departures[:1] * 3, 3) == (departures[0],)
