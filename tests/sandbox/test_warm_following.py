"""Courses of calls on a warm server: the failing call, the nearest passing one, and servers that lie."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes.bare import bare_target

from analysis.courses import CallPair, Course, CourseStep, Followed, FollowQuery, Glance, pair_up
from analysis.facts import FunctionId, Limits, TestId
from analysis.functions import find_function, functions_of
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer
from sandbox.warm_answer import follow_request, followed_of

LIB = """\
class Reader:
    def __init__(self, text):
        self.text = text

    def pairs(self, sep):
        found = {}
        for line in self.text.split(";"):
            name, _, rest = line.partition(sep)
            found[name] = rest[0]
        return found


def halves(numbers):
    for number in numbers:
        yield 1 // number


def depth(tree):
    if not tree:
        return tree.missing
    return 1 + max(depth(branch) for branch in tree)


def root(n):
    if n < 0:
        raise ValueError(n)
    if n > 9:
        raise ValueError("too large")
    return n


def sign(n):
    if n > 1:
        return 1
    return -1


def spin(n):
    while n:
        n -= 1
    return 3
"""
TESTS = """\
import pytest
from lib import *

def test_empty(): assert Reader("a=1;b=").pairs("=") == {"a": "1", "b": ""}
def test_one(): assert Reader("zz:1").pairs(":") == {"zz": "1"}
def test_two(): assert Reader("a=1;b=2").pairs("=") == {"a": "1", "b": "2"}
def test_halves(): assert list(halves([2, 0])) == [0, 0]
def test_half(): assert list(halves([2, 3])) == [0, 0]
def test_depth(): assert depth([[]]) == 2
def test_depth_raises():
    with pytest.raises(AttributeError): depth(())
def test_root(): assert root(12) == 12
def test_roots(): assert root(5) == 5
def test_root_raises():
    with pytest.raises(ValueError): root(11)
def test_signs():
    assert sign(5) == 1
    assert sign(1) == 1
