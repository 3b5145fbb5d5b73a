"""Where a fault is looked for: never among the tests, whatever their file is called."""

from __future__ import annotations

import pytest

from analysis.facts import Frame, FunctionId, Outcome, Phase, SeenError, Suspect, TestId, TestResult, TestRun
from repair.records.plan import Localized, localize
from repair.records.task import Baseline

PRICE = b"def price(count):\n    return count * 3\n"
TESTS = b"def expected(n):\n    return n * 2\n\n\ndef test_price():\n    assert price(1) == expected(1)\n"


@pytest.mark.parametrize("tests", ["test_price.py", "shop/tests.py", "check_price.py"])
def test_a_file_that_holds_tests_has_no_suspects(tests: str) -> None:
    test = TestId(f"{tests}::test_price")
    frame = Frame(tests, True, 6, None, None, None, "test_price", "test_price", 5)
    raised = SeenError("AssertionError", ("AssertionError",), "assert 3 == 2", (frame,))
    result = TestResult(test, Outcome.FAILED, Phase.CALL, 0.0, (raised,))
    lines = ((test, (("price.py", frozenset({2})), (tests, frozenset({2, 6})))),)
    run = TestRun((result,), (), 1, 0.1, lines)
    found = localize(Baseline((test,), (), (), (result,), run, 2, 0.1), (("price.py", PRICE), (tests, TESTS)))
    assert [s.function.qualname for s in found.suspects] == ["price"]


@pytest.mark.parametrize(
    ("wanted", "order"), [("tax", ["tax", "price", "total"]), ("other", ["price", "tax", "total"])]
)
def test_a_function_that_is_known_to_mend_a_part_comes_first(wanted: str, order: list[str]) -> None:
    functions = [FunctionId("price.py", name, 1) for name in ("price", "tax", "total")]
    found = Localized((), tuple(Suspect(each, 0.5, ()) for each in functions), (), {})
    moved = found.put_first(FunctionId("price.py", wanted, 1))
    assert [each.function.qualname for each in moved.suspects] == order
    assert found.put_first(None) == found
