from datetime import date
from decimal import Decimal as D

import pytest

from shop import Cart, FixedVoucher, PercentVoucher


@pytest.fixture
def cart():
    c = Cart(today=date(2024, 5, 1))
    c.add("mug", "10.00", qty=2)
    c.add("shirt", "30.00", category="clothes")
    return c


def pct(code, p, **kw):
    return PercentVoucher(code, percent=D(p), **kw)


def fix(code, a, **kw):
    return FixedVoucher(code, amount=D(a), **kw)


def run(cart, *vouchers):
    for v in vouchers:
        cart.redeem(v)
    return cart.discounts()


def test_no_vouchers(cart):
    assert cart.discounts() == []


def test_empty_cart():
    c = Cart(today=date(2024, 5, 1))
    assert run(c, fix("A", "5"), pct("B", "10")) == [("B", D("0")), ("A", D("0"))]
    assert c.total() == 0


def test_two_fixed(cart):
    assert run(cart, fix("A", "30"), fix("B", "30")) == [("A", D("30")), ("B", D("20"))]


def test_three_fixed_last_gets_zero(cart):
    assert run(cart, fix("A", "30"), fix("B", "30"), fix("C", "10")) == [
        ("A", D("30")), ("B", D("20")), ("C", D("0"))]


def test_fixed_uses_all_then_listed_with_zero(cart):
    assert run(cart, fix("A", "50"), fix("B", "1")) == [("A", D("50")), ("B", D("0"))]


def test_two_percent_over_hundred(cart):
    assert run(cart, pct("A", "70"), pct("B", "60")) == [("A", D("35")), ("B", D("15"))]
    assert cart.goods_total() == 0


def test_percent_is_of_undiscounted_goods(cart):
    assert run(cart, pct("A", "10"), pct("B", "10")) == [("A", D("5")), ("B", D("5"))]


def test_percent_hundred_then_others(cart):
    assert run(cart, pct("A", "100"), pct("B", "5"), fix("C", "5")) == [
        ("A", D("50")), ("B", D("0")), ("C", D("0"))]


def test_order_of_entry_kept(cart):
    run(cart, fix("A", "5"), pct("B", "10"), fix("C", "2"), pct("D", "20"))
    assert [c for c, _ in cart.discounts()] == ["B", "D", "A", "C"]
    assert [v.code for v in cart.vouchers] == ["A", "B", "C", "D"]


def test_call_twice_gives_same(cart):
    first = run(cart, pct("A", "60"), fix("B", "30"))
    assert cart.discounts() == first
    assert len(cart.vouchers) == 2


def test_min_spend_counts_undiscounted_goods(cart):
    assert run(cart, pct("A", "50"), fix("B", "10", min_spend=D("50"))) == [
        ("A", D("25")), ("B", D("10"))]


def test_min_spend_missed_listed_with_zero(cart):
    assert run(cart, fix("A", "10", min_spend=D("50.01")), fix("B", "45")) == [
        ("A", D("0")), ("B", D("45"))]


def test_min_spend_missed_takes_nothing_from_the_rest(cart):
    assert run(cart, fix("A", "40", min_spend=D("60")), fix("B", "50")) == [
        ("A", D("0")), ("B", D("50"))]


def test_category_fixed(cart):
    assert run(cart, fix("A", "40", category="clothes"), fix("B", "30")) == [
        ("A", D("30")), ("B", D("20"))]


def test_category_fixed_has_its_whole_value_after_percent(cart):
    # 50% of all goods leaves 25, the voucher is worth 20 of the 30 clothes
    assert run(cart, pct("A", "50"), fix("B", "20", category="clothes")) == [
        ("A", D("25")), ("B", D("20"))]


def test_unknown_category(cart):
    assert run(cart, fix("A", "40", category="toys")) == [("A", D("0"))]


def test_cents():
    c = Cart(today=date(2024, 5, 1))
    c.add("pen", "9.99")
    assert run(c, pct("A", "33"), fix("B", "20")) == [("A", D("3.30")), ("B", D("6.69"))]
    assert c.goods_total() == D("0.00")


def test_amounts_are_decimals_never_negative(cart):
    for _, a in run(cart, pct("A", "80"), pct("B", "80"), fix("C", "80"), fix("D", "80")):
        assert isinstance(a, D) and a >= 0


def test_shipping_after_discount(cart):
    run(cart, fix("A", "30"), fix("B", "30"))
    assert cart.shipping() == D("4.90")
    assert cart.total() == D("4.90")


def test_receipt_omits_zero(cart):
    run(cart, fix("A", "50"), fix("B", "5"))
    assert "B " not in cart.receipt()
    assert "A  -50.00 EUR" in cart.receipt()
