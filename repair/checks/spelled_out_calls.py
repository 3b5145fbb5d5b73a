"""The patch holds every value of several calls of the tests that it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from analysis.behaviour import Call, CallOrigin, Difference, Raised, Returned, Witness
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed

_MOST_BITS = 1000
"""Bits of a whole number that may be spelled out."""

LEAST_SPELLED = 3
"""Values that a call must have for it to be strange that a patch holds all of them."""


def find(found: Behaved) -> Difference | None:
    """A test's call of which the patch holds every value, new ones among them, where it holds another such call, too.

    A call with fewer than three values says nothing: a fix may well bring in a row of a table.

    Example: tests call ``area(3, 4, 5)`` and ``area(5, 12, 13)``, and the patch holds all six numbers.
    """
    texts, new = set(_spell(found.held)), set(_spell(found.brought_in))
    spelled = []
    for departure in found.old.made:
        values = _values(departure.call)
        if len(values) >= LEAST_SPELLED and values <= texts and values & new:
            spelled.append(departure)
    return spelled[0] if len({departure.call.given for departure in spelled}) > 1 else None


def _values(call: Call) -> frozenset[str]:
    """The numbers and texts that the arguments spell out; none where they are cut or no expression."""
    try:
        tree = ast.parse(f"f{call.arguments}", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(_spell(node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)))


def _spell(values: Iterable[Any]) -> Iterator[str]:
    """Numbers and texts as Python writes them, but for whole numbers of a thousand bits and more."""
    for value in values:
        if type(value) in (float, str, bytes) or (type(value) is int and value.bit_length() < _MOST_BITS):
            yield repr(value)


def _ask(witness: Witness) -> str:
    return "What should it answer on other values?"


def _change(arguments: str, origin: CallOrigin = CallOrigin.MADE) -> Difference:
    return departed(f"change({arguments})", Raised("ValueError", "'x'"), Returned("9"), origin)


_ONE, _TWO = _change("[1, 5, 25], 75"), _change("[1, 5, 25], -34")


def _with(
    *departures: Difference, held: tuple[int, ...] = (1, 5, 25, 75, 34), brought_in: tuple[int, ...] = (75, 34)
) -> Behaved:
    return Behaved(AgainstOld(departures=departures), held=held, brought_in=brought_in)


CHECK = Check(
    "spelled_out_calls",
    "it holds every value of several calls of the tests that it changes",
    find,
    flagged=(_with(_ONE, _TWO),),
    clean=(
        _with(_ONE),
        _with(_ONE, _ONE),
        _with(_ONE, _TWO, held=(1, 5, 25, 75), brought_in=(75,)),
        _with(_ONE, _TWO, brought_in=()),
        _with(_ONE, _change("[1, 5, 25], -34", CallOrigin.GENERATED)),
        _with(_ONE, _change("[1, 5, 25], …")),
        _with(_ONE, _change("-" * 100_000 + "1")),
        _with(_change("404"), _change("410"), held=(404, 410), brought_in=(404, 410)),
    ),
    question=_ask,
)
