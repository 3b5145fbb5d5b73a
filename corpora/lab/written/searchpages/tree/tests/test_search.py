import pytest

from paging import paginate
from search import search
from sorting import parse_sort, sort_results

SHOP = [
    {"name": "Tea", "kind": "drink", "price": 4},
    {"name": "Apple", "kind": "fruit", "price": 1},
    {"name": "Juice", "kind": "drink", "price": 3},
    {"name": "Melon", "kind": "fruit", "price": 3},
    {"name": "Secret", "kind": "drink", "price": None},
]


def names(results):
    return [r["name"] for r in results]


def test_parse_sort():
    assert parse_sort("-price, name,") == [("price", True), ("name", False)]


def test_sort_one_key():
    assert names(sort_results(SHOP, "name")) == ["Apple", "Juice", "Melon", "Secret", "Tea"]


def test_sort_descending_none_last():
    assert names(sort_results(SHOP, "-price")) == ["Tea", "Juice", "Melon", "Apple", "Secret"]


def test_sort_two_keys():
    assert names(sort_results(SHOP, "kind,price")) == ["Juice", "Tea", "Secret", "Apple", "Melon"]


def test_no_sort():
    assert sort_results(SHOP, "") == SHOP


def test_paginate():
    page = paginate(list(range(25)), 3, 10)
    assert page.items == [20, 21, 22, 23, 24]
    assert page.label() == "21-25 of 25"
    assert not page.has_next and page.has_previous


@pytest.mark.parametrize("number, got", [(0, 1), (-3, 1), (9, 3)])
def test_paginate_clamps(number, got):
    assert paginate(list(range(25)), number, 10).number == got


def test_paginate_empty():
    assert paginate([]).label() == "no results"


def test_search():
    page = search(SHOP, "DRINK", "name", size=2)
    assert names(page.items) == ["Juice", "Secret"]
    assert page.total == 3
