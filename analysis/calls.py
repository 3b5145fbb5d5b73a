"""Calls of one function, as they were seen or made up, and programs compared on them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
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


def plain_input(call: ast.Call) -> CallInput | None:
    """What a call in a source is given; ``None`` where one thing is no literal, is unpacked, or prints as none.

    Example: ``1e999`` is read as a number that no literal prints.
    """
    try:
        args = tuple(ast.literal_eval(node) for node in call.args)
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg}
        found = CallInput(repr(args), repr(named))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return found if len(named) == len(call.keywords) and found.values() is not None else None


def call_of(given: CallInput, name: str = "") -> Call:
    """The call with these arguments; without any where they are no plain ones."""
    values = given.values()
    args, named = values if values is not None else ((), {})
    said = [*map(repr, args), *(f"{key}={value!r}" for key, value in named.items())]
    return Call(name, f"({', '.join(said)})")


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
    """Recorded calls of a function, in their order; ``whole`` where the tests are known to have made no others.

    ``alike`` are plain calls that are left out of ``seen``: another test made them as well, or there are so many.
    """

    seen: tuple[RecordedCall, ...] = ()
    whole: bool = False
    alike: tuple[tuple[TestId, CallInput], ...] = ()

    @property
    def plain(self) -> tuple[tuple[TestId, CallInput], ...]:
        """Each plain call with each test that made it, as far as they were recorded."""
        return (*((call.test, call.input) for call in self.seen if call.plain), *self.alike)


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
MOST_DEPARTURES = 1000
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
        return next((each for each in self.departures if each.call.identity == call.identity), None)

    def is_kept(self, call: Call) -> bool:
        """Whether the candidate is known to do with the call what the old function did: both give 2 for ``f(1)``.

        It is not known where as many departures are listed as there is room for: there may be more.
        """
        return len(self.departures) < MOST_DEPARTURES and self.departure(call) is None

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
    made: tuple[tuple[TestId, CallInput], ...] = ()
    """Plain calls that tests make, each with its test."""

    @property
    def seen(self) -> tuple[CallInput, ...]:
        """Plain calls that tests make, each once."""
        return tuple(dict.fromkeys(given for _, given in self.made))


def join(one: Comparison, other: Comparison) -> Comparison:
    """What two comparisons of the same programs say together, each on the calls of its own tests."""
    tried, old, rivals = (one.tried, other.tried), (one.old, other.old), (one.rivals, other.rivals)
    firsts = [each.first for each in old if each.first is not None]
    return Comparison(
        Tried(
            sum(each.inputs for each in tried),
            sum(each.reaching for each in tried),
            sum(each.touching for each in tried),
            tried[0].failures + tried[1].failures,
        ),
        AgainstOld(
            first=min(firsts, key=lambda each: each.reached, default=None),
            recorded=old[0].recorded + old[1].recorded,
            departures=old[0].departures + old[1].departures,
            neighbours=old[0].neighbours + old[1].neighbours,
            surroundings=old[0].surroundings + old[1].surroundings,
            unsteady=old[0].unsteady + old[1].unsteady,
            alone=old[0].alone + old[1].alone,
            digits=old[0].digits + old[1].digits,
            answers=old[0].answers + old[1].answers,
            is_known=old[0].is_known or old[1].is_known,
        ),
        AgainstRivals(
            rivals[0].differences + rivals[1].differences,
            rivals[0].unknown & rivals[1].unknown,
            rivals[0].further + rivals[1].further,
        ),
        one.made + other.made,
    )


_FAR = 1000
"""A number is far off that is so many times as large as the largest one seen in its place."""

Place = int | str


def is_odd(call: Call, seen: Sequence[CallInput]) -> bool:
    """Whether nothing like the call's arguments was seen in tests. Of what is no literal nothing is said.

    Example: tests call ``half(3)`` and ``half(8)``. Then ``half(-1)`` and ``half(None)`` are odd, and ``half(5)`` is
    not.
    """
    known = _values_by_place(seen)
    return any(place in known and _is_beyond(value, known[place]) for place, value in _arguments(call))


def _values_by_place(seen: Sequence[CallInput]) -> dict[Place, list[Any]]:
    known: dict[Place, list[Any]] = {}
    for each in seen:
        values = each.values()
        if values is not None:
            given: list[tuple[Place, Any]] = [*enumerate(values[0]), *values[1].items()]
            for place, value in given:
                known.setdefault(place, []).append(value)
    return known


def _arguments(call: Call) -> Iterator[tuple[Place, Any]]:
    try:
        parsed = ast.parse(f"f{call.arguments}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if not isinstance(parsed, ast.Call):
        return
    given: list[tuple[Place, ast.expr]] = [*enumerate(parsed.args), *((k.arg or "", k.value) for k in parsed.keywords)]
    for place, node in given:
        try:
            yield place, ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue


def _is_beyond(value: Any, seen: Sequence[Any]) -> bool:
    """Whether no value like this one is among those that were seen."""
    if _kind(value) not in {_kind(each) for each in seen}:
        return True
    if _kind(value) == "number":
        numbers = [each for each in seen if _kind(each) == "number"]
        if isinstance(value, float) and not math.isfinite(value):
            return all(not isinstance(each, float) or math.isfinite(each) for each in numbers)
        return bool(value < 0 <= min(numbers)) or bool(abs(value) > _FAR * max(1, *map(abs, numbers)))
    if isinstance(value, (list, tuple, set, frozenset)) and value:
        inner = [item for each in seen if isinstance(each, (list, tuple, set, frozenset)) for item in each]
        return bool(inner) and any(_is_beyond(item, inner) for item in value)
    if isinstance(value, dict) and value:
        items = [item for each in seen if isinstance(each, dict) for item in each.values()]
        return bool(items) and any(_is_beyond(item, items) for item in value.values())
    return False


def _kind(value: Any) -> str:
    return "number" if type(value) in (int, float) else type(value).__name__
