"""People's answers as tests, and questions that are open."""

from __future__ import annotations

import pytest

from analysis.errors import UsageError
from repair.records.grown import SaidBy, UnansweredQuestion
from repair.records.result import AskedView, EvidenceView, PatchView, Result, Status
from repair.survey.growing.asked import answer_by_facts, answers_of, asked_case, given_now
from repair.survey.growing.claim import Claim, ClaimKind


def evidence(question: str, answer: str, otherwise: str, decision: str = "unknown") -> EvidenceView:
    asked = AskedView(question)
    return EvidenceView("behaviour", decision, "a claim", answer=answer, otherwise=otherwise, asked=asked)


def result(answers: tuple[str, ...] = ()) -> Result:
    found = (
        evidence("What should f(1) give?", "shop.f(1) == 1", "shop.f(1) == 2"),
        evidence("What should f(2) give?", "shop.f(2) == 1", "shop.f(2) raises KeyError"),
        evidence("Said yes", "shop.f(3) == 1", "", "accept"),
        evidence("Nothing to answer", "", ""),
    )
    patch = PatchView(1, Status.PLAUSIBLE, "shop.py", "f", "", "", evidence=found)
    return Result(Status.PLAUSIBLE, patches=(patch,), answers=answers)


def test_what_nobody_answered_is_open():
    found = answers_of(result(), "R")
    assert found.answers == ()
    assert [each.forms for each in found.questions] == [
        ("shop.f(1) == 1", "shop.f(1) == 2"),
        ("shop.f(2) == 1", "shop.f(2) raises KeyError"),
    ]


def test_answers_of_the_run_and_of_now_close_their_questions():
    found = answers_of(result(("shop.f(1) == 2",)), "R", ("shop.f(2)  raises KeyError",))
    assert found.questions == ()
    assert found.answers == (
        ("shop.f(1) == 2", 'a person answered "shop.f(1) == 2" in run R'),
        ("shop.f(2) raises KeyError", 'a person answered "shop.f(2) raises KeyError"'),
    )


def test_what_is_no_answer():
    with pytest.raises(UsageError, match="is no answer"):
        given_now(("shop.f(1)",))


@pytest.mark.parametrize(
    ("answer", "name", "claim"),
    [
        ("shop.f(1) == [2]", "f", Claim(ClaimKind.EQUALS, "[2]")),
        ("shop.f(1) raises KeyError", "f", Claim(ClaimKind.RAISES, "KeyError")),
        ("list(shop.rows(1)) == [2]", "rows", Claim(ClaimKind.EQUALS, "[2]")),
        ("shop.LEVEL == 3", "LEVEL", Claim(ClaimKind.EQUALS, "3")),
        ("made(shop.Cart, n=1).size() == 3", "size", Claim(ClaimKind.EQUALS, "3")),
    ],
)
def test_an_answer_is_a_test(answer, name, claim):
    case = asked_case(answer, "said", {"shop.Cart": (("n", True),)}.get)
    assert (case.function, case.claim, case.standing, case.said) == (name, claim, SaidBy.ASKED, "said")
    assert "made" not in case.call


def test_an_instance_that_no_constructor_makes():
    assert asked_case("made(shop.Other, n=1).size() == 3", "said", {}.get) is None
    assert UnansweredQuestion("q", "a").forms == ("a", "")


SHOP = b'''
def total(prices):
    """Returns 0 for an empty list. Raises ValueError if prices is None."""


def found(text):
    """The fields of a line; None for a line of another form."""


class Cart:
    def share(self, people):
        """Returns None if people is 0."""

    @property
    def size(self):
        return 1

    @size.setter
    def size(self, size):
        """Returns 0 if size is 0."""
'''
EMPTY = 'shop.py:3 says "Returns 0 for an empty list."'


@pytest.mark.parametrize(
    ("mine", "other", "answer"),
    [
        ("shop.total([]) == 1", "shop.total([]) == 0", [("shop.total([]) == 0", EMPTY)]),
        ("shop.total([]) == 0", "shop.total([]) raises IndexError", [("shop.total([]) == 0", EMPTY)]),
        ("shop.total([]) == 0", "", [("shop.total([]) == 0", EMPTY)]),
        ("shop.total([1]) == 0", "shop.total([1]) == 1", []),
        ("shop.total([]) == 1", "shop.total([]) == 2", []),
        (
            "shop.total(None) raises ValueError",
            "shop.total(None) raises TypeError",
            [("shop.total(None) raises ValueError", 'shop.py:3 says "Raises ValueError if prices is None."')],
        ),
        ("shop.found('x') == None", "shop.found('x') raises AttributeError", []),
        (
            "made(shop.Cart, n=1).share(0) == None",
            "made(shop.Cart, n=1).share(0) raises ZeroDivisionError",
            [("made(shop.Cart, n=1).share(0) == None", 'shop.py:12 says "Returns None if people is 0."')],
        ),
        ("made(shop.Other, n=1).share(0) == None", "", []),
        ("made(shop.Cart, n=1).size(0) == 0", "", []),
        ("other.total([]) == 0", "shop.none([]) == 0", []),
        ("shop.LEVEL.x == 0", "", []),
    ],
)
def test_a_sentence_answers_a_question_where_it_keeps_to_one_reading(mine, other, answer):
    question = UnansweredQuestion("q", mine, other)
    known = {"shop.Cart": (("n", True),)}.get
    answers, left = answer_by_facts([question], (("shop.py", SHOP), ("broken.py", b"def (")), known)
    assert list(answers) == answer
    assert list(left) == ([] if answer else [question])


def test_what_a_sentence_answers_about_an_instance_that_nobody_can_make_stays_open():
    question = UnansweredQuestion("q", "made(shop.Cart, n=1).share(0) == None")
    assert answer_by_facts([question], (("shop.py", SHOP),), {}.get) == ((), (question,))


def test_a_sentence_makes_a_required_test():
    case = asked_case("shop.total([]) == 0", EMPTY, {}.get, SaidBy.REQUIRED)
    assert (case.standing, case.said) == (SaidBy.REQUIRED, EMPTY)
