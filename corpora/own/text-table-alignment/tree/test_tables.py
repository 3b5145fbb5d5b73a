import pytest

from tables import is_number, line, table, widths


def test_widths():
    assert widths([["a", "bb"], ["ccc", ""]]) == [3, 2]


@pytest.mark.parametrize(("text", "expected"), [("12", True), ("-1.5", True), ("", False), ("1.2.3", False), ("x", False)])
def test_is_number(text, expected):
    assert is_number(text) is expected


def test_full_cells():
    assert line(["ab", "cd"], [2, 2], [False, True]) == "ab  cd"


def test_text_is_aligned_to_the_left():
    assert line(["a", "b"], [3, 1], [False, False]) == "a    b"


def test_numbers_are_aligned_to_the_right():
    assert line(["7", "x"], [3, 1], [True, False]) == "  7  x"


def test_table():
    text = table(["name", "count"], [["tea", "12"], ["cups", "3"]])
    assert text == "name  count\n----  -----\ntea      12\ncups      3"


def test_table_without_rows():
    assert table(["a", "b"], []) == "a  b\n-  -"
