"""Of two failing tests that run one function: is the one that fails on of another cause?"""

import pytest
from fakes.submission import submission_of
from fakes.traced import TESTS, dedented, run_tests

from analysis.facts import Outcome, TestId
from analysis.functions import find_function, functions_of
from repair.observe.other_causes import OtherCauses
from repair.records.task import Baseline


def said(program, qualname, edit, tests, mended, other):
    """What is said of the ``other`` test where the edit of one function turns the ``mended`` test green."""
    program = dedented(program)
    old, new = edit
    assert program.count(old) == 1
    patched = program.replace(old, new)
    before, after = run_tests(program, tests), run_tests(patched, tests)
    wanted, asked = TestId(f"{TESTS}::{other}"), TestId(f"{TESTS}::{mended}")
    assert (before.outcome(asked), after.outcome(asked)) == (Outcome.FAILED, Outcome.PASSED)
    assert (before.outcome(wanted), after.outcome(wanted)) == (Outcome.FAILED, Outcome.FAILED)
    passing = tuple(r.test for r in before.results if r.outcome is Outcome.PASSED)
    baseline = Baseline((asked,), passing, (), before.results, before, 3, 0.1)
    span = find_function(functions_of("shop.py", patched.encode()), qualname)
    text = patched.encode()[span.start : span.end]
    submission = submission_of(text, program.encode(), baseline=baseline, qualname=qualname, head=b"")
    one, two = (next(r for r in run.results if r.test == wanted) for run in (before, after))
    return OtherCauses(submission, [wanted]).describe(one, two)


CART = """
    class Cart:
        def __init__(self):
            self.items = {}

        def add(self, name, price, quantity=1):
            if name in self.items:
                old_price, old_quantity = self.items[name]
                self.items[name] = (price, quantity)
            else:
                self.items[name] = (price, quantity)

        def total(self, discount=None):
            total = sum(price * quantity for price, quantity in self.items.values())
            return total - total * discount / 100

        def remove(self, name):
            del self.items[name.lower()]
"""
TESTS_OF_CART = """
    def filled(*names):
        cart = Cart()
        for name in names:
            cart.add(name, 2)
        return cart

    def test_add():
        equal(filled("a").items, {"a": (2, 1)})

    def test_add_twice():
        equal(filled("a", "a").total(0), 4)

    def test_discount():
        equal(filled("a").total(50), 1)

    def test_total():
        equal(filled("a").total(), 2)

    def test_remove():
        cart = filled("A")
        cart.remove("A")
        equal(cart.items, {})

    def test_remove_again():
        cart = filled("a")
        cart.remove("a")
        equal(cart.items, {})
"""
ADD = (
    "self.items[name]\n            self.items[name] = (price, quantity)",
    "self.items[name]\n            self.items[name] = (price, quantity + old_quantity)",
)
TOTAL = ("total * discount", "total * (discount or 0)")
REMOVE = ("name.lower()", "name")
THROUGH_TOTAL = "as it did before, in Cart.total, which the patch leaves alone"
THROUGH_REMOVE = "as it did before, in Cart.remove, which the patch leaves alone"
THROUGH_ADD = "as it did before, and in Cart.add it alone runs lines that no passing test runs"


@pytest.mark.parametrize(
    ("function", "edit", "mended", "other", "expected"),
    [
        ("Cart.add", ADD, "test_add_twice", "test_total", THROUGH_TOTAL),
        ("Cart.add", ADD, "test_add_twice", "test_remove", THROUGH_REMOVE),
        ("Cart.total", TOTAL, "test_total", "test_add_twice", THROUGH_ADD),
    ],
)
def test_three_faults_in_one_class_are_told_apart(function, edit, mended, other, expected):
    assert said(CART, function, edit, TESTS_OF_CART, mended, other) == expected


PARSE = """
    def parse(text):
        return int(text) if text.isdigit() else None

    def cost(text):
        return 2 * parse(text)

    def double(number):
        return 2 * number
"""
HALF = ("return int(text) if", "return 1 if text == '' else int(text) if")
TESTS_OF_PARSE = """
    def test_three():
        equal(parse("3"), 3)
        equal(cost("3"), 6)
        equal(double(3), 6)

    def test_nothing():
        equal(parse(""), 1)

    def test_spaces():
        equal(parse(" "), 1)

    def test_cost():
        equal(cost(" "), 2)

    def test_double():
        equal(double(parse(" ")), 2)
"""


@pytest.mark.parametrize("other", ["test_spaces", "test_cost", "test_double"])
def test_the_half_of_a_fault_that_is_left_stays_a_doubt(other):
    """Asked directly, through a function that calls it, and through the test, which hands its result on."""
    assert said(PARSE, "parse", HALF, TESTS_OF_PARSE, "test_nothing", other) == ""


