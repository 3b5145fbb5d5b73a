"""Facts that exclude each other: two sentences of a project of which one is wrong, whatever the program does."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from analysis.behaviour import Behaviour, Call, Raised, Returned
from analysis.specified.fact_record import Extractor, Fact, Predicate
from analysis.specified.kinds_text import kinds_from_text, widened
from analysis.stated.fact import (
    AllOf,
    Always,
    Argument,
    Compares,
    Condition,
    Fixed,
    Gives,
    Known,
    Raises,
    StatedFact,
    Undecided,
    applies,
    meets,
)
from analysis.stated.function import Stated, StatedFunction

_MOST_PAIRS = 2_000
"""Pairs of facts of one subject that are looked at."""


@dataclass(frozen=True, slots=True)
class Excluding:
    """Two facts of one subject, and in which words they exclude each other."""

    one: Fact
    other: Fact
    said: str


def find_contradictions(facts: Sequence[Fact], functions: Mapping[str, StatedFunction]) -> tuple[Excluding, ...]:
    """Each pair of quotes that exclude each other, once. Commits and what was seen contradict nothing."""
    by_subject: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.extractor not in (Extractor.COMMIT, Extractor.SEEN) and fact.predicate is not Predicate.STATES:
            by_subject[fact.subject].append(fact)
    found: dict[tuple[str, frozenset[str]], Excluding] = {}
    for subject, own in by_subject.items():
        function = functions.get(subject)
        for each in (*_static(own), *(_behaving(own, function) if function is not None else ())):
            quotes = frozenset((each.one.digest, each.other.digest))
            if len(quotes) == 2:
                found.setdefault((subject, quotes), each)
    return tuple(found.values())


_STATIC = (
    Predicate.TYPE,
    Predicate.ENUM,
    Predicate.RANGE,
    Predicate.LENGTH,
    Predicate.DEFAULT,
    Predicate.REQUIRED,
    Predicate.ORDER,
    Predicate.RETURNS,
    Predicate.RAISES,
)


def _static(own: Sequence[Fact]) -> Iterator[Excluding]:
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in own:
        if fact.predicate in _STATIC:
            groups[fact.part, fact.when].append(fact)
    for group in groups.values():
        pairs = list(combinations(group, 2))
        for one, other in pairs[:_MOST_PAIRS]:
            tests = one.extractor is other.extractor is Extractor.TEST
            if not tests and _excludes(one, other) and not _may_both_hold(own, one, other):
                yield Excluding(one, other, f"{one.claim}; {_short(other)}")
    raised = [fact for fact in own if fact.predicate is Predicate.RAISES]
    for fact in own:
        if fact.predicate is Predicate.NEVER:
            denied = (each for each in raised if _is_below(each.value, fact.value))
            yield from (Excluding(fact, each, f"{fact.claim}; {_short(each)}") for each in denied)
    codes = {fact.value for fact in own if fact.predicate is Predicate.STATUS and fact.extractor is Extractor.OPENAPI}
    listing = [f for f in own if f.predicate is Predicate.STATUS and f.extractor is Extractor.OPENAPI]
    for fact in own:
        if fact.predicate is Predicate.STATUS and codes and not _is_listed(fact.value, codes):
            yield Excluding(fact, listing[0], f"{fact.claim}; the interface lists {', '.join(sorted(codes))}")


def _may_both_hold(own: Sequence[Fact], one: Fact, other: Fact) -> bool:
    """Whether a condition is in words that nobody can decide, and empty; or the quote of one allows for the other."""
    sides = [(fact, fact.means) for fact in (one, other) if fact.means is not None]
    if any(isinstance(means.condition, Undecided) and not means.condition.text for _, means in sides):
        return True
    pairs = [(one, other.means), (other, one.means)]
    return any(means is not None and _allows(own, fact, {}, behaviour_of(means)) for fact, means in pairs)


def _is_listed(code: str, codes: Iterable[str]) -> bool:
    return bool({code, f"{code[0]}XX", "default"} & set(codes))


def _short(fact: Fact) -> str:
    when = f" when {fact.when}" if fact.when else ""
    return f"{fact.predicate.value} {fact.value}{when}"


def _excludes(one: Fact, other: Fact) -> bool:
    """Whether both cannot hold of the same part under the same condition."""
    pair = {one.predicate, other.predicate}
    if pair == {Predicate.RETURNS, Predicate.RAISES}:
        return True
    if len(pair) == 2:
        return False
    match one.predicate:
        case Predicate.TYPE:
            kinds = [kinds_from_text(each.value) for each in (one, other)]
            return kinds[0] is not None and kinds[1] is not None and not widened(kinds[0]) & widened(kinds[1])
        case Predicate.RANGE | Predicate.LENGTH:
            return _bounds_exclude(one.value, other.value)
        case Predicate.RAISES:
            return not _is_one_of(one.value, other.value)
        case Predicate.DEFAULT:
            return "None" not in (one.value, other.value) and _differ(one.value, other.value)
        case Predicate.RETURNS:
            return _differ(one.value, other.value)
    return one.value != other.value


def _is_one_of(one: str, other: str) -> bool:
    """Whether one exception is the other, or below it; a class of somebody's own may be."""
    kinds = [getattr(builtins, name, None) for name in (one, other)]
    if one == other or not all(isinstance(kind, type) for kind in kinds):
        return one == other or None in kinds
    first, second = kinds
    assert isinstance(first, type)
    assert isinstance(second, type)
    return issubclass(first, second) or issubclass(second, first)


