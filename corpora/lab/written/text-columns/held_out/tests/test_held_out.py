import pytest

from textcols import columns, shape


def used(cols, longest, gap):
    return cols * longest + (cols - 1) * gap


def meant(count, longest, width, gap):
    fit = 1
    while used(fit + 1, longest, gap) <= width:
        fit += 1
        if fit > count:
            break
    rows = -(-count // fit)
    return rows, -(-count // rows)


@pytest.mark.parametrize("gap", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("longest", [1, 2, 5, 9])
def test_all_widths(longest, gap):
    for count in (1, 2, 3, 5, 8, 13, 30):
        items = ["x" * longest] * count
        for width in range(1, 70):
            assert shape(items, width, gap) == meant(count, longest, width, gap)


def test_longest_item_decides():
    assert shape(["a", "bb", "ccccc"], 12, 2) == (2, 2)
    assert shape(["ccccc", "bb", "a"], 12, 2) == (2, 2)
    assert shape(["a", "ccccc", "a"], 19, 2) == (1, 3)
    assert shape(["a", "ccccc", "a"], 18, 2) == (2, 2)


def test_many_columns_exact():
    assert shape(["xxx"] * 16, 78, 2) == (1, 16)
    assert shape(["xxx"] * 16, 77, 2) == (2, 8)
    assert shape(["xxx"] * 20, 98, 2) == (1, 20)
    assert shape(["xxx"] * 20, 97, 2) == (2, 10)


def test_default_gap():
    assert shape(["abc"] * 2, 8) == (1, 2)
    assert shape(["abc"] * 2, 7) == (2, 1)


def test_empty_and_blank_items():
    assert shape([], 0) == (0, 0)
    assert shape([], 10, 0) == (0, 0)
    assert shape([""], 10) == (1, 1)


def test_width_below_everything():
    assert shape(["abc"] * 3, 1) == (3, 1)
    assert shape(["abc"] * 3, 0) == (3, 1)


def test_columns_exact_line():
    assert columns(["aa", "bb", "cc", "dd"], 14) == "aa  bb  cc  dd"
    assert columns(["aa", "bb", "cc", "dd"], 13) == "aa  cc\nbb  dd"


def test_columns_wide_gap():
    assert columns(["aa", "bb"], 10, 6) == "aa      bb"


def test_items_are_left_alone():
    items = ["b", "a"]
    shape(items, 10)
    assert items == ["b", "a"]
