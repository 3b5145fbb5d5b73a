"""A file of tests that cannot be collected is a cause like others, where a function of the project is why."""

import pytest
from fakes.engines import all_gates, engine_of
from fakes.proposers import Rewrites
from fakes.toy import ToySandbox

from repair.records.result import Status
from repair.records.task import RepairTask

TABLE = b"""def entry(name, more=None):
    return [name] + more


def twice(value):
    return value + 2
"""
TESTS = b"""from table import entry, twice

FIRST = entry("a")


def test_first():
    assert FIRST == ["a"]


def test_more():
    assert entry("a", ["b"]) == ["a", "b"]


def test_none():
    assert entry("a", None) == ["a"]
"""
HIDDEN = b"""

def test_twice():
    assert twice(3) == 6


def test_twice_more():
    assert twice(0) == 0
    assert twice(1.5) == 3.0
    assert twice(-1) == -2


def test_twice_again():
    assert twice("a") == "aa"
"""
OTHER = b"""def price(count):
    return count + 3
"""
OTHER_TESTS = b"""from other import price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0


def test_half():
    assert price(1.5) == 4.5
"""
EDITS = {
    "entry": [("[name] + more", "[name] + (more or [])"), ("[name] + more", "None")],
    "twice": [("value + 2", "value * 2")],
    "price": [("count + 3", "count * 3")],
}


def fix(*tests, table=TABLE, own=TESTS, edits=EDITS):
    files = (("other.py", OTHER), ("table.py", table), ("test_other.py", OTHER_TESTS), ("test_table.py", own))
    sandbox = ToySandbox(files)
    proposer = Rewrites(edits, where_it_fits=True)
    return engine_of(sandbox, (proposer,), all_gates(sandbox), gates_over=all_gates).fix(RepairTask("/project", tests))


def words(ending):
    return {cause.ending.suspects[0].function.qualname: cause.ending.status for cause in ending.causes}


def test_what_hides_tests_is_mended_first_and_judged_by_the_tests_that_it_hid():
    ending = fix()
    assert [cause.ending.suspects[0].function.qualname for cause in ending.causes] == ["entry", "price"]
    first = ending.causes[0]
    assert first.ending.status is Status.CERTIFIED, first.ending.judged[0].verdict
    hidden = ("test_table.py::test_first", "test_table.py::test_more", "test_table.py::test_none")
    assert first.tests == ("test_table.py", *hidden)
    assert b"more or []" in first.ending.judged[0].submission.candidate.text
    assert ending.warnings == ()


def test_the_file_or_a_test_in_it_may_be_named():
    for named in ("test_table.py", "test_table.py::test_first"):
        ending = fix(named)
        assert words(ending) == {"entry": Status.CERTIFIED}, named


def test_a_patch_under_which_hidden_tests_fail_is_in_doubt():
    ending = fix(edits={"entry": [("[name] + more", "None")]})
    (judged,) = ending.causes[0].ending.judged
    evidence = {each.gate: each for each in judged.verdict.evidence}["regressions"]
    assert "which a file that could not be collected hid, fails with this patch" in evidence.claim
    assert ending.causes[0].ending.status is Status.PLAUSIBLE


def test_what_was_hidden_and_fails_is_seen_with_the_first_patch():
    ending = fix(own=TESTS + HIDDEN)
    judged = ending.causes[0].ending.judged[0]
    assert b"more or []" in judged.submission.candidate.text
    assert "test_table.py::test_twice" in {each.gate: each for each in judged.verdict.evidence}["regressions"].claim


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (TABLE + b"\n\nentry('b')\n1 / 0\n", ""),
        (TABLE.replace(b"+ more", b"+ (more or [])") + b"\n\nLEAST = 1 / 0\n", "table.py:9"),
    ],
)
def test_module_level_code_is_out_of_scope_and_other_causes_are_mended(table, said):
    ending = fix(table=table)
    found = {cause.tests: cause.ending for cause in ending.causes}
    assert any(cause.ending.status is Status.CERTIFIED and "price" in str(cause.tests) for cause in ending.causes)
    if said:
        module = found[("test_table.py",)]
        assert module.status is Status.OUT_OF_SCOPE
        assert module.messages == (f"ZeroDivisionError arises at module level, outside any function: {said}",)
