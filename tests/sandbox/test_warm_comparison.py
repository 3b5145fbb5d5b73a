"""Lines of a comparison are strangers' words: what is misshapen says nothing."""

from typing import Any

import pytest

from analysis.behaviour import Call, CallOrigin, Difference, Ended, Hung, Raised, Returned
from analysis.calls import AnswerPair, CallInput, Comparison, PlainAnswer
from analysis.facts import FunctionId, TestId, digest
from analysis.trials import Trial
from sandbox.behaviour_lines import behaviour_of, call_of, difference_of
from sandbox.warm_comparison import Ask, Differences

FUNCTION = FunctionId("lib.py", "f", 1)
ONE = {"kind": "returned", "value": "1", "whole": True, "left": "", "incidental": False}
TWO = dict(ONE, value="2")
CALL = {"name": "f", "arguments": "(1)", "context": "", "origin": "made", "test": "t.py::t"}


def trial(text: bytes) -> Trial:
    return Trial(digest(text), FUNCTION, text, "test")


def compared(*lines: Any, state: str = "done", ending: str = "", rivals: int = 0) -> Comparison:
    """What comes of these lines, of one fork with the old function and so many rivals."""
    old, *others = (trial(b"def f(): return %d\n" % n) for n in range(1, rivals + 2))
    found = Differences(Ask(trial(b"def f(): return 0\n"), old, (), (), 1.0, 2), others)
    for group in found.groups():
        found.take(group, state, ending, lines)
    return found.comparison()


@pytest.mark.parametrize(
    ("given", "mine", "old", "is_answer"),
    [
        (["(1,)", "{}"], ["a", ONE], ["c", TWO], True),
        (["(open('f'),)", "{}"], ["a", ONE], ["c", TWO], False),
        (["(1,)", "{}"], ["a", ONE], ["c"], False),
        (["(1,)", "{}"], ["a", ONE], ["c", "returns 2"], False),
        ([[], "{}"], ["a", ONE], ["c", TWO], False),
        ("(1,)", ["a", ONE], ["c", TWO], False),
    ],
)
def test_answers_are_to_plain_calls(given: object, mine: object, old: object, is_answer: bool) -> None:
    found = compared({"kind": "answered", "input": given, "mine": mine, "old": old})
    pair = AnswerPair(CallInput("(1,)", "{}"), PlainAnswer("a", Returned("1")), PlainAnswer("c", Returned("2")))
    assert found.old.answers == ((pair,) if is_answer else ())


@pytest.mark.parametrize(
    ("told", "known"),
    [
        (ONE, Returned("1")),
        (dict(ONE, left="args ([],)"), Returned("1", left="args ([],)")),
        (
            {"kind": "raised", "type": "E", "message": "'x'", "whole": False, "left": "", "incidental": True},
            Raised("E", "'x'", whole=False, incidental=True),
        ),
        ({"kind": "hung", "seconds": 1.5}, Hung(1.5)),
        ({"kind": "hung", "seconds": "1.5"}, None),
        ({"kind": "hung", "seconds": 10**400}, None),
        ({"kind": "hung", "seconds": float("nan")}, None),
        ({"kind": "hung", "seconds": -1}, None),
        (dict(ONE, value=1), None),
        (dict(ONE, whole="yes"), None),
        ({"kind": "returned", "value": "1"}, None),
        ({"kind": "raised", "message": "'x'", "whole": True, "left": "", "incidental": False}, None),
        ({"kind": "ended", "how": "signal 11"}, Ended("signal 11")),
        ({"kind": "ended", "how": 11}, None),
        ({"kind": "ended"}, None),
        ("returns 1", None),
        (None, None),
    ],
)
def test_a_behaviour_is_of_a_known_form(told: object, known: object) -> None:
    assert behaviour_of(told) == known


@pytest.mark.parametrize("change", [{"origin": "mine"}, {"context": 3}, {"arguments": None}, {"test": 1}])
def test_a_misshapen_call_is_none(change: dict[str, object]) -> None:
    assert call_of(CALL) == Call("f", "(1)", "", CallOrigin.MADE, TestId("t.py::t"))
    assert call_of(dict(CALL, **change)) is None
    line = {"call": dict(CALL, **change), "mine": ONE, "other": TWO}
    assert difference_of(line) is None


