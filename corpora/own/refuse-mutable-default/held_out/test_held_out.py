from baskets import basket


def test_three_times():
    assert [basket([n]) for n in range(3)] == [[0], [1], [2]]


def test_given_lists():
    one = [1]
    assert basket([2], start=one) is one
    assert basket([]) == []
