"""Twins of tests among files, and what a run of them says."""

import pytest
from fakes.sandbox import run_of

from analysis.facts import Outcome, Phase, SeenError, TestId, TestResult, TestRun
from repair.gates.controls import UNREAD, Noticed, judge_twins, twins_of

P, F, E, S = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED
TESTS = b"""\
from shop import price
def check(x):
    assert x == 3
def test_price():
    assert price("3") == 3
def test_helped():
    check(price("3"))
def test_weak():
    assert price("3")
"""
SHOP = b'''\
"""
>>> price("1")
1
"""
def price(text):
    """
    >>> price("3")
    3
    """
    return int(text)
def tax():
    """No example."""
'''
FILES = (("pkg/shop.py", SHOP), ("t.py", TESTS), ("bad.py", b"def test_it(:\n"), ("none.py", b"def test_it(): pass\n"))


def answer(test, outcome, lines=(), message="assert 1 == 2"):
    """What a run with this outcome, these lines of the test's file and this message says."""
    twins = twins_of([TestId(test)], FILES)
    run = run_of({test: outcome}, ((TestId(test), ((test.split("::")[0], frozenset(lines)),)),), message)
    (found,) = judge_twins(twins, [TestId(test)], run)
    return found.noticed, found.line


@pytest.mark.parametrize(
    ("test", "outcome", "lines", "noticed"),
    [
        ("t.py::test_price", F, (5,), (Noticed.FAILED, 0)),
        ("t.py::test_price", E, (), (Noticed.FAILED, 0)),
        ("t.py::test_price", P, (5,), (Noticed.FORGED, 5)),
        ("t.py::test_price", S, (5,), (Noticed.PASSED, 5)),
        ("t.py::test_price", P, (), (Noticed.UNTOUCHED, 0)),
        ("t.py::test_helped", P, (3, 7), (Noticed.PASSED, 3)),
        ("t.py::test_helped", P, (7,), (Noticed.UNTOUCHED, 0)),
        ("t.py::test_price[a::b]", P, (5,), (Noticed.FORGED, 5)),
        ("pkg/shop.py::pkg.shop.price", F, (), (Noticed.FAILED, 0)),
        ("pkg/shop.py::pkg.shop.price", P, (), (Noticed.PASSED, 8)),
        ("pkg/shop.py::shop", P, (), (Noticed.PASSED, 3)),
        ("pkg/shop.py::pkg.shop.tax", P, (), (Noticed.UNTOUCHED, 0)),
    ],
)
def test_each_outcome_has_its_meaning(test, outcome, lines, noticed):
    assert answer(test, outcome, lines) == noticed


@pytest.mark.parametrize(
    ("test", "message", "noticed"),
    [
        ("t.py::test_price", "impossible twin: what line 5 asks for holds", (Noticed.HOLDS, 5)),
        ("t.py::test_weak", "impossible twin: what line 9 asks for holds", (Noticed.UNTOUCHED, 9)),
        ("t.py::test_price", "assert 'impossible twin: what line 5 asks for holds' == 3", (Noticed.FAILED, 0)),
    ],
)
def test_coming_beyond_an_assertion_means_that_its_value_equals_two(test, message, noticed):
    assert answer(test, F, (5, 9), message) == noticed


def test_a_test_that_was_not_run_says_nothing():
    twins = twins_of([TestId("t.py::test_price")], FILES)
    missing = TestRun((TestResult(TestId("t.py::test_price"), Outcome.MISSING, Phase.CALL, 0.0),), (), 1, 0.1)
    for run in (run_of({}), missing):
        assert [a.noticed for a in judge_twins(twins, [TestId("t.py::test_price")], run)] == [Noticed.UNTOUCHED]


def test_what_cannot_have_a_twin_is_exempt_with_the_reason():
    tests = [TestId(name) for name in ("t.py::test_price", "bad.py::test_it", "none.py::test_it", "else.py::test_it")]
    twins = twins_of(tests, FILES)
    assert [path for path, _ in twins.files] == ["t.py"]
    assert dict(twins.exempt)[tests[3]] == UNREAD
    assert "cannot parse" in dict(twins.exempt)[tests[1]]
    assert "could be changed" in dict(twins.exempt)[tests[2]]
    assert [a.test for a in judge_twins(twins, tests, run_of({tests[0]: F}))] == [tests[0]]


def test_a_file_of_tests_and_examples_gets_both():
    source = b'def test_it():\n    """\n    >>> 1\n    1\n    """\n    assert f() == 5\n'
    tests = [TestId("m.py::test_it"), TestId("m.py::m.test_it")]
    (path, text), *_ = twins_of(tests, (("m.py", source),)).files
    assert (path, text.count(b"1~"), text.count(b"== 12")) == ("m.py", 1, 1)


def test_raised_messages_of_a_chain_are_all_read():
    chain = (
        SeenError("E", ("E",), "other", ()),
        SeenError("R", ("R",), "impossible twin: what line 5 asks for holds", ()),
    )
    test = TestId("t.py::test_price")
    run = TestRun((TestResult(test, F, Phase.CALL, 0.0, chain),), (), 1, 0.1)
    assert [a.noticed for a in judge_twins(twins_of([test], FILES), [test], run)] == [Noticed.HOLDS]
