"""What agents and people are told of a verdict."""

from dataclasses import replace

import pytest

from repair.agents.hook_words import LATE, LONGEST, words_of
from repair.records.result import AskedView, EvidenceView, FindingView, PatchView, RegionView, Result, RiskView, Status

QUESTION = "Should price(11) return 45 (this patch) or return 55?"
ASKED = AskedView(QUESTION, "price(11)", "returns 45", "returns 55", doubt="told_by_candidate")


def evidence(gate="behaviour", decision="unknown", **given):
    return EvidenceView(gate, decision, given.pop("claim", "another patch passes too"), **given)


def patch(status=Status.PLAUSIBLE, *found, risk=0.14, **given):
    values = {"file": "shop.py", "function": "price", "diff": "", "digest": "d", "region": RegionView(7, 7), **given}
    return PatchView(
        1, status, evidence=found, risk=RiskView(risk, 0.3, 100, 10, 0.02, {"told_by_candidate": 1.2}), **values
    )


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


@pytest.mark.parametrize(
    "asked",
    [
        replace(ASKED, doubt=""),  # a call changes, and that is all
        replace(ASKED, doubt="told_by_number"),  # it weighs nothing here
        replace(ASKED, telling=False),
    ],
)
def test_a_question_that_is_not_worth_a_turn_stops_no_agent(asked):
    said = told(patch(Status.PLAUSIBLE, evidence(asked=asked)))
    assert not said.goes_on
    assert said.text.startswith("repair: plausible")


def test_what_changes_for_callers_is_asked_about_without_a_risk():
    changed = evidence("callers", asked=replace(ASKED, doubt="callers"))
    assert told(replace(patch(Status.PLAUSIBLE, changed), risk=None)).goes_on


def test_an_answer_in_words_of_our_own_is_no_assertion():
    said = told(patch(Status.PLAUSIBLE, evidence(asked=ASKED, answer="made(cart.Cart).total() == 1")))
    assert "assert " not in said.text


def test_the_riskiest_of_several_functions_is_asked_about():
    other = replace(ASKED, question="Should cost(1) return 1 (this patch) or return 2?", call="cost(1)")
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


def test_what_no_test_runs_is_asked_about_in_words():
    words = AskedView("What should line 9 of shop.py do with the new values of n? A test would settle it.")
    claim = "No test runs line 9, which reads n, and the change gives n other values"
    said = told(patch(Status.PLAUSIBLE, evidence("coverage", claim=claim, asked=words)))
    assert said.goes_on
    assert f"{claim}. {words.question}" in said.text
    assert "this change:" not in said.text
    assert told(patch(Status.PLAUSIBLE, evidence(asked=replace(words, doubt="unrun_line")))).goes_on
    assert not told(patch(Status.PLAUSIBLE, evidence(asked=replace(words, doubt="few_inputs")))).goes_on
    assert not told(patch(Status.PLAUSIBLE, evidence("test_quality", asked=words))).goes_on


def test_a_suite_that_breaks_sends_the_agent_back_where_no_function_differs():
    outside = FindingView("module_level", "code outside any function added", "shop.py", 1)
    said = told(
        status=Status.REJECTED, messages=("The change breaks what worked: test_a.py::test_b",), findings=(outside,)
    )
    assert said.goes_on
    assert "breaks what worked: test_a.py::test_b" in said.text


def test_a_change_of_tests_alone_is_called_no_rejected_one():
    added = FindingView("added_test", "a test was added", "test_shop.py", 1)
    said = told(status=Status.REJECTED, messages=("there is no fix to judge",), findings=(added,))
    assert not said.goes_on
    assert "rejected" not in said.text


def test_how_a_run_without_a_patch_ended_is_told():
    said = told(status=Status.ENVIRONMENT, messages=("No isolation holds here.",))
    assert (said.goes_on, said.text) == (False, "repair: environment: No isolation holds here.")


def test_of_nothing_nothing_is_said():
    assert told(status=Status.UNCHANGED) is None
    assert told(status=Status.NOTHING_FAILS) is None


def test_no_text_is_longer_than_hosts_show():
    long = replace(ASKED, question="x" * 5000, mine="y" * 5000, other="z" * 5000)
    said = told(patch(Status.PLAUSIBLE, evidence(asked=long, answer="f(" + "1" * 5000 + ") == 1")))
    assert len(said.text) <= LONGEST


def test_where_the_time_was_up_there_was_no_verdict_and_the_change_is_judged_the_next_time():
    messages = ("the change was not shown to pass its tests, nor to fail them", "the time was up (during: baseline).")
    late = told(status=Status.UNREPAIRED, messages=messages)
    assert late.text == (
        "repair: no verdict within the hook's time. The change was not shown to pass its tests, nor to fail them; "
        "the time was up (during: baseline)."
    )
    assert not late.judged
    assert not late.goes_on
    assert told(status=Status.UNREPAIRED) == LATE
    elsewhere = told(status=Status.OUT_OF_SCOPE, messages=("The change lies outside any existing function",))
    assert elsewhere.judged
