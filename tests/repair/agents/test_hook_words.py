"""What agents and people are told of a verdict."""

from repair.agents.hook_words import LATE, LONGEST, words_of
from repair.records.result import AskedView, EvidenceView, PatchView, RegionView, Result, RiskView, Status

QUESTION = "Should price(11) return 45 (this patch) or return 55?"
ASKED = AskedView(QUESTION, "price(11)", "returns 45", "returns 55")


def evidence(gate="behaviour", decision="unknown", **given):
    return EvidenceView(gate, decision, given.pop("claim", "another patch passes too"), **given)


def patch(status=Status.PLAUSIBLE, *found, risk=0.14, **given):
    values = {"file": "shop.py", "function": "price", "diff": "", "digest": "d", "region": RegionView(7, 7), **given}
    return PatchView(1, status, evidence=found, risk=RiskView(risk, 0.3, 100, 10, 0.02), **values)


def told(*patches, status=None, rested=None, **given):
    status = status or patches[0].status
    return words_of(Result(status, run="20260101-000000-a", patches=patches, **given), rested or {})


def test_a_rejected_change_goes_back_with_what_the_gate_saw():
    no = evidence("regressions", "reject", claim="1 test fails with the patch", witness="test_a.py::test_b")
    said = told(patch(Status.REJECTED, no))
    assert said.goes_on
    assert said.text.splitlines()[0] == "repair check: rejected. shop.py:7 price."
    assert "regressions: 1 test fails with the patch." in said.text
    assert "test_a.py::test_b" in said.text
    assert "not the tests" in said.text


def test_an_open_question_goes_back_with_both_readings():
    said = told(
        patch(
            Status.PLAUSIBLE,
            evidence(asked=ASKED, answer="shop.price(11) == 45", otherwise="shop.price(11) == 55"),
        )
    )
    assert said.goes_on
    assert QUESTION in said.text
    assert "this change: returns 45" in said.text
    assert "otherwise:   returns 55" in said.text
    assert "assert shop.price(11) == 45" in said.text
    assert "ask the user" in said.text
    assert "--answer" not in said.text, "what the author of a change answers is no evidence for it"


def test_an_answer_in_words_of_our_own_is_no_assertion():
    said = told(patch(Status.PLAUSIBLE, evidence(asked=ASKED, answer="made(cart.Cart).total() == 1")))
    assert "assert " not in said.text


def test_the_riskiest_of_several_functions_is_asked_about():
    other = AskedView("Should cost(1) return 1 (this patch) or return 2?", "cost(1)", "returns 1", "returns 2")
    said = told(
        patch(Status.PLAUSIBLE, evidence(asked=ASKED), risk=0.1),
        patch(Status.PLAUSIBLE, evidence(asked=other), risk=0.4, function="cost"),
    )
    assert "cost(1)" in said.text
    assert "price(11)" not in said.text


def test_a_question_that_was_put_to_rest_is_told_with_its_reason_and_not_asked():
    said = told(
        patch(Status.PLAUSIBLE, evidence(asked=ASKED)), rested={"shop.py:price: price(11)": "nobody buys eleven"}
    )
    assert not said.goes_on
    assert "nobody buys eleven" in said.text


def test_a_plausible_change_without_a_question_is_told():
    yes = evidence("fixes", "accept", claim="1 of 1 failing tests pass")
    said = told(patch(Status.PLAUSIBLE, yes))
    assert not said.goes_on
    assert "1 of 1 failing tests pass; yes from 1 of 1 gate, risk 14 %" in said.text


def test_how_a_run_without_a_patch_ended_is_told():
    said = told(status=Status.ENVIRONMENT, messages=("No isolation holds here.",))
    assert (said.goes_on, said.text) == (False, "repair: environment: No isolation holds here.")


def test_of_nothing_nothing_is_said():
    assert told(status=Status.UNCHANGED) is None
    assert told(status=Status.NOTHING_FAILS) is None


def test_no_text_is_longer_than_hosts_show():
    long = AskedView("x" * 5000, "price(11)", "y" * 5000, "z" * 5000)
    said = told(patch(Status.PLAUSIBLE, evidence(asked=long, answer="f(" + "1" * 5000 + ") == 1")))
    assert len(said.text) <= LONGEST


def test_where_the_time_was_up_there_was_no_verdict_and_the_change_is_judged_the_next_time():
    messages = ("the change was not shown to pass its tests, nor to fail them",)
    assert told(status=Status.UNREPAIRED, messages=messages) == LATE
    assert not LATE.judged
    elsewhere = told(status=Status.OUT_OF_SCOPE, messages=("The change lies outside any existing function",))
    assert elsewhere.judged
