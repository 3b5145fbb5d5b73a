from datetime import date
from decimal import Decimal

import pytest

from csvimport import parse_date, parse_decimal, parse_int


def test_int():
    assert parse_int("1 200") == 1200


def test_decimal_both_notations():
    assert parse_decimal("1234.50") == Decimal("1234.50")
    assert parse_decimal("1.234,50") == Decimal("1234.50")


def test_dates():
    assert parse_date("2024-02-29") == date(2024, 2, 29)
    assert parse_date("29.02.2024") == date(2024, 2, 29)


@pytest.mark.parametrize("parse", [parse_int, parse_decimal, parse_date])
def test_rubbish(parse):
    with pytest.raises(ValueError, match="is not a"):
        parse("n/a")
