from matrix import rotate, spiral, transpose


def test_rotate():
    assert rotate([[1, 2, 3], [4, 5, 6]]) == [[4, 1], [5, 2], [6, 3]]
    assert rotate([[1], [2]]) == [[2, 1]]
    rows = [[r * 5 + c for c in range(5)] for r in range(3)]
    assert rotate(rows) == [column[::-1] for column in transpose(rows)]


def test_spiral():
    assert spiral([[1, 2, 3, 4], [5, 6, 7, 8]]) == [1, 2, 3, 4, 8, 7, 6, 5]
    assert spiral([[1], [2], [3]]) == [1, 2, 3]
