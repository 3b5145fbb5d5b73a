import pytest

from league.bracket import first_round, qualified, seeds
from league.results import Match, parse_match
from league.table import Row, as_text, ranks, standings


def table(*lines, teams=()):
    return standings([parse_match(l) for l in lines], teams)


def test_parse():
    assert parse_match("Old Reds 2-10 Blues") == Match("Old Reds", "Blues", 2, 10)


@pytest.mark.parametrize("line", ["Reds Blues", "Reds 1-x Blues", "Reds 1-1 Reds"])
def test_parse_bad(line):
    with pytest.raises(ValueError):
        parse_match(line)


def test_points():
    rows = table("A 2-0 B", "B 1-1 C", "C 0-3 A")
    assert [(r.team, r.points) for r in rows] == [("A", 6), ("B", 1), ("C", 1)]


def test_difference_decides():
    rows = table("A 1-0 C", "B 3-0 D")
    assert [r.team for r in rows] == ["B", "A", "C", "D"]


def test_goals_decide():
    rows = table("A 1-1 C", "B 2-2 D")
    assert [r.team for r in rows] == ["B", "D", "A", "C"]


def test_team_without_match():
    (row,) = table(teams=["Z"])
    assert row.played == 0


def test_ranks_all_different():
    assert ranks(table("A 2-0 B", "A 3-0 C", "B 1-0 C")) == [(1, "A"), (2, "B"), (3, "C")]


def test_ranks_of_an_empty_table():
    assert ranks([]) == []


def test_level_at_the_end():
    rows = table("A 2-0 B", "A 2-0 C", "B 1-1 C")
    assert ranks(rows) == [(1, "A"), (2, "B"), (2, "C")]


def test_rank_after_level_teams():
    rows = table("A 2-0 D", "B 1-0 D", "C 1-0 D")
    assert ranks(rows) == [(1, "A"), (2, "B"), (2, "C"), (4, "D")]


def test_level_at_the_top():
    rows = table("A 1-0 C", "B 1-0 C")
    assert ranks(rows) == [(1, "A"), (1, "B"), (3, "C")]


def test_three_level_then_one():
    rows = [Row("A", won=1), Row("B", won=1), Row("C", won=1), Row("D")]
    assert ranks(rows) == [(1, "A"), (1, "B"), (1, "C"), (4, "D")]


def test_text():
    rows = table("A 2-0 B")
    assert as_text(rows).splitlines()[0].split() == ["1.", "A", "1", "+2", "3"]


def test_seeds():
    assert seeds(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    with pytest.raises(ValueError):
        seeds(6)


def test_byes():
    assert first_round(["a", "b", "c"]) == [("a", None), ("b", "c")]


def test_qualified():
    assert qualified([(1, "A"), (2, "B"), (3, "C")], 2) == ["A", "B"]
