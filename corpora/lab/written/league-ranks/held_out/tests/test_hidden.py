import random
from decimal import Decimal

import pytest

from league import Tournament, competition_ranks
from league.ranking import split_prizes


@pytest.mark.parametrize("scores, expected", [
    ([], []),
    ([5], [1]),
    ([0], [1]),
    ([-3], [1]),
    ([5, 5], [1, 1]),
    ([5, 5, 3], [1, 1, 3]),
    ([5, 5, 5, 3], [1, 1, 1, 4]),
    ([9, 5, 5, 5, 5, 1], [1, 2, 2, 2, 2, 6]),
    ([9, 9, 5, 5, 1], [1, 1, 3, 3, 5]),
    ([9, 9, 9, 5, 5, 1, 1, 0], [1, 1, 1, 4, 4, 6, 6, 8]),
    ([80, 90, 100, 90], [4, 2, 1, 2]),
    ([1, 2, 3], [3, 2, 1]),
    ([3, 1, 3, 2, 1], [1, 4, 1, 3, 4]),
    ([0, 0, 0], [1, 1, 1]),
    ([2, 0, 0, -1], [1, 2, 2, 4]),
    ([0, -1, -1, -2], [1, 2, 2, 4]),
    ([9.5, 9.0, 9.25], [1, 3, 2]),
    ([0.3, 0.3, 0.2], [1, 1, 3]),
    ([Decimal("1.5"), Decimal("1.50"), Decimal("1.2")], [1, 1, 3]),
])
def test_ranks(scores, expected):
    assert competition_ranks(scores) == expected


def test_scores_are_left_alone():
    scores = [1, 5, 3, 5]
    competition_ranks(scores)
    assert scores == [1, 5, 3, 5]


def test_tuple_is_fine():
    assert competition_ranks((1, 5, 5)) == [3, 1, 1]


def test_against_the_definition():
    rng = random.Random(7)
    for _ in range(200):
        scores = [rng.randint(-3, 6) for _ in range(rng.randint(0, 9))]
        expected = [1 + sum(o > s for o in scores) for s in scores]
        assert competition_ranks(scores) == expected


def test_shared_prizes():
    prizes = [Decimal(100), Decimal(50), Decimal(25)]
    assert split_prizes([7, 9, 7, 1], prizes) == [
        Decimal("37.50"), Decimal("100.00"), Decimal("37.50"), Decimal("0.00")]
    assert split_prizes([4, 4, 4, 2], prizes) == [Decimal("58.33")] * 3 + [Decimal("0.00")]
    assert split_prizes([4, 4, 2], prizes) == [Decimal("75.00")] * 2 + [Decimal("25.00")]


def test_standings_with_ties():
    t = Tournament(["Dan", "Cid", "Bob", "Ann"])
    t.record("Ann", "Bob", 1, 1)
    t.record("Dan", "Cid", 4, 1)
    assert [(r.rank, r.name) for r in t.standings()] == [
        (1, "Dan"), (2, "Ann"), (2, "Bob"), (4, "Cid")]


def test_standings_before_the_first_match():
    t = Tournament(["Bob", "Ann", "Cid", "Dan"])
    assert [(r.rank, r.name) for r in t.standings()] == [
        (1, "Ann"), (1, "Bob"), (1, "Cid"), (1, "Dan")]
    assert len(t.podium()) == 4


def test_podium_skips_used_up_places():
    t = Tournament(["A", "B", "C", "D", "E"])
    t.record("A", "E", 1, 0)
    t.record("B", "E", 1, 0)
    t.record("C", "E", 1, 0)
    t.record("D", "E", 1, 1)
    assert t.podium() == ["A", "B", "C"]


def test_penalty_below_zero():
    t = Tournament(["A", "B", "C"])
    t.penalise("C", 2)
    t.penalise("A", 1)
    assert [(r.rank, r.name) for r in t.standings()] == [(1, "B"), (2, "A"), (3, "C")]
    assert t.standings()[0].rank == 1
