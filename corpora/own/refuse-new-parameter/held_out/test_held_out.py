from lookup import find


def test_defaults():
    assert find({"a": 1}, "a", 2) == 1
    assert find({"a": None}, "a", 2) is None
