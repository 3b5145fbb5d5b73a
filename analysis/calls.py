"""Calls of one function, as they were seen or made up, and programs compared on them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from analysis.behaviour import Behaviour, Call, CallResult, Difference
from analysis.facts import Digest, TestId

FOLDERS = ("<tmp>", "<home>", "<project>")
"""What stands for the folders of one run in a text that is shown: they have another name in each."""


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
    spared: tuple[CallResult, ...] = ()
    followed: tuple[CallResult, ...] = ()


@dataclass(frozen=True, slots=True)
class UnchangedNeighbours:
    """Neighbours of one call of a test that the candidate does not change.

    Ordinary neighbours count: those that end as the call does and reach the change. ``tried`` of them were looked at.
    The candidate changes ``moved`` of these; ``call`` is what one of the latter is given.
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
    result: CallResult


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """What a call with plain arguments gave in some process: a digest that equal answers share in all of them."""

    digest: str
    behaviour: Behaviour


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """What candidate and old function gave to one call with plain arguments, in the process of the tests."""

    input: CallInput
    mine: PlainAnswer
    old: PlainAnswer


LEAST_REACHING = 5
"""Inputs that reach the change, below which nothing is said of it or of a rival."""
LEAST_THOROUGH = 8
"""Those below which it is not said that nothing else changes."""
MOST_DEPARTURES = 100
"""So many differences from the old function are told, each on another call."""


@dataclass(frozen=True, slots=True)
class Tried:
    """On what two programs were compared."""

    inputs: int = 0
    reaching: int = 0
    """How many of the inputs no test made, and make the unpatched function execute a changed statement."""
    touching: int = 0
    """How many of the inputs, those of tests among them, make it do so."""
    failures: tuple[str, ...] = ()
    """Why further calls were not compared."""

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


@dataclass(frozen=True, slots=True)
class AgainstOld:
    """How the candidate differs from the old function."""

    first: Difference | None = None
    """The first difference; one that does not reach the change, where there is any."""
    recorded: tuple[tuple[TestId, Difference], ...] = ()
    """The first difference in the calls that each test makes itself. It can be seen, and is more than what an object
    keeps to itself."""
    departures: tuple[Difference, ...] = ()
    """The first differences, one for each input."""
    neighbours: tuple[Neighbours, ...] = ()
    """What becomes of the neighbours of changed calls, by test."""
    surroundings: tuple[UnchangedNeighbours, ...] = ()
    """What becomes of the neighbours of calls that do not change."""
    unsteady: tuple[Difference, ...] = ()
    """Calls that the candidate answers in two ways, and the old function in one."""
    alone: tuple[tuple[TestId, CallResult], ...] = ()
    """By test: a number that the candidate does not refuse, beside one that it newly refuses; the other side is not
    refused either."""
    digits: tuple[DigitTried, ...] = ()
    """The tests' own calls with other digits."""
    answers: tuple[AnswerPair, ...] = ()
    """What both gave, where they take plain arguments alone."""
    is_known: bool = True
    """Whether any call of the old function came to an end that could be compared."""

    def departure(self, call: Call) -> Difference | None:
        """What becomes of this call, where it is told that it changes."""
        return next((each for each in self.departures if each.call.given == call.given), None)

    @property
    def made(self) -> tuple[Difference, ...]:
        """The departures that tests call themselves."""
        return tuple(each for each in self.departures if each.call.is_made)


@dataclass(frozen=True, slots=True)
class AgainstRivals:
    """How rivals differ from the candidate: the first difference of each by its digest."""

    differences: tuple[tuple[Digest, Difference], ...] = ()
    unknown: frozenset[Digest] = frozenset()
    """Rivals of which no call came to an end that could be compared."""
    further: tuple[tuple[Digest, Difference], ...] = ()
    """Later ones, each of another kind than those before it."""

    def all_of(self, rival: Digest) -> tuple[Difference, ...]:
        """Every difference that was told of a rival, the first one first."""
        return tuple(difference for each, difference in (*self.differences, *self.further) if each == rival)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The candidate beside the old function and beside rivals, on the same inputs."""

    tried: Tried = Tried()
    old: AgainstOld = AgainstOld()
    rivals: AgainstRivals = AgainstRivals()
    seen: tuple[CallInput, ...] = ()
    """Plain calls that tests make."""
