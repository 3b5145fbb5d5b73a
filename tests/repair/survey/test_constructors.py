"""Instances by their constructor: what a person would write."""

from __future__ import annotations

import pytest

from analysis.behaviour import Raised, Returned
from repair.survey.constructors import constructed, constructors_in, plain_fields

SOURCE = b"""
from dataclasses import dataclass


class Cart:
    def __init__(self, items, owner=None, *, size):
        self._items = items


class Bare:
    def total(self):
        return 1


class Below(Cart):
    pass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0

    class Inner:
        pass


class Odd:
    def __init__(self, a, b, /):
        pass
"""


def test_what_constructors_take():
    assert constructors_in(SOURCE) == {
        "Cart": (("items", True), ("owner", False), ("size", True)),
        "Bare": (),
        "Point": (("x", True), ("y", False)),
        "Point.Inner": (),
    }
    assert constructors_in(b"class A(:") == {}


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("made(shop.Cart, items=[2], size=3).total()", "shop.Cart(items=[2], size=3).total()"),
        ("made(shop.Cart, _items=[2], size=3, other=4).total()", "shop.Cart(items=[2], size=3).total()"),
        ("made(shop.Bare).total(made(shop.Point, x=1))", "shop.Bare().total(shop.Point(x=1))"),
        ("shop.parcel(3)", "shop.parcel(3)"),
        ("made(shop.Point, (1, 2))", "shop.Point(1, 2)"),
        ("made(shop.Point, (1, made(shop.Point, (3, 4))))", "shop.Point(1, shop.Point(3, 4))"),
        ("made(shop.Point, (1,))", ""),
        ("made(shop.Point, [1, 2])", ""),
        ("made(shop.Point, (1, 2), x=3)", ""),
        ("made(shop.Below, (1, 2))", ""),
        ("made(shop.Cart, items=[2]).total()", ""),
        ("made(shop.Below, items=[2]).total()", ""),
        ("made(shop.Bare, [1]).total()", ""),
        ("after(made(shop.Bare).total)", ""),
        ("made(", ""),
    ],
)
def test_calls_with_their_instances(call, written):
    known = {f"shop.{name}": taken for name, taken in constructors_in(SOURCE).items()}
    assert constructed(call, known.get) == written


@pytest.mark.parametrize(
    ("end", "fields"),
    [
        (Returned("Refusal(func=<fits>, reason='too <b> long', n=3)"), {"reason": "'too <b> long'", "n": "3"}),
        (Returned("Point(x=1, _y=2, at=[1, <object>], in_=nan)"), {"x": "1"}),
        (Returned("Decimal('1')"), {}),
        (Returned("{'a': 1}"), {}),
        (Returned("<Refusal object>"), {}),
        (Returned("Refusal(n=3"), {}),
        (Returned("Refusal(n=3)", whole=False), {}),
        (Returned("Refusal(n=3)", left="args ([], {})"), {}),
        (Raised("ValueError", "'n=3'"), {}),
    ],
)
def test_plain_fields(end, fields):
    assert dict(plain_fields(end)) == fields
