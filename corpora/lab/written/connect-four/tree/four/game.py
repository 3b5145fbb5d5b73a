from four.board import Board, IllegalMove
from four.rules import wins


class Game:
    def __init__(self, players="XO"):
        self.board = Board()
        self.players = players
        self.moves = []
        self.winner = None

    @property
    def to_move(self):
        return self.players[len(self.moves) % len(self.players)]

    @property
    def over(self):
        return self.winner is not None or self.board.is_full()

    def play(self, col):
        if self.over:
            raise IllegalMove("the game is over")
        player = self.to_move
        row = self.board.drop(col, player)
        self.moves.append(col)
        if wins(self.board.grid, row, col):
            self.winner = player
        return row


def replay(moves):
    """Play a string of column digits and return the game."""
    game = Game()
    for digit in moves:
        game.play(int(digit))
    return game
