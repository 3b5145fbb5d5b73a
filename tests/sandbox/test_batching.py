"""Quick tests share a fork among more trials; the share of failures that run again alone stays as it is."""

from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.request import PROBE

_PLACE = {"path": "lib.py", "qualname": "f", "first_line": 1}
_KIND = ["test_f", "failed", "call", "AssertionError", 3]


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe import batches  # noqa: PLC0415

    return batches


def batching(batches: Any, took: float) -> Any:
    sound = SimpleNamespace(batches=True, digests=False, took=took, odd=frozenset(), reason="")
    stats = dict.fromkeys(("batched", "spoilt"), 0)
    found = batches.Batching(sound, stats)
    found.single({**_PLACE, "id": 0}, [{"failed": "test_f", "kind": _KIND}])
    return found


@pytest.mark.parametrize(("took", "most"), [(0.001, 100), (0.2, 50)])
def test_slow_tests_get_smaller_batches(batches: Any, took: float, most: int) -> None:
    assert batching(batches, took).most() == most


@pytest.mark.parametrize(("size", "checks"), [(20, 1), (50, 1), (51, 2), (100, 2)])
def test_one_failure_of_each_fifty_is_checked(batches: Any, size: int, checks: int) -> None:
    tag = [{**_PLACE, "id": number} for number in range(size)]
    lines = [{"place": number, "failed": "test_f", "kind": _KIND} for number in range(size)]
    fork = SimpleNamespace(tag=tag, state="done", lines=[*lines, {"kept": True}])
    answers, again = batching(batches, 0.001).settle(fork)
    assert answers == []  # they wait for the checks
    assert len({request["id"] for request in again}) == len(again) == checks
