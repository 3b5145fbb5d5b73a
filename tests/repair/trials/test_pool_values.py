"""What is asked about values is asked once, however many ask it."""

from __future__ import annotations

from types import SimpleNamespace

from analysis.facts import FunctionId
from analysis.synthesis import Forced, Query
from repair.trials.pool import PoolValues

ASK = Query(FunctionId("shop.py", "price", 6), b"def price(): pass", (), (), ())


def test_a_question_that_was_asked_is_not_asked_again() -> None:
    asked: list[Query] = []

    def force(ask: Query):
        asked.append(ask)
        taken = iter([Forced((), 3)])  # a server answers a request once
        return lambda: next(taken)

    router = SimpleNamespace(questions_about=lambda function: SimpleNamespace(force=force))
    known: dict = {}
    for _ in range(2):  # a search and a model have values of their own
        values = PoolValues(router, lambda: None, known=known)
        answer = values.force(ASK)
        assert (answer().runs, answer().runs) == (3, 3)
    assert len(asked) == 1
