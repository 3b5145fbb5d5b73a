import itertools

from csvtext import record, split


def test_round_trips():
    for letters in itertools.product('a", ', repeat=4):
        value = "".join(letters)
        assert split(record([value, "x", value])) == [value, "x", value]


def test_empty_quotes():
    assert split('"",a') == ["", "a"]
    assert split('""""') == ['"']
