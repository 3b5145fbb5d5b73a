from grid import Grid, next_generation


def test_wide():
    grid = Grid(["abcd", "efgh"])
    assert grid.neighbours(0, 3) == list("cgh")
    assert grid.neighbours(1, 0) == list("abf")
    assert grid.neighbours(1, 3) == list("cdg")


def test_single():
    assert Grid(["x"]).neighbours(0, 0) == []


def test_block_is_still():
    block = [[1, 1], [1, 1]]
    assert next_generation(Grid(block)).rows == block
