"""A game: board, score and the random new tiles."""

import random

from game2048.board import can_move, empty_board, free_cells, move


class Game:
    def __init__(self, rng=None, goal=2048):
        self.rng = rng or random.Random()
        self.goal = goal
        self.board = empty_board()
        self.score = 0
        self.add_tile()
        self.add_tile()

    def add_tile(self):
        row, col = self.rng.choice(free_cells(self.board))
        self.board[row][col] = 4 if self.rng.random() < 0.1 else 2

    def play(self, direction):
        """Make a move; False if nothing on the board would change."""
        board, points = move(self.board, direction)
        if board == self.board:
            return False
        self.board = board
        self.score += points
        self.add_tile()
        return True

    @property
    def won(self):
        return any(tile >= self.goal for row in self.board for tile in row)

    @property
    def over(self):
        return not can_move(self.board)


def render(board):
    """Board as text, empty cells as dots."""
    return "\n".join(" ".join(f"{tile or '.':>4}" for tile in row) for row in board)
