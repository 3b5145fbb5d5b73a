import copy

import pytest

from league.bracket import qualified
from league.table import Row, as_text, ranks


def rows_of(*keys):
    """Rows from (won, scored, conceded)."""
    return [Row(chr(65 + i), won=w, scored=s, conceded=c) for i, (w, s, c) in enumerate(keys)]


W = [(n, 10, 10) for n in range(10)]


@pytest.mark.parametrize("wins, expected", [
    ([], []),
    ([3], [1]),
    ([3, 2, 1], [1, 2, 3]),
    ([3, 3], [1, 1]),
    ([3, 3, 3, 3], [1, 1, 1, 1]),
    ([3, 2, 2], [1, 2, 2]),
    ([3, 2, 2, 1], [1, 2, 2, 4]),
    ([3, 3, 2], [1, 1, 3]),
    ([3, 3, 2, 2], [1, 1, 3, 3]),
    ([3, 3, 2, 2, 1], [1, 1, 3, 3, 5]),
    ([3, 3, 3, 2, 2, 1, 0], [1, 1, 1, 4, 4, 6, 7]),
    ([5, 4, 4, 4, 3, 2, 2, 1], [1, 2, 2, 2, 5, 6, 6, 8]),
    ([5, 4, 3, 3, 2, 1, 1, 0], [1, 2, 3, 3, 5, 6, 6, 8]),
    ([5, 5, 4, 3, 3, 3, 2, 1], [1, 1, 3, 4, 4, 4, 7, 8]),
    ([5, 5, 5, 5, 5, 4, 4, 3, 2], [1, 1, 1, 1, 1, 6, 6, 8, 9]),
])
def test_by_points(wins, expected):
    rows = rows_of(*(W[n] for n in wins))
    before = copy.deepcopy(rows)
    assert ranks(rows) == [(r, row.team) for r, row in zip(expected, rows)]
    assert rows == before


@pytest.mark.parametrize("keys, expected", [
    ([(1, 3, 0), (1, 2, 0), (0, 0, 5)], [1, 2, 3]),
    ([(1, 3, 2), (1, 2, 1), (0, 0, 5)], [1, 2, 3]),
    ([(1, 3, 2), (1, 3, 2), (1, 2, 1), (0, 0, 1)], [1, 1, 3, 4]),
    ([(1, 3, 2), (1, 2, 1), (1, 2, 1), (0, 0, 1)], [1, 2, 2, 4]),
    ([(1, 4, 0), (1, 3, 0), (1, 3, 0), (1, 3, 1), (0, 1, 5)], [1, 2, 2, 4, 5]),
])
def test_by_goals(keys, expected):
    assert [r for r, _ in ranks(rows_of(*keys))] == expected


def test_wins_and_draws_of_the_same_points_are_level():
    rows = [Row("A", won=1, lost=2), Row("B", drawn=3), Row("C", lost=3)]
    assert ranks(rows) == [(1, "A"), (1, "B"), (3, "C")]


def test_places():
    rows = rows_of(*(W[n] for n in [3, 3, 2, 1]))
    assert qualified(ranks(rows), 2) == ["A", "B"]
    assert qualified(ranks(rows), 3) == ["A", "B", "C"]


def test_text():
    rows = rows_of(*(W[n] for n in [3, 3, 2]))
    assert [l.split()[0] for l in as_text(rows).splitlines()] == ["1.", "1.", "3."]
