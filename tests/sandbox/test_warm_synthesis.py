"""Values forced at places of a function and expressions that give them, on a warm server; and answers that lie."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes.bare import bare_target
from fakes.places import named

from analysis.facts import Limits, TestId
from analysis.synthesis import Forced, Settled, WantedValue
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer
from sandbox.warm_questions import forced_of, settled_of

LIB = """\
import os
import threading

LIMIT = 3


def first_long(words, size):
    best = None
    for word in words:
        if len(word) > size:
            best = word
    return best


def shown(user):
    if user.name.startswith("_"):
        return "hidden"
    return "visible"


class Shelf:
    def __init__(self, room):
        self.room, self.books = room, []

    def add(self, book):
        if book:
            self.books.append(book)
        return len(self.books)


def total(rows, start):
    found = sum(rows)
    return found


def merged(words, seen):
    for word in words:
        seen.append(word)
    return seen


def clean(lines, mark):
    for line in lines:
        if line:
            yield line


async def later(values, most):
    found = []
    for value in values:
        if value:
            found.append(value)
    return found


def depth(tree):
    if not tree:
        return 0
    return max(depth(branch) for branch in tree)


def waits(n, lock=threading.Lock()):
    while n > 0:
        n -= 1
        with lock:
            pass
    return 1


def swallows(n):
    while n != 7:
        try:
            n = n + 1 if n < 9 else n
        except BaseException:
            pass
        if n == 9:
            return 9
    return n


def leaves(n):
    if n > 1:
        os._exit(3)
    return n


def settled_early(n):
    if n > LIMIT:
        return n
    return -n


KEPT = settled_early(5)


def price(amount, bonus):
    total = amount * 3
    return total + bonus


def frame(text, width):
    return text[:width] + "|" + text[width:]


def climbs(low, high):
    while low < high:
        middle = (low + high) // 2
        if middle * middle < 30:
            low = middle
        else:
            high = middle
    return low
"""
TESTS = """\
import asyncio
from types import SimpleNamespace as User
import lib
from lib import *


def test_first_long(): assert first_long(["a", "bbb", "cccc", "dd"], 2) == "bbb"
def test_none_long(): assert first_long(["a", "b"], 2) is None
def test_one_long(): assert first_long(["a", "bcd"], 2) == "bcd"
def test_shown(): assert shown(User(name="_a")) == "hidden" and shown(User(name="b")) == "visible"
def test_nameless(): assert shown(User(name=None)) == "visible"
def test_shelf():
    shelf = Shelf(2)
    assert [shelf.add(book) for book in "abc"] == [1, 2, 2]
def test_shelf_again():
    shelf = Shelf(3)
    assert [shelf.add(book) for book in ("a", "", "b")] == [1, 1, 2]
def test_wide_shelf():
    shelf = Shelf(9)
    assert [shelf.add(book) for book in "abcd"] == [1, 2, 3, 4]
