"""The page of numbers that change a verdict says what the modules say, and each number says what it means."""

from __future__ import annotations

import ast

import pytest

from corpora.lab.constants import PAGE, constants, is_number, page


def test_the_page_is_as_the_modules_are() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make constants`"


def test_every_number_says_what_it_means() -> None:
    found = [constant for _, room in constants() for constant in room]
    assert len(found) > 50
    assert not [f"{each.path}: {each.name}" for each in found if not each.meaning]


@pytest.mark.parametrize("text", ["3", "-1.5", "10**6", "(1, 2)", "{'a': 1, 'b': 2.0}"])
def test_numbers_and_tables_of_numbers_are_listed(text: str) -> None:
    assert is_number(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize("text", ["True", "'a'", "()", "{}", "(1, 'a')", "f(3)", "None"])
def test_nothing_else_is(text: str) -> None:
    assert not is_number(ast.parse(text, mode="eval").body)
