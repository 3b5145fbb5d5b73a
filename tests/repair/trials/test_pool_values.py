"""What is asked about values is asked once, however many ask it."""

from __future__ import annotations

from types import SimpleNamespace

from analysis.courses import CallPair, Course, Followed, FollowQuery
from analysis.facts import FunctionId, TestId
from analysis.synthesis import Forced, Query
from repair.trials.pool import AskedBefore, PoolValues

ASK = Query(FunctionId("shop.py", "price", 6), b"def price(): pass", (), (), ())


def test_a_question_that_was_asked_is_not_asked_again() -> None:
    asked: list[Query] = []

    def force(ask: Query):
        asked.append(ask)
        taken = iter([Forced((), 3)])  # a server answers a request once
        return lambda: next(taken)

    router = SimpleNamespace(questions_about=lambda function: SimpleNamespace(force=force))
    known = AskedBefore()
    for _ in range(2):  # a search and a model have values of their own
        values = PoolValues(router, lambda: None, known=known)
        answer = values.force(ASK)
        assert (answer().runs, answer().runs) == (3, 3)
    assert len(asked) == 1


FUNCTION = FunctionId("shop.py", "price", 6)
FAILING = Course(TestId("t.py::test_bad"), (), (), ("returned", "None", "None"))
PASSING = Course(TestId("t.py::test_good"), (), (), ("returned", "zero int", "0"))


def following(asked: list[FollowQuery], **answers: Followed) -> SimpleNamespace:
    def follow(ask: FollowQuery) -> Followed:
        asked.append(ask)
        return answers["passing" if ask.like else "failing"]

    return SimpleNamespace(questions_about=lambda function: SimpleNamespace(follow=follow))


def test_a_failing_call_is_followed_once_and_the_passing_one_that_is_like_it() -> None:
    asked: list[FollowQuery] = []
    known = AskedBefore()
    router = following(asked, failing=Followed(((0, FAILING),)), passing=Followed(((0, PASSING),)))
    for _ in range(2):
        values = PoolValues(router, lambda: router, known=known)
        assert values.follow(FUNCTION, FAILING.test) == CallPair(FAILING, PASSING)
    tests = (FAILING.test,)
    assert asked == [FollowQuery(FUNCTION, tests), FollowQuery(FUNCTION, tests, (FAILING,))]


def test_passing_tests_are_not_asked_where_no_failing_call_is_known_or_none_run_it() -> None:
    asked: list[FollowQuery] = []
    nothing = following(asked, failing=Followed(said="the tests cannot be served warm"))

    def never() -> None:
        raise AssertionError("it was looked for")

    assert PoolValues(nothing, never).follow(FUNCTION, FAILING.test) is None
    alone = following(asked, failing=Followed(((0, FAILING),)))
    assert PoolValues(alone, lambda: None).follow(FUNCTION, FAILING.test) is None
    assert len(asked) == 2
