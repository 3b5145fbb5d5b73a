"""A change taken apart: functions to judge, findings for the rest."""

from __future__ import annotations

from textwrap import dedent

import pytest

from transforms.patch.foreign_change import ForeignChange, ForeignFinding, split_change

OLD = dedent(
    '''\
    """A module."""
    import os

    RATE = 2


    # before
    def first(a):
        def inner(b):
            return b

        # a comment
        return inner(a)


    class Shop:
        """A shop."""

        rate = 3

        @property
        def price(self):
            return 1

        @price.setter
        def price(self, value):
            self.value = value


    if os.name:
        def last():
            pass
    '''
)


def is_test(path: str) -> bool:
    return path.startswith("tests/") or path.endswith("conftest.py")


def split(old: str | None, new: str | None, path: str = "mod.py") -> ForeignChange:
    before = ((path, old.encode()),) if old is not None else ()
    after = ((path, new.encode()),) if new is not None else ()
    return split_change(before, after, is_test)


FUNCTIONS = [
    ("return inner(a)", "return inner(a + 1)", [("first", 8)]),
    ("def first(a)", "def first(a, b=1)", [("first", 8)]),
    ("            return b\n", "        return b + 1\n", [("first.inner", 9)]),
    ("    # a comment\n", "", [("first", 8)]),
    ("    @property\n", "    @other\n", [("Shop.price", 21)]),
    ("self.value = value", "self.value = 2", [("Shop.price", 25)]),
    ("        pass", "        return 1", [("last", 31)]),
]


