"""Simpler inputs and calls: fewer arguments, shorter texts and rows, rounder numbers, two extremes together.

An input is made simpler while nobody knows yet what comes out. The call of a chosen test is made smaller as edits are.
One part is left out at a time, as long as the test still does what it is kept for.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any

from analysis.behaviour import Call
from analysis.calls import CallInput, RecordedCall
from repair.compare.hints import Hint

MOST_PIECES = 12
"""Places of a text or row that are left out one by one."""

MOST_MOVED, MOST_PAIRS = 3, 60
"""Of so many calls two arguments are moved at once, and so many inputs come of it."""


def simpler_inputs(call: Call) -> Iterator[CallInput]:
    """The plain call with one thing simpler, for each thing; none for a call whose arguments are not all literals."""
    found = _values(call)
    if found is None:
        return
    args, named = found
    for name in named:
        yield _given(args, {key: value for key, value in named.items() if key != name})
    for place, value in enumerate(args):
        for simple in simpler(value):
            yield _given((*args[:place], simple, *args[place + 1 :]), named)
    for name, value in named.items():
        for simple in simpler(value):
            yield _given(args, {**named, name: simple})


def input_of(call: Call) -> CallInput | None:
    """What the call is given; ``None`` where it is made on an instance, or an argument is no literal."""
    found = None if call.context else _values(call)
    return _given(*found) if found is not None else None


def extreme_pairs(calls: Sequence[RecordedCall], signature: Sequence[Hint]) -> list[CallInput]:
    """The calls of tests, the shortest first, with two arguments at once at an extreme of their kinds.

    What is generated moves one argument far more often than two. A limit of 0 shows on an empty text, say.

    Example: ``fits("abc", most=2)`` gives ``fits("", most=0)``.
    """
    plain = {call.input: call.input.values() for call in calls if call.plain}
    found: dict[CallInput, None] = {}
    for given in sorted(plain, key=lambda each: (len(each.args) + len(each.kwargs), each.args))[:MOST_MOVED]:
        args, named = plain[given] or ((), {})
        places: list[tuple[int | str, tuple[Any, ...]]] = [(n, _extremes(value)) for n, value in enumerate(args)]
        places += [(name, _extremes(value)) for name, value in named.items()]
        left_out = [hint for hint in signature[len(args) :] if hint.named and hint.name not in named]
        places += [(hint.name, _extremes_of_hint(hint)) for hint in left_out if hint.default is not None]
        for (one, firsts), (other, seconds) in combinations(places, 2):
            for first, second in product(firsts, seconds):
                found[_put(args, named, {one: first, other: second})] = None
    return [each for each in found if each not in plain][:MOST_PAIRS]


def _put(args: tuple[Any, ...], named: dict[str, Any], changed: dict[int | str, Any]) -> CallInput:
    own = tuple(changed.get(n, value) for n, value in enumerate(args))
    return _given(own, {**named, **{name: value for name, value in changed.items() if isinstance(name, str)}})


def _extremes(value: Any) -> tuple[Any, ...]:
    """The least that a value of its kind can be, and what lies on both sides of zero."""
    return _EXTREMES.get(type(value), ())


_EXTREMES: dict[type, tuple[Any, ...]] = {
    bool: (False, True), int: (0, 1, -1), float: (0.0,), str: ("",), bytes: (b"",), list: ([],), tuple: ((),),
    dict: ({},),
}  # fmt: skip


def _extremes_of_hint(hint: Hint) -> tuple[Any, ...]:
    """Those of the first plain kind that an annotation names, else of the default's own kind."""
    words = re.findall(r"\w+", hint.annotation)
    kinds = {kind.__name__: values for kind, values in _EXTREMES.items()}
    named = next((kinds[word] for word in words if word in kinds), ())
    try:
        return named or _extremes(ast.literal_eval(hint.default or "None"))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return ()


def _given(args: tuple[Any, ...], named: dict[str, Any]) -> CallInput:
    return CallInput(repr(args), repr(named))


def _values(call: Call) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    try:
        parsed = ast.parse(f"f{call.arguments}", mode="eval").body
        if not isinstance(parsed, ast.Call) or any(each.arg is None for each in parsed.keywords):
            return None
        args = tuple(ast.literal_eval(node) for node in parsed.args)
        return args, {str(each.arg): ast.literal_eval(each.value) for each in parsed.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def simpler(value: Any) -> Iterator[Any]:
    """Values of the same kind that are simpler; none for what is simple.

    Examples: 17 gives 0, 1, 8 and 16; ``"abc"`` gives its halves and what is left without each letter.
    """
    match value:
        case bool() | None:
            return
        case int():
            steps = (0, 1, -1, value // 2, abs(value), value - (1 if value > 0 else -1))
            yield from (each for each in dict.fromkeys(steps) if abs(each) < abs(value) or (value < 0 and each > 0))
        case float():
            rounder = (0.0, 1.0, float(int(value)), round(value, 1)) if value - value == 0 else ()
            yield from (each for each in dict.fromkeys(rounder) if (len(repr(each)), each) < (len(repr(value)), value))
        case str() | bytes() | list() | tuple():
            yield from _shorter(value)
        case dict():
            for key in list(value)[:MOST_PIECES]:
                yield {other: held for other, held in value.items() if other != key}


def _shorter(value: Any) -> Iterator[Any]:
    half = len(value) // 2
    if half:
        yield from (value[:half], value[half:])
    if len(value) > 1:
        for place in range(min(len(value), MOST_PIECES)):
            yield value[:place] + value[place + 1 :]
    elif value:
        yield value[:0]
    if isinstance(value, (list, tuple)):
        for place, item in enumerate(value[:MOST_PIECES]):
            for simple in simpler(item):
                yield (*value[:place], simple, *value[place + 1 :]) if isinstance(value, tuple) else [
                    *value[:place], simple, *value[place + 1 :],
                ]  # fmt: skip


def smaller_calls(source: str) -> Iterator[str]:
    """The expression with one part less, for each part: an argument of a call in it, a piece of a plain value.

    Example: ``Cart(items=[1, 5], name='').dear(2)`` gives ``Cart(items=[1, 5]).dear(2)``, ``Cart(items=[1], name='')``…
    """
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Call):
            values: list[tuple[int | str, ast.expr]] = [*enumerate(node.args)]
            values += [(each.arg, each.value) for each in node.keywords if each.arg]
            for place, value in values:
                if isinstance(place, str) or (place == len(node.args) - 1 and not node.keywords):
                    yield _changed(tree, number, place, None)
                for simple in islice(_simpler_source(value), MOST_PIECES):
                    yield _changed(tree, number, place, simple)


def _changed(tree: ast.Expression, number: int, place: int | str, value: ast.expr | None) -> str:
    """The expression with another value for one argument of one call in it; without that argument where there is none.

    ``number`` counts the nodes as they are walked, and ``place`` is the argument's position or its name.
    """
    own = copy.deepcopy(tree)
    call = next(islice(ast.walk(own), number, None))
    assert isinstance(call, ast.Call), "a copy is walked in the same order"
    if isinstance(place, int):
        call.args[place : place + 1] = [] if value is None else [value]
    else:
        put = [] if value is None else [ast.keyword(place, value)]
        call.keywords = [new for each in call.keywords for new in (put if each.arg == place else [each])]
    return ast.unparse(own)


def _simpler_source(node: ast.expr) -> Iterator[ast.expr]:
    """Simpler values in the place of a plain one."""
    try:
        for value in simpler(ast.literal_eval(node)):
            yield ast.parse(repr(value), mode="eval").body
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return
