import io

import pytest

from textcols import columns, shape, wrap
from textcols.cli import main
from textcols.wrap import shorten


@pytest.mark.parametrize(
    "count, length, width, gap, expected",
    [
        (3, 2, 10, 2, (1, 3)),    # 2+2+2+2+2 fills the line exactly
        (3, 2, 9, 2, (2, 2)),
        (3, 2, 11, 2, (1, 3)),
        (4, 3, 8, 2, (2, 2)),     # exact again
        (4, 3, 7, 2, (4, 1)),
        (4, 3, 12, 2, (2, 2)),
        (4, 3, 13, 2, (2, 2)),
        (4, 5, 23, 1, (1, 4)),
        (4, 5, 22, 1, (2, 2)),
        (6, 1, 6, 0, (1, 6)),
        (6, 1, 3, 0, (2, 3)),
        (2, 4, 13, 5, (1, 2)),
        (2, 4, 12, 5, (2, 1)),
    ],
)
def test_shape(count, length, width, gap, expected):
    assert shape(["x" * length] * count, width, gap) == expected


def test_shape_of_nothing():
    assert shape([], 80) == (0, 0)


def test_shape_too_narrow():
    assert shape(["abcdef", "b"], 3) == (2, 1)


def test_shape_single():
    assert shape(["abcdef"], 80) == (1, 1)


def test_shape_drops_unneeded_columns():
    # four would fit, but five items in two rows need only three
    assert shape(list("abcde"), 11) == (2, 3)


def test_columns_fill_downwards():
    assert columns(list("abcde"), 7) == "a  c  e\nb  d"


def test_columns_pad_to_the_longest():
    assert columns(["a", "bbb", "cc"], 8, 2) == "a    cc\nbbb"


def test_columns_one_row():
    assert columns(["aa", "b"], 80) == "aa  b"


def test_columns_empty():
    assert columns([]) == ""


def test_no_line_is_too_wide():
    items = [f"item{i}" for i in range(40)]
    for width in range(6, 60):
        assert all(len(line) <= width for line in columns(items, width).splitlines())


def test_wrap():
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]
    assert wrap("  ", 5) == []


def test_shorten():
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abc..."
    assert shorten("abcdefg", 2) == ".."


def test_cli():
    out = io.StringIO()
    assert main(["-w", "5"], io.StringIO("a\n\nb\nc\n"), out) == 0
    assert out.getvalue() == "a  c\nb\n"
