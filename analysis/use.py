"""One thing that a function's text makes use of and that a mere fix rarely needs."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Severity(enum.Enum):
    """``REJECT``: no fix needs this. ``REVIEW``: some do; a person, or a stronger gate, has to look."""

    REJECT = "reject"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Use:
    """``key`` tells what is used: two functions that make the same use share it, wherever it stands."""

    id: str
    severity: Severity
    key: str
    line: int
    claim: str
