"""What is asked of a model next, from what was said and what became of it: no model, no text, no clock."""

from __future__ import annotations

import pytest
from fakes.failing_function import plan_of, scope_of

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass
from repair.model.conversation import (
    MOST_TURNS,
    Doubted,
    End,
    Failed,
    NextRequest,
    NotThere,
    Over,
    Passed,
    Repeated,
    Round,
    Sent,
    Stage,
    Stress,
    Unread,
    next_step,
)
from repair.model.ladder import BY_CLASS, BY_SUBCLASS, LAST_WORDS, MOST_WASTED, USUAL, Ladder, ladder_of
from repair.model.reply import UnusableKind

TESTS = frozenset({"t.py::test_a", "t.py::test_b"})
BEFORE = "assert 1 == 2"
SAME = Failed(TESTS, BEFORE)
OTHER = Failed(TESTS, "assert 3 == 2")
HALF = Failed(frozenset({"t.py::test_b"}), "assert 3 == 4")
FORM = Unread(UnusableKind.FORM, "the answer holds no fence")
EMPTY = Unread(UnusableKind.EMPTY, "the answer is empty")
AGAIN = Repeated("it is the change of attempt 1")
DOUBT = Doubted("it answers the test's own value", "f(7) gives 3", "What should f(7) give?")


def talk(*ends: End, ladder: Ladder = USUAL) -> tuple[list[Round], NextRequest | Over]:
    """The rounds that end so, one after another, and what follows on them."""
    rounds: list[Round] = []
    for end in ends:
        step = next_step(rounds, ladder, TESTS, BEFORE)
        assert isinstance(step, NextRequest), f"over before {end}: {step}"
        rounds.append(Round(step, end))
    return rounds, next_step(rounds, ladder, TESTS, BEFORE)


def test_the_first_request_brings_the_facts_that_suit_the_failure():
    assert talk()[1] == NextRequest(Stage.FIRST, 1, 1, Stress.NOTHING, 0.0, 0.0)


def test_a_failed_edit_comes_back_in_its_thread_once_and_then_a_fresh_thread_has_other_facts():
    _, second = talk(OTHER)
    assert second == NextRequest(Stage.FIRST, 1, 2, Stress.NOTHING)
    _, third = talk(HALF, HALF)
    assert (third.stage, third.thread, third.turn, third.temperature) == (Stage.LATER, 2, 1, 0.7)


def test_no_thread_has_more_turns_than_two_whatever_happens():
    for ends in ([OTHER] * 4, [FORM] * 4, [AGAIN] * 4, [HALF, FORM, AGAIN, HALF], [DOUBT] * 4):
        rounds, _ = talk(*ends[:3], ladder=Ladder(attempts=9, unchanged=9))
        turns = [(r.asked.thread, r.asked.turn) for r in rounds]
        assert turns == [(1, 1), (1, 2), (2, 1)]
        assert max(turn for _, turn in turns) == MOST_TURNS


def test_the_same_failure_again_makes_the_next_request_stricter():
    assert talk(SAME)[1].stress is Stress.SAME_FAILURE
    assert talk(OTHER)[1].stress is Stress.NOTHING
    assert talk(OTHER, OTHER)[1].stress is Stress.SAME_FAILURE


def test_what_else_went_wrong_is_stressed():
    assert talk(Failed(frozenset(), "", ("t.py::test_c",)))[1].stress is Stress.BROKE_OTHERS
    assert talk(AGAIN)[1].stress is Stress.REPEATED
    assert talk(FORM)[1].stress is Stress.UNREAD
    assert talk(NotThere("g", "no failing test runs it"))[1].stress is Stress.NOT_THERE
    assert talk(DOUBT)[1].stress is Stress.DOUBTED


def test_failing_tests_that_stay_the_same_lead_to_other_facts_then_to_a_new_text_then_to_the_end():
    rounds, end = talk(OTHER, OTHER, OTHER, OTHER, OTHER)
    assert [r.asked.stage for r in rounds] == [Stage.FIRST, Stage.FIRST, Stage.LATER, Stage.LATER, Stage.REGENERATE]
    assert [r.asked.temperature for r in rounds] == [0.0, 0.0, 0.7, 0.7, 1.0]
    assert isinstance(end, Over)
    assert not end.silenced


def test_after_one_edit_without_effect_a_kind_of_error_may_have_other_facts_at_once():
    quick = Ladder(attempts=3, unchanged=1)
    assert [r.asked.stage for r in talk(OTHER, OTHER, OTHER, ladder=quick)[0]] == [
        Stage.FIRST,
        Stage.LATER,
        Stage.REGENERATE,
    ]


