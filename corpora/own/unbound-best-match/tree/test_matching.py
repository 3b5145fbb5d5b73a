import pytest

from matching import closest, distance, suggestion

WORDS = ["status", "commit", "branch", "stash"]


@pytest.mark.parametrize(("one", "other", "expected"), [
    ("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("same", "same", 0),
])
def test_distance(one, other, expected):
    assert distance(one, other) == expected


@pytest.mark.parametrize(("word", "expected"), [("comit", "commit"), ("stats", "status"), ("stah", "stash")])
def test_closest(word, expected):
    assert closest(word, WORDS) == expected


def test_nothing_is_close():
    assert closest("push", ["commit", "branch"]) is None


def test_nothing_is_known():
    assert closest("push", []) is None


def test_suggestion():
    assert suggestion("brench", WORDS) == "unknown word 'brench', did you mean 'branch'?"


def test_no_suggestion():
    assert suggestion("xylophone", WORDS) == "unknown word 'xylophone'"
