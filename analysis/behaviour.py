"""What a call of a function does, as data. Text is made of it for showing alone (`repair/records/witness_text.py`)."""

from __future__ import annotations

import ast
import enum
import re
from dataclasses import dataclass, field, replace
from math import isclose

from analysis.facts import FunctionId, TestId


@dataclass(frozen=True, slots=True)
class Returned:
    """The call gave a value.

    ``value`` is its picture, nearly Python source: ``[1, 'a']``, ``items [1, 2]`` for what an iterator gave. ``left``
    says what became of the arguments, where two calls differ in that alone.
    """

    value: str
    whole: bool = True
    """Whether that is all of the picture."""
    left: str = ""
    incidental: bool = field(default=False, compare=False)
    """Whether an iterator in the value ended in an exception that no ``raise`` of the project made."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The call ended in an exception. ``message`` is what it says, as Python writes it: ``'no such name'``."""

    type: str
    message: str = ""
    whole: bool = True
    """Whether that is all of the message."""
    left: str = ""
    incidental: bool = field(default=False, compare=False)
    """Whether no ``raise`` of the project made it. Then two messages do not count as different."""


@dataclass(frozen=True, slots=True)
class Hung:
    """The call did not end in so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The call ended its process; ``how`` is what the system says of that."""

    how: str


Behaviour = Returned | Raised | Hung | Ended
"""The four ways in which a call can end."""


class CallOrigin(enum.Enum):
    """Who made a call, nearest to a test first."""

    MADE = "made"
    """A test makes this very call."""
    LIKE_TEST = "like_test"
    """A test makes it, but for what it leaves at its default."""
    GENERATED = "generated"
    """No test makes it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the function."""

    name: str
    """What is called, as it is shown: ``price``."""
    arguments: str = ""
    """What it is given, the instance left out, as Python source: ``('5.5', 3, unit='EUR')``. Pictures stand for what is
    no literal."""
    context: str = ""
    """The instance that it is made on, and what else was changed for it: ``on Cart(total=5)``."""
    origin: CallOrigin = CallOrigin.GENERATED
    test: TestId | None = None
    """The test that makes it."""
    exact: str = ""
    """All of what it is given, where ``arguments`` shows a piece of it."""
    instance: str = ""
    """The whole picture of the instance that it is made on; ``""`` where there is none, or that is too large."""
    of: FunctionId | None = None
    """The function above that is called, where it is not the one that is judged."""

    @property
    def source(self) -> str:
        """The call as it is shown: ``add('tea', 2) on Cart(total=5)``."""
        return f"{self.name}{self.given}".rstrip()

    @property
    def given(self) -> str:
        """All that it is given, the instance too: what equal inputs share, in every process."""
        return f"{self.arguments} {self.context}"

    @property
    def identity(self) -> str:
        """The same for equal inputs, however much of them is shown. Different ones share it where no whole was kept."""
        return f"{self.name}{self.exact or self.arguments} {self.instance} {self.context}"

    @property
    def is_tested(self) -> bool:
        """Whether a test makes it, if only but for defaults."""
        return self.origin is not CallOrigin.GENERATED

    @property
    def is_made(self) -> bool:
        """Whether a test makes this very call."""
        return self.origin is CallOrigin.MADE


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one call comes to under the candidate; where nothing else is said, under the old function, too."""

    call: Call
    mine: Behaviour


class EndingKind(enum.Enum):
    """How a test can end that goes on in a child."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    HUNG = "hung"
    ENDED = "ended"
    """It ended its process."""


@dataclass(frozen=True, slots=True)
class EndOfTest:
    """How a test ended: ``how`` is the exception or what the system says, ``source`` the line of the test."""

    kind: EndingKind
    how: str = ""
    line: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class EndsOfTest:
    """How the test that makes a call ends under the candidate, and where another program answers from this call on.

    Two equal ends say that the test does not ask for the difference. Of unequal ones the earlier calls were the
    candidate's: that the other program alone fails the test is not said.
    """

    mine: EndOfTest
    other: EndOfTest

    @property
    def are_alike(self) -> bool:
        """Whether the test ends in the same way with both."""
        return (self.mine.kind, self.mine.line) == (self.other.kind, self.other.line)