def test_the_last_request_writes_anew_where_edits_were_run_and_all_failed():
    assert talk(HALF, FORM, HALF, FORM, HALF, HALF)[1].stage is Stage.REGENERATE
    assert talk(FORM, FORM, FORM, FORM)[1].stage is Stage.LATER
    assert talk(HALF, ladder=Ladder(attempts=2))[1].stage is Stage.FIRST, "there was no second turn yet"


def test_an_edit_that_mends_a_part_is_gone_on_with():
    _, third = talk(OTHER, HALF, ladder=Ladder(attempts=9, unchanged=2))
    assert third.stage is Stage.LATER
    _, fourth = talk(OTHER, HALF, OTHER, ladder=Ladder(attempts=9, unchanged=2))
    assert (fourth.stage, fourth.turn) == (Stage.LATER, 2)


def test_who_names_another_function_is_not_asked_about_this_one_any_more():
    _, end = talk(Sent("other.py:f", "it loses the sign"))
    assert end == Over("the model says that other.py:f is at fault")


def test_a_function_that_cannot_be_it_costs_a_turn():
    _, second = talk(NotThere("g", "no failing test runs it"))
    assert (second.thread, second.turn) == (1, 2)


@pytest.mark.parametrize("kind", sorted(LAST_WORDS, key=lambda kind: kind.value))
def test_a_reply_that_must_not_be_read_ends_the_model_s_turn(kind):
    _, end = talk(Unread(kind, "it calls os._exit"))
    assert isinstance(end, Over)
    assert end.silenced
    assert "os._exit" in end.reason


def test_a_server_that_sends_nothing_is_given_time_and_a_wrong_form_is_not():
    assert [talk(*[EMPTY] * n)[1].pause for n in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert talk(FORM)[1].pause == 0.0
    assert talk(EMPTY, FORM)[1].pause == 0.0


def test_a_doubt_comes_back_in_its_thread_or_in_a_fresh_one():
    assert (talk(DOUBT)[1].thread, talk(DOUBT)[1].turn) == (1, 2)
    assert (talk(OTHER, DOUBT)[1].thread, talk(OTHER, DOUBT)[1].turn) == (2, 1)


def test_a_doubt_is_asked_about_when_all_requests_were_made():
    _, step = talk(OTHER, OTHER, OTHER, OTHER, DOUBT)
    assert isinstance(step, NextRequest)


def test_replies_of_no_use_are_bounded_too():
    ends = [FORM] * (USUAL.attempts + MOST_WASTED)
    assert isinstance(talk(*ends)[1], Over)
    assert isinstance(talk(*ends[1:])[1], NextRequest)


def test_the_answer_to_a_doubt_is_the_last_unless_it_cannot_be_used():
    assert isinstance(talk(DOUBT, OTHER)[1], Over)
    assert isinstance(talk(OTHER, DOUBT, FORM)[1], NextRequest)
    assert isinstance(talk(OTHER, DOUBT, FORM, OTHER)[1], Over)
    assert isinstance(talk(DOUBT, AGAIN)[1], Over), "its author stands by it"
    assert isinstance(talk(DOUBT, DOUBT)[1], NextRequest), "a special case is never the last word"


def test_what_passes_ends_it():
    assert isinstance(talk(Passed())[1], Over)


def test_a_text_that_has_no_tree_is_written_anew_at_once():
    rounds, end = talk(OTHER, OTHER, OTHER, ladder=BY_CLASS[FailureClass.FORMAT])
    assert {r.asked.stage for r in rounds} == {Stage.REGENERATE}
    assert isinstance(end, Over)


def test_what_no_edit_can_answer_is_never_asked_about():
    for each in (FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT):
        assert isinstance(talk(ladder=BY_CLASS[each])[1], Over)


def test_every_class_has_a_ladder_and_every_listed_kind_is_one():
    assert set(BY_CLASS) == set(FailureClass)
    assert set(BY_SUBCLASS) <= set(Subclass)
    assert all(ladder.requests >= ladder.unchanged for ladder in BY_SUBCLASS.values())


def test_the_subclass_decides_where_it_is_listed():
    (diagnosis,) = plan_of(scope_of()).diagnoses
    assert ladder_of(diagnosis) is USUAL
    named = type(diagnosis)(diagnosis.failure, FailureClass.RUNTIME_SAFETY, "name", ())
    assert ladder_of(named) is BY_SUBCLASS[Subclass.NAME]
    broken = type(diagnosis)(diagnosis.failure, FailureClass.ENVIRONMENT, "name", ())
    assert ladder_of(broken).attempts == 0