def _is_below(one: str, other: str) -> bool:
    """Whether one exception is the other, or known to be below it."""
    kinds = [getattr(builtins, name, None) for name in (one, other)]
    if one == other or other == "Exception":
        return True
    return all(isinstance(kind, type) for kind in kinds) and issubclass(*kinds)  # type: ignore[arg-type]


def _differ(one: str, other: str) -> bool:
    try:
        first, second = ast.literal_eval(one), ast.literal_eval(other)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return one != other
    return bool(first != second) or isinstance(first, bool) is not isinstance(second, bool)


def _bounds_exclude(one: str, other: str) -> bool:
    """Whether two bounds leave no number, or are different bounds on the same side: one of them is not meant."""
    (sign, number), (other_sign, other_number) = _bound(one), _bound(other)
    if number is None or other_number is None:
        return False
    if sign[0] == other_sign[0]:
        return (sign, number) != (other_sign, other_number)
    low, high = (number, other_number) if sign[0] == ">" else (other_number, number)
    return low > high or (low == high and "=" not in sign + other_sign)


def _bound(text: str) -> tuple[str, float | None]:
    sign, _, number = text.partition(" ")
    try:
        return sign, float(number)
    except ValueError:
        return sign, None  # another parameter


def _behaving(own: Sequence[Fact], function: StatedFunction) -> Iterator[Excluding]:
    """What is said of one call, beside all that is said of calls of its kind."""
    facts = [fact for fact in own if fact.means is not None]
    for fact in facts[:_MOST_PAIRS]:
        assert fact.means is not None
        known, end = known_call(fact.means.condition, function), behaviour_of(fact.means)
        if known is None or end is None:
            continue
        others = {each.means: each for each in facts if each.digest != fact.digest and each.means is not None}
        same = {means: each for means, each in others.items() if _is_of(means, known, function)}
        for stated in _broken(same, known, end):
            other = others[stated]
            both_tests = other.extractor is Extractor.TEST and fact.extractor is Extractor.TEST
            if not both_tests and not _allows(facts, fact, known, behaviour_of(stated)):
                yield Excluding(fact, other, f"{fact.claim}; {_short(other)}")


def _is_of(means: StatedFact, known: Known, function: StatedFunction) -> bool:
    """Whether a fact of one call is of this very one: what it leaves out, this call must not give."""
    own = known_call(means.condition, function)
    return own is None or isinstance(means.condition, Always) or own.keys() == known.keys()


def _allows(facts: Sequence[Fact], fact: Fact, known: Known, end: Behaviour | None) -> bool:
    """Whether other words of the same quote allow for what the other side says: "0 if n is 0, or 1 if it rains"."""
    same = (each.means for each in facts if each.digest == fact.digest and each.means is not None)
    return end is not None and any(
        applies(each.condition, known) is not False and meets(each.end, end, known) is True for each in same
    )


def _broken(others: Mapping[StatedFact, Fact], known: Known, end: Behaviour) -> Iterator[StatedFact]:
    """Those that apply to the call and that such an end breaks; none of a source whose other words allow for it."""
    allowing = {
        (fact.place.path, fact.extractor)
        for each, fact in others.items()
        if isinstance(each.end, Gives | Raises)
        and applies(each.condition, known) is not False
        and meets(each.end, end, known)
    }
    for each, fact in others.items():
        is_broken = applies(each.condition, known) and meets(each.end, end, known) is False
        if is_broken and (fact.place.path, fact.extractor) not in allowing:
            yield each


def known_call(condition: Condition, function: StatedFunction) -> Known | None:
    """The arguments of the one call that a condition speaks of; ``None`` where it speaks of several.

    What is left out, and has a default that is no literal, is not among them.
    """
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    given = {}
    for part in parts:
        match part:
            case Compares(Argument(name), "==", Fixed(source)):
                given[name] = ast.literal_eval(source)
            case Always():
                pass
            case _:
                return None
    known = {**function.stated.known(Call("")), **given}
    return known if set(known) >= function.required else None


def behaviour_of(fact: StatedFact) -> Behaviour | None:
    """The end that a fact states, as if a call had it."""
    match fact.end:
        case Gives(source):
            return Returned(source)
        case Raises(name):
            return Raised(name)
    return None


def with_facts(stated: Stated, facts: Iterable[Fact]) -> Stated:
    """What is stated of a function, with what documents say of it."""
    own = [fact.means for fact in facts if fact.means is not None]
    return replace(stated, facts=tuple(dict.fromkeys((*stated.facts, *own))))