SIGNS = """
    def sign(number, text):
        if number < 0:
            return text + text
        if number > 0:
            return text + text
        return ""

    def show(number, wide):
        if wide:
            return 10 * " " + str(number)
        return str(number)
"""
TESTS_OF_SIGNS = """
    def test_nothing():
        equal(sign(0, "x") + show(0, False), "0")

    def test_negative():
        equal(sign(-1, "-"), "-")

    def test_positive():
        equal(sign(1, "+"), "+")

    def test_wide():
        equal(sign(0, "x") + show(1, True), "1")

    def test_wide_and_positive():
        equal(sign(1, "+") + show(1, True), "+1")
"""
NEGATIVE = ("if number < 0:\n        return text + text", "if number < 0:\n        return text")


@pytest.mark.parametrize(
    ("other", "apart"), [("test_positive", False), ("test_wide_and_positive", False), ("test_wide", True)]
)
def test_a_test_that_runs_lines_of_the_function_as_no_passing_test_does_stays_a_doubt(other, apart):
    """The same fault stands in another branch, which the patch does not mend."""
    found = said(SIGNS, "sign", NEGATIVE, TESTS_OF_SIGNS, "test_negative", other)
    assert found == ("as it did before, and in show it alone runs lines that no passing test runs" if apart else "")


SCALE = """
    def scale(number):
        return 3 * number

    def show(number, wide):
        if wide:
            return 10 * " " + str(number)
        return str(number)
"""
TESTS_OF_SCALE = """
    def test_nothing():
        equal((scale(0), show(0, False)), (0, "0"))

    def test_scale():
        equal(scale(2), 4)

    def test_scale_beside_wide():
        show(2, True)
        equal(scale(2), 4)

    def test_wide():
        equal((scale(0), show(1, True)), (0, "1"))

    def test_wide_and_one():
        equal((scale(1), show(1, True)), (2, "1"))
"""


@pytest.mark.parametrize(
    ("mended", "other", "apart"),
    [
        ("test_scale", "test_wide", True),
        ("test_scale", "test_wide_and_one", False),
        ("test_scale_beside_wide", "test_wide", False),
    ],
)
def test_its_own_lines_speak_for_another_cause(mended, other, apart):
    """Not where the failure reads otherwise with the patch, nor where the mended test runs these lines, too."""
    found = said(SCALE, "scale", ("3 *", "2 *"), TESTS_OF_SCALE, mended, other)
    assert found == ("as it did before, and in show it alone runs lines that no passing test runs" if apart else "")


NESTED = """
    def scale(number, wide=False):
        def show(factor):
            if wide:
                return 10 * " " + str(factor)
            return str(factor)

        return show(3 * number)
"""
TESTS_OF_NESTED = """
    def test_nothing():
        equal(scale(0), "0")

    def test_scale():
        equal(scale(2), "4")

    def test_wide():
        equal(scale(0, True), "0")
"""


def test_a_function_within_the_patched_one_is_no_other():
    assert said(NESTED, "scale", ("3 *", "2 *"), TESTS_OF_NESTED, "test_scale", "test_wide") == ""


LOG = """
    class Log:
        def __init__(self):
            self.rows = []

        def put(self, row):
            self.rows.append(row or None)

        def put_all(self, rows):
            for row in rows:
                self.put(row)

        def fill(self, rows):
            self.put_all(rows)
            return sum(len(row) for row in self.rows)

        def size(self, fresh=False):
            if fresh:
                self.fill(["a"])
            return len(self.rows) + len(None)

        def each(self):
            for row in self.rows:
                yield row or None

    def widest(rows):
        return max(len(row) for row in rows)
"""
TESTS_OF_LOG = """
    def filled(*rows):
        log = Log()
        for row in rows:
            log.put(row)
        return log

    def test_rows():
        equal(filled("a").rows, ["a"])
        equal(widest(filled("a").each()), 1)

    def test_empty():
        equal(filled("").rows, [""])

    def test_fill():
        equal(Log().fill([()]), 0)

    def test_size():
        equal(filled("a").size(), 1)

    def test_each():
        log = Log()
        log.rows = [""]
        equal([*log.each()], [""])

    def test_widest():
        log = Log()
        log.rows = [()]
        equal(widest(list(log.each())), 0)
"""
PUT = ("append(row or None)", "append(row if row == '' else row or None)")
EACH = ("yield row or None", "yield row if row == '' else row or None")


