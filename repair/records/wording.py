"""Small words of our sentences."""

from __future__ import annotations

from collections.abc import Sequence


def count_noun(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun: ``1 suspect``, ``2 suspects``."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def list_names(items: Sequence[object], noun: str, most: int = 2) -> str:
    """The first few by name, and how many more there are: ``a``, ``a, b``, ``a, b and 3 more tests``."""
    first, more = ", ".join(map(str, items[:most])), len(items) - most
    return f"{first} and {count_noun(more, f'more {noun}')}" if more > 0 else first


def words_of_failure(problem: BaseException) -> str:
    """The type of an exception and what it says, in one line: ``KeyError: 'a'``; a stranger's may not be able to."""
    try:
        said = " ".join(str(problem).split())
    except Exception:  # noqa: BLE001 - a stranger's ``__str__``
        said = ""
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__