@pytest.mark.parametrize(("old", "new", "expected"), FUNCTIONS)
def test_an_edit_of_a_function_is_that_function_s(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    old = old.replace("            return b\n", "        return b\n")
    change = split(OLD, OLD.replace(old, new))
    assert [(f.function.qualname, f.function.first_line) for f in change.functions] == expected
    assert change.findings == ()


def test_a_changed_function_carries_its_texts_and_its_new_line() -> None:
    new = OLD.replace("import os\n", "import os\nimport sys\n").replace("self.value = value", "pass")
    change = split(OLD, new)
    (function,) = change.functions
    assert function.first_line == function.function.first_line + 1
    assert function.before == b"    @price.setter\n    def price(self, value):\n        self.value = value\n"
    assert function.after == b"    @price.setter\n    def price(self, value):\n        pass\n"
    assert change.findings == (ForeignFinding("imports", "mod.py", 3, "imports added: import sys"),)


OUTSIDE = [
    ("RATE = 2", "RATE = 4", [("module_level", 4)]),
    ("rate = 3", "rate = 4", [("module_level", 19)]),
    ("if os.name:", "if not os.name:", [("module_level", 30)]),
    ("class Shop:", "class Shop(Base):", [("module_level", 16)]),
    ("import os\n", "", [("imports", 2)]),
    ("import os\n", "from os import (\n    path,\n)\n", [("imports", 2)]),
    ("# before\n", "", [("layout", 7)]),
    ("# before", "# after", [("layout", 7)]),
    ("RATE = 2\n\n\n", "RATE = 2\n", [("layout", 5)]),
    ("RATE = 2", "RATE = 2  # percent", [("module_level", 4)]),
    ('"""A module."""', '"""The module."""', [("documentation", 1)]),
    ('    """A shop."""\n\n', "", [("documentation", 17), ("layout", 17)]),
    ("RATE = 2", "RATE = '''\n# no comment\n'''", [("module_level", 4)]),
    ("def first(a):", "def second(a):", [("function_added", 8), ("function_removed", 8)]),
    ("\n# before", "\ndef new():\n    return 1\n# before", [("function_added", 7)]),
]


@pytest.mark.parametrize(("old", "new", "expected"), OUTSIDE)
def test_what_lies_outside_any_function_is_a_finding(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    assert old in OLD
    change = split(OLD, OLD.replace(old, new))
    assert change.functions == ()
    assert [(f.kind, f.line) for f in change.findings] == expected
    assert all(f.claim for f in change.findings)


def test_blank_lines_around_a_new_function_are_layout() -> None:
    found = split("def f():\n    return 1\n", "def f():\n    return 1\n\n\ndef more():\n    return 2\n").findings
    assert {f.kind for f in found} == {"function_added", "layout"}


def test_what_looks_like_layout_and_is_not() -> None:
    assert [f.kind for f in split("x = 1 \\\n\n+ 2\n", "x = 1 \\\n+ 2\n").findings] != ["layout"]
    text = 'x = """\n# a\n\n"""\n'
    assert [f.kind for f in split(text, text.replace("# a\n", "# b\n")).findings] == ["module_level"]
    assert [f.kind for f in split(text, text.replace("\n\n", "\n")).findings] == ["module_level"]
    assert [f.kind for f in split("# x\ny = 'a'\n", "# coding: latin-1\ny = 'a'\n").findings] == ["module_level"]


def test_a_function_that_moves_is_a_finding() -> None:
    one, two = "def one():\n    return 1\n", "def two():\n    return 2\n"
    change = split(one + two, two + one)
    assert change.functions == ()
    assert [f.kind for f in change.findings] == ["function_moved"]


def test_files_that_come_go_or_are_no_python() -> None:
    assert [f.kind for f in split(None, OLD).findings] == ["file_added"]
    assert [f.kind for f in split(OLD, None).findings] == ["file_removed"]
    assert [f.kind for f in split("a", "b", "setup.cfg").findings] == ["other_file"]
    assert [f.kind for f in split("a", "b", "README.md").findings] == ["documentation"]
    assert [f.kind for f in split(OLD, "def (", "mod.py").findings] == ["unparseable"]
    assert split(OLD, OLD).findings == ()


TEST = "def test_one():\n    assert 1\n"


@pytest.mark.parametrize(
    ("old", "new", "path", "kinds"),
    [
        (TEST, TEST.replace("1\n", "2\n"), "tests/test_a.py", ["changed_test"]),
        (TEST, TEST + TEST.replace("one", "two"), "tests/test_a.py", ["added_test"]),
        (TEST, "x = 1\n", "tests/test_a.py", ["changed_test", "removed_test"]),
        (None, TEST, "tests/test_a.py", ["added_test"]),
        (TEST, None, "tests/test_a.py", ["removed_test"]),
        (TEST, "# x\n" + TEST, "tests/test_a.py", ["layout"]),
        (TEST, TEST.replace("1\n", "2\n"), "conftest.py", ["test_support"]),
        (TEST, "def fixture():\n    pass\n", "conftest.py", ["test_support", "test_support"]),
        ("a", "b", "tests/data.json", ["test_support"]),
        (TEST, TEST.replace("1\n", "2\n"), "tests/tools.py", ["test_support"]),
        (TEST, TEST.replace("1\n", "2\n"), "tests/shop_test.py", ["changed_test"]),
    ],
)
def test_changes_of_tests_are_findings(old: str | None, new: str | None, path: str, kinds: list[str]) -> None:
    change = split(old, new, path)
    assert change.functions == ()
    assert sorted(f.kind for f in change.findings) == kinds


def test_a_lost_line_end_at_the_end_is_no_edit_of_the_last_function() -> None:
    assert split("def f():\n    return 1", "def f():\n    return 1\n").functions == ()


def test_line_ends_marks_and_form_feeds_do_not_shift_the_lines() -> None:
    old = "\ufeffdef f():\r\n    return 1\r\n\r\n\x0c\r\nx = 1\r\n\x0cdef g():\r\n    return 2\r\n\r\ny = 2\r\n"
    new = old.replace("x = 1", "x = 3").replace("y = 2", "y = 4").replace("return 2", "return 5")
    change = split(old, new)
    assert [(f.function.qualname, f.first_line) for f in change.functions] == [("g", 6)]
    assert [(f.kind, f.line) for f in change.findings] == [("module_level", 5), ("module_level", 9)]
