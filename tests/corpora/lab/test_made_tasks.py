"""The ten tasks are what they say: each test but one is required, and each program fails one of them at first."""

import pytest

from analysis.specified.task_text import StatedTask
from corpora.lab.made_tasks import MADE_TASKS
from repair.model.reply import ModelReply
from repair.model.writing.sections import read_sections
from repair.records.grown import SaidBy
from repair.records.written import ReplyPart, WrittenFiles
from repair.survey.making.standings import read_standings


@pytest.mark.parametrize("task", MADE_TASKS, ids=lambda task: task.name)
def test_answers_of_a_task_are_read_and_its_tests_are_required(task):
    program, tests = task.replies[len(task.first) : len(task.first) + 2]
    own = read_sections(ModelReply(program), frozenset({ReplyPart.IMPLEMENTATION}), lambda files: "")
    written = read_sections(ModelReply(tests), frozenset({ReplyPart.TESTS}), lambda files: "")
    assert isinstance(own, WrittenFiles)
    assert isinstance(written, WrittenFiles)
    found = read_standings(written.tests, StatedTask("TASK.md", task.text), own.implementation)
    pinned = [test.name for test in found if test.standing is SaidBy.PINNED]
    assert pinned == (["tests/test_prices.py::test_half"] if task.name == "prices" else [])
    assert len(found) - len(pinned) >= 2


def test_there_are_ten_of_them():
    assert len({task.name for task in MADE_TASKS}) == len(MADE_TASKS) == 10
