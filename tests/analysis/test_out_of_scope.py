"""What no edit of one function can mend, and what is left open."""

from __future__ import annotations

import pytest

from analysis.diagnosis import diagnose, is_test_path
from analysis.facts import Diagnosis, Failure, FailureClass, Frame, Outcome, Phase, SeenError, TestId
from analysis.out_of_scope import ScopeReason, out_of_scope

BAD, OTHER = TestId("tests/test_shop.py::test_price"), TestId("tests/test_b.py::test_b")


def crash(name: str, line: int, test: TestId = BAD) -> Diagnosis:
    frames = (
        Frame("tests/test_shop.py", True, 3, None, None, None, "test_price", "test_price", 1),
        Frame("shop.py", True, line, None, None, None, name, name, line - 1),
    )
    raised = SeenError("KeyError", ("KeyError", "Exception"), "'x'", frames)
    failure = Failure(test, Phase.CALL, Outcome.FAILED, (raised,), "")
    return Diagnosis(failure, FailureClass.RUNTIME_SAFETY, "key", ())


def test_one_crash_is_in_scope():
    assert out_of_scope([crash("bulk", 2)]) == ()
    assert out_of_scope([]) == ()


def test_module_level():
    frame = Frame("shop.py", True, 40, None, None, None, "<module>", "<module>", 1)
    raised = SeenError("NameError", ("NameError",), "name 'q' is not defined", (frame,))
    failure = Failure(TestId("tests/test_shop.py"), Phase.COLLECT, Outcome.ERROR, (raised,), "")
    (found,) = out_of_scope([Diagnosis(failure, FailureClass.FORMAT, "module", ())])
    assert found.kind is ScopeReason.MODULE_LEVEL
    assert "shop.py:40" in found.brief


@pytest.mark.parametrize(
    ("type_name", "message", "subclass", "kind"),
    [
        ("ImportError", "cannot import name 'g' from 'shop' (/a/shop.py)", "import", ScopeReason.MISSING_NAME),
        ("ModuleNotFoundError", "No module named 'shop.b'", "import", ScopeReason.MISSING_NAME),
        ("AttributeError", "module 'shop' has no attribute 'g'", "import", ScopeReason.MISSING_NAME),
        ("SyntaxError", "invalid syntax (shop.py, line 3)", "syntax", ScopeReason.FORMAT),
    ],
)
def test_what_the_test_cannot_import(type_name, message, subclass, kind):
    frame = Frame("tests/test_shop.py", True, 1, None, None, None, "<module>", "<module>", 1)
    failure = Failure(
        TestId("t"), Phase.COLLECT, Outcome.ERROR, (SeenError(type_name, (type_name,), message, (frame,)),), ""
    )
    (found,) = out_of_scope([Diagnosis(failure, FailureClass.FORMAT, subclass, ())])
    assert found.kind is kind


def test_changed_signature(stage):
    scene = stage("def price(a): return a", "def test_it():\n    price(1, tax=2)")
    (found,) = out_of_scope([diagnose(scene.failure, scene.sources, is_test_path)])
    assert found.kind is ScopeReason.SIGNATURE
    assert "price()" in found.reason


def test_signature_within_the_project_is_in_scope(stage):
    scene = stage("def g(a): return a\ndef price(a): return g(b=a)", "def test_it():\n    price(1)")
    assert out_of_scope([diagnose(scene.failure, scene.sources, is_test_path)]) == ()


def test_the_failures_that_are_out_of_scope_are_told_apart_from_the_others(stage):
    scene = stage("def price(a): return a", "def test_it():\n    price(1, tax=2)")
    out = diagnose(scene.failure, scene.sources, is_test_path)
    (found,) = out_of_scope([crash("bulk", 2, OTHER), out])
    assert found.tests == (out.failure.test,)
    assert OTHER not in found.brief


def test_one_reason_is_one_cause_and_two_reasons_are_two():
    def missing(name, test):
        frame = Frame("tests/test_shop.py", True, 1, None, None, None, "<module>", "<module>", 1)
        raised = SeenError("ImportError", ("ImportError",), f"cannot import name '{name}' from 'shop'", (frame,))
        failure = Failure(TestId(test), Phase.CALL, Outcome.FAILED, (raised,), "")
        return Diagnosis(failure, FailureClass.CONTRACT, "import", ())

    found = out_of_scope([missing("g", "a"), missing("h", "b"), missing("g", "c")])
    assert [each.tests for each in found] == [("a", "c"), ("b",)]
