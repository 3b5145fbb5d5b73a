"""A fact that somebody wrote down about a function, and whether a call keeps to it.

A fact says: where this holds of the arguments, the call ends so. Conditions and ends are closed unions. So each can be
decided for a call with plain arguments. All answers are ``True``, ``False``, or ``None`` where nobody can tell.
"""

from __future__ import annotations

import ast
import builtins
import enum
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, assert_never

from analysis.behaviour import Behaviour, Ended, Hung, Raised, Returned, is_unfit, literal_of

Known = Mapping[str, Any]
"""The arguments of a call by parameter, as far as they are literals."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The value that a parameter has in the call."""

    name: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value as Python source: ``0``, ``None``, ``[]``."""

    source: str


Operand = Argument | Fixed


@dataclass(frozen=True, slots=True)
class Always:
    """Holds of every call."""


@dataclass(frozen=True, slots=True)
class Compares:
    """Two operands compare so: ``n < 0``, ``name in table``, ``text is None``."""

    left: Operand
    sign: str
    right: Operand


@dataclass(frozen=True, slots=True)
class IsEmpty:
    """The parameter has no items; of one of these kinds, where any is named."""

    name: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IsKind:
    """The parameter's value is of one of these kinds: ``int``, ``str``."""

    name: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """The condition does not hold."""

    inner: Condition


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Undecided:
    """What the text says in words that no arguments decide: ``nothing matches``."""

    text: str


Condition = Always | Compares | IsEmpty | IsKind | Negated | AnyOf | AllOf | Undecided


@dataclass(frozen=True, slots=True)
class Gives:
    """The call returns this value, as Python source."""

    source: str


@dataclass(frozen=True, slots=True)
class GivesKind:
    """The call returns a value of one of these kinds: ``list``, ``NoneType``."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Raises:
    """The call raises an exception of this class, or of one below it."""

    type: str


@dataclass(frozen=True, slots=True)
class IsSorted:
    """The call returns its items in this order."""

    descending: bool = False


@dataclass(frozen=True, slots=True)
class IsWithin:
    """The call returns a number, or so many items, of at least or at most this."""

    least: Operand | None = None
    most: Operand | None = None
    counts_items: bool = False


End = Gives | GivesKind | Raises | IsSorted | IsWithin


class Certainty(enum.Enum):
    """How sure it is that the text says so."""

    CERTAIN = "certain"
    """It names the parameter, or every call."""
    LIKELY = "likely"
    """It speaks of "the list", or "a negative number", and the function takes one thing alone."""


class FactSource(enum.Enum):
    """Where it is written; the values are what people read."""

    DOCSTRING = "docstring"
    CLASS = "docstring of the class"
    MODULE = "docstring of the module"
    ANNOTATION = "annotation"


@dataclass(frozen=True, slots=True)
class StatedFact:
    """One fact, with the words that state it and the line of the file that they begin in."""

    condition: Condition
    end: End
    quote: str
    line: int
    certainty: Certainty = Certainty.CERTAIN
    source: FactSource = FactSource.DOCSTRING
    path: str = ""
    """The file that states it, where that is not the function's own."""

    @property
    def is_decidable(self) -> bool:
        """Whether some call's arguments can decide that it applies."""
        return not isinstance(self.condition, Undecided)


def parameters_in(condition: Condition) -> frozenset[str]:
    """The parameters that the condition speaks of."""
    match condition:
        case Compares(left, _, right):
            return frozenset(each.name for each in (left, right) if isinstance(each, Argument))
        case IsEmpty(name) | IsKind(name):
            return frozenset((name,))
        case Negated(inner):
            return parameters_in(inner)
        case AnyOf(parts) | AllOf(parts):
            return frozenset(name for part in parts for name in parameters_in(part))
    return frozenset()


def applies(condition: Condition, known: Known) -> bool | None:
    """Whether the condition holds of a call with these arguments."""
    match condition:
        case Always():
            return True
        case Undecided():
            return None
        case Compares(left, sign, right):
            return _compare(left, sign, right, known)
        case IsEmpty(name, kinds):
            return _is_empty(known[name], kinds) if name in known else None
        case IsKind(name, kinds):
            return _is_kind(known[name], kinds) if name in known else None
        case Negated(inner):
            found = applies(inner, known)
            return None if found is None else not found
        case AnyOf(parts):
            return _join([applies(part, known) for part in parts], decisive=True)
        case AllOf(parts):
            return _join([applies(part, known) for part in parts], decisive=False)
    assert_never(condition)


