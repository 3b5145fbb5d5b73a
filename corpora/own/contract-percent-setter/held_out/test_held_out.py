import pytest

from mixer import Channel


@pytest.mark.parametrize("level", [-0.1, 100.1, 1000, -50])
def test_refused_and_unchanged(level):
    channel = Channel("x", 10)
    with pytest.raises(ValueError):
        channel.level = level
    assert channel.level == 10


@pytest.mark.parametrize("level", [0, 0.0, 1, 99.9, 100])
def test_taken(level):
    assert Channel("x", level).level == level
