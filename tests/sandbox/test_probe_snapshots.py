"""What is in scope at a place: plain copies that later runs cannot change, and no code of the target run."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def snapshots() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import snapshots as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


class Hostile:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("looked at")

    __bool__ = __eq__ = __len__ = __getattribute__  # type: ignore[assignment] # whoever asks is told


class Slotted:
    __slots__ = ("left", "right")


class Account:
    rate = 3

    def __init__(self) -> None:
        self.balance, self.owner = 20, None

    @property
    def worth(self) -> int:
        raise RuntimeError("a property was run")


@pytest.mark.parametrize("value", [None, True, 7, 2.5, "text", b"x", [1, [2]], (1, "a"), {"a": {1, 2}}, frozenset("a")])
def test_plain_values_are_copied_and_travel(snapshots: Any, value: object) -> None:
    copy = snapshots.copy_plain(value)
    assert copy == value
    assert type(copy) is type(value)
    assert snapshots.unpack_values(snapshots.pack_values({"v": copy})) == {"v": value}


def test_a_copy_does_not_change_with_the_value(snapshots: Any) -> None:
    held = [[1], {"a": 2}]
    copy = snapshots.copy_plain(held)
    held[0].append(9)
    held[1]["b"] = 3
    assert copy == [[1], {"a": 2}]


@pytest.mark.parametrize("value", [object(), "x" * 10_000, 1 << 5000, list(range(1000)), open, SimpleNamespace])
def test_others_are_equal_to_themselves_alone(snapshots: Any, value: object) -> None:
    one, other = snapshots.copy_plain(value), snapshots.copy_plain(object())
    assert isinstance(one, snapshots.Opaque)
    assert one == snapshots.copy_plain(value) != other
    first, second, third, missing = snapshots.unpack_values(snapshots.pack_values([one, other, one, snapshots.MISSING]))
    assert first == third != second
    assert (first.kind, missing) == (one.kind, snapshots.MISSING)


def test_a_hostile_object_is_not_asked(snapshots: Any) -> None:
    held = Hostile()
    assert isinstance(snapshots.copy_plain([held])[0], snapshots.Opaque)
    assert snapshots.copy_plain(held) == snapshots.copy_plain(held)
    assert snapshots.field_of(held, "x") is snapshots.MISSING


def test_what_looks_equal_and_is_not(snapshots: Any) -> None:
    assert len({snapshots.key(value) for value in (1, 1.0, True, "1", [1], (1,))}) == 6
    assert snapshots.key(float("nan")) == snapshots.key(float("nan"))
    assert snapshots.key({"a": 1, "b": 2}) != snapshots.key({"b": 2, "a": 1})


def test_fields_are_read_where_they_are_kept(snapshots: Any) -> None:
    account, pair = Account(), Slotted()
    pair.left = 4
    assert snapshots.field_of(account, "balance") == 20
    assert snapshots.field_of(account, "rate") == 3
    assert snapshots.field_of(pair, "left") == 4
    for thing, name in ((account, "worth"), (pair, "right"), (account, "missing"), (3, "real")):
        assert snapshots.field_of(thing, name) is snapshots.MISSING


def test_a_snapshot_holds_what_is_in_scope(snapshots: Any) -> None:
    def inner(account: Account, words: list[str]) -> Any:
        size = len(words)
        found = [snapshots.snapshot(sys._getframe(), code, ("account.rate", "PROBE", "nowhere.x")) for _ in range(size)]
        return found[0]

    code = inner.__code__
    state = inner(Account(), ["a"])
    assert {k: state[k] for k in ("words", "size", "account.balance", "account.owner", "account.rate")} == {
        "words": ["a"],
        "size": 1,
        "account.balance": 20,
        "account.owner": None,
        "account.rate": 3,
    }
    assert "PROBE" in state
    assert "nowhere.x" not in state


@pytest.mark.parametrize("text", ["", "!", "AAAA", "c29tZXRoaW5n"])
def test_what_was_not_packed_is_refused(snapshots: Any, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 # marshal words it in many ways
        snapshots.unpack_values(text)
