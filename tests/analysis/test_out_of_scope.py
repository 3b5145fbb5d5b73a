"""What no edit of one function can mend, and what is left open."""

from __future__ import annotations

import pytest

from analysis.diagnosis import diagnose, is_test_path
from analysis.facts import Diagnosis, Failure, FailureClass, Frame, LineMap, Outcome, Phase, SeenError, TestId
from analysis.functions import functions_of
from analysis.out_of_scope import ScopeReason, out_of_scope

SHOP = b"def bulk(item):\n    return item - 1\ndef show(net):\n    return str(net)\ndef both(x):\n    return x\n"
INDEX = {"shop.py": functions_of("shop.py", SHOP)}
BAD, OTHER = TestId("tests/test_shop.py::test_price"), TestId("tests/test_b.py::test_b")


def crash(name: str, line: int, test: TestId = BAD) -> Diagnosis:
    frames = (
        Frame("tests/test_shop.py", True, 3, None, None, None, "test_price", "test_price", 1),
        Frame("shop.py", True, line, None, None, None, name, name, line - 1),
    )
    raised = SeenError("KeyError", ("KeyError", "Exception"), "'x'", frames)
    failure = Failure(test, Phase.CALL, Outcome.FAILED, (raised,), "")
    return Diagnosis(failure, FailureClass.RUNTIME_SAFETY, "key", ())


def ran(test: TestId, *lines: int):
    return (test, (("shop.py", frozenset(lines)),))


def test_one_crash_is_in_scope():
    assert out_of_scope([crash("bulk", 2)], ()) is None
    assert out_of_scope([], ()) is None


def test_module_level():
    frame = Frame("shop.py", True, 40, None, None, None, "<module>", "<module>", 1)
    raised = SeenError("NameError", ("NameError",), "name 'q' is not defined", (frame,))
    failure = Failure(TestId("tests/test_shop.py"), Phase.COLLECT, Outcome.ERROR, (raised,), "")
    found = out_of_scope([Diagnosis(failure, FailureClass.FORMAT, "module", ())], ())
    assert found is not None
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
    found = out_of_scope([Diagnosis(failure, FailureClass.FORMAT, subclass, ())], ())
    assert found is not None
    assert found.kind is kind


def test_changed_signature(stage):
    scene = stage("def price(a): return a", "def test_it():\n    price(1, tax=2)")
    found = out_of_scope([diagnose(scene.failure, scene.sources, is_test_path)], ())
    assert found is not None
    assert found.kind is ScopeReason.SIGNATURE
    assert "price()" in found.reason


def test_signature_within_the_project_is_in_scope(stage):
    scene = stage("def g(a): return a\ndef price(a): return g(b=a)", "def test_it():\n    price(1)")
    assert out_of_scope([diagnose(scene.failure, scene.sources, is_test_path)], ()) is None


def test_several_functions_only_when_no_function_is_shared():
    two = [crash("bulk", 2), crash("show", 4, OTHER)]
    apart: LineMap = (ran(BAD, 2), ran(OTHER, 4))
    found = out_of_scope(two, (), INDEX, apart)
    assert found is not None
    assert found.kind is ScopeReason.SEVERAL_FUNCTIONS
    assert "shop.py:bulk" in found.reason
    assert OTHER in found.brief
    shared: LineMap = (ran(BAD, 2, 6), ran(OTHER, 4, 6))
    assert out_of_scope(two, (), INDEX, shared) is None
    assert out_of_scope(two, ()) is None
    assert out_of_scope(two, (), INDEX, (ran(BAD, 2),)) is None


def test_one_of_several_failures_may_be_in_scope(stage):
    scene = stage("def price(a): return a", "def test_it():\n    price(1, tax=2)")
    both = [diagnose(scene.failure, scene.sources, is_test_path), crash("bulk", 2)]
    assert out_of_scope(both, ()) is None
