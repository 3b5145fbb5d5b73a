"""How a value that came stands to the one that was wanted: one word of a closed list.

A person sees at once that two long lists hold the same items in another order; a model is told so. The first relation
that holds is given, the most telling ones first. Values are compared as literals: of what is none, only the texts are.
"""

from __future__ import annotations

import ast
import enum
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

_LONGEST = 20_000
_MOST_FACTOR = 1000
_NEAR = 1e-6
"""Floating numbers that differ by a smaller share are the same but for rounding."""


class Relation(enum.StrEnum):
    """What the value that came is, beside the wanted one. The texts are what is told."""

    NONE = "it is None where a value is wanted"
    NOT_NONE = "it is a value where None is wanted"
    NEGATED = "it is the opposite truth"
    SIGN = "it has the opposite sign"
    OFF_BY_ONE = "it is off by one"
    ROUNDING = "it differs by rounding"
    FACTOR = "it is the wanted number times or divided by a whole number"
    NUMBER = "it is another number"
    TYPE = "it is the same but for its type"
    CASE = "it differs in upper and lower case alone"
    WHITESPACE = "it differs in white space alone"
    EMPTY = "it is empty"
    PREFIX = "it is the beginning of the wanted one: the end is missing"
    SUFFIX = "it is the end of the wanted one: the beginning is missing"
    LONGER = "it holds the wanted one, and more"
    ONE_CHARACTER = "it differs in one character"
    ORDER = "it has the same items in another order"
    REPEATED = "it has the same items, repeated another number of times"
    SUBSET = "it lacks some of the wanted items, and has no others"
    SUPERSET = "it has all wanted items, and more"
    NESTED = "it has the same items, nested otherwise"
    ONE_ITEM = "it differs in one item"
    KEYS = "its keys are others"
    LENGTH = "it has another number of items"
    OTHER_TYPE = "it is of another type"
    RAISED = "an exception came where a result is wanted"
    NOT_RAISED = "a result came where an exception is wanted"
    OTHER_EXCEPTION = "another exception came than the wanted one"
    OTHER_MESSAGE = "the wanted exception came with another message"
    ENDLESS = "nothing came: the call does not end"
    OTHER = "nothing simple relates them"


def relation_of_texts(got: str, wanted: str) -> Relation | None:
    """The relation of two values that are written as literals; ``None`` where one is no literal, or both are equal."""
    values = []
    for text in (got, wanted):
        try:
            values.append(ast.literal_eval(_plain_numbers(text).strip()) if len(text) <= _LONGEST else _refuse())
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return None
    return None if _is_same(values[0], values[1]) else relation_between(values[0], values[1])


_EXACT = re.compile(r"\bFraction\((-?\d{1,30}), ([1-9]\d{0,30})\)|\bDecimal\('(-?\d{1,30}(?:\.\d{1,30})?)'\)")


def _plain_numbers(text: str) -> str:
    """The text with ``-6`` for ``Fraction(-6, 1)``, and ``2.5`` for ``Decimal('2.50')``."""

    def plain(found: re.Match[str]) -> str:
        value = Fraction(int(found[1]), int(found[2])) if found[1] else Fraction(found[3])
        return repr(int(value) if value.denominator == 1 else float(value))

    return _EXACT.sub(plain, text)


def _refuse() -> Any:
    raise ValueError


def relation_between(got: Any, wanted: Any) -> Relation:
    """The first relation that holds of two plain values that are not equal."""
    if got is None or wanted is None:
        return Relation.NONE if got is None else Relation.NOT_NONE
    if isinstance(got, bool) and isinstance(wanted, bool):
        return Relation.NEGATED
    if _is_number(got) and _is_number(wanted):
        return _of_numbers(got, wanted)
    if type(got) is type(wanted) and isinstance(got, (str, bytes)):
        return _of_texts(got, wanted)
    if _is_same_but_for_type(got, wanted):
        return Relation.TYPE
    if isinstance(got, dict) and isinstance(wanted, dict):
        return _of_mappings(got, wanted)
    if _is_collection(got) and _is_collection(wanted):
        return _of_collections(list(got), list(wanted))
    return Relation.OTHER_TYPE if type(got) is not type(wanted) else Relation.OTHER


