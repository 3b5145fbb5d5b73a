"""Generated inputs near the recorded ones: what property-based testing does well, taken from Hypothesis.

Each argument position gets a strategy from the values seen there. So generated calls look like real ones: the same
types and shapes, other values, with the usual edges. Strategies also draw

- constants of the code: a boundary that the code names is where programs differ;
- values of the types that annotations name;
- values for parameters that no test passes.

The stream is the same for the same calls, constants, signature and seed. Hypothesis would add constants of the modules
that are loaded from a checkout. These are the engine's own, and reading them took a quarter of a ``check``.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from analysis.calls import CallInput, RecordedCall
from repair.compare.hints import Hint, short_decimals, strategy_of_hint

FAR_APART, MOST_STEPS = 2, 6
"""Positive numbers are far apart from so many doublings on; so many numbers lie on the way by factors."""

Strategy = st.SearchStrategy[Any]
MOST_ELEMENTS = 6
"""Elements of a generated collection like one that was seen."""

MOST_SPLICED, LONGEST_SPLICED, MOST_PIECES = 12, 80, 24
"""Texts of which pieces are put together, how long they are, and how many pieces of each count."""

BIG = 10**6
"""The largest number that is generated, and the largest constant that is used as an input."""

providers._get_local_constants = Constants  # there is no setting for it


def generate(
    calls: Sequence[RecordedCall],
    count: int,
    seed_value: int,
    constants: Sequence[Any] = (),
    signature: Sequence[Hint] = (),
) -> tuple[CallInput, ...]:
    """Up to ``count`` distinct calls shaped like the plain recorded ones, those themselves left out.

    ``signature`` holds the parameters but for an instance or class.
    """
    plain = [values for call in calls if call.plain and (values := call.input.values()) is not None]
    seen = {(repr(args), repr(kwargs)) for args, kwargs in plain}
    shapes: dict[tuple[int, tuple[str, ...]], list[tuple[tuple[Any, ...], dict[str, Any]]]] = {}
    for args, kwargs in plain:
        if args or kwargs or signature:
            shapes.setdefault((len(args), tuple(sorted(kwargs))), []).append((args, kwargs))
    found: list[CallInput] = []
    for shape in sorted(shapes):
        strategy = _call_strategy(shapes[shape], constants, signature)
        for args, kwargs in _draw(strategy, count // len(shapes) + 1, seed_value):
            key = (repr(args), repr(kwargs))
            if key not in seen:
                seen.add(key)
                found.append(CallInput(*key))
    return tuple(found[:count])


def generate_from_signature(
    signature: Sequence[Hint], count: int, seed_value: int, constants: Sequence[Any] = ()
) -> tuple[CallInput, ...]:
    """Up to ``count`` distinct calls of a function that nobody calls, by what its signature says.

    A parameter without an annotation gets values of many kinds, one with a default is left out. All come by position.
    """
    needed = [hint for hint in signature if hint.default is None]
    columns = [_strategy_for_needed(hint, constants) for hint in needed]
    drawn = _draw(st.tuples(*columns), count, seed_value)
    return tuple(dict.fromkeys(CallInput(repr(tuple(values)), "{}") for values in drawn))[:count]


def _strategy_for_needed(hint: Hint, constants: Sequence[Any]) -> Strategy:
    allowed = strategy_of_hint(hint.annotation) if hint.annotation else None
    return _any_plain(constants) if allowed is None else allowed


def _any_plain(constants: Sequence[Any]) -> Strategy:
    numbers = st.integers(-20, 20) | short_decimals()
    text = st.text("ab z.-_A9", max_size=6)
    rows = st.lists(st.integers(-9, 9), max_size=MOST_ELEMENTS) | st.lists(text, max_size=3)
    return st.one_of(text, numbers, rows, *_sample_strategies(list(constants)))


def _call_strategy(
    calls: Sequence[tuple[tuple[Any, ...], dict[str, Any]]], constants: Sequence[Any], signature: Sequence[Hint]
) -> Strategy:
    """All positions near one recorded call, with one or more of them moved; parameters left out may be named."""
    width = len(calls[0][0])
    names = sorted(calls[0][1])
    hints = {hint.name: hint for hint in signature}
    places = [*signature[:width], *([None] * (width - len(signature)))]
    columns = [_column_strategy(tuple(args[i] for args, _ in calls), constants, places[i]) for i in range(width)]
    named = {n: _column_strategy(tuple(kwargs[n] for _, kwargs in calls), constants, hints.get(n)) for n in names}
    more = {
        hint.name: _strategy_for_unseen(hint, constants)
        for hint in signature[width:]
        if hint.named and hint.name not in named
    }
    optional = {name: strategy for name, strategy in more.items() if strategy is not None}
    return st.tuples(st.tuples(*columns), st.fixed_dictionaries(named, optional=optional))


def _column_strategy(values: tuple[Any, ...], constants: Sequence[Any], hint: Hint | None) -> Strategy:
    """Values near those seen, and now and then one that the annotation allows."""
    allowed = strategy_of_hint(hint.annotation) if hint is not None and hint.annotation else None
    close = strategy_near(values, constants)
    return close if allowed is None else st.one_of(close, close, allowed)


def _strategy_for_unseen(hint: Hint, constants: Sequence[Any]) -> Strategy | None:
    """Values for a parameter that no test passes, by its annotation or the kind of its default."""
    allowed = strategy_of_hint(hint.annotation) if hint.annotation else None
    if hint.default is None:
        return None
    try:
        default = ast.literal_eval(hint.default)
    except (ValueError, SyntaxError):
        return allowed
    if default is None:
        return allowed
    close = strategy_near((default,), constants)
    return close if allowed is None else close | allowed


def strategy_near(values: tuple[Any, ...], constants: Sequence[Any] = ()) -> Strategy:
    """Values of the types seen, around those seen: the seen ones themselves are drawn half of the time."""
    kinds = {type(v) for v in values}
    seen = st.sampled_from(values)
    options: list[Strategy] = [seen]
    for kind in sorted(kinds, key=lambda k: k.__name__):
        own = tuple(v for v in values if type(v) is kind)
        options.append(_strategy_of_kind(kind, own, constants))
    return st.one_of(options)


def _strategy_of_kind(kind: type, values: tuple[Any, ...], constants: Sequence[Any]) -> Strategy:
    if kind is bool:
        return st.booleans()
    named = [c for c in constants if type(c) is kind]
    if kind is int:
        edges = sorted({e for v in values for e in (v - 1, v + 1, -v, 0, 1, v * 2)})
        most = min(BIG, max(abs(v) for v in values) + 9)
        sizes = st.integers(-most, most) | st.integers(-BIG, BIG)
        own = _sample_strategies(_numbers_around(constants, int))
        return st.one_of(st.sampled_from(edges), *own, sizes, *_sample_strategies(numbers_between(values)))
    if kind is float:
        edge = [e for v in values for e in (v - 1, v + 1, -v, v / 2)]
        own = _sample_strategies(_numbers_around(constants, float))
        spread = _sample_strategies(numbers_between(values))
        return st.one_of(st.sampled_from([*edge, 0.0, 1.0]), *own, short_decimals(), *spread)
    if kind is str:
        letters = sorted({c for v in values for c in v}) or ["a"]
        part = st.text(st.sampled_from(letters), max_size=max(len(v) for v in values) + 2)
        edited = [*(v[:-1] for v in values), *(v + v[-1:] for v in values), ""]
        others = (named, spliced(values), beginnings(values))
        return st.one_of(part, st.sampled_from(edited), *(s for each in others for s in _sample_strategies(each)))
    if kind is bytes:
        return st.one_of(st.binary(max_size=max(len(v) for v in values) + 2), *_sample_strategies(named))
    if kind in (list, tuple, set, frozenset):
        return _collection_strategy(kind, values, constants)
    if kind is dict:
        return _mapping_strategy(values, constants)
    return st.sampled_from(values)


def _sample_strategies(values: Sequence[Any]) -> list[Strategy]:
    return [st.sampled_from(values)] if values else []


def numbers_between(values: Sequence[Any]) -> list[Any]:
    """Numbers spread between those seen, of their kind: halfway, and where they lie far apart, on the way by factors.

    A test names numbers beside its boundaries. Most numbers that callers pass lie between them.

    Example: between 3 and 5 lies 4; between 1 and 1000 lie 2, 7, 19, 51, 138 and 372, and halfway 500.
    """
    found: dict[Any, None] = {}
    finite = sorted({each for each in values if abs(each) <= BIG})
    for low, high in pairwise(finite):
        between = [(low + high) / 2]
        if low > 0 and (doublings := math.log2(high) - math.log2(low)) >= FAR_APART:
            steps = min(MOST_STEPS, int(doublings))
            between += [low * 2 ** (doublings * n / (steps + 1)) for n in range(1, steps + 1)]
        for number in between:
            own = int(number) if type(low) is int and type(high) is int else float(f"{number:.3g}")
            if low < own < high:
                found[own] = None
    return list(found)


def spliced(texts: Sequence[str]) -> list[str]:
    """Texts of pieces of those seen: the beginning of one with the end of another, parted between words and marks.

    Example: of ``2 ^ 3 ^ 2`` and ``4 * 5`` come ``2 ^ 3 * 5`` and ``4 ^ 3 ^ 2``.
    """
    cut = _cut_to_pieces(texts)
    found: dict[str, None] = {}
    for one, other in itertools.product(cut, cut):
        for place in range(1, min(len(one), MOST_PIECES)):
            for start in range(1, min(len(other), MOST_PIECES)):
                if _seam(one, place) == _seam(other, start):
                    found["".join((*one[:place], *other[start:]))] = None
    return [text for text in found if text not in texts]


def beginnings(texts: Sequence[str]) -> list[str]:
    """Those seen, cut behind a mark: what reads on there meets the end.

    Example: of ``f(1, 2)`` come ``f(`` and ``f(1,``.
    """
    cut = _cut_to_pieces(texts)
    places = [(pieces, place) for pieces in cut for place in range(1, min(len(pieces), MOST_PIECES))]
    marked = [(pieces, place) for pieces, place in places if not (_is_word(p := pieces[place - 1]) or p.isspace())]
    found = dict.fromkeys("".join(pieces[:place]) for pieces, place in marked)
    return [text for text in found if text not in texts]


def _cut_to_pieces(texts: Sequence[str]) -> list[list[str]]:
    """The words, blanks and marks of the first few texts that are not long."""
    return [_PIECE.findall(text) for text in dict.fromkeys(texts) if len(text) <= LONGEST_SPLICED][:MOST_SPLICED]


_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


def _seam(pieces: Sequence[str], place: int) -> tuple[str, str]:
    """The kinds of the pieces on both sides of a place: a word, blanks or a mark."""
    before, behind = (
        "word" if _is_word(each) else "blank" if each.isspace() else "mark" for each in pieces[place - 1 : place + 1]
    )
    return before, behind


def _is_word(piece: str) -> bool:
    return piece[0].isalnum() or piece[0] == "_"


def _numbers_around(constants: Sequence[Any], kind: type) -> list[Any]:
    """The numbers among the constants as numbers of that kind, and their neighbours."""
    numbers = [c for c in constants if type(c) in (int, float) and -BIG <= c <= BIG]
    return [e for n in numbers for e in (kind(n), kind(n) - 1, kind(n) + 1)]


def _collection_strategy(kind: type, values: tuple[Any, ...], constants: Sequence[Any]) -> Strategy:
    # The order of a set differs from process to process.
    inner = tuple(x for v in values for x in (sorted(v, key=repr) if kind in (set, frozenset) else v))
    if not inner:
        return st.sampled_from(values)
    most = min(MOST_ELEMENTS, max(len(v) for v in values) + 1)
    if kind is tuple and len({len(v) for v in values}) == 1:
        return st.tuples(*(strategy_near(tuple(v[i] for v in values), constants) for i in range(len(values[0]))))
    return st.lists(strategy_near(inner, constants), max_size=most).map(kind)


def _mapping_strategy(values: tuple[dict[Any, Any], ...], constants: Sequence[Any]) -> Strategy:
    keys = tuple(k for v in values for k in v)
    if not keys:
        return st.sampled_from(values)
    contents = tuple(x for v in values for x in v.values())
    most = min(MOST_ELEMENTS, len(keys) + 1)
    return st.dictionaries(strategy_near(keys, constants), strategy_near(contents, constants), max_size=most)


def _draw(strategy: Strategy, count: int, seed_value: int) -> list[Any]:
    """``count`` examples, the same for the same seed."""
    drawn: list[Any] = []

    @seed(seed_value)
    @settings(
        max_examples=max(1, count),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Any) -> None:
        drawn.append(example)

    with contextlib.suppress(Flaky):  # on a busy machine it may draw otherwise: what came until then is as good
        collect()
    return drawn
