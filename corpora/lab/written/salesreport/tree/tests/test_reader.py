import pytest

from salesreport.reader import BadFile, number, read_rows


def test_rows_are_stripped():
    assert read_rows("a , b\n 1, 2 \n\n3,4\n") == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_blank_rows_are_skipped():
    assert read_rows("a,b\n,\n1,\n") == [{"a": "1", "b": ""}]


def test_missing_column():
    with pytest.raises(BadFile, match="amount"):
        read_rows("a,b\n1,2\n", required=("a", "amount"))


def test_number():
    assert number("1,250.5") == 1250.5
    assert number(" ") is None
    with pytest.raises(BadFile):
        number("abc")