def _join(found: list[bool | None], *, decisive: bool) -> bool | None:
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def meets(end: End, behaviour: Behaviour, known: Known) -> bool | None:
    """Whether a call that ends so keeps to what is said of its end. A call that does not fit the signature is none."""
    if is_unfit(behaviour) or isinstance(behaviour, Hung | Ended):
        return None
    match end:
        case Raises(name):
            return _is_raised(name, behaviour)
        case Gives(source):
            return _is_given(source, behaviour)
        case GivesKind(kinds):
            return _has_kind(kinds, behaviour)
        case IsSorted(descending):
            return _is_sorted(behaviour, descending=descending)
        case IsWithin(least, most, counts_items):
            return _is_within(behaviour, least, most, known, counts_items=counts_items)
    assert_never(end)


_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "in": lambda one, many: one in many,
}
_BOUNDED = 10_000
"""Items of a literal that are looked at."""


def _compare(left: Operand, sign: str, right: Operand, known: Known) -> bool | None:
    values = [_value_of(each, known) for each in (left, right)]
    if values[0] is None or values[1] is None:
        return None
    ((one,), (other,)) = values[0], values[1]
    if sign == "is":
        return one is other
    if sign == "==" and isinstance(one, bool) is not isinstance(other, bool):
        return None if one == other else False
    try:
        return bool(_SIGNS[sign](one, other))
    except TypeError:
        return None


def _value_of(operand: Operand, known: Known) -> tuple[Any] | None:
    if isinstance(operand, Fixed):
        return (ast.literal_eval(operand.source),)
    return (known[operand.name],) if operand.name in known else None


def _is_empty(value: Any, kinds: tuple[str, ...]) -> bool | None:
    if kinds and type(value).__name__ not in kinds:
        return False
    return not len(value) if isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) else False


def _is_kind(value: Any, kinds: tuple[str, ...]) -> bool | None:
    name = type(value).__name__
    if name in kinds:
        return True
    is_number_too = (name == "bool" and "int" in kinds) or (name == "int" and "float" in kinds)
    return None if is_number_too else False


def _is_raised(name: str, behaviour: Behaviour) -> bool | None:
    if not isinstance(behaviour, Raised):
        return False
    if behaviour.type == name:
        return True
    wanted, raised = (getattr(builtins, each, None) for each in (name, behaviour.type))
    if not (isinstance(wanted, type) and isinstance(raised, type)):
        return None  # a class of the project's own may be one of these
    return issubclass(raised, wanted)


def _is_given(source: str, behaviour: Behaviour) -> bool | None:
    if isinstance(behaviour, Raised):
        return False
    assert isinstance(behaviour, Returned)
    if not behaviour.whole or behaviour.value.startswith("items "):
        return None
    wanted, found = ast.literal_eval(source), literal_of(behaviour)
    if found is None:  # a picture of something else: no ``None``, and perhaps equal to a number
        return False if wanted is None else None
    given = found[0]
    if isinstance(given, bool) is not isinstance(wanted, bool) and given == wanted:
        return None
    return type(given) is type(wanted) and given == wanted if _is_container(wanted) else bool(given == wanted)


def _is_container(value: object) -> bool:
    return isinstance(value, (list, tuple, dict, set))


def _has_kind(kinds: tuple[str, ...], behaviour: Behaviour) -> bool | None:
    if not isinstance(behaviour, Returned) or not behaviour.whole or behaviour.value.startswith("items "):
        return None
    found = literal_of(behaviour)
    return None if found is None else _is_kind(found[0], kinds)


def _items_of(behaviour: Behaviour) -> list[Any] | None:
    found = literal_of(behaviour) if isinstance(behaviour, Returned) else None
    return list(found[0][:_BOUNDED]) if found is not None and isinstance(found[0], (list, tuple)) else None


def _is_sorted(behaviour: Behaviour, *, descending: bool) -> bool | None:
    items = _items_of(behaviour)
    if items is None:
        return None
    pairs = list(pairwise(items))
    try:
        return all(one >= other if descending else one <= other for one, other in pairs)
    except TypeError:
        return None


def _is_within(
    behaviour: Behaviour, least: Operand | None, most: Operand | None, known: Known, *, counts_items: bool
) -> bool | None:
    found = literal_of(behaviour) if isinstance(behaviour, Returned) else None
    if found is None:
        return None
    value = found[0]
    if counts_items:
        if not isinstance(value, (list, tuple, str, dict, set)):
            return None
        value = len(value)
    if type(value) not in (int, float):
        return None
    answers = []
    for bound, sign in ((least, ">="), (most, "<=")):
        limit = _value_of(bound, known) if bound is not None else None
        if bound is not None:
            usable = limit is not None and type(limit[0]) in (int, float)
            answers.append(bool(_SIGNS[sign](value, limit[0])) if usable and limit is not None else None)
    return _join(answers, decisive=False)
