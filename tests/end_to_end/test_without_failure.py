"""Changes that no failing test asks for, in the shapes that they come in, with real processes."""

from __future__ import annotations

import sys
from difflib import unified_diff

import pytest
from fakes.bare import BARE

from repair import api
from repair.records.config import Options
from repair.records.result import Status

SHOP = '''\
"""A shop."""


def total(prices, discount=0):
    """The sum of the prices, less a discount in percent."""
    result = 0
    for price in prices:
        result += price
    return result * (100 - discount) / 100


def receipt(items):
    """Lines of a receipt."""
    lines = []
    for name, price in items:
        lines.append(f"{name}: {price}")
    lines.append(f"total: {total([p for _, p in items])}")
    return lines


class Cart:
    """Things and how many of each."""

    def __init__(self):
        self.counts = {}

    def add(self, name, count=1):
        """Put some more of a thing into the cart."""
        self.counts[name] = self.counts.get(name, 0) + count
        return self.counts[name]
'''
TESTS = """\
from shop import Cart, receipt, total


def test_total():
    assert total([1, 2, 3]) == 6


def test_discount():
    assert total([10, 10], 50) == 10


def test_receipt():
    assert receipt([("tea", 2)]) == ["tea: 2", "total: 2.0"]


def test_add():
    cart = Cart()
    assert cart.add("tea") == 1
    assert cart.add("tea", 2) == 3
"""


def checked(root, *edits, tests=TESTS):
    """What a check says of the shop with these edits, and with other tests."""
    new = SHOP
    for old, text in edits:
        assert old in new
        new = new.replace(old, text, 1)
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    files = [(name, before, after) for name, before, after in
             (("shop.py", SHOP, new), ("test_shop.py", TESTS, tests)) if before != after]  # fmt: skip
    patch = "".join(
        line
        for name, before, after in files
        for line in unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
    )
    kept = {"python": sys.executable, "isolation": "none", "max_seconds": 120, "jobs": 2, "pass_env": tuple(BARE)}
    return api.check(patch.encode(), None, (), Options(str(root), **kept), lambda event: None, BARE)


LOOP = """\
    result = 0
    for price in prices:
        result += price
    return result * (100 - discount) / 100
"""
PARTS = """\
    return _less(_sum(prices), discount)


def _sum(prices):
    return sum(prices)


def _less(amount, percent):
    return amount * (100 - percent) / 100
"""


@pytest.mark.parametrize(
    "edit",
    [
        (LOOP, "    return sum(prices) * (100 - discount) / 100\n"),
        (LOOP, PARTS),
        ("        self.counts[name] = self.counts.get(name, 0) + count\n        return self.counts[name]\n",
         "        now = self.counts.get(name, 0) + count\n        self.counts[name] = now\n        return now\n"),
    ],
    ids=["one function", "new helpers", "a method with state"],
)  # fmt: skip
def test_a_refactoring_is_told_as_one(tmp_path, edit):
    result = checked(tmp_path, edit)
    assert result.status is Status.PLAUSIBLE, result.to_json()
    assert result.messages[0].startswith("A refactoring, as far as tests and inputs tell")
    (patch,) = result.patches
    assert patch.effect.refactoring
    assert patch.effect.inputs == patch.effect.kept >= 20
    assert patch.questions == ()


def test_another_behaviour_is_told_with_one_question(tmp_path):
    result = checked(tmp_path, ("in items:\n        lines", "in sorted(items):\n        lines"))
    assert result.status is Status.PLAUSIBLE
    (patch,) = result.patches
    assert patch.effect.changed
    assert patch.effect.kept + patch.effect.changed == patch.effect.inputs
    assert all(each.call.startswith("receipt(") and not each.tested for each in patch.effect.changes)
    (question,) = patch.questions
    assert question.startswith("Should receipt([")
    assert [e.answer for e in patch.evidence if e.answer]


def test_a_renamed_parameter_and_its_caller_are_one_program(tmp_path):
    """The old caller among new functions would fail: no program ever did."""
    old = SHOP.replace("total([p for _, p in items])", "total([p for _, p in items], discount=0)")
    edits = [(SHOP, old.replace("discount", "rebate"))]
    result = checked(tmp_path, *edits)
    assert result.status is Status.PLAUSIBLE, result.to_json()
    by_name = {patch.function: patch for patch in result.patches}
    assert by_name["receipt"].effect.changed == 0
    assert sum(len(patch.questions) for patch in result.patches) == 1
    assert "callers that pass discount by name" in str([p.questions for p in result.patches])


def test_a_parameter_more_that_new_tests_ask_for_is_judged_as_a_fix(tmp_path):
    tests = TESTS + (
        "\n\ndef test_digits():\n    assert total([1.234, 1], digits=1) == 2.2\n"
        "\n\ndef test_two_digits():\n    assert total([1.239], digits=2) == 1.24\n"
    )
    edits = [
        ("discount=0):", "discount=0, *, digits=None):"),
        ("    return result * (100 - discount) / 100\n", "    result = result * (100 - discount) / 100\n"
         "    return result if digits is None else round(result, digits)\n"),
    ]  # fmt: skip
    result = checked(tmp_path, *edits, tests=tests)
    assert result.status in (Status.CERTIFIED, Status.PLAUSIBLE), result.to_json()
    decisions = {e.gate: e.decision for e in result.patches[0].evidence}
    assert {gate for gate, decision in decisions.items() if decision != "accept"} <= {"behaviour", "own_tests"}
    assert not any("unexpected keyword" in question for question in result.patches[0].questions)
    assert result.patches[0].effect is None


def test_a_parameter_that_is_required_now_names_the_calls_that_stayed(tmp_path):
    result = checked(tmp_path, ("discount=0):", "discount):"))
    assert result.status is Status.REJECTED
    left = [(f.file, f.line) for f in result.findings if f.kind == "call_left_behind"]
    assert left == [("shop.py", 17), ("test_shop.py", 5)]


def test_a_new_function_is_judged_by_the_suite(tmp_path):
    added = '\n\ndef cheapest(items):\n    """The cheapest item."""\n    return min(items)\n'
    result = checked(tmp_path, ("        return self.counts[name]\n", "        return self.counts[name]\n" + added))
    assert result.status is Status.PLAUSIBLE, result.to_json()
    assert "4 tests that passed before still pass" in result.messages[0]
    assert ("not_run", "no test runs the new function cheapest") in {(f.kind, f.claim) for f in result.findings}
    assert result.patches == ()
