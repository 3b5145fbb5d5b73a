import pytest

from routes.textmap import read_map


def test_read():
    network = read_map("a - b: 3  # comment\n\nb > c: 1.5")
    assert len(network) == 3
    assert network.price("b", "a") == 3
    assert dict(network.neighbours("b")) == {"a": 3, "c": 1.5}
    assert list(network.neighbours("c")) == []


def test_bad_line():
    with pytest.raises(ValueError, match="line 2"):
        read_map("a - b: 3\nnonsense")


def test_negative_price():
    with pytest.raises(ValueError):
        read_map("").add_road("a", "b", -1)