def differing_item(got: Any, wanted: Any) -> tuple[str, Any, Any] | None:
    """Where two collections differ in one item alone: its place as it is written behind them, and both items."""
    if isinstance(got, dict) and isinstance(wanted, dict) and got.keys() == wanted.keys():
        places = [(f"[{key!r}]", got[key], wanted[key]) for key in got if not _is_same(got[key], wanted[key])]
    elif isinstance(got, (list, tuple)) and isinstance(wanted, (list, tuple)) and len(got) == len(wanted):
        pairs = enumerate(zip(got, wanted, strict=True))
        places = [(f"[{number}]", one, other) for number, (one, other) in pairs if not _is_same(one, other)]
    else:
        return None
    return places[0] if len(places) == 1 else None


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_collection(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def _of_numbers(got: float, wanted: float) -> Relation:
    if got == wanted:
        return Relation.TYPE
    if not (math.isfinite(got) and math.isfinite(wanted)):
        return Relation.NUMBER
    if got == -wanted:
        return Relation.SIGN
    if abs(got - wanted) == 1 and isinstance(got, int) == isinstance(wanted, int):
        return Relation.OFF_BY_ONE
    if _is_rounded(got, wanted):
        return Relation.ROUNDING
    small, large = sorted((abs(got), abs(wanted)))
    times = large / small if small else 0.0
    is_whole = 1 < round(times) <= _MOST_FACTOR and math.isclose(times, round(times))
    return Relation.FACTOR if is_whole else Relation.NUMBER


def _is_rounded(got: float, wanted: float) -> bool:
    """Whether the two are near, or one is the other rounded: 2.5 and 2, 0.333 and 0.33."""
    if isinstance(got, int) and isinstance(wanted, int):
        return False
    if math.isclose(got, wanted, rel_tol=_NEAR):
        return True
    if abs(got - wanted) < 1 and (float(got).is_integer() != float(wanted).is_integer()):
        return True
    return any(round(a, digits) == b for digits in range(1, 7) for a, b in ((got, wanted), (wanted, got)))


def _of_texts(got: Any, wanted: Any) -> Relation:
    tests: tuple[tuple[Relation, Callable[[], bool]], ...] = (
        (Relation.EMPTY, lambda: not got),
        (Relation.CASE, lambda: bool(got.lower() == wanted.lower())),
        (Relation.WHITESPACE, lambda: bool(got.split() == wanted.split()) or _squeezed(got) == _squeezed(wanted)),
        (Relation.ONE_CHARACTER, lambda: _differ_in_one(got, wanted)),
        (Relation.PREFIX, lambda: bool(wanted.startswith(got))),
        (Relation.SUFFIX, lambda: bool(wanted.endswith(got))),
        (Relation.LONGER, lambda: bool(wanted in got)),
        (Relation.ORDER, lambda: Counter(got.split()) == Counter(wanted.split())),
    )
    return next((relation for relation, holds in tests if holds()), Relation.OTHER)


def _squeezed(text: Any) -> Any:
    return text[:0].join(text.split())


def _differ_in_one(one: Any, other: Any) -> bool:
    """Whether one character is put in, left out or replaced."""
    if min(len(one), len(other)) < 2 or abs(len(one) - len(other)) > 1:
        return False
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = [each[same + (len(each) >= len(other_one)) :] for each, other_one in ((one, other), (other, one))]
    return bool(rest[0] == rest[1])


def _is_same_but_for_type(got: Any, wanted: Any) -> bool:
    if type(got) is type(wanted):
        return False
    if got == wanted:
        return True
    if _is_collection(got) and _is_collection(wanted):
        return _items(got) == _items(wanted)
    if isinstance(got, bytes) or isinstance(wanted, bytes):
        plain = [each.decode("latin-1") if isinstance(each, bytes) else each for each in (got, wanted)]
        return bool(plain[0] == plain[1])
    return isinstance(got, str) != isinstance(wanted, str) and str(got) == str(wanted)


def _items(value: Any) -> list[Any]:
    return sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)


def _of_mappings(got: Mapping[Any, Any], wanted: Mapping[Any, Any]) -> Relation:
    if not got:
        return Relation.EMPTY
    if got == wanted:
        return Relation.ORDER
    shared = all(_is_same(got[key], wanted[key]) for key in got.keys() & wanted.keys())
    if shared and got.keys() < wanted.keys():
        return Relation.SUBSET
    if shared and wanted.keys() < got.keys():
        return Relation.SUPERSET
    if got.keys() != wanted.keys():
        return Relation.KEYS
    return Relation.ONE_ITEM if differing_item(got, wanted) else Relation.OTHER


def _of_collections(got: Sequence[Any], wanted: Sequence[Any]) -> Relation:
    if not got:
        return Relation.EMPTY
    mine, theirs = (Counter(map(repr, each)) for each in (got, wanted))
    tests: tuple[tuple[Relation, Callable[[], bool]], ...] = (
        (Relation.ORDER, lambda: mine == theirs),
        (Relation.REPEATED, lambda: mine.keys() == theirs.keys()),
        (Relation.ONE_ITEM, lambda: differing_item(got, wanted) is not None),
        (Relation.SUBSET, lambda: mine <= theirs),
        (Relation.SUPERSET, lambda: theirs <= mine),
        (Relation.NESTED, lambda: list(_flat(got)) == list(_flat(wanted))),
        (Relation.LENGTH, lambda: len(got) != len(wanted)),
    )
    return next((relation for relation, holds in tests if holds()), Relation.OTHER)


def _flat(items: Sequence[Any]) -> list[Any]:
    """The items that are no lists or tuples, in their order, however deep they lie."""
    return list(
        itertools.chain.from_iterable(_flat(each) if isinstance(each, (list, tuple)) else [each] for each in items)
    )
