"""A process that dies takes nothing but its own task with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from corpora.workers import work_each

DEADLY = "__import__('os')._exit(3)"


def test_every_task_is_answered_and_the_deadly_one_told_apart():
    tasks = ["1 + 1", DEADLY, "2 + 2"]
    assert sorted(work_each(eval, tasks, 2, lambda task: -1)) == [-1, 2, 4]


def test_an_exception_is_the_callers():
    with pytest.raises(ZeroDivisionError):
        list(work_each(eval, ["1 / 0"], 1, lambda task: -1))


def test_what_is_broken_off_cleans_up(tmp_path: Path):
    mark = tmp_path / "mark"
    slow = f"""
import os, time
try:
    open({str(mark)!r}, "w").close()
    time.sleep(60)
finally:
    os.remove({str(mark)!r})
"""
    answers = work_each(exec, ["pass", slow], 2, lambda task: None)
    next(answers)
    late = time.monotonic() + 30
    while not mark.exists() and time.monotonic() < late:
        time.sleep(0.02)
    assert mark.exists()
    answers.close()
    assert not mark.exists()
    assert time.monotonic() < late
