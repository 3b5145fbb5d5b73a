import pytest

from expenses.group import Group
from expenses.split import split_evenly

NAMES = ["ann", "bob", "cid", "dot", "eve", "fay", "gus"]


@pytest.mark.parametrize(
    "cents, n, expected",
    [
        (0, 3, [0, 0, 0]),
        (1, 3, [1, 0, 0]),
        (2, 3, [1, 1, 0]),
        (3, 3, [1, 1, 1]),
        (100, 1, [100]),
        (100, 3, [34, 33, 33]),
        (200, 3, [67, 67, 66]),
        (5, 2, [3, 2]),
        (7, 2, [4, 3]),
        (1000, 6, [167, 167, 167, 167, 166, 166]),
        (1003, 4, [251, 251, 251, 250]),
        (6, 7, [1, 1, 1, 1, 1, 1, 0]),
        (1000, 7, [143, 143, 143, 143, 143, 143, 142]),
    ],
)
def test_shares(cents, n, expected):
    assert list(split_evenly(cents, NAMES[:n]).values()) == expected


def test_first_named_not_first_in_the_alphabet():
    assert split_evenly(101, ["zoe", "ann"]) == {"zoe": 51, "ann": 50}


@pytest.mark.parametrize("cents", [-1, -100, -200, -1000, -1001, -7])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_refunds(cents, n):
    shares = split_evenly(cents, NAMES[:n])
    assert sum(shares.values()) == cents
    assert max(shares.values()) - min(shares.values()) <= 1


def test_nobody():
    with pytest.raises(ValueError):
        split_evenly(100, [])


def test_large_amounts():
    cents = 10**18 + 1
    assert sum(split_evenly(cents, NAMES[:3]).values()) == cents


def test_balances_add_up_to_nothing():
    group = Group(*NAMES)
    for cents in (100, 999, 1234, -55):
        group.add("ann", cents)
    assert sum(group.balances.values()) == 0


def test_people_are_not_changed():
    people = NAMES[:3]
    split_evenly(100, people)
    assert people == ["ann", "bob", "cid"]