def test_sign(): assert sign(5) == 1
def test_negative(): assert sign(-7) == -1
def test_spin(): assert spin(900) == 4
def test_spins(): assert spin(0) == 3
"""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    root = tmp_path_factory.mktemp("courses")
    (root / "lib.py").write_text(LIB)
    (root / "test_lib.py").write_text(TESTS)
    with LocalSandbox(bare_target(root)) as opened:
        yield opened


Serve = Callable[..., WarmServer]


@pytest.fixture
def served(sandbox: LocalSandbox) -> Iterator[Serve]:
    with contextlib.ExitStack() as opened:

        def serve(*tests: str) -> WarmServer:
            session = sandbox.warm([named(test) for test in tests], limits=Limits(wall_seconds=60, test_seconds=20))
            assert isinstance(session, WarmServer), session
            return opened.enter_context(contextlib.closing(session))

        yield serve


def named(test: str) -> TestId:
    return TestId(f"test_lib.py::{test}")


def function_of(qualname: str) -> FunctionId:
    span = find_function(functions_of("lib.py", LIB.encode()), qualname)
    assert span is not None
    return span.function


def followed(served: Serve, qualname: str, failing: str, *passing: str) -> CallPair:
    """The failing call and the passing one nearest to it, from two servers."""
    function, test = function_of(qualname), named(failing)
    calls = served(failing).questions.follow(FollowQuery(function, (test,)))
    assert (calls.said, len(calls.courses) > 0) == ("", True)
    like = tuple(course for _, course in calls.courses)
    pair = pair_up(calls, served(*passing).questions.follow(FollowQuery(function, (test,), like)))
    assert pair is not None
    return pair


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LIB.splitlines(), 1) if text in line)


def test_a_method_is_followed_and_the_nearest_call_is_chosen(served: Serve) -> None:
    pair = followed(served, "Reader.pairs", "test_empty", "test_one", "test_two")
    assert pair.failing.ending == ("raised", "IndexError", "string index out of range")
    assert pair.passing.test == named("test_two")
    assert pair.passing.ending == ("returned", "dict", "{'a': '1', 'b': '2'}")
    assert Glance("self.text", "str", "'a=1;b='") in pair.failing.given
    split = line_of("line.partition(sep)")
    here, there = ([step for step in each.steps if step.line == split] for each in (pair.failing, pair.passing))
    assert Glance("rest", "empty str", "''") in here[1].changed
    assert Glance("rest", "str", "'2'") in there[1].changed
    assert here[0].changed == there[0].changed


def test_a_generator_is_one_call(served: Serve) -> None:
    pair = followed(served, "halves", "test_halves", "test_half")
    assert pair.failing.ending[:2] == ("raised", "ZeroDivisionError")
    assert [step.line for step in pair.failing.steps].count(line_of("1 // number")) == 2


def test_of_calls_within_each_other_the_one_that_raised_is_told(served: Serve) -> None:
    pair = followed(served, "depth", "test_depth", "test_depth_raises")
    assert pair.failing.given == (Glance("tree", "empty list", "[]"),)
    assert pair.failing.ending[1] == "AttributeError"


def test_a_call_that_returns_is_nearer_to_one_that_raises_than_another_that_raises(served: Serve) -> None:
    pair = followed(served, "root", "test_root", "test_roots", "test_root_raises")
    assert pair.failing.raised
    assert pair.passing.test == named("test_roots")


def test_a_call_that_a_passing_test_makes_too_is_not_the_failing_one(served: Serve) -> None:
    pair = followed(served, "sign", "test_signs", "test_sign", "test_negative")
    assert (pair.failing.given, pair.passing.given) == (
        (Glance("n", "positive int", "1"),),
        (Glance("n", "positive int", "5"),),
    )


def test_a_long_course_is_cut_and_its_end_is_known(served: Serve) -> None:
    pair = followed(served, "spin", "test_spin", "test_spins")
    assert (len(pair.failing.steps), pair.failing.cut) == (250, True)
    assert pair.failing.ending == ("returned", "positive int", "3")


def test_where_both_kinds_of_tests_share_a_server_each_question_runs_its_own(served: Serve) -> None:
    server, function, test = served("test_empty", "test_two"), function_of("Reader.pairs"), named("test_empty")
    failing = server.questions.follow(FollowQuery(function, (test,)))
    like = tuple(course for _, course in failing.courses)
    passing = server.questions.follow(FollowQuery(function, (test,), like))
    assert [course.test for _, course in (*failing.courses, *passing.courses)] == [test, named("test_two")]


FUNCTION = FunctionId("lib.py", "sign", 23)
FAILING = FollowQuery(FUNCTION, (TestId("t"),))
LIKE = FollowQuery(FUNCTION, (TestId("t"),), (Course(TestId("t"), (), (), ("returned", "None", "None")),))
GOOD: dict[str, Any] = {
    "given": [["n", "positive int", "1"]],
    "steps": [[3, [["n", "zero int", "0"]]]],
    "ending": ["returned", "None", "None"],
    "cut": False,
}
LIES: list[dict[str, Any]] = [
    {"course": 3, "test": "t"},
    {"course": {**GOOD, "given": [["n", 1, "1"]]}, "test": "t"},
    {"course": {**GOOD, "steps": [[True, []]]}, "test": "t"},
    {"course": {**GOOD, "steps": "all"}, "test": "t"},
    {"course": {**GOOD, "ending": ["ended", "None", "None"]}, "test": "t"},
    {"course": {**GOOD, "ending": ["returned", "None"]}, "test": "t"},
    {"course": GOOD, "test": "another"},
    {"course": GOOD},
]


def test_lines_that_lie_are_left_out() -> None:
    course = Course(
        TestId("t"), (Glance("n", "positive int", "1"),), (CourseStep(3, (Glance("n", "zero int", "0"),)),),
        ("returned", "None", "None"),
    )  # fmt: skip
    assert followed_of(FAILING, "done", "", LIES) == Followed()
    assert followed_of(FAILING, "done", "", [*LIES, {"course": GOOD, "test": "t"}]) == Followed(((0, course),))
    assert followed_of(FAILING, "timeout", "late", []) == Followed(said="it ended early: late")
    assert followed_of(FAILING, "done", "", [{"problem": "gone"}]) == Followed(said="gone")
    passing = [{"course": GOOD, "test": "u", "of": place} for place in (7, -1, "x", None)]
    assert followed_of(LIKE, "done", "", [*passing, {"course": GOOD, "test": "t", "of": 0}]) == Followed()


def test_texts_and_numbers_of_what_is_told_are_bounded() -> None:
    huge = {
        "given": [["n" * 999, "k" * 999, "t" * 999]] * 500,
        "steps": [[n, []] for n in range(999)],
        "ending": ["raised", "k" * 999, "m" * 999],
    }
    (found,) = followed_of(FAILING, "done", "", [{"course": huge, "test": "t"}]).courses
    assert (len(found[1].given), len(found[1].steps), found[1].cut) == (80, 400, True)
    assert max(map(len, (*found[1].ending, found[1].given[0].name, found[1].given[0].text))) == 200
    many = [{"course": GOOD, "test": "t"}] * 99
    assert len(followed_of(FAILING, "done", "", many).courses) == 8


def test_the_request_has_what_calls_were_given_and_when_it_is_late() -> None:
    asked = follow_request(FollowQuery(FUNCTION, (TestId("t"),), LIKE.like, 2.0))
    assert asked == {"only": ["t"], "like": [[[], False]], "working_seconds": 2.0, "seconds": 19.0}
