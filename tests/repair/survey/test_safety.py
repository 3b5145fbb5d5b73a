"""Functions that reach files, clocks and the like are left alone."""

from __future__ import annotations

import pytest

from repair.survey.safety import MOST_FOLLOWED, find_far_reach

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
    assert said in find_far_reach("shop.py", (("shop.py", SOURCE),), name)


@pytest.mark.parametrize("name", ["join", "plain", "ascii", "Store.size", "none_such"])
def test_what_does_not(name):
    assert find_far_reach("shop.py", (("shop.py", SOURCE),), name) == ""


def test_a_file_that_cannot_be_read():
    assert find_far_reach("shop.py", (("shop.py", b"def f(:"),), "f") == "its file cannot be read"


def test_what_leads_to_more_than_is_read_is_left_alone():
    """The last of many might do anything: that it was not read says nothing."""
    many = [f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(MOST_FOLLOWED + 1)]
    source = "".join([*many, f"def f{MOST_FOLLOWED + 1}(x):\n    open(x, 'w')\n"]).encode()
    assert "more than" in find_far_reach("shop.py", (("shop.py", source),), "f0")
    assert "opens a file to write it" in find_far_reach("shop.py", (("shop.py", source),), "f9")


FILES = (
    ("src/shop/__init__.py", b"from .store import save\nfrom shop.plain import twice\n"),
    ("src/shop/store.py", b"import os\n\ndef save(text):\n    return os.remove(text)\n\nclass Log:\n"
     b"    def __init__(self, name):\n        self.name = name\n    def keep(self):\n        open(self.name)\n"),
    ("src/shop/plain.py", b"def twice(n):\n    return 2 * n\n"),
    ("src/shop/app.py", b"import shop\nimport shop.store as kept\nfrom shop import save as put, twice\n"
     b"from .store import Log\n\ndef direct(x):\n    return put(x)\n\ndef dotted(x):\n    return kept.save(x)\n\n"
     b"def handed_on(x):\n    return shop.save(x)\n\ndef method(x):\n    return Log(x).keep()\n\n"
     b"def name(x):\n    return Log(x).name\n\ndef double(x):\n    return twice(x)\n"),
)  # fmt: skip


@pytest.mark.parametrize("name", ["direct", "dotted", "handed_on"])
def test_what_other_files_of_the_project_do_is_read(name):
    said = find_far_reach("src/shop/app.py", FILES, name)
    assert "os.remove" in said
    assert said.endswith("(in save of src/shop/store.py)")


def test_a_method_of_a_class_of_another_file():
    assert "(in Log.keep of src/shop/store.py)" in find_far_reach("src/shop/app.py", FILES, "method")


@pytest.mark.parametrize("name", ["name", "double"])
def test_plain_functions_of_other_files_keep_no_test_away(name):
    assert find_far_reach("src/shop/app.py", FILES, name) == ""


SETTING = (
    ("a.py", b"from b import plain, change\n\n@plain\ndef f(x):\n    return x\n\n@change\ndef g(x):\n    return x\n"),
    ("b.py", b"import os\n\ndef plain(f):\n    return os.environ.get('A') and f\n\n"
     b"def change(f):\n    os.environ['A'] = f\n\ndef own(x):\n    return os.environ.get('A')\n"),
)  # fmt: skip


def test_a_decorator_of_another_file_may_look_at_the_environment_and_not_change_it():
    assert find_far_reach("a.py", SETTING, "f") == ""
    assert "depends on the environment (in change of b.py)" in find_far_reach("a.py", SETTING, "g")
    assert "depends on the environment" in find_far_reach("b.py", SETTING, "own")
