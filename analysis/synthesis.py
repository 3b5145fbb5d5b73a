"""Value-guided synthesis: what is asked of a server of tests about places of a function, and what it answers."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from analysis.facts import FunctionId, TestId


class PlaceKind(enum.Enum):
    """What an expression is for. It may decide where control goes, or whether a statement runs that always does. It may
    decide whether the function is left where it goes on. Or it is any value."""

    CONDITION = "condition"
    GUARD = "guard"
    EXIT = "exit"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class SynthesisPlace:
    """One expression of a function, ``True`` in front of a statement, or ``False`` in front of an exit.

    ``level`` is how tightly its outermost operator binds, 9 for a single piece.
    """

    number: int
    kind: PlaceKind
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Query:
    """A function with hooks at its places, and what expressions may be made of.

    ``names`` are names and dotted names beside the local ones, ``literals`` texts of plain values; the likeliest come
    first. ``seconds`` is what it may take of one core. ``only`` are the tests that have to pass; none: all there are.
    """

    function: FunctionId
    text: bytes
    places: tuple[SynthesisPlace, ...]
    names: tuple[str, ...]
    literals: tuple[str, ...]
    seconds: float = 1.5
    only: tuple[TestId, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedValue:
    """What has to stand at a place so that the failing tests pass. ``told`` only its own server can read.

    ``shown`` has for each failing test two texts: the value that stands there by itself, and the one that was given
    where it first differs. A text is empty where the value is not plain.
    """

    place: int
    told: str
    shown: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Forced:
    """The places that decide, and how many runs that took; ``said`` is why nothing was found out."""

    wanted: tuple[WantedValue, ...] = ()
    runs: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """Expressions for places, as the target wrote them: nobody has read them yet."""

    found: tuple[tuple[int, tuple[str, ...]], ...] = ()
    said: str = ""
