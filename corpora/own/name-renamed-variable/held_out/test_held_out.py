import pytest

from invoice import discount


@pytest.mark.parametrize(("total", "rates", "expected"), [
    (100, {0: 50}, 50), (101, {0: 50}, 50), (999, {1: 1, 10: 3, 1000: 9}, 29), (5, {}, 0), (1000, {1000: 0}, 0),
])
def test_discount(total, rates, expected):
    assert discount(total, rates) == expected
