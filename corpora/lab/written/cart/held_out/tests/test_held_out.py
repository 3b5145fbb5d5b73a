import pytest

from shop import Cart, Catalog, Product
from shop.pricing import DEFAULT_TIERS, line_total, tier_percent


@pytest.mark.parametrize("qty, want", [
    (0, 0), (1, 0), (4, 0), (5, 5), (6, 5), (9, 5), (10, 10), (11, 10),
    (49, 10), (50, 20), (51, 20), (1000, 20),
])
def test_default_tiers(qty, want):
    assert tier_percent(qty) == want


@pytest.mark.parametrize("qty, want", [(1, 0), (3, 3), (7, 3), (8, 8), (20, 15), (99, 15)])
def test_tiers_in_any_order(qty, want):
    assert tier_percent(qty, [(20, 15), (3, 3), (8, 8)]) == want
    assert tier_percent(qty, [(8, 8), (20, 15), (3, 3)]) == want


def test_highest_quantity_counts_even_when_its_percent_is_smaller():
    tiers = [(5, 10), (10, 4)]
    assert tier_percent(5, tiers) == 10
    assert tier_percent(10, tiers) == 4


def test_no_tiers():
    assert tier_percent(100, []) == 0


def test_tiers_are_left_alone():
    tiers = [(20, 15), (3, 3), (8, 8)]
    tier_percent(9, tiers)
    assert tiers == [(20, 15), (3, 3), (8, 8)]
    tier_percent(60)
    assert DEFAULT_TIERS == [(5, 5), (10, 10), (50, 20)]


def test_line_total_middle_tier():
    assert line_total(100, 10) == 900
    assert line_total(100, 12) == 1080


def test_cart_with_own_tiers():
    cart = Cart(Catalog([Product("A", "A", 100)]), tiers=[(4, 50), (2, 10)])
    cart.add("A", 4)
    assert cart.subtotal() == 200
    cart.remove("A", 1)
    assert cart.subtotal() == 270
