"""Where a fault is looked for: never among the tests, whatever their file is called."""

from __future__ import annotations

import pytest
from fakes.diagnosed import PATH, SOURCE

from analysis.facts import Frame, FunctionId, Outcome, Phase, SeenError, Suspect, TestId, TestResult, TestRun
from analysis.functions import functions_of
from repair.records.plan import Localized, localize, nearest_tests
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


def test_the_nearest_test_is_the_one_that_runs_the_failing_tests_lines_and_few_others() -> None:
    (price, *_) = functions_of(PATH, SOURCE)
    lines = range(price.def_line + 1, price.end_line + 1)
    ran = {"fails": lines[:1], "far": lines[1:], "wide": lines, "near": lines[:1], "apart": ()}
    line_map = tuple((TestId(name), ((PATH, frozenset(own)),)) for name, own in ran.items())
    passing = tuple(TestId(name) for name in ran if name != "fails")
    assert nearest_tests(line_map, passing, (TestId("fails"),), price) == ("near", "wide", "far")
    assert nearest_tests(line_map, passing, (), price) == ("far", "wide", "near")