@dataclass(frozen=True, slots=True)
class Difference:
    """A call on which the candidate (``mine``) and another program do not do the same."""

    call: Call
    mine: Behaviour
    other: Behaviour
    reached: bool = True
    """Whether the unpatched function, given this input, executes a changed statement."""
    old: Behaviour | None = None
    """What the unpatched function does with it, where the other program is a third one and this is known."""
    ordinary: bool = True
    """Whether nothing sets the input apart: no empty value, flag, zero, or constant of the function."""
    ends: EndsOfTest | None = None
    """How the test goes on that makes the call, where this was asked and is known."""

    @property
    def is_accident(self) -> bool:
        """Whether the candidate ends in an exception that no ``raise`` of the project made."""
        return isinstance(self.mine, Returned | Raised) and self.mine.incidental


def turn(difference: Difference) -> Difference:
    """The same input from the other program's side."""
    return replace(difference, mine=difference.other, other=difference.mine)


Witness = Difference | CallResult
"""An input that shows a doubt: two programs differ on it, or the candidate does there what the old function did."""


_UNFIT = re.compile(
    r"['\"]?[\w.<>]+\(\) (got an unexpected keyword|takes |missing |got multiple values|got some positional-only)"
)
"""What Python says of a call that does not fit a signature."""


def says_unfit(name: str, message: str) -> bool:
    """Whether an exception of that name says that a call does not fit a signature, whoever is called.

    Example: ``TypeError`` with ``total() got an unexpected keyword argument 'digits'``.
    """
    return name == "TypeError" and bool(_UNFIT.match(message))


def is_unfit(behaviour: Behaviour) -> bool:
    """Whether a call ends as one that does not fit the signature: ``total(1, digits=2)`` where nothing takes digits."""
    return isinstance(behaviour, Raised) and says_unfit(behaviour.type, behaviour.message)


_NOTHING = frozenset(("None", "[]", "()", "{}", "set()", "frozenset()", "''", '""', "b''", 'b""', "items []"))
_FAILED_AT_ONCE = "items [], then raises "
_UNBOUND = ("NameError", "UnboundLocalError")
_SLIPS = frozenset(("AttributeError", "IndexError", "TypeError", *_UNBOUND))
_NEVER_MEANT = frozenset(("RecursionError", *_UNBOUND))


def symptom_of(behaviour: Behaviour) -> str:
    """The exception that a call ends in, or that it gives nothing; an ordinary value is no symptom.

    Examples: ``KeyError('a')`` has the symptom ``KeyError``, an empty list that of ``nothing``, and 5 has none. An
    iterator that raises before its first item gives nothing.
    """
    match behaviour:
        case Raised(type=name):
            return name
        case Returned(value=value) if value in _NOTHING or value.startswith(_FAILED_AT_ONCE):
            return "nothing"
    return ""


def is_truth_value(behaviour: Behaviour) -> bool:
    """Whether a call gives ``True`` or ``False``."""
    return isinstance(behaviour, Returned) and behaviour.value in ("True", "False")


def is_programming_error(behaviour: Behaviour) -> bool:
    """Whether a call ends in an exception that a slip of the program makes.

    Examples: ``TypeError`` is one, ``ValueError`` is none.
    """
    return isinstance(behaviour, Raised) and behaviour.type in _SLIPS


def ends_pathologically(behaviour: Behaviour) -> bool:
    """Whether a call ends as no program is meant to: it never ends, recurses without end, or lacks a name.

    A name is lacking where the part that would bind it is left out. A rival that ends a call so, where the patch does
    not, is nothing to hold against the patch.

    Examples: ``RecursionError`` is no end that anybody means, ``ValueError`` may be one.
    """
    return isinstance(behaviour, Hung) or (isinstance(behaviour, Raised) and behaviour.type in _NEVER_MEANT)


class Rung(enum.IntEnum):
    """How far apart two behaviours are, on a ladder from nothing to another kind of ending."""

    SAME = 0
    """Nothing that is told differs."""
    EQUAL = 1
    """The values are equal under ``==``: 6.0 and 6, ``True`` and 1."""
    NEAR = 2
    """They differ in an exception's message, behind the ninth digit of a number, in an address or a function's name."""
    VALUE = 3
    """Another value, or something else is left of the arguments."""
    ENDING = 4
    """Another kind of ending: a value and an exception, two exceptions of different types, a hang."""


_POINT = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+))(?![\w.])")
"""Splits a text so that every other piece is a number with a point."""

