"""Where two values part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.records.first_difference import differences, first_difference


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ("abc", "abd", "at byte 3 (line 1, column 3): 'd', and it was 'c'"),
        (b"a\nb\nc", b"a\nb\nd", "at byte 5 (line 3, column 1): 'd', and it was 'c'"),
        ("a\nb", "a\nbc", "at byte 4 (line 2, column 2): 'c', and it was the end"),
        ("", "x", "at byte 1 (line 1, column 1): 'x', and it was the end"),
        ("ä1", "ä2", "at byte 3 (line 1, column 3): '2', and it was '1'"),
        (b"\xff", b"\xfe", r"at byte 1 (line 1, column 1): '\\xfe', and it was '\\xff'"),
        ("a\udcff", "b", r"at byte 1 (line 1, column 1): 'b', and it was 'a\\xed\\xb3\\xbf'"),
        ("same", "same", ""),
    ],
)
def test_the_place_is_named_with_both_texts(then, now, said):
    assert first_difference(then, now) == said


def test_long_texts_are_shown_from_where_they_part():
    said = first_difference("x" * 100 + "a" * 100, "x" * 100 + "b" * 100)
    assert "at byte 101" in said
    assert len(said) < 180


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_something_is_said_if_and_only_if_the_bytes_differ(then, now):
    assert bool(first_difference(then, now)) == (then != now)


def test_values_are_compared_place_by_place():
    then = {"a": [1, {"b": "x\ny"}], "c": True, "gone": None, "d": [1]}
    now = {"a": [1, {"b": "x\nz"}], "c": False, "new": 5, "d": [1, 2]}
    assert list(differences(then, now)) == [
        "a[1].b differs at byte 3 (line 2, column 1): 'z', and it was 'y'",
        "c is False, and it was True",
        "d is [1, 2], and it was [1]",
        "new is 5, and it was None",
    ]
    assert list(differences(then, then)) == []
