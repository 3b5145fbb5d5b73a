"""What the fix would answer to the question of a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.behaviours import behaviour, call, differs
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import submission_of

from analysis.calls import CallInput, PlainAnswer
from analysis.facts import FunctionId, Outcome
from corpora.lab.judging.reference_answers import answer_by, input_of
from repair.records.outcome import Judged
from repair.records.verdict import Decision, Evidence, Verdict

FIX = (("shop.py", b"fixed"),)
TOLD = differs("price('4')", "returns 5", "returns 4")


def judged(**asked) -> Judged:
    evidence = Evidence("behaviour", Decision.UNKNOWN, "odd", **{"question": "Which?", "told": TOLD, **asked})
    return Judged(replace(submission_of(), sources=(("shop.py", b""),)), Verdict((evidence,)))


def sandbox(answer: str | None) -> FakeSandbox:
    def apart(calls, files, like_tests):
        assert dict(files) == dict(FIX)
        assert calls == (CallInput("('4', )", "{}"),)
        return (PlainAnswer("d", behaviour(answer)) if answer else None,)

    return FakeSandbox(lambda *_: run_of({}), apart=apart)


@pytest.mark.parametrize(
    ("gives", "answer"),
    [
        ("returns 7", "shop.price('4') == 7"),
        ("raises ValueError", "shop.price('4') raises ValueError"),
        ("returns <object>", ""),
        (None, ""),
    ],
)
def test_the_fix_answers_with_what_it_gives_itself(gives: str | None, answer: str) -> None:
    assert answer_by(sandbox(gives), FIX, [judged()], []) == answer


@pytest.mark.parametrize(
    "asked", [{"question": ""}, {"told": None}, {"told": differs("price(<a cart>)", "returns 5", "returns 4")}]
)
def test_what_asks_about_no_plain_input_has_no_answer(asked) -> None:
    assert answer_by(sandbox("returns 7"), FIX, [judged(**asked)], []) == ""


@pytest.mark.parametrize(
    ("outcomes", "answer"),
    [
        ((Outcome.PASSED, Outcome.FAILED), "made(shop.Cart, a=1).price('4') == 5"),
        ((Outcome.FAILED, Outcome.PASSED), "made(shop.Cart, a=1).price('4') == 4"),
        ((Outcome.FAILED, Outcome.FAILED), ""),
        ((Outcome.ERROR, Outcome.FAILED), ""),
    ],
)
def test_the_fix_answers_with_the_reading_whose_test_it_passes(outcomes: tuple[Outcome, Outcome], answer: str) -> None:
    def run(tests, files, shuffle):
        path = str(tests[0])
        assert dict(files)["shop.py"] == b"fixed"
        assert path in dict(files)
        return run_of({f"{path}::test_answer_{number}": outcome for number, outcome in enumerate(outcomes, 1)})

    told = differs("price('4') on Cart(a=1)", "returns 5", "returns 4")
    one = judged(told=told)
    candidate = replace(one.submission.candidate, function=FunctionId("shop.py", "Cart.price", 2))
    sources = (("shop.py", b"class Cart:\n    def price(self, text): ...\n"),)
    one = replace(one, submission=replace(one.submission, candidate=candidate, sources=sources))
    assert answer_by(FakeSandbox(run), FIX, [one], []) == answer


def test_what_a_call_is_given_is_read_as_literals() -> None:
    assert input_of(call("price('a', 2, key=[3])")) == CallInput("('a', 2, )", "{'key': [3], }")
    assert input_of(call("price()")) == CallInput("()", "{}")
    assert input_of(call("add(2) on Cart(total=5)")) is None
    assert input_of(call("price(**{'a': 1})")) is None
