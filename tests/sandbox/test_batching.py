"""Quick tests share a fork among more trials; the share of failures that run again alone stays as it is.

What fails in a lane that was made ready is not believed more easily.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.request import PROBE

_PLACE = {"path": "lib.py", "qualname": "f", "first_line": 1}
_KIND = ["test_f", "failed", "call", "AssertionError", 3]


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.serve import batches  # noqa: PLC0415

    return batches


def batching(batches: Any, took: float) -> Any:
    sound = SimpleNamespace(batches=True, digests=False, took=took, odd=frozenset(), reason="")
    stats = dict.fromkeys(("batched", "spoilt"), 0)
    found = batches.Batching(sound, stats)
    found.settle_single({**_PLACE, "id": 0}, "done", [{"failed": "test_f", "kind": _KIND}])
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


_FAILED = ("done", [{"failed": "test_f", "kind": _KIND}])
_NEW = ("done", [{"failed": "test_f", "kind": ["test_f", "failed", "call", "KeyError", 3]}])
_HANGS, _CRASHES, _PASSES = ("timeout", []), ("crashed", []), ("done", [{"passed": 1}])


@pytest.mark.parametrize(
    ("ended", "doubted"), [(_FAILED, False), (_NEW, True), (_HANGS, True), (_CRASHES, True), (_PASSES, False)]
)
def test_a_kind_of_failure_that_only_a_ready_lane_has_shown_is_doubted(batches: Any, ended: Any, doubted: bool) -> None:
    found, request = batching(batches, 0.001), {**_PLACE, "id": 1}
    assert found.doubts(request, *ended) is doubted
    if doubted:  # and believed once a plain fork has shown it
        found.settle_single(request, *ended)
        assert found.ready
        assert not found.doubts({**_PLACE, "id": 2}, *ended)


@pytest.mark.parametrize("ended", [_NEW, _PASSES])
def test_a_hang_that_a_plain_fork_does_not_show_ends_what_is_done_ahead(batches: Any, ended: Any) -> None:
    found, request = batching(batches, 0.001), {**_PLACE, "id": 1}
    assert found.doubts(request, *_HANGS)
    assert found.settle_single(request, *ended)[0] == [(request, ended[1])]
    assert not found.ready
    assert found.doubts({**_PLACE, "id": 2}, *_FAILED)
