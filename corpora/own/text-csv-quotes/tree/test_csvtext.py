import pytest

from csvtext import field, record, split


@pytest.mark.parametrize(("text", "expected"), [("a", "a"), ("a,b", '"a,b"'), ('say "x"', '"say ""x"""'), (" a", '" a"')])
def test_field(text, expected):
    assert field(text) == expected


def test_record():
    assert record([1, None, "a,b"]) == '1,,"a,b"'


@pytest.mark.parametrize(("line", "expected"), [("", [""]), ("a,b", ["a", "b"]), ('"a,b",c', ["a,b", "c"]), (",", ["", ""])])
def test_split(line, expected):
    assert split(line) == expected


def test_split_doubled_quotes():
    assert split('"say ""x""",y') == ['say "x"', "y"]


def test_round_trip():
    values = ['he said "no, thanks"', "plain", ""]
    assert split(record(values)) == values
