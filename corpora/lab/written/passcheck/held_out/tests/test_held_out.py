import pytest

from passcheck import Policy
from passcheck.rules import longest_sequence, strength


@pytest.mark.parametrize(
    "password, length",
    [
        ("", 0),
        ("a", 1),
        ("ab", 2),
        ("ba", 2),
        ("aa", 1),
        ("abc", 3),
        ("cba", 3),
        ("fedcba", 6),
        ("ab-cba", 3),
        ("cb-abc", 3),
        ("abcba", 3),
        ("bcdcba", 4),
        ("xyzyxwv", 5),
        ("32345", 4),
        ("ababcd", 4),
        ("12-21-12", 2),
        ("ab9876", 4),
        ("ab-9876-xyz", 4),
        ("/012", 3),
        ("@abc", 3),
        ("`abc", 3),
        ("89:;", 2),
        ("yz{|", 2),
        ("FeDc", 4),
        ("9abc", 3),
        ("135", 1),
    ],
)
def test_longest_sequence(password, length):
    assert longest_sequence(password) == length


def test_policy_sees_the_turn():
    found = [v.code for v in Policy().check("Kw-cdcba-8")]
    assert found == ["sequence"]


def test_policy_allows_three():
    assert Policy().accepts("Kw-dcb-8Tq")


def test_strength_loses_a_point():
    assert strength("Kz-ab-dcba,,") == "fair"
