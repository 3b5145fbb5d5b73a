from datetime import date, timedelta

import pytest

from hotel.quote import quote
from hotel.rates import Rates
from hotel.stay import Stay

MON = date(2024, 3, 4)
FLAT = Rates(weekday=10000, weekend=10000, city_tax=100)


def q(nights, guests=1, rates=FLAT, **kw):
    return quote(Stay(MON, MON + timedelta(days=nights), guests), rates, **kw)


@pytest.mark.parametrize(
    "nights, member, voucher, want",
    [
        (1, False, 0, 10000),
        (1, True, 0, 9500),
        (1, False, 1000, 9000),
        (1, True, 1000, 8500),
        (2, True, 500, 18500),
        (6, False, 0, 60000),
        (6, True, 7000, 50000),
        (7, False, 0, 63000),
        (7, False, 3000, 60000),
        (7, True, 0, 59850),
        (7, True, 10000, 49850),
        (8, False, 0, 72000),
        (10, True, 85500, 0),
        (10, True, 85499, 1),
    ],
)
def test_price_without_tax(nights, member, voucher, want):
    assert q(nights, member=member, voucher=voucher) == want + 100 * nights


@pytest.mark.parametrize(
    "nights, member, voucher",
    [(1, False, 10000), (1, False, 10050), (1, False, 99999), (1, True, 9700), (7, False, 65000), (7, True, 60000)],
)
def test_only_the_tax_is_left(nights, member, voucher):
    assert q(nights, member=member, voucher=voucher) == 100 * nights


def test_tax_for_all_guests_whatever_the_voucher():
    assert q(3, guests=2, voucher=1_000_000) == 600


def test_tax_is_not_discounted():
    taxed = Rates(10000, 10000, city_tax=1000)
    assert q(7, guests=2, rates=taxed, member=True) == 59850 + 14000


def test_no_tax():
    untaxed = Rates(10000, 10000)
    assert q(2, rates=untaxed, member=True, voucher=19500) == 0
    assert q(2, rates=untaxed, member=True, voucher=1900) == 17100


def test_rounding_of_the_discounts():
    odd = Rates(1110, 1110)
    assert q(1, rates=odd, member=True) == 1054
    assert q(1, rates=odd, member=True, voucher=10) == 1044
    assert q(7, rates=odd, member=True, voucher=1) == 7770 - 777 - 350 - 1


def test_voucher_is_worth_its_face_value():
    for member in (False, True):
        for nights in (1, 6, 7, 14):
            full = q(nights, member=member)
            assert q(nights, member=member, voucher=2345) == full - 2345


def test_weekend_and_guests():
    rates = Rates(weekday=10000, weekend=20000, extra_guest=1000, city_tax=50)
    # 5 weekdays, 2 weekend nights, one extra guest
    assert q(7, guests=3, rates=rates, member=True, voucher=5000) == 82935 - 5000 + 1050
