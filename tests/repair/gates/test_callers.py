"""Callers: what a change that no failing test asks for changes for them, keeps, and leaves unpinned."""

import pytest
from fakes.behaviours import comparison, differs
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import BEFORE, PATH, P, baseline_of, submission_of

from analysis.calls import AnswerPair, CallInput, PlainAnswer
from analysis.facts import InvalidRun, Limits, RunFault, TestId
from repair.compare.patched_server import PatchedServer
from repair.gates.callers import Callers
from repair.observe.patched import PatchedRun
from repair.records.verdict import Decision

TESTS = tuple(BEFORE)
PASSING = baseline_of(dict.fromkeys(TESTS, P))
LINES = frozenset(range(4, 9))
OTHER = differs("price('5.5')", "returns 5", "returns 6")


def judged(session, *, lines=LINES, apart=None, **given):
    line_map = ((TestId(TESTS[0]), ((PATH, lines),)),)
    sandbox = FakeSandbox(lambda *_: run_of(dict.fromkeys(TESTS, P), line_map), session=session, apart=apart)
    gate = Callers(sandbox, Limits(), PatchedServer(sandbox, Limits()), PatchedRun(sandbox, Limits()), seed=0)
    return gate.judge(submission_of(baseline=PASSING, vouching=TESTS, **given))


def compared(*departures, inputs=20, touching=20, **given):
    first = departures[0] if departures else None
    return FakeSession(comparison=comparison(inputs, touching=touching, departures=departures, first=first, **given))


def test_a_refactoring_is_accepted_where_enough_inputs_and_lines_say_so():
    evidence = judged(compared())
    assert evidence.decision is Decision.ACCEPT
    assert evidence.claim == "callers get what they got on all 20 inputs tried, and tests run each changed line"
    assert evidence.effect.is_refactoring
    assert evidence.effect.kept == 20
    assert not evidence.question


def test_a_difference_is_told_with_the_question_that_would_settle_it():
    evidence = judged(compared(OTHER))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim == "callers get something else on 1 of 20 inputs"
    assert evidence.question == "Should price('5.5') return 5 (this patch) or return 6?"
    assert evidence.told == OTHER
    assert evidence.effect.kept == 19


def test_few_inputs_or_a_changed_line_that_no_test_runs_are_not_enough():
    few = judged(compared(touching=2))
    assert (few.decision, few.effect.is_refactoring) == (Decision.UNKNOWN, False)
    assert "only 2 of them reach the change" in few.claim
    blind = judged(compared(), lines=frozenset((5,)))
    assert blind.decision is Decision.UNKNOWN
    assert blind.effect.unrun == (7,)
    assert "no passing test runs 1 changed statement of 1" in blind.claim


@pytest.mark.parametrize(
    "difference",
    [
        differs("price('1')", "returns 0.30000000000000004", "returns 0.3"),
        differs("price('1')", "returns <price.<locals>.cost>", "returns <price.<locals>.<lambda>>"),
        differs("price('1', b=2)", "returns 5", "raises TypeError(\"price() got an unexpected keyword argument 'b'\")"),
    ],
)
def test_rounding_and_calls_that_nobody_could_make_are_no_difference(difference):
    assert judged(compared(difference)).decision is Decision.ACCEPT


def test_a_call_that_no_longer_fits_is_one():
    gone = differs(
        "price('1', 2)", "raises TypeError('price() takes 1 positional argument but 2 were given')", "returns 1"
    )
    assert judged(compared(gone)).effect.changed == 1


def test_a_person_is_asked_about_the_input_that_is_read_at_a_glance():
    long = differs(f"price({'7' * 90})", "returns 1", "returns 2", made=True)
    made = differs("price('7') on Shop(prices={})", "returns 1", "returns 2", made=True)
    crash = differs("price('x')", "returns 1", "raises ValueError('no')")
    assert judged(compared(long, made, crash, OTHER)).told in (crash, OTHER)
    assert judged(compared(long, made)).question == ""
    assert judged(compared(long, made)).witness


def test_tests_that_make_a_changed_call_and_notice_nothing_are_named():
    made = differs("price('5.5')", "returns 5", "returns 6", made=True, test=TESTS[0])
    evidence = judged(compared(made, recorded=((TestId(TESTS[0]), made),)))
    assert evidence.effect.noticed_by_none == (TESTS[0],)


def test_what_could_not_be_compared_is_said():
    assert "no passing test calls this function" in judged_without_tests().claim
    none = judged(compared(inputs=0, touching=0))
    assert none.claim == "no call of the function could be repeated outside its test"
    assert none.decision is Decision.UNKNOWN
    away = judged(InvalidRun(RunFault.TIMEOUT, "time is up"))
    assert away.claim == "no inputs were compared: time is up"


def judged_without_tests():
    sandbox = FakeSandbox(lambda *_: run_of({}))
    gate = Callers(sandbox, Limits(), PatchedServer(sandbox, Limits()), PatchedRun(sandbox, Limits()), seed=0)
    return gate.judge(submission_of(baseline=baseline_of({}), vouching=()))


def test_a_change_of_words_alone_needs_no_input():
    old = b"def price(text):\n    return int(text)\n"
    evidence = judged(compared(touching=0), old=old, new=old.replace(b"    return", b"    # whole\n    return"))
    assert evidence.decision is Decision.ACCEPT
    assert evidence.claim == "no code differs, only what says something about it"


GIVEN = CallInput("('5.5',)", "{}")


def answer(digest, value):
    return PlainAnswer(digest, differs("f()", f"returns {value}", "returns 0").mine)


@pytest.mark.parametrize(("before", "changed"), [("one", 0), ("two", 1)])
def test_of_a_wider_change_the_whole_programs_are_compared(before, changed):
    """The old function among new ones lacks a name; the old program never did."""
    mixed = differs("price('5.5')", "returns 5", "raises NameError(\"name '_sum' is not defined\")")
    pair = AnswerPair(GIVEN, answer("one", "5"), answer("other", "0"))
    whole = ((PATH, submission_of().candidate.files[0][1]), ("other.py", b"x = 1\n"))

    def apart(calls, files, like_tests):
        assert calls == (GIVEN,)
        return (answer("one" if files else before, "5" if files else "4"),)

    evidence = judged(compared(mixed, answers=(pair,)), apart=apart, whole=whole)
    assert evidence.effect.changed == changed
    if changed:
        assert evidence.question == "Should price('5.5') return 5 (this patch) or return 4?"


def test_where_arguments_are_not_plain_a_name_that_is_gone_counts_for_nothing():
    mixed = differs("price(<Cart>)", "returns 5", "raises NameError(\"name '_sum' is not defined\")")
    whole = ((PATH, submission_of().candidate.files[0][1]), ("other.py", b"x = 1\n"))
    assert judged(compared(mixed), apart=lambda *_: (), whole=whole).effect.changed == 0
    refused = InvalidRun(RunFault.TIMEOUT, "late")
    assert judged(compared(mixed, OTHER), apart=lambda *_: refused, whole=whole).effect.changed == 1
