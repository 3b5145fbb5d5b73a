import pytest

from analysis.errors import ModelError, OutOfTimeError
from analysis.specified.task_text import StatedTask
from repair.records.result import CauseView, FailureView, PatchView, Result, Status
from repair.records.written import NotAsked, Unwritten
from repair.survey.making import making
from repair.survey.making.steps import MakingSteps


class Writer:
    """Answers the same for ever, or raises it."""

    def __init__(self, answer):
        self.answer = answer

    def write(self, asked, before, seconds_left):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def steps(answer, seconds=100.0):
    return MakingSteps(StatedTask("TASK.md", "It returns 3.\n"), Writer(answer), None, None, lambda: seconds)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (steps(NotAsked("6 requests are the limit")), "6 requests are the limit"),
        (steps(None, seconds=1.0), "the time was over"),
        (steps(OutOfTimeError("late")), "the time was over"),
    ],
)
def test_a_limit_before_there_is_a_program_is_an_error_of_the_model(made, said):
    with pytest.raises(ModelError, match=f"There is no program: .*{said}"):
        making._go(made)


def test_answers_of_no_use_are_no_limit_whatever_their_words():
    made = steps(Unwritten("empty", "the model was not asked"))
    making._go(made)
    assert made.best is None
    assert "can be used" in made.ended


def test_each_patch_has_the_class_of_what_it_mends():
    result = Result(
        Status.PLAUSIBLE,
        failures=(FailureView("t.py::a", "LOGIC"), FailureView("t.py::b", "CONTRACT"), FailureView("t.py::c", "X")),
        causes=(CauseView(1, ("t.py::a",), Status.PLAUSIBLE), CauseView(2, ("t.py::b",), Status.PLAUSIBLE)),
    )
    patches = [PatchView(1, Status.PLAUSIBLE, "a.py", "f", "", "d", cause=number) for number in (1, 2, 0)]
    assert [making._told_patch(each, result).failure_class for each in patches] == ["LOGIC", "CONTRACT", "LOGIC"]
