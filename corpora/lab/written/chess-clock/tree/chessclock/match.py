"""Score of a match over several games."""
from .clock import other


class Match:
    def __init__(self, first, second):
        self.names = (first, second)
        self.points = {first: 0.0, second: 0.0}
        self.games = []

    def colors(self, game_number):
        """Who has white and black in game 0, 1, ...; colors alternate."""
        first, second = self.names
        if game_number % 2:
            first, second = second, first
        return {"white": first, "black": second}

    def record(self, winner):
        """Record a finished game: "white", "black" or None for a draw."""
        players = self.colors(len(self.games))
        if winner is None:
            for name in self.names:
                self.points[name] += 0.5
        else:
            self.points[players[winner]] += 1
        self.games.append(winner)

    def record_clock(self, clock):
        """Record a game that was lost on time; False if no flag has fallen."""
        loser = clock.check_flag()
        if loser is None:
            return False
        self.record(other(loser))
        return True

    def leader(self):
        first, second = self.names
        if self.points[first] == self.points[second]:
            return None
        return max(self.names, key=self.points.get)
