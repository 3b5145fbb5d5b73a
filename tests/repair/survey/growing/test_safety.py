"""Functions that reach files, clocks and the like are left alone."""

from __future__ import annotations

import pytest

from repair.survey.growing.safety import MOST_FOLLOWED, find_far_reach

SOURCE = b"""
import os
import random
import shutil
import time
from datetime import datetime
from pathlib import Path


def clear(folder):
    shutil.rmtree(folder)


def tidy(folder):
    if folder:
        clear(folder)


def join(a, b):
    return os.path.join(a, b)


def now():
    return datetime.now()


def draw(values):
    return random.choice(values)


def plain(values):
    print(values)
    return sorted(values)


class Store:
    def save(self, text):
        self._write(text)

    def _write(self, text):
        Path("out").write_text(text)

    def size(self):
        return len(self.rows)


class Log:
    def __init__(self, name):
        self.file = open(name)

    def size(self):
        return 1


def note(name):
    return Log(name).size()


def calculate(text):
    return eval(text)


def ascii(text):
    return text.encode("ascii", "ignore").decode("ascii") + b"x".decode()


def start():
    return time.perf_counter()
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("clear", "line 11 uses shutil.rmtree, which reads or writes files"),
        ("tidy", "line 11 uses shutil.rmtree, which reads or writes files (in clear)"),
        ("now", "depends on the clock"),
        ("draw", "depends on chance"),
        ("Store.save", "(in Store._write)"),
        ("Log.size", "reads or writes files (in Log.__init__)"),
        ("note", "reads or writes files (in Log.__init__)"),
        ("calculate", "runs or imports code made at run time"),
        ("start", "depends on the clock"),
    ],
)
def test_what_reaches_far(name, said):
    assert said in find_far_reach(SOURCE, name)


@pytest.mark.parametrize("name", ["join", "plain", "ascii", "Store.size", "none_such"])
def test_what_does_not(name):
    assert find_far_reach(SOURCE, name) == ""


def test_a_file_that_cannot_be_read():
    assert find_far_reach(b"def f(:", "f") == "its file cannot be read"


def test_what_leads_to_more_than_is_read_is_left_alone():
    """The last of many might do anything: that it was not read says nothing."""
    many = [f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(MOST_FOLLOWED + 1)]
    source = "".join([*many, f"def f{MOST_FOLLOWED + 1}(x):\n    open(x, 'w')\n"]).encode()
    assert "more than" in find_far_reach(source, "f0")
    assert "opens a file to write it" in find_far_reach(source, "f9")
