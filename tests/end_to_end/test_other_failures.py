"""Other tests of a suite that fail beside a patch, with real runs: whose doing it is, and of which cause they are."""

import sys

import pytest
from fakes.bare import bare_target
from fakes.submission import submission_of

from analysis.facts import Limits, Outcome
from analysis.functions import find_function, functions_of
from repair.gates.regressions import Regressions
from repair.observe.baseline import observe
from repair.records.task import Baseline
from repair.records.verdict import Decision
from sandbox.sandbox import LocalSandbox

SHOP = """\
seen = []


class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, price, quantity=1):
        if name in self.items:
            quantity = quantity
        self.items[name] = (price, quantity)

    def total(self, discount=None):
        total = sum(price * quantity for price, quantity in self.items.values())
        return total - total * discount / 100
"""
TESTS = """\
import shop
from shop import Cart


def test_discount():
    cart = Cart()
    cart.add("tea", 2)
    assert cart.total(50) == 1


def test_more():
    cart = Cart()
    cart.add("tea", 2)
    cart.add("tea", 2, 2)
    assert cart.items == {"tea": (2, 3)}


def test_total():
    cart = Cart()
    cart.add("tea", 2)
    assert cart.total() == 2


def test_nothing_is_left():
    assert shop.seen == []
"""
RIGHT = "quantity += self.items[name][1]"
MORE, TOTAL, LEFT = (f"test_shop.py::test_{name}" for name in ("more", "total", "nothing_is_left"))


@pytest.fixture
def judged(tmp_path):
    """What the gate says of a text in place of the fault of ``Cart.add``."""
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_shop.py").write_text(TESTS)
    limits = Limits(wall_seconds=60.0, test_seconds=20.0)
    sandbox = LocalSandbox(bare_target(tmp_path, python=sys.executable), limits=limits)

    def judge(text):
        baseline = observe(sandbox, [MORE], limits, 0)
        assert isinstance(baseline, Baseline)
        assert {r.test for r in baseline.outcomes if r.outcome is Outcome.FAILED} == {MORE, TOTAL}
        patched = SHOP.replace("quantity = quantity", text).encode()
        span = find_function(functions_of("shop.py", patched), "Cart.add")
        new = patched[span.start : span.end]
        submission = submission_of(new, SHOP.encode(), baseline=baseline, qualname="Cart.add", head=b"")
        return Regressions(sandbox, limits).judge(submission)

    yield judge
    sandbox.close()


def test_a_failure_of_another_cause_weighs_nothing(judged):
    evidence = judged(RIGHT)
    assert evidence.decision is Decision.ACCEPT
    told = f"{TOTAL} fails as it did before, in Cart.total, which the patch leaves alone"
    assert evidence.not_checked == (told,)


def test_a_test_that_never_runs_the_function_is_broken_by_what_another_test_leaves(judged):
    evidence = judged(f"{RIGHT}\n            seen.append(name)")
    assert evidence.decision is Decision.REJECT
    assert evidence.claim == f"{LEFT} was passed and is now failed"
