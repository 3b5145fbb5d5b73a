import pytest

from invoice import discount, net_total, summary

RATES = {10_000: 5, 50_000: 10}
LINES = [("tea", 2, 450), ("pot", 1, 12_000)]


def test_net_total():
    assert net_total(LINES) == 12_900
    assert net_total([]) == 0


@pytest.mark.parametrize("total", [0, 9_999])
def test_small_totals_have_no_discount(total):
    assert discount(total, RATES) == 0


@pytest.mark.parametrize(("total", "expected"), [(10_000, 500), (49_999, 2499), (60_000, 6000)])
def test_large_totals_have_one(total, expected):
    assert discount(total, RATES) == expected


def test_summary_without_discount():
    assert summary(LINES[:1], RATES) == "9.00"


def test_summary_with_discount():
    assert summary(LINES, RATES) == "129.00 - 6.45 = 122.55"
