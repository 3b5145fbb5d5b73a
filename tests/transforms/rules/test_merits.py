"""Edits that do what a failure asks for, and those that only look so."""

import pytest

from analysis.facts import Constraint, ConstraintKind
from transforms.rules.merits import satisfies_constraint

K = ConstraintKind
OLD = """def price(item, rates):
    key = item.kind
    if rates is None:
        raise ValueError("no rates")
    return item.cost * rates[key] / item.count
"""


def met(kind, old, new, expression="", detail="", text=OLD):
    assert old in text
    constraint = Constraint(kind, expression, detail, "shop.py", 5, "it says so")
    return satisfies_constraint(constraint, text.encode(), text.replace(old, new).encode())


@pytest.mark.parametrize(
    ("kind", "old", "new", "expression", "detail"),
    [
        (K.NULLABLE, "    key =", "    if item is None:\n        return 0\n    key =", "item", "NoneType"),
        (K.NULLABLE, "item.cost *", "(item.cost or 0) *", "item.cost", "NoneType"),
        (K.ZERO_DIVISOR, "return ", "return 0 if not item.count else ", "item.count", ""),
        (K.MISSING_KEY, "rates[key]", "rates.get(key, 1)", "rates[key]", "key"),
        (
            K.MISSING_KEY,
            "    return item.cost * rates[key] / item.count\n",
            "    try:\n        return rates[key]\n    except KeyError:\n        return 0\n",
            "rates[key]",
            "key",
        ),
        (K.MISSING_RAISE, "if rates is None:", "if rates is None or not rates:", "price(1, {})", "ValueError"),
        (K.WRONG_RAISE, "ValueError", "TypeError", "", "TypeError"),
        (K.UNBOUND_NAME, "    key =", "    total = 0\n    key =", "total", "total"),
    ],
)
def test_what_is_asked_for_is_met(kind, old, new, expression, detail):
    assert met(kind, old, new, expression, detail)


@pytest.mark.parametrize(
    ("kind", "old", "new", "expression"),
    [
        (K.NULLABLE, "item.cost *", "item.cost +", "item.cost"),
        (K.NULLABLE, "    key =", "    if rates == {}:\n        return 0\n    key =", "item"),
        (K.MISSING_RAISE, "item.cost *", "item.cost +", "price(1, {})"),
        (K.MISSING_KEY, "    key =", "    if not item:\n        return 0\n    key =", "rates[key"),
        (K.NO_TERMINATION, "if rates is None", "if not item", "item"),
    ],
)
def test_other_edits_meet_nothing(kind, old, new, expression):
    assert not met(kind, old, new, expression)


def test_a_text_that_cannot_be_read_meets_nothing():
    constraint = Constraint(K.NULLABLE, "item", "", "shop.py", 5, "")
    assert not satisfies_constraint(constraint, OLD.encode(), b"def price(:\n")
