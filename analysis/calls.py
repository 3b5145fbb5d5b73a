"""Calls of one function, as they were seen or made up, and programs compared on them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from analysis.facts import TestId

FOLDERS = ("<tmp>", "<home>", "<project>")
"""What stands for the folders of one run in a text that is shown: they have another name in each."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An input on which two programs differ, printed as Python source but for the folders of the run."""

    call: str
    mine: str
    other: str
    reached: bool = True
    """Whether the unpatched function, given this input, executes a changed statement."""
    accident: bool = False
    """Whether the first program (``mine``) ends in an exception that no ``raise`` of the project made."""
    tested: bool = False
    """Whether a test makes this call, but for what it leaves at its default."""
    made: bool = False
    """Whether a test makes this very call."""


@dataclass(frozen=True, slots=True)
class CallInput:
    """Plain positional and keyword arguments (``self`` left out) as Python literals."""

    args: str
    kwargs: str

    def values(self) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """The arguments themselves; ``None`` where the texts, which strangers' processes wrote, are no plain ones."""
        try:
            args, kwargs = ast.literal_eval(self.args), ast.literal_eval(self.kwargs)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return None
        named = isinstance(kwargs, dict) and all(isinstance(name, str) for name in kwargs)
        return (args, kwargs) if isinstance(args, tuple) and named else None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of the owning function seen while tests ran; ``plain`` when all arguments are literals.

    ``members`` are the public attributes of arguments whose classes are not the language's own, by the parameter's
    name; methods have ``()`` behind them.
    """

    test: TestId
    input: CallInput
    plain: bool
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Calls:
    """Recorded calls of a function, in their order; ``whole`` where the tests are known to have made no others."""

    seen: tuple[RecordedCall, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Ordinary neighbours of the calls of one test which the candidate changes, as far as they reach the change.

    On them the old function ends in the same way as on the test's own call. On ``spared`` ones the candidate gives what
    the old function gave, on those that ``followed`` something else.
    """

    test: TestId
    spared: tuple[Witness, ...] = ()
    followed: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class UnchangedNeighbours:
    """Neighbours of one call of a test that the candidate does not change.

    Ordinary neighbours count: those that end as the call does and reach the change. ``tried`` of them were looked at.
    The candidate changes ``moved`` of these; ``call`` is one of the latter.
    """

    test: TestId
    tried: int
    moved: int
    call: str = ""


@dataclass(frozen=True, slots=True)
class DigitTried:
    """A call of a test with another digit in one place, or (``other`` is the same digit) as it is.

    ``place`` names the argument and the digit in it, ``moved`` says whether the candidate changes what comes out. Only
    calls that reach the change, and end under the old function as the test's own call does, are told.
    """

    test: TestId
    place: str
    own: int
    other: int
    moved: bool
    witness: Witness


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one call gave: a digest that equal outcomes share in any process, and a text to show."""

    digest: str
    shown: str


@dataclass(frozen=True, slots=True)
class CallPair:
    """What candidate and old function gave to one call with plain arguments, in the process of the tests."""

    input: CallInput
    mine: CallResult
    old: CallResult


LEAST_REACHING = 5
"""Inputs that reach the change, below which nothing is said of it or of a rival."""
LEAST_THOROUGH = 8
"""Those below which it is not said that nothing else changes."""
MOST_DEPARTURES = 100
"""So many differences from the old function are told, each on another call."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How rivals differ from a candidate on the inputs tried.

    ``witnesses`` hold the first difference of each rival by its digest. Where the old function is among the rivals,
    ``recorded`` hold its first difference in the calls that each test makes itself. Such a difference can be seen, and
    is more than what an object keeps to itself.
    """

    inputs: int
    witnesses: tuple[tuple[str, Witness], ...]
    failures: tuple[str, ...] = ()
    recorded: tuple[tuple[TestId, Witness], ...] = ()
    reaching: int = 0
    """How many of the inputs no test made, and make the unpatched function execute a changed statement."""
    touching: int = 0
    """How many of the inputs, those of tests among them, make it do so."""
    departures: tuple[Witness, ...] = ()
    """Where the old function is among the rivals: its first differences, one for each input."""
    neighbours: tuple[Neighbours, ...] = ()
    """Where the old function is among the rivals: what becomes of the neighbours of changed calls, by test."""
    surroundings: tuple[UnchangedNeighbours, ...] = ()
    """Where the old function is among the rivals: what becomes of the neighbours of calls that do not change."""
    unsteady: tuple[Witness, ...] = ()
    """Calls that the candidate answers in two ways, and the old function in one."""
    alone: tuple[tuple[TestId, Witness], ...] = ()
    """By test: a number that the candidate does not refuse, beside one that it newly refuses; the other side is not
    refused either."""
    digits: tuple[DigitTried, ...] = ()
    """Where the old function is among the rivals: the tests' own calls with other digits."""
    answers: tuple[CallPair, ...] = ()
    """Where the old function is among the rivals and takes plain arguments alone: what both gave."""
    unanswered: tuple[str, ...] = ()
    """Rivals by digest of which nothing is known: none of their calls came to an end that could be compared."""

    @property
    def is_searched(self) -> bool:
        """Whether enough inputs say something of the change for a rival to be presumed equivalent."""
        return self.reaching >= LEAST_REACHING

    @property
    def is_thorough(self) -> bool:
        """Whether so many new inputs reach the change that it tells something when nothing else changes."""
        return self.reaching >= LEAST_THOROUGH

    @property
    def is_exercised(self) -> bool:
        """Whether enough inputs execute the change to say anything of it besides one test."""
        return self.touching >= LEAST_REACHING
