"""What a call of a function does, as data. Text is made of it for showing alone (`repair/records/witness_text.py`)."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field

from analysis.facts import TestId


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

    @property
    def source(self) -> str:
        """The call as it is shown: ``add('tea', 2) on Cart(total=5)``."""
        return f"{self.name}{self.given}".rstrip()

    @property
    def given(self) -> str:
        """All that it is given, the instance too: what equal inputs share, in every process."""
        return f"{self.arguments} {self.context}"

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


@dataclass(frozen=True, slots=True)
class Difference:
    """A call on which the candidate (``mine``) and another program do not do the same."""

    call: Call
    mine: Behaviour
    other: Behaviour
    reached: bool = True
    """Whether the unpatched function, given this input, executes a changed statement."""

    @property
    def is_accident(self) -> bool:
        """Whether the candidate ends in an exception that no ``raise`` of the project made."""
        return isinstance(self.mine, Returned | Raised) and self.mine.incidental


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
