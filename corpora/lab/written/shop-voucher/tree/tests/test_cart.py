from datetime import date
from decimal import Decimal as D

import pytest

from shop import Cart, FixedVoucher, PercentVoucher, VoucherError


@pytest.fixture
def cart():
    c = Cart(today=date(2024, 5, 1))
    c.add("mug", "10.00", qty=2)
    c.add("shirt", "30.00", category="clothes")
    return c


def test_subtotal(cart):
    assert cart.subtotal() == D("50.00")


def test_same_sku_is_merged(cart):
    cart.add("mug", "10.00")
    assert len(cart.items) == 2
    assert cart.subtotal() == D("60.00")


def test_remove_unknown(cart):
    with pytest.raises(KeyError):
        cart.remove("sofa")


def test_percent_voucher(cart):
    cart.redeem(PercentVoucher("TEN", percent=D("10")))
    assert cart.discounts() == [("TEN", D("5.00"))]
    assert cart.total() == D("49.90")


def test_percent_only_for_category(cart):
    cart.redeem(PercentVoucher("CLOTHES", category="clothes", percent=D("20")))
    assert cart.goods_total() == D("44.00")


def test_fixed_voucher_is_never_worth_more_than_goods(cart):
    cart.redeem(FixedVoucher("BIG", amount=D("80")))
    assert cart.goods_total() == D("0.00")


def test_min_spend_not_reached(cart):
    cart.redeem(FixedVoucher("VIP", min_spend=D("100"), amount=D("20")))
    assert cart.goods_total() == D("50.00")


def test_percent_comes_before_fixed(cart):
    cart.redeem(FixedVoucher("FIVE", amount=D("5")))
    cart.redeem(PercentVoucher("TEN", percent=D("10")))
    assert cart.discounts() == [("TEN", D("5.00")), ("FIVE", D("5.00"))]


def test_fixed_voucher_after_percent_takes_only_the_rest(cart):
    cart.redeem(PercentVoucher("SALE", percent=D("60")))
    cart.redeem(FixedVoucher("GIFT", amount=D("30")))
    assert cart.discounts() == [("SALE", D("30.00")), ("GIFT", D("20.00"))]
    assert cart.goods_total() == D("0.00")


def test_receipt_never_pays_out(cart):
    cart.redeem(PercentVoucher("HALF", percent=D("50")))
    cart.redeem(FixedVoucher("GIFT", amount=D("50")))
    assert cart.receipt().endswith("total  4.90 EUR")


def test_expired_voucher(cart):
    with pytest.raises(VoucherError):
        cart.redeem(FixedVoucher("OLD", amount=D("5"), valid_until=date(2024, 4, 30)))


def test_code_only_once(cart):
    cart.redeem(FixedVoucher("FIVE", amount=D("5")))
    with pytest.raises(VoucherError):
        cart.redeem(FixedVoucher("FIVE", amount=D("5")))
