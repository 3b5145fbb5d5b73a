import pytest

from query import first, parse_query, unescape


@pytest.mark.parametrize(("text", "expected"), [("a+b", "a b"), ("%41", "A"), ("100%25", "100%"), ("", "")])
def test_unescape(text, expected):
    assert unescape(text) == expected


def test_pairs():
    assert parse_query("?a=1&b=two+words") == {"a": ["1"], "b": ["two words"]}


def test_repeated_names():
    assert parse_query("a=1&a=2&&") == {"a": ["1", "2"]}


def test_value_with_a_separator():
    assert parse_query("q=a=b") == {"q": ["a=b"]}


def test_name_alone():
    assert parse_query("debug&x=1") == {"debug": [""], "x": ["1"]}


def test_first():
    query = {"a": ["1", "2"], "b": []}
    assert first(query, "a") == "1"
    assert first(query, "b", "none") == "none"
