"""The words and marks of a program's text, and how far two rows of them are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARKS = r"\w+|(?:\*\*|//|<<|>>|[-+*/%@&|^<>=!:])=|\*\*|//|<<|>>|->"
"""A word, or a mark of several signs: ``>=`` is one mark, as ``>`` is."""

_WORD = re.compile(rf"{_MARKS}|[^\w\s]")
_WORD_OR_LINE = re.compile(rf"{_MARKS}|\n\s*|[^\w\s]")


def words_of(text: str, *, with_lines: bool = False) -> list[str]:
    """Words and marks in their order, blanks left out; ``with_lines`` keeps the ends of lines, several as one.

    Example: ``a >= b`` gives ``a``, ``>=`` and ``b``.
    """
    if not with_lines:
        return _WORD.findall(text)
    return ["\n" if word.startswith("\n") else word for word in _WORD_OR_LINE.findall(text)]


def count_alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many of them are the same from the beginning on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((count for count, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
