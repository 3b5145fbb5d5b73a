import pytest

from rolling import Window


@pytest.mark.parametrize(("numbers", "expected"), [((), 0.0), ((0,), 0.0), ((5,), 5.0), ((1, 2), 1.5), ((-1, 1), 0.0)])
def test_mean(numbers, expected):
    assert Window.mean(numbers) == expected
    assert Window.mean(iter(numbers)) == expected
