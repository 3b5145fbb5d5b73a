from stock import by_place, totals


def test_negative_and_partial():
    moved = [("a", "x", -2), ("a", "y", 3), ("b", "x", 1), ("a", "x", 2)]
    assert totals(moved) == {"a": {"y": 3}, "b": {"x": 1}}
    assert by_place(moved) == {"y": ["a"], "x": ["b"]}


def test_large():
    moved = [("a", "x", n) for n in range(100)]
    assert totals(moved) == {"a": {"x": 4950}}