_LABEL = re.compile(r"\b0x[0-9a-f]{6,}\b|<[\w.<>]+\.<locals>\.(?:\w+|<lambda>)>")
"""An address, or a function that the call made: its picture is its name, which says nothing of what it does."""


def rung_between(one: Behaviour, other: Behaviour) -> Rung:
    """On which rung of the ladder two behaviours of the same call stand.

    Example: ``6.0`` and ``6`` are ``EQUAL``, ``KeyError('a')`` and ``KeyError('b')`` are ``NEAR``.
    """
    match one, other:
        case Returned(), Returned():
            if one.left != other.left:
                return Rung.VALUE
            return Rung.SAME if one == other else _rung_of_values(one, other)
        case Raised(first), Raised(second) if first == second:
            if one.left != other.left:
                return Rung.VALUE
            return Rung.SAME if one.message == other.message else Rung.NEAR
    return Rung.SAME if one == other else Rung.ENDING


def _rung_of_values(one: Returned, other: Returned) -> Rung:
    values = [literal_of(each) for each in (one, other)]
    if None not in values and values[0] == values[1]:
        return Rung.EQUAL
    return Rung.NEAR if are_labels_apart(one, other) or are_numbers_near(one, other) else Rung.VALUE


def are_messages_apart(one: Behaviour, other: Behaviour) -> bool:
    """Whether two programs raise the same exception, and the first says something else that its own text holds.

    All of what it says has to be known, with no address in it.
    """
    if not isinstance(one, Raised) or not isinstance(other, Raised) or one.type != other.type:
        return False
    is_own = one.whole and not one.incidental and not _LABEL.search(one.message) and "…" not in one.message
    return is_own and one.message != other.message


def are_labels_apart(one: Behaviour, other: Behaviour) -> bool:
    """Whether two programs give the same but for addresses, and for the names of functions that the call made.

    Example: ``<make.<locals>.inner>`` and ``<make.<locals>.<lambda>>`` differ in a name alone.
    """
    first, second = _text_of(one), _text_of(other)
    if not isinstance(one, Returned) or not isinstance(other, Returned) or first is None or second is None:
        return False
    return first != second and _LABEL.sub("", first) == _LABEL.sub("", second)


def are_same_items(one: Behaviour, other: Behaviour) -> bool:
    """Whether two programs give the same items in another kind of sequence: a list, a tuple, an iterator.

    Example: ``(1, 2)`` and ``items [1, 2]``. What a string is made of are no items.
    """
    if not isinstance(one, Returned) or not isinstance(other, Returned) or one.left != other.left:
        return False
    found = [each[0] for each in map(literal_of, (one, other)) if each is not None]
    items = [list(value) for value in found if isinstance(value, list | tuple)]
    return len(items) == 2 and one != other and items[0] == items[1]


def literal_of(returned: Returned) -> tuple[object] | None:
    """The value itself, in a tuple; ``None`` where its picture is no literal."""
    if not returned.whole:
        return None
    try:
        return (ast.literal_eval(returned.value.removeprefix("items ")),)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def are_numbers_near(one: Behaviour, other: Behaviour) -> bool:
    """Whether two programs give the same but for what lies behind the ninth digit of numbers with a point.

    Example: 0.30000000000000004 and 0.3 differ by rounding, 0.3 and 0.31 do not.
    """
    first, second = _text_of(one), _text_of(other)
    if type(one) is not type(other) or first is None or second is None or first == second:
        return False
    ours, theirs = _POINT.split(first), _POINT.split(second)
    return len(ours) == len(theirs) and all(
        a == b or (n % 2 == 1 and isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12))
        for n, (a, b) in enumerate(zip(ours, theirs, strict=True))
    )


def _text_of(behaviour: Behaviour) -> str | None:
    """All that can be seen of how a call ended; ``None`` where a part of it was left out."""
    match behaviour:
        case Returned(value, True, left):
            text = f"{value} {left}"
        case Raised(name, message, True, left):
            text = f"{name} {message} {left}"
        case _:
            return None
    return None if "…" in text else text


def type_of(behaviour: Behaviour) -> str:
    """The type of a returned value as far as its picture is a literal: ``int``, ``list``; else ``""``."""
    value = (
        literal_of(behaviour) if isinstance(behaviour, Returned) and not behaviour.value.startswith("items ") else None
    )
    return type(value[0]).__name__ if value is not None else ""
