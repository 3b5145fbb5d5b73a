"""One thing that a function's text makes use of and that a mere fix rarely needs."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass


class DangerLevel(enum.Enum):
    """``REJECT``: no fix needs this. ``REVIEW``: some do; a person, or a stronger gate, has to look."""

    REJECT = "reject"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Use:
    """``key`` tells what is used: two functions that make the same use share it, wherever it stands.

    A key that is the id alone is free where the old function had any use of that id.
    """

    id: str
    severity: DangerLevel
    key: str
    line: int
    claim: str


def use_at(node: ast.AST, id: str, what: str, claim: str, *, review: bool = False) -> Use:
    """The use of something at a node; ``what`` tells it from others of its id."""
    severity = DangerLevel.REVIEW if review else DangerLevel.REJECT
    return Use(id, severity, f"{id}:{what}", int(getattr(node, "lineno", 0)), claim)
