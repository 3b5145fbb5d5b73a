"""Gaussian elimination on exact matrices."""
from fractions import Fraction

from .matrix import Matrix


def _square(matrix: Matrix) -> int:
    height, width = matrix.shape
    if height != width:
        raise ValueError("matrix is not square")
    return height


def determinant(matrix: Matrix) -> Fraction:
    size = _square(matrix)
    rows = matrix.copy_rows()
    result = Fraction(1)
    for col in range(size):
        pivot = next((r for r in range(col, size) if rows[r][col] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != col:
            rows[col], rows[pivot] = rows[pivot], rows[col]

        result *= rows[col][col]
        for r in range(col + 1, size):
            factor = rows[r][col] / rows[col][col]
            for c in range(col, size):
                rows[r][c] -= factor * rows[col][c]
    return result


def reduce_rows(rows: list, columns: int) -> int:
    """Bring rows to reduced echelon form in place, looking for pivots in the
    first columns only; returns the number of pivots."""
    top = 0
    for col in range(columns):
        pivot = next((r for r in range(top, len(rows)) if rows[r][col] != 0), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        lead = rows[top][col]
        rows[top] = [value / lead for value in rows[top]]
        for r in range(len(rows)):
            if r != top and rows[r][col] != 0:
                factor = rows[r][col]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[top])]
        top += 1
        if top == len(rows):
            break
    return top


def rank(matrix: Matrix) -> int:
    return reduce_rows(matrix.copy_rows(), matrix.shape[1])


def solve(matrix: Matrix, right: list) -> list:
    """The one solution of matrix * x = right; ValueError if there is none or many."""
    size = _square(matrix)
    if len(right) != size:
        raise ValueError("right side has the wrong length")
    rows = [row + [Fraction(value)] for row, value in zip(matrix.copy_rows(), right)]
    if reduce_rows(rows, size) < size:
        raise ValueError("no unique solution")
    return [row[-1] for row in rows]


def inverse(matrix: Matrix) -> Matrix:
    size = _square(matrix)
    rows = [row + [Fraction(int(i == j)) for j in range(size)]
            for i, row in enumerate(matrix.copy_rows())]
    if reduce_rows(rows, size) < size:
        raise ValueError("matrix is singular")
    return Matrix([row[size:] for row in rows])