@pytest.mark.parametrize("rival", [-1, 1, "0", None])
def test_a_difference_of_no_program_that_was_asked_about_says_nothing(rival: object) -> None:
    line = {"kind": "difference", "call": CALL, "mine": ONE, "other": TWO, "reached": True, "noticed": True}
    assert compared(dict(line, rival=rival)).old.first is None
    found = compared(dict(line, rival=0)).old
    assert found.first == Difference(
        Call("f", "(1)", "", CallOrigin.MADE, TestId("t.py::t")), Returned("1"), Returned("2")
    )
    assert found.departures == (found.first,)
    assert found.recorded == ((TestId("t.py::t"), found.first),)


def test_a_call_that_comes_again_keeps_the_nearest_origin() -> None:
    line = {"kind": "difference", "rival": 0, "mine": ONE, "other": TWO, "reached": True}
    again = dict(line, call=dict(CALL, origin="generated", test=""))
    (departure,) = compared(again, dict(line, call=CALL)).old.departures
    assert departure.call.is_made


def test_a_program_that_ends_its_process_differs_by_that() -> None:
    entry = {"kind": "entry", "call": CALL, "mine": ONE, "fresh": True, "reached": True}
    found = compared(entry, {"kind": "trying", "rival": 0}, state="crashed", ending="signal 11")
    assert found.old.first is not None
    assert found.old.first.other == Ended("signal 11")


@pytest.mark.parametrize("line", [{"kind": "unheard"}, {"kind": 3}, {}])
def test_lines_of_no_kind_say_nothing(line: dict[str, object]) -> None:
    assert compared(line) == compared()


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "difference", "rival": 0, "call": CALL, "mine": ONE},
        {"kind": "difference", "rival": 0, "call": dict(CALL, name=None), "mine": ONE, "other": TWO},
        {"kind": "entry", "call": CALL, "mine": "returns 1"},
        {"kind": "looser", "rival": 0, "way": [["a"]], "call": CALL, "mine": ONE, "other": TWO},
        {"kind": "fixes", "way": "returned"},
        {"kind": "near", "test": "t.py::t", "moved": True, "call": CALL},
        {"kind": "digit", "digit": [1, 2], "test": "t.py::t", "moved": True, "call": CALL, "mine": ONE},
        {"kind": "beside", "of": CALL, "tried": 1, "moved": 2, "call": None},
        {"kind": "alone", "test": "t.py::t", "call": 5, "mine": ONE},
        {"kind": "unsteady", "call": CALL, "mine": ONE},
    ],
)
def test_where_a_line_cannot_be_read_agreeing_says_nothing(line: dict[str, object]) -> None:
    said = [
        {"kind": "entry", "call": CALL, "mine": ONE, "fresh": True, "reached": True},
        {"kind": "trying", "rival": 0},
        {"kind": "trying", "rival": -1},
    ]
    assert compared(*said).old.is_known
    found = compared(*said, line)
    assert not found.old.is_known
    assert found.tried.failures == ("a line of the comparison could not be read",)


def test_of_too_many_lines_a_difference_stands_and_of_the_others_nothing_is_known() -> None:
    said = [
        {"kind": "entry", "call": CALL, "mine": ONE, "fresh": True, "reached": True},
        *({"kind": "trying", "rival": rival} for rival in (0, 1)),
        {"kind": "difference", "rival": 1, "call": CALL, "mine": ONE, "other": TWO, "reached": True},
        {"kind": "trying", "rival": 2},
    ]
    found = compared(*said, state="flood", ending="too much output", rivals=2)
    assert not found.old.is_known
    assert [difference.other for _, difference in found.rivals.differences] == [Returned("2")]
    assert len(found.rivals.unknown) == 1
    assert found.tried.failures == ("comparing ended early: too much output",)


@pytest.mark.parametrize(
    ("programs", "sizes"),
    [(1, [1]), (8, [8]), (9, [5, 4]), (18, [9, 9]), (24, [12, 12]), (25, [9, 9, 7])],
)
def test_many_programs_are_shared_out_evenly(programs: int, sizes: list[int]) -> None:
    old, *rivals = (trial(b"def f(): return %d\n" % n) for n in range(1, programs + 1))
    found = Differences(Ask(trial(b"def f(): return 0\n"), old, (), (), 1.0, 2), rivals)
    assert [len(group) for group in found.groups()] == sizes
