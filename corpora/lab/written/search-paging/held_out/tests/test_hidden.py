import pytest

from finder import SearchIndex, page_numbers
from finder.paging import render_bar


@pytest.mark.parametrize(
    "current, total, expected",
    [
        (1, 0, []),
        (1, 1, [1]),
        (1, 2, [1, 2]),
        (1, 4, [1, 2, 3, 4]),
        (1, 5, [1, 2, 3, 4, 5]),
        (1, 6, [1, 2, 3, None, 6]),
        (1, 7, [1, 2, 3, None, 7]),
        (7, 7, [1, None, 5, 6, 7]),
        (4, 7, [1, 2, 3, 4, 5, 6, 7]),
        (3, 7, [1, 2, 3, 4, 5, 6, 7]),
        (5, 7, [1, 2, 3, 4, 5, 6, 7]),
        (5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (5, 10, [1, 2, 3, 4, 5, 6, 7, None, 10]),
        (6, 10, [1, None, 4, 5, 6, 7, 8, 9, 10]),
        (5, 20, [1, 2, 3, 4, 5, 6, 7, None, 20]),
        (6, 20, [1, None, 4, 5, 6, 7, 8, None, 20]),
        (16, 20, [1, None, 14, 15, 16, 17, 18, 19, 20]),
        (15, 20, [1, None, 13, 14, 15, 16, 17, None, 20]),
        (4, 20, [1, 2, 3, 4, 5, 6, None, 20]),
        (0, 10, [1, 2, 3, None, 10]),
        (-5, 10, [1, 2, 3, None, 10]),
        (99, 10, [1, None, 8, 9, 10]),
        (99, 5, [1, 2, 3, 4, 5]),
    ],
)
def test_numbers(current, total, expected):
    assert page_numbers(current, total) == expected


@pytest.mark.parametrize(
    "current, total, around, expected",
    [
        (3, 5, 0, [1, 2, 3, 4, 5]),
        (4, 7, 0, [1, None, 4, None, 7]),
        (4, 10, 1, [1, 2, 3, 4, 5, None, 10]),
        (7, 10, 1, [1, None, 6, 7, 8, 9, 10]),
        (5, 10, 1, [1, None, 4, 5, 6, None, 10]),
        (6, 12, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9, None, 12]),
        (50, 100, 1, [1, None, 49, 50, 51, None, 100]),
    ],
)
def test_around(current, total, around, expected):
    assert page_numbers(current, total, around) == expected


def test_properties():
    for total in range(1, 25):
        for current in range(1, total + 1):
            bar = page_numbers(current, total)
            numbers = [n for n in bar if n is not None]
            assert numbers == sorted(set(numbers))
            assert bar[0] == 1 and bar[-1] == total
            for i, entry in enumerate(bar):
                if entry is None:
                    assert bar[i + 1] - bar[i - 1] > 2
                elif i and bar[i - 1] is not None:
                    assert entry == bar[i - 1] + 1


def test_render_bar():
    assert render_bar(5, 20) == "1 2 3 4 [5] 6 7 .. 20"
    assert render_bar(16, 20) == "1 .. 14 15 [16] 17 18 19 20"


def test_search_page():
    index = SearchIndex()
    for i in range(95):
        index.add(i, "needle")
    assert index.search_page("needle", 7)[1] == [1, None, 5, 6, 7, 8, 9, 10]
    assert index.search_page("needle", 5)[1] == [1, 2, 3, 4, 5, 6, 7, None, 10]
    assert index.search_page("nothing")[1] == []
