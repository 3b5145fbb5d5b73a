from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    home: str
    away: str
    home_goals: int
    away_goals: int

    def __post_init__(self) -> None:
        if self.home == self.away:
            raise ValueError("a team cannot play itself")
        if min(self.home_goals, self.away_goals) < 0:
            raise ValueError("negative goals")


def parse_match(line: str) -> Match:
    """Parse a line like ``Reds 2-1 Blues``."""
    words = line.split()
    for i, word in enumerate(words):
        left, dash, right = word.partition("-")
        if dash and left.isdigit() and right.isdigit():
            return Match(" ".join(words[:i]), " ".join(words[i + 1:]), int(left), int(right))
    raise ValueError(f"no score in {line!r}")
