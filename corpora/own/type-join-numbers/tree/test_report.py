import pytest

from report import cell, footer, row, table

COLUMNS = ["name", "count", "price"]


@pytest.mark.parametrize(("value", "text"), [(None, ""), (1.005, "1.00"), (3, "3"), ("a\tb", "a b")])
def test_cell(value, text):
    assert cell(value) == text


def test_row():
    assert row(["a", 1, None]) == "a\t1\t"


def test_table_of_one_row():
    assert table(COLUMNS, [["tea", 2, 4.5]]) == "name\tcount\tprice\ntea\t2\t4.50\n"


def test_empty_table():
    assert table(COLUMNS, []) == "name\tcount\tprice\n"


def test_footer():
    assert footer(COLUMNS, [["tea", 2, 4.5], ["cup", 1, 3.0]]) == "total\t3\t7.50"


def test_table_of_two_rows():
    text = table(COLUMNS, [["tea", 2, 4.5], ["cup", 1, None]])
    assert text.splitlines()[-1] == "total\t3\t4.50"
