from flatten import flatten, is_branch


def test_generators():
    assert is_branch(x for x in ())
    assert flatten(x * 2 for x in (1, 2)) == [2, 4]


def test_objects():
    assert not is_branch(object())
    assert flatten({"a": [1]}) == ["a"]
