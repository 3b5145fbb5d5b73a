from decimal import Decimal

import pytest

from league import Tournament, competition_ranks
from league.ranking import ordinal, split_prizes


def test_ranks_without_ties():
    assert competition_ranks([30, 20, 10]) == [1, 2, 3]


def test_ranks_after_a_tie():
    assert competition_ranks([100, 90, 90, 80]) == [1, 2, 2, 4]


def test_no_scores():
    assert competition_ranks([]) == []


def test_ordinal():
    assert ordinal(1) == "1st"
    assert ordinal(12) == "12th"
    assert ordinal(23) == "23rd"


def test_prizes():
    prizes = [Decimal(100), Decimal(50)]
    assert split_prizes([9, 7], prizes) == [Decimal("100.00"), Decimal("50.00")]


def test_standings():
    t = Tournament(["Ann", "Bob"])
    t.record("Ann", "Bob", 2, 0)
    rows = t.standings()
    assert rows[0].name == "Ann"
    assert rows[0].points == 3
    assert rows[1].played == 1


def test_unknown_player():
    t = Tournament(["Ann", "Bob"])
    with pytest.raises(KeyError):
        t.record("Ann", "Zoe", 1, 1)


def test_table_has_a_line_per_player():
    t = Tournament(["Ann", "Bob"])
    t.record("Ann", "Bob", 1, 0)
    assert len(t.table().splitlines()) == 2
