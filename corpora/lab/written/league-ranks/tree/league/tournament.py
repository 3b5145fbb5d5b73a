from collections import defaultdict
from dataclasses import dataclass

from .ranking import competition_ranks, ordinal

WIN, DRAW, LOSS = 3, 1, 0


class UnknownPlayer(KeyError):
    pass


@dataclass(frozen=True)
class Row:
    rank: int
    name: str
    points: float
    played: int

    def __str__(self):
        return f"{ordinal(self.rank):>5}  {self.name:<12} {self.points:>6g} {self.played:>3}"


class Tournament:
    """Everybody against everybody, three points for a win."""

    def __init__(self, players):
        self._players = list(players)
        if len(set(self._players)) != len(self._players):
            raise ValueError("a player is listed twice")
        self._points = {name: 0 for name in self._players}
        self._played = defaultdict(int)

    def record(self, home, away, home_goals, away_goals):
        for name in (home, away):
            if name not in self._points:
                raise UnknownPlayer(name)
        if home_goals > away_goals:
            self._credit(home, WIN)
            self._credit(away, LOSS)
        elif home_goals < away_goals:
            self._credit(home, LOSS)
            self._credit(away, WIN)
        else:
            self._credit(home, DRAW)
            self._credit(away, DRAW)

    def penalise(self, name, points):
        """Take points off; a total may well go below zero."""
        if name not in self._points:
            raise UnknownPlayer(name)
        self._points[name] -= points

    def _credit(self, name, points):
        self._points[name] += points
        self._played[name] += 1

    def standings(self):
        """Rows by rank; players of equal rank in alphabetical order."""
        names = self._players
        ranks = competition_ranks([self._points[n] for n in names])
        rows = [
            Row(rank, name, self._points[name], self._played[name])
            for rank, name in zip(ranks, names)
        ]
        return sorted(rows, key=lambda row: (row.rank, row.name))

    def podium(self):
        """Names of everybody ranked first, second or third."""
        return [row.name for row in self.standings() if row.rank <= 3]

    def table(self):
        return "\n".join(str(row) for row in self.standings())
