"""A method of a parser is asked about through the function that people call."""

from __future__ import annotations

import difflib

import pytest

PROGRAM = '''"""Sums and products of numbers, from left to right."""


class Reader:
    def __init__(self, text):
        self._parts = text.split()
        self._place = 0

    def sum(self):
        value = self._product()
        while self._next() in ("+", "-"):
            sign = self._take()
            part = self._number()
            value = value + part if sign == "+" else value - part
        return value

    def _product(self):
        value = self._number()
        while self._next() == "*":
            self._take()
            value *= self._number()
        return value

    def _number(self):
        return int(self._take())

    def _next(self):
        return self._parts[self._place] if self._place < len(self._parts) else ""

    def _take(self):
        part = self._next()
        self._place += 1
        return part


def calculate(text):
    return Reader(text).sum()
'''
TESTS = """import pytest

from reader import calculate


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), ("2 + 3", 5), ("9 - 4", 5), ("2 * 3", 6), ("2 * 3 * 4", 24), ("2 * 3 + 4", 10)]
)
def test_from_left_to_right(text, value):
    assert calculate(text) == value


def test_products_come_first():
    assert calculate("2 + 3 * 4") == 14
"""


@pytest.mark.slow
def test_a_question_about_a_method_is_a_call_that_people_make(repair, tmp_path):
    (tmp_path / "reader.py").write_text(PROGRAM)
    (tmp_path / "test_reader.py").write_text(TESTS)
    wrong = PROGRAM.replace("part = self._number()", "part = self.sum()")
    diff = difflib.unified_diff(*(t.splitlines(True) for t in (PROGRAM, wrong)), "a/reader.py", "b/reader.py")
    (tmp_path / "wrong.diff").write_text("".join(diff))
    answer = repair(
        *("check", str(tmp_path / "wrong.diff"), "--root", str(tmp_path), "--json", "--max-seconds", "60"),
        *("--state-dir", str(tmp_path.parent / "state")),
    )
    assert answer.result["status"] == "plausible", answer.messages
    (found,) = answer.result["patches"]
    behaviour = next(each for each in found["evidence"] if each["gate"] == "behaviour")
    assert behaviour["measurements"]["outside"] > 0
    assert any("calculate('" in str(change) for change in found["changes"])
    assert any("calculate('" in str(question) for question in found["questions"])
