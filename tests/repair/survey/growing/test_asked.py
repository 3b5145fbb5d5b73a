"""People's answers as tests, and questions that are open."""

from __future__ import annotations

import pytest

from analysis.errors import UsageError
from repair.records.grown import SaidBy, UnansweredQuestion
from repair.records.result import AskedView, EvidenceView, PatchView, Result, Status
from repair.survey.growing.asked import answers_of, asked_case, given_now
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
