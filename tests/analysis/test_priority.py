"""The order in which functions deserve a test, and why."""

from dataclasses import replace

import pytest

from analysis.change_history import History
from analysis.facts import FunctionId
from analysis.mutation_score import MutationScore
from analysis.priority import LEAST_OPEN, FunctionFacts, prioritize, weigh
from analysis.statement_lines import Share

USUAL = FunctionFacts(
    FunctionId("shop.py", "price", 3), True, 2, Share(3, 4), MutationScore(killed=3, survived=1), 3, History(2, 1)
)


def test_the_score_is_the_product_of_its_parts():
    found = weigh(USUAL)
    assert [(part.name, part.factor) for part in found.parts] == [("reach", 4.0), ("history", 2.16), ("open", 0.44)]
    assert found.score == pytest.approx(4.0 * 2.16 * 0.44, abs=0.001)
    assert str(found) == (
        "3.8 = reach 4.0 (public, used by 3 functions) x history 2.2 (changed in 2 commits, 1 of them called fixes)"
        " x open 0.44 (1 of 4 statements run by none; 1 of 4 mutants noticed by none)"
    )
    assert found.gaps == ("1 of 4 statements run by none", "1 of 4 mutants noticed by none")


@pytest.mark.parametrize(
    "more",
    [
        {"users": 9},
        {"history": History(5, 1)},
        {"history": History(2, 2)},
        {"tests": 0},
        {"coverage": Share(1, 4)},
        {"mutants": MutationScore(killed=1, no_coverage=3)},
    ],
)
def test_each_fact_that_matters_more_gives_a_higher_score(more):
    other = replace(USUAL, function=FunctionId("shop.py", "other", 1), **more)
    assert [each.function for each in prioritize([USUAL, other])] == ["other", "price"]


def test_what_is_private_comes_later():
    assert weigh(replace(USUAL, public=False)).score < weigh(USUAL).score


def test_what_is_not_known_is_said():
    found = weigh(FunctionFacts(FunctionId("a.py", "f", 1), False, 1))
    assert str(found) == (
        "0.1 = reach 1.0 (not public, users unknown) x history 1.0 (changes unknown)"
        " x open 0.05 (which lines ran is unknown, no mutant was tried)"
    )
    assert found.parts[2].factor == LEAST_OPEN


def test_equal_scores_stand_in_the_order_of_their_places():
    places = [("b.py", 1), ("a.py", 9), ("a.py", 2)]
    found = prioritize(replace(USUAL, function=FunctionId(path, "f", line)) for path, line in places)
    assert [(each.file, each.line) for each in found] == [("a.py", 2), ("a.py", 9), ("b.py", 1)]
