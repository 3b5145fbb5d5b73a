"""Functions beside a function, and the expressions that they share."""

from __future__ import annotations

import pytest

from analysis.facts import FunctionId
from analysis.siblings import are_mirrored, brought_in_line, siblings_of, taken_out_of_line

SOURCE = b"""
def outside(start, day):
    return start <= day

class Calendar:
    def show(self, start, day):
        return day - start

    def add(self, start, day):
        if start <= day:
            self.days.append(day)

    def remove(self, start, day):
        if start < day:
            self.days.remove(day)
"""
REMOVE = FunctionId("m.py", "Calendar.remove", 13)
LESS = ("def remove(self, start, day):", "    return start < day")
AT_MOST = ("def remove(self, start, day):", "    return start <= day")


def test_methods_of_the_class_are_beside_it_and_mirrored_ones_come_first() -> None:
    found = siblings_of(REMOVE, SOURCE)
    assert [(each.name, each.line, each.mirrored) for each in found] == [("add", 9, True), ("show", 6, False)]
    assert [each.name for each in siblings_of(FunctionId("m.py", "inside", 2), SOURCE)] == ["outside"]
    assert siblings_of(REMOVE, b"def broken(") == ()
    assert siblings_of(FunctionId("m.py", "Gone.remove", 1), SOURCE) == ()


def test_a_patch_that_writes_what_stands_beside_it_does_as_is_done_there() -> None:
    siblings = siblings_of(REMOVE, SOURCE)
    alike = brought_in_line(LESS, AT_MOST, siblings)
    assert alike is not None
    assert (alike.sibling.name, alike.idiom) == ("add", "start <= day")
    assert brought_in_line(AT_MOST, LESS, siblings) is None
    taken = taken_out_of_line(AT_MOST, LESS, siblings)
    assert taken is not None
    assert taken.idiom == "start <= day"


def test_a_question_that_is_denied_beside_it_is_shared_when_it_is_denied_too():
    """As in ``reduceby`` of toolz, beside ``groupby``."""
    beside = siblings_of(
        FunctionId("m.py", "f", 1), b"def g(key):\n    if not callable(key):\n        key = get(key)\n"
    )
    asked, denied = (
        ("def f(key):", f"    if {test}:", "        key = get(key)") for test in ("callable(key)", "not callable(key)")
    )
    alike = brought_in_line(asked, denied, beside)
    assert alike is not None
    assert alike.idiom == "not callable(key)"
    other = ("def f(key):", "    if iterable(key):", "        key = get(key)")
    assert brought_in_line(asked, other, beside) is None
    assert taken_out_of_line(asked, other, beside) is not None


def test_what_has_one_name_alone_or_cannot_be_read_is_no_idiom() -> None:
    one, other = ("def f(n):", "    return n < 1"), ("def f(n):", "    return n <= 1")
    beside = siblings_of(FunctionId("m.py", "f", 1), b"def g(n):\n    return n <= 1\n")
    assert brought_in_line(one, other, beside) is None
    assert brought_in_line(("def f(",), AT_MOST, siblings_of(REMOVE, SOURCE)) is None


@pytest.mark.parametrize(
    ("one", "other", "mirrored"),
    [
        ("add", "remove", True),
        ("add_item", "remove_item", True),
        ("_encode", "decode", True),
        ("min_of", "max_of", True),
        ("add", "added", False),
        ("add_item", "remove_all", False),
        ("show", "add", False),
    ],
)
def test_names_are_mirrored_that_differ_in_one_word_and_its_opposite(one: str, other: str, mirrored: bool) -> None:
    assert are_mirrored(one, other) is mirrored


def test_an_expression_with_very_many_parts_is_no_idiom_and_costs_nothing() -> None:
    terms = " + ".join(f"a[{number}] * b" for number in range(400))
    source = f"def g(a, b, c):\n    return {terms} < c\n\ndef f(a):\n    return a\n"
    (found,) = siblings_of(FunctionId("m.py", "f", 4), source.encode())
    assert "a[399] * b" in found.idioms
    assert max(map(len, found.idioms)) < 200


def test_a_number_that_cannot_be_printed_is_in_no_idiom() -> None:
    source = f"def g(a, b):\n    return a < 0x{'f' * 5000} + b, a < b\n\ndef f(a):\n    return a\n"
    (found,) = siblings_of(FunctionId("m.py", "f", 4), source.encode())
    assert found.idioms == {"a < b"}
