import pytest

from policy.accounts import Accounts, PolicyError
from policy.checks import find_sequence
from policy.policy import STRICT, Policy


@pytest.mark.parametrize(
    "password, expected",
    [
        ("21234", "1234"),
        ("34321", "4321"),
        ("dcdefg", "cdef"),
        ("efedcb", "fedc"),
        ("1234", "1234"),
        ("4321", "4321"),
        ("x12321234", "1234"),
        ("aBcD", "aBcD"),
        ("xxDcBa", "DcBa"),
        ("bABCD", "ABCD"),
        ("12345", "1234"),
        ("wxyz", "wxyz"),
        ("6789", "6789"),
        ("abcd4321", "abcd"),
        ("7abcd", "abcd"),
    ],
)
def test_found(password, expected):
    assert find_sequence(password) == expected


@pytest.mark.parametrize(
    "password",
    [
        "",
        "a",
        "123",
        "1212",
        "12121212",
        "12321",
        "21210",
        "12123",
        "aaaa",
        "aabbccdd",
        "aabc",
        "x-7789",
        "/012",
        ":987",
        "xyz{",
        "`abc",
        "ba`abc",
        "890",
        "78901",
        "acegi",
        "5abc",
        "x321x",
        "ab-cd",
        "12 34",
        "!\"#$%",
        "9xyz",
        "@ABC",
    ],
)
def test_not_found(password):
    assert find_sequence(password) is None


@pytest.mark.parametrize(
    "password, length, expected",
    [
        ("121", 3, None),
        ("2123", 3, "123"),
        ("3432", 3, "432"),
        ("4345678", 5, "34567"),
        ("432345", 5, None),
        ("xab", 2, "ab"),
        ("aba", 2, "ab"),
    ],
)
def test_length(password, length, expected):
    assert find_sequence(password, length) == expected


def test_policy_sees_down_turn():
    assert Policy().problems("Tea!07-cdcba!") == ["contains the sequence dcba"]


def test_strict():
    assert "contains the sequence 321" in STRICT.problems("Horse-tea!2321")
    assert STRICT.accepts("Horse-tea!2121")


def test_accounts_refuse_and_keep():
    accounts = Accounts()
    accounts.set_password("anna", "gr8-Horse!tea")
    with pytest.raises(PolicyError):
        accounts.set_password("anna", "gr8-Horse!21234")
    assert accounts.check("anna", "gr8-Horse!tea")
