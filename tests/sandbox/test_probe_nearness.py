"""Ordinary values: those that nothing in a function sets apart from their neighbours."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def nearness() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.compare import nearness as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


LIMIT, NAMES = 500, {"left": 1}


def subject(x: Any, unit: str = "px") -> Any:
    return x in NAMES or x > LIMIT or x in ("up", 20)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((value, False) for value in (None, True, 0, 0.0, "", b"", [], {}, ())),
        *((value, False) for value in (500, 499, 501, 20, 21, "left", "up", "px")),
        *((value, True) for value in (7, -3, 2.5, 502, "down", b"x", [1], (0,), {"a": 1}, object())),
        (int, False),
        (sys, False),
    ],
)
def test_ordinary(nearness: Any, value: object, expected: bool) -> None:
    ordinary = nearness.Ordinary([subject.__code__], subject.__globals__, subject.__defaults__)
    assert ordinary(value) is expected
