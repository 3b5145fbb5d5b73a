"""Where a fault is looked for: never among the tests, whatever their file is called."""

from __future__ import annotations

import pytest

from analysis.facts import Frame, Outcome, Phase, SeenError, TestId, TestResult, TestRun
from repair.records.plan import localize
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
