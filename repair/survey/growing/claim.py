"""A call and what a test claims of it: plain text of the program, with names by their modules."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from analysis.behaviour import Behaviour
from repair.records.grown import SaidBy


class ClaimKind(enum.Enum):
    """How the end of a call is spoken of."""

    EQUALS = "=="
    RAISES = "raises"
    IS_KIND = "is one of"
    SORTED = "is sorted"
    DESCENDING = "is sorted downwards"
    AT_LEAST = ">="
    AT_MOST = "<="
    COUNT_AT_LEAST = "has a length >="
    COUNT_AT_MOST = "has a length <="
    TRUE = "counts as true"
    FALSE = "counts as false"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of the end of a call; ``value`` is source, or the name of an exception."""

    kind: ClaimKind
    value: str = ""
    message: str = ""
    """What the exception says, as a literal; ``""`` where the claim leaves that open."""

    def __str__(self) -> str:
        said = f" that says {self.message}" if self.message else ""
        return f"{self.kind.value} {self.value}".rstrip() + said


@dataclass(frozen=True, slots=True)
class CallCase:
    """A test to be: a call of one function, a claim, and who says so."""

    function: str
    """The name of the function, for the name of the test: ``parcel``, ``Cart.total``."""
    call: str
    """An expression with names by their modules: ``shop.parcel(3)``."""
    claim: Claim
    standing: SaidBy = SaidBy.PINNED
    said: str = ""
    """The quote with its place; ``""`` for what is pinned."""
    kills: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    """Names for what is given by position."""
    given: str = ""
    """What the comparison calls the input, so that differences on it are found again."""
    does: Behaviour | None = None
    """How the program ends the call, as it was seen."""
    fixtures: tuple[str, ...] = ()
    """Names in the call that fixtures of the project give."""

    @property
    def source(self) -> str:
        """Call and claim, as they are told."""
        return f"{self.call} {self.claim}"


def is_float_inside(value: str) -> bool:
    """Whether a number with a point stands in the value: it is compared to nine digits."""
    try:
        parsed = ast.parse(value, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(parsed))
