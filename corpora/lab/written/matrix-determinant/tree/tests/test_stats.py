import pytest

from numtools.stats import mean, median, stdev, variance


def test_mean_and_median():
    assert mean([1, 2, 6]) == 3
    assert median([5, 1, 3]) == 3
    assert median([4, 1, 3, 2]) == 2.5


def test_variance():
    assert variance([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(32 / 7)
    assert stdev([1, 3]) == pytest.approx(2 ** 0.5)


@pytest.mark.parametrize("function", [mean, median, variance])
def test_nothing(function):
    with pytest.raises(ValueError):
        function([])
