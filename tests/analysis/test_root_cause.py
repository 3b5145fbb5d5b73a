"""What one failure comes from: the function, how far a change goes, and the kind of edit."""

import pytest

from analysis.facts import Diagnosis, Failure, FailureClass, Frame, Outcome, Phase, SeenError, Suspect, TestId
from analysis.functions import functions_of
from analysis.root_cause import find_root_cause

SOURCE = b"""\
def price(text):
    if not text:
        return 0
    text = text.strip()
    text = text.strip()
    return int(text)
def other(x):
    return x
"""
INDEX = {"shop.py": functions_of("shop.py", SOURCE)}
PRICE, OTHER = (span.function for span in INDEX["shop.py"])
TEST = TestId("test_shop.py::test_price")
RAN = {"shop.py": frozenset({2, 4, 5, 6})}


def failure(line=0, failure_class=FailureClass.LOGIC):
    frames = (Frame("shop.py", True, line, None, None, None, "price", "price", 1),) if line else ()
    seen = SeenError("builtins.ValueError", ("builtins.ValueError",), "no number\nat all", frames)
    return Diagnosis(Failure(TEST, Phase.CALL, Outcome.FAILED, (seen,), ""), failure_class, "", ())


def suspect(function, *scores):
    return Suspect(function, 0.9, ("run by 1 of 1 failing tests",), scores)


@pytest.mark.parametrize(
    ("line", "scores", "edit", "scope"),
    [
        (6, ((2, 0.5), (6, 1.0)), "update", "one statement, line 6"),
        (4, ((4, 1.0),), "patch", "one statement, line 4"),
        (0, ((2, 1.0),), "update", "one statement, line 2"),
        (0, ((4, 1.0), (5, 1.0), (6, 1.0)), "patch", "3 statements in one place, lines 4 to 6"),
        (0, ((2, 1.0), (6, 1.0)), "patch", "2 statements in one place, lines 2 to 6"),
        (0, (), "rewrite", "the whole function"),
    ],
)
def test_the_kind_of_edit_follows_from_the_place(line, scores, edit, scope):
    found = find_root_cause(failure(line), [suspect(OTHER), suspect(PRICE, *scores)], RAN, INDEX, {"shop.py": SOURCE})
    assert (found.function, found.edit, found.scope) == (PRICE, edit, scope)
    assert found.claim.startswith("builtins.ValueError: no number; likeliest in price (shop.py:")
    assert found.claim.endswith("run by 1 of 1 failing tests")


@pytest.mark.parametrize("kind", [FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT, FailureClass.FORMAT])
def test_no_edit_helps_where_the_program_is_not_at_fault(kind):
    found = find_root_cause(failure(6, kind), [suspect(PRICE, (6, 1.0))], RAN, INDEX, {"shop.py": SOURCE})
    assert (found.function, found.edit) == (None, "")
    assert kind.value in found.reason


def test_a_test_that_runs_no_suspect_has_none():
    found = find_root_cause(failure(), [suspect(PRICE, (6, 1.0))], {}, INDEX, {"shop.py": SOURCE})
    assert (found.function, found.edit, found.reason) == (None, "", "no suspect")


@pytest.mark.parametrize(("line", "why"), [(6, ": raises ValueError at line 6"), (0, ": run by 1 of 1 failing tests")])
def test_what_another_test_raised_is_no_reason_of_this_one(line, why):
    reasons = ("raises ValueError at line 6", "run by 1 of 1 failing tests")
    known = Suspect(PRICE, 0.9, reasons, ((6, 1.0),))
    assert find_root_cause(failure(line), [known], RAN, INDEX, {"shop.py": SOURCE}).claim.endswith(why)
