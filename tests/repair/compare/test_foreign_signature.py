"""Another signature in somebody else's change: no rejection, and who is left behind."""

from dataclasses import replace

import pytest
from fakes.submission import submission_of

from analysis.facts import FunctionId
from repair.compare.foreign_signature import describe_call, foreign_signature
from repair.compare.policy import policy_of
from repair.records.verdict import Decision
from transforms.rules.policy import Fit
from transforms.tree.proposal import FOREIGN, Origin

OLD = "def price(count, unit='EUR'):\n    return (count, unit)\n"
USE = "from shop import price\n\n\ndef show():\n    return price(3, 'USD')\n"
TEST = "from shop import price\n\n\ndef test_price():\n    assert price(3)\n"


def signature(new, old=OLD, use=USE, test=TEST):
    function = FunctionId("shop.py", "price", 1)
    rest = (("test_shop.py", test.encode()), ("use.py", use.encode()))
    files = [(("shop.py", text.encode()), *rest) for text in (old, new)]
    return foreign_signature(function, old.encode(), new.encode(), *files)


@pytest.mark.parametrize("new", [OLD.replace("EUR'):", "EUR') -> tuple:"), OLD.replace("(count, unit)\n", "unit\n")])
def test_what_callers_cannot_tell_is_nothing(new):
    assert signature(new) is None


def test_a_new_parameter_that_tests_pass_is_accepted():
    new = OLD.replace("'EUR'", "'EUR', digits=2")
    evidence = signature(new, test=TEST.replace("price(3)", "price(3, digits=1)")).judge()
    assert (evidence.gate, evidence.decision) == ("signature", Decision.ACCEPT)
    assert "the parameter digits is new" in evidence.claim


def test_a_new_parameter_that_no_test_passes_is_a_question():
    evidence = signature(OLD.replace("'EUR'", "'EUR', digits=2")).judge()
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.question == "What should price do with digits? No test passes it."


def test_a_call_of_the_project_that_is_left_behind_is_the_witness():
    found = signature(OLD.replace(", unit='EUR'", "").replace("unit)", "'EUR')"))
    evidence = found.judge()
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == "use.py:5: price(3, 'USD') (too many positional arguments)"
    assert evidence.question == "Is price(3, 'USD') in use.py:5 to be changed too?"
    (call,) = found.calls_left_behind()
    assert describe_call(call, "price").startswith("price(3, 'USD') stays as it was, and does not fit price any more")


def test_callers_elsewhere_are_asked_for_where_the_project_has_none():
    evidence = signature(OLD.replace("unit", "currency")).judge()
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.question == "May callers that pass unit by name from elsewhere be left behind?"


def test_files_that_cannot_be_read_are_passed_over():
    found = signature(OLD.replace(", unit='EUR'", "").replace("unit)", "'EUR')"), use="price(3, 'USD'\n")
    assert found.calls_left_behind() == ()


def test_the_policy_refuses_another_signature_of_our_own_alone():
    new = b"def price(text, more=0):\n    if not text:\n        return 0\n    return int(float(text))\n"
    ours = submission_of(new)
    theirs = replace(ours, candidate=replace(ours.candidate, origin=Origin(FOREIGN, "change")))
    assert policy_of(ours)[0].fit is Fit.REFUSED
    assert policy_of(theirs)[0].fit is not Fit.REFUSED
    lost = new.replace(b"    if not text:\n        return 0\n", b"")
    guard = submission_of(lost)
    assert (
        policy_of(replace(guard, candidate=replace(guard.candidate, origin=Origin(FOREIGN, "change"))))[0].fit
        is Fit.REFUSED
    )
