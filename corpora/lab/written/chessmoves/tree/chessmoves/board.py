"""Board of 8x8 squares named like "e4"; pieces are letters as in FEN."""

FILES = "abcdefgh"


def to_xy(square):
    """"a1" -> (0, 0), "h8" -> (7, 7)"""
    if len(square) != 2 or square[0] not in FILES or square[1] not in "12345678":
        raise ValueError(f"no such square: {square!r}")
    return FILES.index(square[0]), int(square[1]) - 1


def to_name(x, y):
    return FILES[x] + str(y + 1)


def inside(x, y):
    return 0 <= x < 8 and 0 <= y < 8


class Board:
    def __init__(self, pieces=None):
        """pieces maps square names to letters; white is upper case."""
        self.grid = {}
        for square, piece in (pieces or {}).items():
            self.put(square, piece)

    @classmethod
    def from_fen(cls, fen):
        board = cls()
        rows = fen.split()[0].split("/")
        if len(rows) != 8:
            raise ValueError("a position needs 8 rows")
        for y, row in zip(range(7, -1, -1), rows):
            x = 0
            for char in row:
                if char.isdigit():
                    x += int(char)
                else:
                    board.grid[x, y] = char
                    x += 1
            if x != 8:
                raise ValueError(f"row {y + 1} does not have 8 squares")
        return board

    def put(self, square, piece):
        self.grid[to_xy(square)] = piece

    def at(self, x, y):
        """Piece letter, or None for an empty square."""
        return self.grid.get((x, y))

    def is_white(self, x, y):
        piece = self.at(x, y)
        return piece is not None and piece.isupper()

    def is_enemy(self, x, y, white):
        piece = self.at(x, y)
        return piece is not None and piece.isupper() != white

    def move(self, source, target):
        """New board with the piece moved (and anything there captured)."""
        board = Board()
        board.grid = dict(self.grid)
        board.grid[to_xy(target)] = board.grid.pop(to_xy(source))
        return board
