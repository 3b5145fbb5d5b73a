"""A signature has words of closed lists, and nothing that a project has written."""

from __future__ import annotations

import pytest

from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, TestId
from repair.memory.signature import OWN_EXCEPTION, FailureSignature, shape_of, signature_of

SOURCE = b"""
def plain(a):
    return a


def looping(a):
    return [each for each in a]


class Shop:
    def long(self):
""" + b"".join(b"        a = %d\n" % number for number in range(40))


def diagnosis(type_name: str, message: str) -> Diagnosis:
    raised = SeenError(type_name, (type_name.rpartition(".")[2],), message, ())
    failure = Failure(TestId("test_a.py::test_a"), Phase.CALL, Outcome.FAILED, (raised,), message)
    return Diagnosis(failure, FailureClass.LOGIC, "wrong_value", ())


def test_the_relation_of_got_to_wanted_is_a_part() -> None:
    found = signature_of(diagnosis("AssertionError", "assert 4 == 5"), ())
    assert found == FailureSignature("logic", "wrong_value", "off_by_one", "AssertionError")
    assert found.keys[0] == ""
    assert found.keys[3] == "logic/wrong_value/off_by_one"


def test_a_name_of_the_project_is_not_in_it() -> None:
    found = signature_of(diagnosis("zebra.ZebraError", "zebra is 5"), ())
    assert found.exception == OWN_EXCEPTION
    assert "zebra" not in " ".join(found.keys).lower()


@pytest.mark.parametrize(
    ("name", "shape"), [("plain", "short"), ("looping", "short loop"), ("Shop.long", "long"), ("gone", "")]
)
def test_a_function_has_a_shape(name: str, shape: str) -> None:
    assert shape_of(SOURCE, FunctionId("shop.py", name, 1)) == shape


def test_a_file_that_cannot_be_parsed_has_none() -> None:
    assert shape_of(b"def (:", FunctionId("shop.py", "plain", 1)) == ""
