"""The tests' parameters are put back after each run, and nothing else is."""

from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture
def parameters_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.fork.parameters import Parameters  # noqa: PLC0415

    return lambda *given: Parameters(
        [SimpleNamespace(), SimpleNamespace(callspec=SimpleNamespace(params={"given": list(given)}))]
    )


class Odd:
    """Equal to everything, and counts how often it is asked."""

    asked = 0

    def __eq__(self, other: object) -> bool:
        Odd.asked += 1
        return True

    __hash__ = object.__hash__


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([1, 2], lambda v: v.pop()),
        ([1, 2], lambda v: v.reverse()),
        ([1, 2], lambda v: v.__setitem__(0, -1)),
        ({"a": 1, "b": 2}, lambda v: v.pop("a")),
        ({"a": 1}, lambda v: v.update(a=2)),
        ({1, 2}, lambda v: v.clear()),
        ([[1], {"a": [2]}], lambda v: v[1]["a"].append(3)),
        (([1],), lambda v: v[0].append(2)),
    ],
)
def test_what_a_test_changes_is_put_back(parameters_of: Any, value: Any, change: Any) -> None:
    before = repr(value)
    parameters = parameters_of(value)
    change(value)
    assert repr(value) != before
    parameters.restore()
    assert repr(value) == before


def test_the_very_objects_come_back_and_none_is_compared(parameters_of: Any) -> None:
    first, second = Odd(), Odd()
    given = [first]
    parameters = parameters_of(given)
    given[0] = second
    parameters.restore()
    assert given[0] is first
    assert Odd.asked == 0


def test_a_list_that_holds_itself_is_kept_once(parameters_of: Any) -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    parameters = parameters_of(ring)
    ring.clear()
    parameters.restore()
    assert ring[0] == 1
    assert ring[1] is ring


def test_too_much_is_left_alone(parameters_of: Any) -> None:
    large = list(range(3000))
    parameters = parameters_of(large)
    large.pop()
    parameters.restore()
    assert len(large) == 2999
