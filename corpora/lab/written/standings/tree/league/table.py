"""League tables."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable

from .results import Match


@dataclass
class Row:
    team: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> int:
        return 3 * self.won + self.drawn

    @property
    def difference(self) -> int:
        return self.scored - self.conceded

    def add(self, scored: int, conceded: int) -> None:
        self.scored += scored
        self.conceded += conceded
        if scored > conceded:
            self.won += 1
        elif scored == conceded:
            self.drawn += 1
        else:
            self.lost += 1


def sort_key(row: Row) -> tuple:
    return (-row.points, -row.difference, -row.scored)


def standings(matches: Iterable[Match], teams: Iterable[str] = ()) -> list[Row]:
    """Rows of all teams, best first; ``teams`` may name some without a match."""
    rows = {team: Row(team) for team in teams}
    for m in matches:
        rows.setdefault(m.home, Row(m.home)).add(m.home_goals, m.away_goals)
        rows.setdefault(m.away, Row(m.away)).add(m.away_goals, m.home_goals)
    return sorted(rows.values(), key=lambda row: (sort_key(row), row.team))


def ranks(rows: list[Row]) -> list[tuple[int, str]]:
    """(rank, team) for sorted rows.

    Teams that are level in everything the table is sorted by share a rank,
    and the ranks they take up are left out after them: 1, 2, 2, 4.
    """
    out: list[tuple[int, str]] = []
    rank = 0
    previous = None
    for row in rows:
        if previous is None or sort_key(row) != sort_key(previous):
            rank += 1
        out.append((rank, row.team))
        previous = row
    return out


def as_text(rows: list[Row]) -> str:
    lines = []
    for (rank, team), row in zip(ranks(rows), rows):
        lines.append(f"{rank:>2}. {team:<12} {row.played:>2} {row.difference:>+4} {row.points:>3}")
    return "\n".join(lines)
