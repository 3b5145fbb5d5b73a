"""Lines of a comparison are strangers' words: an answer to what is no call is none."""

import pytest

from analysis.calls import CallInput, CallPair, CallResult
from analysis.facts import FunctionId, digest
from analysis.trials import Trial
from sandbox.warm_comparison import Ask, Differences

FUNCTION = FunctionId("lib.py", "f", 1)


def trial(text: bytes) -> Trial:
    return Trial(digest(text), FUNCTION, text, "test")


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        (
            ["(1,)", "{}", ["a", "b"], ["c", "d"]],
            (CallPair(CallInput("(1,)", "{}"), CallResult("a", "b"), CallResult("c", "d")),),
        ),
        (["(open('f'),)", "{}", ["a", "b"], ["c", "d"]], ()),
        (["(1,)", "{}", ["a", "b"], ["c"]], ()),
        ([[], "{}", ["a", "b"], ["c", "d"]], ()),
        ("(1,)", ()),
    ],
)
def test_answers_are_to_plain_calls(line: object, answers: tuple[CallPair, ...]) -> None:
    old = trial(b"def f(): return 1\n")
    found = Differences(Ask(trial(b"def f(): return 2\n"), old, (), (), 1.0, 2), [old])
    for group in found.groups():
        found.take(group, "done", "", ({"answered": line},))
    assert found.comparison().answers == answers
