"""Matrices as lists of rows."""


def shape(matrix):
    """(rows, columns); rows of unequal length raise ValueError."""
    if not matrix:
        return 0, 0
    width = len(matrix[0])
    if any(len(row) != width for row in matrix):
        raise ValueError("rows of unequal length")
    return len(matrix), width


def identity(n):
    return [[1 if i == j else 0 for j in range(n)] for i in range(n)]


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def matmul(a, b):
    rows, inner = shape(a)
    inner_b, columns = shape(b)
    if inner != inner_b:
        raise ValueError(f"cannot multiply {shape(a)} by {shape(b)}")
    return [
        [sum(a[i][k] * b[k][j] for k in range(inner)) for j in range(columns)]
        for i in range(rows)
    ]


def trace(matrix):
    rows, columns = shape(matrix)
    if rows != columns:
        raise ValueError("trace needs a square matrix")
    return sum(matrix[i][i] for i in range(rows))


def determinant(matrix):
    """Determinant by Gaussian elimination with row exchanges.

    For each column the row with the largest entry is brought up, which keeps
    the rounding errors small.  The matrix itself is left alone.  A singular
    matrix gives 0, the empty matrix 1; one that is not square raises
    ValueError.
    """
    n, columns = shape(matrix)
    if n != columns:
        raise ValueError("determinant needs a square matrix")
    rows = [list(row) for row in matrix]
    result = 1
    for col in range(n):
        pivot = max(range(col, n), key=lambda r: abs(rows[r][col]))
        if rows[pivot][col] == 0:
            return 0
        if pivot != col:
            rows[col], rows[pivot] = rows[pivot], rows[col]
        result *= rows[col][col]
        for r in range(col + 1, n):
            factor = rows[r][col] / rows[col][col]
            for c in range(col, n):
                rows[r][c] -= factor * rows[col][c]
    return result


def solve(matrix, rhs):
    """Solve matrix * x = rhs by Cramer's rule; ValueError if singular."""
    n, _ = shape(matrix)
    if len(rhs) != n:
        raise ValueError("right hand side of wrong length")
    base = determinant(matrix)
    if base == 0:
        raise ValueError("matrix is singular")
    solution = []
    for j in range(n):
        changed = [row[:j] + [value] + row[j + 1:] for row, value in zip(matrix, rhs)]
        solution.append(determinant(changed) / base)
    return solution
