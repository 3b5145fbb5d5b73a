"""What is made beside a search: one item at a time, and errands that the search runs."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from analysis.errors import ModelError, OutOfTimeError
from analysis.facts import FunctionId, TestId
from analysis.synthesis import Forced, Query, Settled
from repair.hunt.awaited import Awaited, Errands, ErrandValues


def taken(awaited):
    awaited.ask()
    awaited.wait(20)
    return awaited.take()


def test_items_come_one_by_one_and_then_the_end():
    made = []
    awaited = Awaited(made.append(n) or n for n in (1, 2))
    assert awaited.take() is None
    assert not made
    assert [taken(awaited), list(made), taken(awaited), taken(awaited), awaited.over] == [1, [1], 2, None, True]
    awaited.ask()
    assert not awaited.is_here


def test_an_item_is_made_in_another_thread_and_only_once_it_was_taken_the_next():
    threads = []
    awaited = Awaited(threads.append(threading.get_ident()) for _ in range(9))
    awaited.ask()
    awaited.wait(20)
    awaited.ask()
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_of_several_what_is_here_is_taken_while_the_others_are_awaited():
    late = threading.Event()

    def slow():
        assert late.wait(20)
        yield "slow"

    awaited = Awaited(slow(), iter(["quick", "quicker"]))
    assert [taken(awaited), taken(awaited)] == ["quick", "quicker"]
    assert taken(awaited) is None
    assert not awaited.over
    late.set()
    assert [taken(awaited), taken(awaited), awaited.over] == ["slow", None, True]


def test_of_several_an_error_ends_its_own_alone():
    def failing():
        raise ModelError("no credit")
        yield

    awaited = Awaited(failing(), iter([1, 2]))
    awaited.ask()
    seen = []
    while not awaited.over:
        awaited.wait(20)
        try:
            seen.append(awaited.take())
        except ModelError:
            seen.append("failed")
        awaited.ask()
    assert sorted(map(str, seen)) == ["1", "2", "None", "failed"]


def test_an_error_is_raised_where_the_item_is_taken_and_nothing_follows_it():
    def items():
        yield 1
        raise ModelError("no credit")

    awaited = Awaited(items())
    assert taken(awaited) == 1
    with pytest.raises(ModelError, match="no credit"):
        taken(awaited)
    assert awaited.over


def test_an_errand_runs_in_the_thread_that_serves_and_its_error_goes_back():
    errands = Errands()
    with ThreadPoolExecutor(2) as pool:
        where = pool.submit(errands.run, threading.get_ident)
        failed = pool.submit(errands.run, lambda: 1 // 0)
        while not (where.done() and failed.done()):
            errands.serve()
    assert where.result() == threading.get_ident() == errands.run(threading.get_ident)
    with pytest.raises(ZeroDivisionError):
        failed.result()


def test_after_the_search_nobody_waits_for_an_errand():
    errands = Errands()
    with ThreadPoolExecutor(2) as pool:
        early = pool.submit(errands.run, lambda: 1)
        errands.close()
        late = pool.submit(errands.run, lambda: 2)
        for each in (early, late):
            assert isinstance(each.exception(20), OutOfTimeError)


def test_questions_about_values_are_errands():
    asked = []

    class Values:
        def force(self, ask):
            asked.append(threading.get_ident())
            return lambda: asked.append(threading.get_ident()) or Forced()

        def settle(self, ask, wanted):
            asked.append(threading.get_ident())
            return lambda: asked.append(threading.get_ident()) or Settled()

        def follow(self, function, test):
            return asked.append(threading.get_ident())

    errands = Errands()
    values = ErrandValues(Values(), errands)
    query = object.__new__(Query)

    def ask():
        return (
            values.force(query)(),
            values.settle(query, ())(),
            values.follow(FunctionId("t.py", "f", 1), TestId("t.py::test_f")),
        )

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask)
        while not answer.done():
            errands.serve()
    assert answer.result() == (Forced(), Settled(), None)
    assert asked == [threading.get_ident()] * 5
