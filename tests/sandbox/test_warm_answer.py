"""Answers of a warm server are strangers' words: what is not said in full has not passed."""

from typing import Any

import pytest

from analysis.calls import CallInput, RecordedCall
from analysis.facts import FunctionId, TestId, digest
from analysis.trials import Trial, TrialState
from sandbox.warm_answer import (
    BATCH,
    WARM,
    ZYGOTE,
    ServerAnswer,
    answer_of,
    calls_of,
    outcome_of,
    seen_of_tests,
    spread_calls,
)

TRIAL = Trial(digest(b""), FunctionId("lib.py", "f", 1), b"def f(): pass\n", "test")


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        ({"state": "done", "ending": "", "lines": [{"passed": True}]}, ServerAnswer("done", "", ({"passed": True},))),
        ({}, ServerAnswer("None", "None")),
        ({"state": 1, "ending": [], "lines": {"passed": True}}, ServerAnswer("1", "[]")),
        ({"state": "done", "ending": "", "lines": [1, "passed", {}, None]}, ServerAnswer("done", "", ({},))),
    ],
)
def test_what_is_no_line_is_left_out(event: dict[str, Any], answer: ServerAnswer) -> None:
    assert answer_of(event) == answer


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (ServerAnswer("done", "", ({"passed": True},)), TrialState.PASSED),
        (ServerAnswer("done", "", ({"passed": 1},)), TrialState.FAILED),
        (ServerAnswer("done", ""), TrialState.FAILED),
        (ServerAnswer("done", "", ({"failed": [], "detail": 3},)), TrialState.FAILED),
        (ServerAnswer("done", "", ({"failed": "t", "detail": "t in call: MemoryError"},)), TrialState.MEMORY),
        (ServerAnswer("done", "", ({"invalid": "no function"}, {"passed": True})), TrialState.INVALID),
        (ServerAnswer("done", "", ({"stuck": True}, {"passed": True})), TrialState.TIMEOUT),
        (ServerAnswer("timeout", "", ({"passed": True},)), TrialState.TIMEOUT),
        (ServerAnswer("flood", "", ({"passed": True},)), TrialState.FLOOD),
        (ServerAnswer("of its own", "", ({"passed": True},)), TrialState.CRASHED),
        (ServerAnswer("gone", "needs a cold run", ({"passed": True},)), TrialState.INVALID),
    ],
)
def test_only_a_plain_pass_has_passed(answer: ServerAnswer, state: TrialState) -> None:
    assert outcome_of(TRIAL, answer).state is state


@pytest.mark.parametrize(("batch", "tier"), [(True, BATCH), ("yes", ZYGOTE), (None, ZYGOTE)])
def test_a_shared_fork_is_a_tier_of_its_own(batch: object, tier: str) -> None:
    assert outcome_of(TRIAL, ServerAnswer("done", "", ({"batch": batch, "passed": True},)), ZYGOTE).tier == tier
    assert outcome_of(TRIAL, ServerAnswer("done", "")).tier == WARM


def test_calls_of_another_form_are_left_out_or_not_plain() -> None:
    lines = (
        {"call": ["t", "(1,)", "{}", True, []]},
        {"call": ["t", "(2,)", "{}", True]},
        {"call": ["t", "(1,)"]},
        {"call": "text"},
        {},
        {"call": [1, 2, 3, 1, "text"]},
        {"call": ["t", "(open('f'),)", "{}", True, [["user", ["name", "rename()"]], ["x"], "y", [1, []], ["z", 2]]]},
        {"call": ["t", "(3,)", "{}", True, [["a", ["b c", 7, "os.system()", "()", "d" * 100, "e"]]]]},
    )
    assert calls_of(ServerAnswer("done", "", lines)).seen == (
        RecordedCall(TestId("t"), CallInput("(1,)", "{}"), True),
        RecordedCall(TestId("1"), CallInput("2", "3"), False),
        RecordedCall(TestId("t"), CallInput("(open('f'),)", "{}"), False, (("user", ("name", "rename()")),)),
        RecordedCall(TestId("t"), CallInput("(3,)", "{}"), True, (("a", ("e",)),)),
    )


def test_what_values_have_is_bounded_and_named_as_a_program_may() -> None:
    names = [f"n{n}" for n in range(200)]
    told = [["x", ["if", "None", *names]], ["x.y", ["a"]], ["class", ["a"]], *([name, ["a"]] for name in names)]
    (call,) = calls_of(ServerAnswer("done", "", ({"call": ["t", "(<X>,)", "{}", False, told]},))).seen
    assert call.members[0] == ("x", tuple(names[:78]))
    assert [name for name, _ in call.members[1:]] == names[: len(call.members) - 1]
    assert len(call.members) == 20


@pytest.mark.parametrize(
    ("state", "lines", "whole"),
    [
        ("done", ({"whole": True},), True),
        ("done", (), False),
        ("done", ({"whole": "yes"},), False),
        ("timeout", ({"whole": True},), False),
        ("flood", ({"whole": True},), False),
        ("done", ({"call": "odd"}, {"whole": True}), False),
    ],
)
def test_calls_are_whole_only_where_that_is_said_at_the_end(
    state: str, lines: tuple[dict[str, object], ...], whole: bool
) -> None:
    call = {"call": ["t", "(1,)", "{}", True, []]}
    assert calls_of(ServerAnswer(state, "", (call, *lines))).whole is whole


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        (["other", 0], ["t", "other"]),
        (["other", 1], ["t"]),
        (["other", 2], ["t"]),
        (["other", -1], ["t"]),
        (["other", True], ["t"]),
        (["other", "0"], ["t"]),
        ([3, 0], ["t"]),
        (["other"], ["t"]),
        ("other", ["t"]),
    ],
)
def test_further_tests_of_a_plain_call_are_told_by_its_number(said: object, tests: list[str]) -> None:
    plain, odd = {"call": ["t", "(1,)", "{}", True, []]}, {"call": ["t", "(<X>,)", "{}", False, []]}
    calls = calls_of(ServerAnswer("done", "", (plain, odd, {"alike": said})))
    assert calls.plain == tuple((test, CallInput("(1,)", "{}")) for test in tests)


def test_each_test_has_its_turn_and_no_plain_call_comes_twice() -> None:
    def call(test: str, args: str, *, plain: bool = True) -> RecordedCall:
        return RecordedCall(TestId(test), CallInput(args, "{}"), plain)

    calls = [call("a", "1"), call("a", "2"), call("a", "1"), call("b", "3"), call("b", "3", plain=False)]
    assert spread_calls(calls, 2) == (calls[0], calls[3])
    assert spread_calls(calls, 10) == (calls[0], calls[1], calls[3], calls[4])


def test_what_was_seen_has_no_order() -> None:
    one, other = {"test": "a", "seen": "passed"}, {"test": "b", "seen": []}
    assert seen_of_tests(ServerAnswer("done", "", (one, {}, other))) == seen_of_tests(
        ServerAnswer("done", "", (other, one))
    )
    assert seen_of_tests(ServerAnswer("done", "", (one,))) != seen_of_tests(ServerAnswer("crashed", "", (one,)))