def test_total(): assert total([1, 2], 5) == 8
def test_total_again(): assert total([1, 2], 0) == 3 and total([4], 0) == 4
def test_merged(): assert merged(["a", "b", "a", "c"], []) == ["a", "b", "c"]
def test_merged_again(): assert merged(["a", "b"], ["d"]) == ["d", "a", "b"]
def test_clean(): assert list(clean(["a", "#b", "c"], "#")) == ["a", "c"]
def test_clean_again(): assert list(clean(["a", "", "c"], "#")) == ["a", "c"]
def test_later(): assert asyncio.run(later([1, 0, 2, 3], 2)) == [1, 2]
def test_later_again(): assert asyncio.run(later([5, 0, 6], 7)) == [5, 6]
def test_depth(): assert depth([[], [[]]]) == 2
def test_waits(): assert waits(2) == 2
def test_swallows(): assert swallows(3) == 6
def test_leaves(): assert leaves(0) == 1
def test_settled(): assert settled_early(3) == 3
def test_kept(): assert lib.KEPT == 5
def test_price(): assert price(-2, 1) == 0 and price(-1, 4) == 0
def test_price_again(): assert price(2, 1) == 7 and price(0, 5) == 5 and price(1, 0) == 3
def test_frame(): assert [frame("abcd", 3), frame("abcdef", 5)] == ["ab|cd", "abcd|ef"]
def test_climbs(): assert climbs(0, 9) == 6
"""


def project(root: Path) -> Path:
    (root / "lib.py").write_text(LIB)
    (root / "test_lib.py").write_text(TESTS)
    return root


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    root = project(tmp_path_factory.mktemp("values"))
    with LocalSandbox(bare_target(root)) as opened:
        yield opened


Serve = Callable[..., WarmServer]


@pytest.fixture
def served(sandbox: LocalSandbox) -> Iterator[Serve]:
    """Starts servers of tests, and closes them in the end."""
    with contextlib.ExitStack() as opened:

        def serve(*tests: str) -> WarmServer:
            names = [TestId(f"test_lib.py::{test}") for test in tests]
            session = sandbox.warm(names, limits=Limits(wall_seconds=60, test_seconds=20))
            assert isinstance(session, WarmServer), session
            return opened.enter_context(contextlib.closing(session))

        yield serve


def found(served: Serve, name: str, failing: str, *passing: str) -> dict[str, tuple[str, ...]]:
    """What the passing tests leave of what the failing one wants: place to expressions."""
    points = named(LIB, name, seconds=20.0)
    asked, server = points.ask, served(failing)
    forced = server.questions.force(asked)()
    assert forced.said == ""
    assert forced.runs > 0
    settling = served(*passing) if passing else server
    settled = settling.questions.settle(asked, forced.wanted, record=bool(passing))()
    assert settled.said == ""
    spots = points.spots
    return {
        spots[number].exit or asked.places[number].text + len(spots[number].sites[1:]) * " again": texts
        for number, texts in settled.found
    }


def test_a_condition_that_lacks_a_conjunct(served: Serve) -> None:
    answers = found(served, "first_long", "test_first_long", "test_none_long", "test_one_long")
    assert "len(word) > size and best is None" in answers["len(word) > size"]


def test_a_condition_that_cannot_be_evaluated(served: Serve) -> None:
    answers = found(served, "shown", "test_nameless", "test_shown")
    own = 'user.name.startswith("_")'
    assert f"user.name and {own}" in answers[own]


def test_a_condition_on_an_objects_state(served: Serve) -> None:
    answers = found(served, "Shelf.add", "test_shelf", "test_shelf_again", "test_wide_shelf")
    assert any("self.room" in text and "self.books" in text for text in answers["book"])


def test_a_statement_that_should_not_always_run(served: Serve) -> None:
    answers = found(served, "merged", "test_merged", "test_merged_again")
    assert "word not in seen" in answers["True"]


def test_a_value(served: Serve) -> None:
    answers = found(served, "total", "test_total", "test_total_again")
    assert "sum(rows) + start" in answers["sum(rows)"]
    assert "found + start" in answers["found"]


def test_an_exit_that_is_missing(served: Serve) -> None:
    answers = found(served, "price", "test_price", "test_price_again")
    assert "amount < 0" in answers["return 0"]


def test_one_value_in_several_places(served: Serve) -> None:
    answers = found(served, "frame", "test_frame")
    assert "width - 1" in answers["width again"]


def test_one_state_says_too_little_about_a_value(served: Serve) -> None:
    assert {*found(served, "total", "test_total").values()} <= {()}


@pytest.mark.parametrize(
    ("name", "failing", "passing", "own"),
    [("clean", "test_clean", "test_clean_again", "line"), ("later", "test_later", "test_later_again", "value")],
)
def test_generators_and_coroutines(served: Serve, name: str, failing: str, passing: str, own: str) -> None:
    assert found(served, name, failing, passing)[own]


def test_without_passing_tests_a_condition_still_has_to_tell_states_apart(served: Serve) -> None:
    answers = found(served, "first_long", "test_first_long")
    assert any("best" in text for text in answers["len(word) > size"])


@pytest.mark.parametrize("name", ["depth", "waits", "swallows", "leaves", "climbs"])
def test_what_recurses_hangs_or_ends_the_process_ends_in_nothing(served: Serve, name: str) -> None:
    server = served(f"test_{name}")
    asked = named(LIB, name, seconds=1.0).ask
    forced = server.questions.force(asked)()
    assert not forced.said or " the time let " in forced.said
    settled = server.questions.settle(asked, forced.wanted, record=False)()
    assert settled.said == ""
    server.bound(5.0)  # one of them never ends, and is given its time once more
    assert server.hindrance(asked.function) == ""  # it is still there


def test_one_server_of_failing_and_passing_tests_gives_what_two_of_them_give(served: Serve) -> None:
    points = named(LIB, "first_long", seconds=20.0)
    tests = ["test_first_long", "test_none_long", "test_one_long"]
    server, ask = served(*tests), replace(points.ask, only=(TestId("test_lib.py::test_first_long"),))
    forced = server.questions.force(ask)()
    settled = server.questions.settle(ask, forced.wanted, record=True)()
    answers = [texts for _, texts in settled.found]
    assert answers == [*found(served, "first_long", *tests).values()]
    assert any("len(word) > size and best is None" in texts for texts in answers)
    assert not server.questions.force(points.ask)().wanted, "the passing tests need no other value"


def test_the_same_question_has_the_same_answer(served: Serve) -> None:
    server, asked = served("test_total"), named(LIB, "total", seconds=20.0).ask
    first, second = [answer() for answer in (server.questions.force(asked), server.questions.force(asked))]
    assert first == second
    assert first.wanted


def shown(served: Serve, name: str, *failing: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """The texts of values that would mend: place to pairs, one for each failing test."""
    asked = named(LIB, name, seconds=20.0).ask
    forced = served(*failing).questions.force(asked)()
    return {asked.places[each.place].text: each.shown for each in forced.wanted}


def test_values_that_would_mend_have_texts(served: Serve) -> None:
    assert shown(served, "total", "test_total")["found"] == (("3", "8"),)
    assert shown(served, "first_long", "test_first_long")["len(word) > size"] == (("True", "False"),)


def test_a_value_that_could_not_be_evaluated_has_no_text(served: Serve) -> None:
    own = 'user.name.startswith("_")'
    assert shown(served, "shown", "test_nameless")[own] == (("", "False"),)


@pytest.mark.parametrize("told", [None, 7, "ab", [["a"]], [["a", 1]], [["a", "x" * 900]], [None], [["a", "b", "c"]]])
def test_texts_of_values_are_not_believed(told: object) -> None:
    line = {"place": 0, "wanted": "abc", "shown": told}
    assert forced_of(ASKED, "done", "", [line]).wanted == (WantedValue(0, "abc"),)


def test_a_question_that_is_cut_short_says_so(served: Serve) -> None:
    """That none of the values that were tried mends says nothing of the others."""
    forced = served("test_total").questions.force(named(LIB, "total", seconds=0.0).ask)()
    assert not forced.wanted
    assert f"the time let {forced.runs} be tried" in forced.said


def test_a_question_that_is_answered_does_not(served: Serve) -> None:
    forced = served("test_kept").questions.force(named(LIB, "frame", seconds=20.0).ask)()
    assert (forced.wanted, forced.said) == ((), "")


def test_what_cannot_be_swapped_is_said(served: Serve) -> None:
    server = served("test_settled")
    assert "needs a fresh import" in server.questions.force(named(LIB, "settled_early").ask)().said


ASKED = named(LIB, "total").ask
LIES: tuple[dict[str, Any], ...] = (
    {"place": 99, "wanted": "x"},
    {"place": "0", "wanted": "x"},
    {"place": 0, "wanted": 7},
    {"place": 0, "wanted": "x" * 900_000},
    {"place": 1},
    {"runs": "many"},
    {},
)


def test_answers_are_not_believed() -> None:
    assert forced_of(ASKED, "done", "", LIES) == Forced()
    good = {"place": 0, "wanted": "abc"}
    assert forced_of(ASKED, "done", "", [*LIES, good, {**good, "wanted": "other"}, {"runs": 3}]) == Forced(
        (WantedValue(0, "abc"),), 3
    )
    assert "the time let 30 be tried" in forced_of(ASKED, "done", "", [{"runs": 30, "cut": True}]).said
    assert forced_of(ASKED, "done", "", [good, {"runs": 30, "cut": True}]).said == ""
    assert forced_of(ASKED, "done", "", [{"runs": 30, "cut": "yes"}]).said == ""
    assert forced_of(ASKED, "timeout", "time is up", []).said == "it ended early: time is up"
    assert forced_of(ASKED, "done", "", [{"problem": "Boom"}]).said == "Boom"


def test_expressions_are_cut_and_counted() -> None:
    wanted = (WantedValue(0, "abc"),)
    lines: list[dict[str, Any]] = [
        {"place": 1, "found": ["a"]},
        {"place": 0, "found": "abc"},
        {"place": 0, "found": [7, None, "x" * 1000, *"abcdefghijkl"]},
    ]
    assert settled_of(wanted, "done", "", lines) == Settled(((0, tuple("abcdefgh")),))
    assert settled_of(wanted, "crashed", "signal 9", []).said == "it ended early: signal 9"
    assert settled_of(wanted, "done", "", [{"invalid": "no such text"}]).said == "no such text"
