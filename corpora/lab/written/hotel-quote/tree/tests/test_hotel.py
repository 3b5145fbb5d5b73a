from datetime import date

import pytest

from hotel.quote import cancellation_fee, cheapest_arrival, quote
from hotel.rates import Rates, Season, percent
from hotel.stay import Stay

MON = date(2024, 3, 4)
PLAIN = Rates(weekday=10000, weekend=12000, extra_guest=1500, city_tax=200)


def stay(nights, guests=1, start=MON):
    return Stay(start, date.fromordinal(start.toordinal() + nights), guests)


def test_stay():
    s = stay(3)
    assert s.nights == 3
    assert s.dates() == [date(2024, 3, 4), date(2024, 3, 5), date(2024, 3, 6)]


def test_stay_is_checked():
    with pytest.raises(ValueError):
        stay(0)
    with pytest.raises(ValueError):
        stay(1, guests=0)


def test_percent():
    assert percent(1050, 5) == 53
    assert percent(1000, 5) == 50


def test_night_rates():
    assert PLAIN.night(date(2024, 3, 7)) == 10000
    assert PLAIN.night(date(2024, 3, 8)) == 12000
    assert PLAIN.night(date(2024, 3, 10)) == 10000
    assert PLAIN.night(MON, guests=4) == 13000


def test_season():
    rates = Rates(10000, 12000, seasons=[Season(date(2024, 7, 1), date(2024, 7, 31), 150)])
    assert rates.night(date(2024, 7, 31)) == 15000
    assert rates.night(date(2024, 8, 1)) == 10000


def test_simple_quote():
    assert quote(stay(2), PLAIN) == 20400


def test_quote_over_a_weekend():
    assert quote(stay(3, start=date(2024, 3, 8)), PLAIN) == 34600


def test_quote_with_guests():
    assert quote(stay(1, guests=3), PLAIN) == 11500 + 600


def test_member():
    assert quote(stay(2), PLAIN, member=True) == 19000 + 400


def test_long_stay():
    assert quote(stay(6), PLAIN) == 64000 + 1200
    assert quote(stay(7), PLAIN) == 66600 + 1400


def test_voucher():
    assert quote(stay(2), PLAIN, voucher=5000) == 15000 + 400


def test_long_stay_with_voucher():
    assert quote(stay(7), PLAIN, voucher=10000) == 56600 + 1400


def test_cancellation():
    s = stay(2)
    assert cancellation_fee(s, PLAIN, date(2024, 2, 26)) == 0
    assert cancellation_fee(s, PLAIN, date(2024, 2, 27)) == 10200
    assert cancellation_fee(s, PLAIN, date(2024, 3, 3)) == 20400


def test_cheapest_arrival():
    assert cheapest_arrival(PLAIN, date(2024, 3, 7), 2, 5) == (date(2024, 3, 10), 20400)
