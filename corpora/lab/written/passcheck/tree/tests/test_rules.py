import pytest

from passcheck.rules import (
    character_classes,
    longest_run,
    longest_sequence,
    strength,
)


@pytest.mark.parametrize(
    "password, kinds",
    [
        ("", set()),
        ("abc", {"lower"}),
        ("aB1-", {"lower", "upper", "digit", "other"}),
    ],
)
def test_character_classes(password, kinds):
    assert character_classes(password) == kinds


@pytest.mark.parametrize(
    "password, length", [("", 0), ("a", 1), ("aabbba", 3), ("abab", 1), ("xx", 2)]
)
def test_longest_run(password, length):
    assert longest_run(password) == length


def test_sequence_of_nothing():
    assert longest_sequence("") == 0


def test_sequence_without_neighbours():
    assert longest_sequence("mzk8") == 1


def test_sequence_up():
    assert longest_sequence("xabcd9") == 4


def test_sequence_down():
    assert longest_sequence("z321!") == 3


def test_sequence_ignores_case():
    assert longest_sequence("aBcDe") == 5


def test_sequence_in_one_direction():
    assert longest_sequence("abcba") == 3


def test_zigzag_is_no_sequence():
    assert longest_sequence("ababab") == 2


def test_signs_form_no_sequence():
    assert longest_sequence("()*+,") == 1


def test_two_sequences():
    assert longest_sequence("ab-54321") == 5


def test_short_then_long_sequence_up():
    assert longest_sequence("123xabcdef") == 6


def test_strength():
    assert strength("abc") == "weak"
    assert strength("Mzk8-qtw-Lp4!") == "strong"
