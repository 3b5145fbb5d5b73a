"""Callees and callers of a function."""

from __future__ import annotations

import dataclasses

from fakes.matters import SHOP, matter

from repair.model.facts.calls import callees, callers


def test_callees_of_the_class_and_of_other_files_have_head_and_first_sentence() -> None:
    text = callees(matter())
    assert "rate_of: def rate_of(kind: str) -> int  # rates.py:1\n    The rate of a kind." in text
    assert "self.rounded: def rounded(self, value: float, digits: int=2) -> float  # shop.py:42\n    Round it." in text
    assert "math" not in text


def test_a_class_that_is_called_has_the_head_of_its_set_up() -> None:
    source = SHOP.replace("total = count +", "total = Rates([]) and count +")
    assert "Rates: class Table(self, rows, *, sorted=False)  # rates.py:9\n    All rates." in callees(
        matter(source=source)
    )


def test_what_the_project_does_not_define_is_left_out() -> None:
    assert callees(matter("report")) == ""
    assert callees(matter("make")) == "", "what is nested is shown already"


def test_callees_on_suspicious_lines_come_first() -> None:
    line = next(n for n, text in enumerate(SHOP.splitlines(), 1) if "return self.rounded" in text)
    assert callees(matter(scores=((line, 1.0),))).startswith("self.rounded")


def test_callers_are_shown_with_the_lines_above() -> None:
    text = callers(matter())
    assert text.startswith("shop.py:")
    assert "in def report(shop)" in text
    assert "    cost = shop.price(3)" in text


def test_calls_in_tests_and_in_itself_are_no_callers() -> None:
    source = SHOP.replace("cost = shop.price(3)", "cost = 3").replace(
        "return self.rounded(total)", "return self.price(1)"
    )
    assert callers(matter(source=source)) == ""


def test_a_file_that_cannot_be_read_is_left_out() -> None:
    given = matter()
    sources = (*given.context.sources, ("broken.py", b"shop.price(1) )("))
    other = dataclasses.replace(given, context=dataclasses.replace(given.context, sources=sources))
    assert callers(other) == callers(given)
