from fractions import Fraction


class Matrix:
    """A small exact matrix; rows is a list of equally long lists."""

    def __init__(self, rows):
        self.rows = [[Fraction(value) for value in row] for row in rows]
        if not self.rows or not self.rows[0]:
            raise ValueError("a matrix needs at least one value")
        if len({len(row) for row in self.rows}) != 1:
            raise ValueError("rows differ in length")

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __repr__(self):
        return "Matrix([" + ", ".join(
            "[" + ", ".join(str(v) for v in row) + "]" for row in self.rows) + "])"

    def __add__(self, other):
        if self.shape != other.shape:
            raise ValueError("shapes differ")
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def scale(self, factor):
        return Matrix([[factor * v for v in row] for row in self.rows])

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError("shapes do not fit")
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in columns]
                       for row in self.rows])

    def transpose(self):
        return Matrix([list(col) for col in zip(*self.rows)])

    def copy_rows(self):
        return [list(row) for row in self.rows]


def identity(size):
    return Matrix([[int(i == j) for j in range(size)] for i in range(size)])
