"""Rules: what the project forbids itself, and tests that hold a rule."""

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault
from analysis.specified.business_rules import BusinessRule
from repair.gates.rules import Rules
from repair.records.verdict import Decision

NO_FLOAT = BusinessRule("whole cents", "Money is counted in whole cents.", "float($X)")
BILLS = BusinessRule("bills", "Parts add up.", check=("test_bills.py",))
OLD = b"def price(n):\n    return n\n"
CASE = "test_bills.py::test_parts"


def judged(rules, new=b"def price(n):\n    return n + 1\n", old=OLD, answers=lambda *_: run_of({CASE: Outcome.PASSED})):
    return Rules(FakeSandbox(answers), rules, Limits()).judge(submission_of(new, old))


def test_a_forbidden_pattern_is_rejected_with_its_sentence_and_place():
    found = judged([NO_FLOAT], b"def price(n):\n    return float(n)\n")
    assert found.decision is Decision.REJECT
    assert found.claim == "Rule whole cents (Money is counted in whole cents): the patch brings `float(n)`"
    assert found.witness.endswith(": float(n)")


def test_what_stood_there_before_is_no_fault_of_the_patch():
    old = b"def price(n):\n    return float(n)\n"
    assert judged([NO_FLOAT], old.replace(b"float(n)", b"float(n) + 1"), old).decision is Decision.ACCEPT


def test_it_says_what_it_looked_at():
    found = judged([NO_FLOAT, BILLS])
    assert found.decision is Decision.ACCEPT
    assert found.claim == "1 forbidden pattern looked for, tests of 1 rule pass"
    none = judged([])
    assert (none.decision, none.claim) == (Decision.ACCEPT, "the project has no rules of its own")


def with_files(patched, plain):
    return lambda tests, files, *_: run_of({CASE: patched if files else plain})


@pytest.mark.parametrize(
    ("patched", "plain", "decision"),
    [
        (Outcome.PASSED, Outcome.FAILED, Decision.ACCEPT),
        (Outcome.FAILED, Outcome.PASSED, Decision.REJECT),
        (Outcome.SKIPPED, Outcome.PASSED, Decision.REJECT),
        (Outcome.FAILED, Outcome.FAILED, Decision.UNKNOWN),
    ],
)
def test_a_rule_s_tests_run_with_the_patch(patched, plain, decision):
    found = judged([BILLS], answers=with_files(patched, plain))
    assert found.decision is decision
    assert decision is not Decision.REJECT or found.witness == CASE


@pytest.mark.parametrize("answer", [InvalidRun(RunFault.EXITED, "it ended"), run_of({})])
def test_a_run_that_says_nothing_accepts_nothing(answer):
    found = judged([BILLS], answers=lambda *_: answer)
    assert found.decision is Decision.UNKNOWN
    assert found.not_checked