@pytest.mark.parametrize(
    ("function", "edit", "mended", "other", "expected"),
    [
        ("Log.put", PUT, "test_empty", "test_fill", ""),  # it calls what calls the patched function
        ("Log.put", PUT, "test_empty", "test_size", "as it did before, in Log.size, which the patch leaves alone"),
        ("Log.each", EACH, "test_each", "test_widest", ""),  # what a generator gives may be at fault
    ],
)
def test_a_crash_elsewhere_is_another_cause_where_the_patched_function_has_no_way_to_it(
    function, edit, mended, other, expected
):
    assert said(LOG, function, edit, TESTS_OF_LOG, mended, other) == expected


LEDGER = """
    class Ledger:
        def __init__(self, rows=()):
            self.rows = [*rows]
            self.sums = None

        def put(self, row):
            self.rows.append(row if row else None)

        def sum(self):
            return sum(len(row) for row in self.rows)

        def size(self):
            return 1 + len(self.rows) + len(self.sums)

        def close(self):
            self.closed = self.size()
            self.sums = [1]
"""
TESTS_OF_LEDGER = """
    def test_sum():
        ledger = Ledger()
        ledger.put("ab")
        equal(ledger.sum(), 2)

    def test_empty():
        ledger = Ledger()
        ledger.put("")
        equal(ledger.sum(), 0)

    def test_none():
        ledger = Ledger()
        ledger.put(())
        equal(ledger.sum(), 0)

    def test_size():
        ledger = Ledger()
        ledger.put("ab")
        equal(ledger.size(), 2)

    def test_rows():
        ledger = Ledger("a")
        equal(ledger.rows, ["a", None])
"""


def test_a_crash_in_the_place_where_the_mended_test_failed_too_stays_a_doubt():
    edit = ("row if row else None", "row if row or row == '' else None")
    assert said(LEDGER, "Ledger.put", edit, TESTS_OF_LEDGER, "test_empty", "test_none") == ""
    found = said(LEDGER, "Ledger.put", edit, TESTS_OF_LEDGER, "test_empty", "test_size")
    assert found == "as it did before, in Ledger.size, which the patch leaves alone"


def test_what_an_initializer_leaves_may_be_at_fault_anywhere():
    edit = ("[*rows]", "[*rows, *[None][: len(rows)]]")
    assert said(LEDGER, "Ledger.__init__", edit, TESTS_OF_LEDGER, "test_rows", "test_size") == ""


CLOSING = """
    class Till:
        def __init__(self, paid):
            self.paid = paid
            self.log = []

        def average(self):
            return sum(self.paid) / len(self.paid)

        def close(self, name):
            self.log.append(name)
            self.log.append(self.average())
"""
TESTS_OF_CLOSING = """
    def test_close():
        till = Till([2, 4])
        till.close("A")
        equal(till.log, ["A", 3])

    def test_lower():
        till = Till([2, 4])
        till.close("a")
        equal(till.log, ["A", 3])

    def test_rounded():
        till = Till([2, 3])
        till.close("A")
        equal(till.log, ["A", 2])

    def test_nothing():
        till = Till([])
        till.close("A")
        equal(till.log, ["A", 0])
"""


@pytest.mark.parametrize(
    ("edit", "mended", "expected"),
    [
        (
            ("append(name)", "append(name.upper())"),
            "test_lower",
            "as it did before, in Till.average, which the patch leaves alone",
        ),
        (("append(self.average())", "append(int(self.average()))"), "test_rounded", ""),
    ],
)
def test_a_traceback_that_comes_by_a_changed_line_stays_a_doubt(edit, mended, expected):
    assert said(CLOSING, "Till.close", edit, TESTS_OF_CLOSING, mended, "test_nothing") == expected


def test_a_failure_that_is_raised_in_the_function_itself_stays_a_doubt():
    tests = (
        TESTS_OF_CART
        + """
    def test_bad_name():
        filled([])
    """
    )
    assert said(CART, "Cart.add", ADD, tests, "test_add_twice", "test_bad_name") == ""


MONEY = """
    class Money:
        def __init__(self, cents):
            self.cents = cents

        def __add__(self, other):
            return Money(abs(self.cents + other.cents))

    def balance(one, other, loud):
        if loud:
            return f"{(one + other).cents} cents"
        return (one + other).cents
"""
TESTS_OF_MONEY = """
    def test_add():
        equal(balance(Money(1), Money(2), False), 3)

    def test_debt():
        equal((Money(-1) + Money(0)).cents, -1)

    def test_loud():
        equal(balance(Money(1), Money(-3), True), "-2 cents")
"""


def test_an_operator_is_called_without_a_name():
    edit = ("abs(self.cents + other.cents)", "-1 if self.cents < 0 else abs(self.cents + other.cents)")
    assert said(MONEY, "Money.__add__", edit, TESTS_OF_MONEY, "test_debt", "test_loud") == ""
