"""Expressions over recorded states: the smallest that say what is asked, and nothing that is worked out twice."""

import sys
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def bottom_up() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.synthesis import bottom_up as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


CELLS = 60_000
States = Sequence[dict[str, Any]]


def filled(
    bottom_up: Any, states: States, own: str, *, decides: bool, literals: Sequence[Any] = (), cells: int = CELLS
) -> Any:
    def now(state: dict[str, Any]) -> Any:
        try:
            return eval(own, {}, dict(state))
        except (TypeError, KeyError, AttributeError):
            return bottom_up.MISSING

    bank = bottom_up.Bank(states, decides, cells, SimpleNamespace(is_over=False))
    level = 9 if own.isidentifier() else 4
    bank.fill([*states[0]], [(repr(v), v) for v in literals], bottom_up.Column(own, list(map(now, states)), 0.5, level))
    return bank


def conditions(
    bottom_up: Any, states: States, own: str, wanted: Callable[..., bool], literals: Sequence[Any] = ()
) -> list[str]:
    mask = sum(bool(wanted(**state)) << place for place, state in enumerate(states))
    bank = filled(bottom_up, states, own, decides=True, literals=literals)
    return [c.text for c in bottom_up.Truths(bank, own).nearest_matching(lambda m: m == mask, 4)]


WORDS = [{"word": w, "size": 2, "best": b} for w, b in (("bbb", None), ("cccc", "bbb"), ("a", None), ("dd", "bbb"))]
PAGES = [{"page": p, "last": 9, "shown": s} for p, s in ((1, 1), (9, 8), (3, 4), (9, 9), (4, 4), (5, 4), (9, 6))]
NAMES = [{"name": n, "prefix": "get_"} for n in (None, "get_x", "set_x", "", "getter")]


def test_a_conjunct_is_found(bottom_up: Any) -> None:
    found = conditions(bottom_up, WORDS, "len(word) > size", lambda word, size, best: len(word) > size and best is None)
    assert "len(word) > size and best is None" in found


def test_two_comparisons_are_joined(bottom_up: Any) -> None:
    found = conditions(bottom_up, PAGES, "page > last", lambda page, last, shown: page == last and shown < page)
    assert {"page == last and page > shown", "page >= last and page > shown"} & {*found}


def test_what_cannot_be_asked_of_none_is_guarded(bottom_up: Any) -> None:
    found = conditions(bottom_up, NAMES, "name", lambda name, prefix: bool(name) and name.startswith(prefix))
    assert "name and name.startswith(prefix)" in found


def test_conditions_that_say_one_thing_everywhere_are_none(bottom_up: Any) -> None:
    assert conditions(bottom_up, WORDS, "len(word) > size", lambda **_: True, [0, 1]) == []


@pytest.mark.parametrize(
    ("states", "own", "wanted", "expected"),
    [
        ([{"items": [1, 2, 3], "k": 1}, {"items": [5, 6], "k": 0}], "k", lambda items, k: items[k], "items[k]"),
        ([{"text": " a "}, {"text": "b  "}], "text", lambda text: text.strip(), "text.strip()"),
        ([{"rows": [1, 2], "n": 7}, {"rows": [], "n": 3}], "n", lambda rows, n: n - len(rows), "n - len(rows)"),
        ([{"low": 2, "high": 9}, {"low": 4, "high": 5}], "high", lambda low, high: high + 1, "high + 1"),
    ],
)
def test_values(bottom_up: Any, states: States, own: str, wanted: Callable[..., Any], expected: str) -> None:
    bank = filled(bottom_up, states, own, decides=False)
    asked = [wanted(**state) for state in states]
    assert expected in [c.text for c in bottom_up.matching_values(bank, lambda values: list(values) == asked, own, 4)]


def test_a_literal_is_no_answer_but_may_be_part_of_one(bottom_up: Any) -> None:
    states = [{"n": 3}, {"n": 8}]
    bank = filled(bottom_up, states, "n", decides=False, literals=[42, 45])
    assert bottom_up.matching_values(bank, lambda values: values == [42, 42], "n", 4) == []
    assert bottom_up.matching_values(bank, lambda values: values == [45, 50], "n", 4)[0].text == "n + 42"


def test_one_expression_for_each_vector(bottom_up: Any) -> None:
    bank = filled(bottom_up, [{"a": 3, "b": 3}, {"a": 5, "b": 5}], "a", decides=False)
    vectors = [tuple(map(repr, column.values)) for column in bank.columns]
    assert len(vectors) == len(set(vectors))
    assert "b" not in [column.text for column in bank.columns]
    assert "b" in [other.text for column in bank.columns for other in column.others]


def test_the_work_is_bounded_by_count(bottom_up: Any) -> None:
    states = [{f"v{n}": n * place for n in range(20)} for place in range(1, 30)]
    small, large = (len(filled(bottom_up, states, "v0", decides=False, cells=cells).columns) for cells in (300, CELLS))
    assert small < large < CELLS / 29


def test_operations_that_fail_have_no_value(bottom_up: Any) -> None:
    states = [{"a": 1, "b": 0, "t": "x"}, {"a": 2, "b": 0, "t": "1"}]
    for column in filled(bottom_up, states, "a", decides=False).columns:
        assert "/ b" not in column.text
        assert "t + a" not in column.text
