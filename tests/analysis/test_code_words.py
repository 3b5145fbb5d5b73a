"""Words and marks of a program's text."""

from __future__ import annotations

import pytest

from analysis.code_words import count_alike, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a >= b", ["a", ">=", "b"]),
        ("x **= 2 // -y", ["x", "**=", "2", "//", "-", "y"]),
        ("def é(a):\n\n    pass", ["def", "é", "(", "a", ")", ":", "pass"]),
        ("", []),
    ],
)
def test_marks_of_several_signs_are_one_and_blanks_are_left_out(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_ends_of_lines_are_kept_once_where_they_are_asked_for(ending: str) -> None:
    text = ending.join(("a", "", "    b", ""))
    assert words_of(text, with_lines=True) == ["a", "\n", "b", "\n"]


def test_alike_is_what_is_the_same_from_the_beginning_on() -> None:
    assert count_alike(["a", "b", "c"], ["a", "b", "d"]) == 2
    assert count_alike(["a"], ["a", "b"]) == 1
    assert count_alike([], ["a"]) == 0
