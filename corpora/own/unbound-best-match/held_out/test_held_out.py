from matching import closest


def test_bounds():
    assert closest("abc", ["abcdef"]) is None
    assert closest("abc", ["abcde"]) == "abcde"
    assert closest("abc", ["abd"], most=0) is None
    assert closest("abc", ["abc"], most=0) == "abc"


def test_first_among_equals():
    assert closest("cat", ["bat", "hat"]) == "bat"
    assert closest("cat", ["xyz", "bat", "cat"]) == "cat"
