"""Classes and subclasses, from failures that really happened and from reports of other versions."""

from __future__ import annotations

import dataclasses

import pytest

from analysis.classify import classify
from analysis.diagnosis import is_test_path
from analysis.facts import Failure, FailureClass, Frame, Outcome, Phase, SeenError, TestId

C, R, L = FailureClass.CONTRACT, FailureClass.RUNTIME_SAFETY, FailureClass.LOGIC
E, D, F = FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT, FailureClass.FORMAT

RAISES = "import pytest\ndef test_it():\n    with pytest.raises(ValueError):\n        f(-1)\n"
UNIT = "import unittest\nT = unittest.TestCase()\ndef test_it():\n    "

LIVE = [
    ("def f(x): return x.lower()", "f(None)", R, "none"),
    ("def f(x): return x.lowr()", "f('a')", R, "attribute"),
    ("def f(x): return x['a']", "f({})", R, "key"),
    ("def f(x): return x[3]", "f([])", R, "index"),
    ("def f(x): return 1 / x", "f(0)", R, "division"),
    ("def f(x): return yy", "f(0)", R, "name"),
    ("def f(x):\n    if x: y = 1\n    return y", "f(0)", R, "unbound"),
    ("def f(x): return 'a' + x", "f(1)", R, "type"),
    ("def f(x): return int(x)", "f('x')", R, "conversion"),
    ("def f(x): return max(x)", "f([])", R, "empty"),
    ("def f(x):\n    a, b = x\n    return a", "f([1])", R, "unpack"),
    ("def f(x): return open(x)", "f('absent')", R, "file"),
    ("def f(x):\n    from math import nothing\n    return x", "f(1)", R, "import"),
    ("def f(x):\n    import jsn\n    return x", "f(1)", R, "import"),
    ("def f(d):\n    for k in d: d[k + 'a'] = 1", "f({'a': 1})", R, "iteration"),
    ("def f(x): return f(x)", "f(1)", L, "timeout"),
    ("def f(x):\n    raise ValueError('no')", "f(1)", C, "unexpected_raise"),
    ("def f(x):\n    if x: raise KeyError(x)", "f(1)", C, "unexpected_raise"),
    ("def f(x): raise NotImplementedError", "f(1)", C, "unexpected_raise"),
    ("class Odd(Exception): pass\ndef f(x): raise Odd", "f(1)", C, "unexpected_raise"),
    ("def f(x):\n    assert x > 1\n    return x", "f(1)", C, "assertion"),
    ("def f(x): raise SystemExit(2)", "f(1)", C, "exit"),
    ("def f(x): return 2", "f(1) == 3", L, "wrong_value"),
    ("def f(x): return None", "f(1)[0]", L, "wrong_value"),
    ("def f(x): return None", "f(1).size", L, "wrong_value"),
    ("def f(x): return x", "f(1, 2)", C, "signature"),
    ("def f(x): return x", "f(y=2)", C, "signature"),
    ("def f(x):\n    import no_such_package_here\n    return x", "f(1)", E, "missing_module"),
    ("import subprocess\ndef f(x): return subprocess.run([x])", "f('no-such-command')", E, "missing_file"),
    ("def f(x): return open('/etc/no-such-file')", "f(1)", E, "missing_file"),
    ("def f(x): return x", "f(unknown)", D, "test_code"),
    ("def f(x): return x", "open('absent')", E, "missing_file"),
    ("def f(x): return x", "open(f('/tmp/absent/out.txt'))", L, "wrong_value"),
]


@pytest.mark.parametrize(("product", "call", "failure_class", "subclass"), LIVE)
def test_live_failures(stage, product, call, failure_class, subclass):
    scene = stage(product, f"def test_it():\n    assert {call}")
    assert classify(scene.failure, is_test_path, scene.sources) == (failure_class, subclass)


EXPECTING = [
    ("def f(x): return x", RAISES, "missing_raise"),
    ("def f(x): return {}[x]", RAISES, "wrong_raise"),
    ("def f(x): raise TypeError('x')", RAISES, "wrong_raise"),
    ("def f(x): raise ValueError('y')", RAISES.replace("ValueError", "ValueError, match='x'"), "message"),
    ("def f(x): return x", UNIT + "with T.assertRaises(ValueError):\n        f(1)", "missing_raise"),
    ("def f(x): return x", UNIT + "T.assertRaises(ValueError, f, 1)", "missing_raise"),
    ("def f(x): return {}[x]", UNIT + "T.assertRaises(ValueError, f, 1)", "wrong_raise"),
    ("def f(x): raise ValueError('y')", UNIT + "T.assertRaisesRegex(ValueError, 'x', f, 1)", "message"),
    ("def f(x): return x", "import pytest\ndef test_it():\n    with pytest.warns(UserWarning): f(1)", "missing_raise"),
]


@pytest.mark.parametrize(("product", "test", "subclass"), EXPECTING)
def test_expected_exceptions(stage, product, test, subclass):
    scene = stage(product, test)
    assert classify(scene.failure, is_test_path, scene.sources) == (C, subclass)


def test_group_is_told_by_its_first_member(stage):
    scene = stage(
        "def f(x): return x['a']",
        """
        def test_it():
            try:
                f({})
            except KeyError as e:
                raise ExceptionGroup("several", [ExceptionGroup("inner", [e])]) from None
        """,
    )
    assert classify(scene.failure, is_test_path, scene.sources) == (R, "key")


def test_callback_of_the_test_that_raises_is_the_owners_contract(stage):
    scene = stage(
        "def f(g): return g()",
        "def boom(): raise OSError('disk')\ndef test_it():\n    f(boom)",
    )
    assert classify(scene.failure, is_test_path, scene.sources) == (C, "unexpected_raise")


@pytest.mark.parametrize(
    ("statement", "subclass"),
    [
        ("T.assertEqual('a', 'b')", "text"),
        ("T.assertEqual('it''s', \"b'\")", "text"),
        ("T.assertIn('a', 'bcd')", "text"),
        ("T.assertEqual(1, '1')", "wrong_value"),
        ("T.assertEqual([1], [2])", "wrong_value"),
        ("T.fail('no')", "wrong_value"),
    ],
)
def test_unittest_assertions(stage, statement, subclass):
    scene = stage("", UNIT + statement)
    assert classify(scene.failure, is_test_path, scene.sources) == (L, subclass)


def frame(path: str, name: str = "f", line: int = 1) -> Frame:
    return Frame(path, not path.startswith("/"), line, None, None, None, name, name, 1)


def canned(
    type_name: str,
    message: str,
    *frames: Frame,
    phase: Phase = Phase.CALL,
    test: str = "tests/test_a.py::test_a",
    bases: tuple[str, ...] = (),
) -> Failure:
    raised = SeenError(type_name, (type_name, *bases, "Exception"), message, frames)
    return Failure(TestId(test), phase, Outcome.FAILED, (raised,), message)


TEST, PRODUCT, MODULE = frame("tests/test_a.py"), frame("shop/a.py"), frame("shop/a.py", "<module>")
TEST_MODULE = frame("tests/test_a.py", "<module>")
SOURCES = (("shop/a.py", b"\n"), ("tests/test_a.py", b"\n"))

CANNED = [
    # pytest's rewriting puts the comparison first
    (canned("AssertionError", "assert '1.0 Byte' == '1 Byte'\n  \n  - 1 Byte\n  + 1.0 Byte", TEST), L, "text"),
    (canned("AssertionError", "assert 'a...b' == 'a...c'\n  - x", TEST), L, "text"),
    (canned("AssertionError", "assert 3 == 4\n +  where 3 = f(1)", TEST), L, "wrong_value"),
    (canned("AssertionError", "assert b'x' in b'abc'", TEST), L, "text"),
    (canned("AssertionError", "assert {[1]} == {[2]}", TEST), L, "wrong_value"),  # a set of its own kind
    (canned("AssertionError", "", TEST), L, "wrong_value"),
    (canned("Failed", "DID NOT RAISE <class 'shop.a.Odd'>", TEST, bases=("OutcomeException",)), C, "missing_raise"),
    (canned("Failed", "DID NOT RAISE ValueError", TEST, bases=("OutcomeException",)), C, "missing_raise"),
    (canned("Failed", "DID NOT RAISE any of (A, B)", TEST, bases=("OutcomeException",)), C, "missing_raise"),
    (canned("AssertionError", "ValueError not raised by len", TEST), C, "missing_raise"),
    (canned("AssertionError", "Regex pattern did not match.\n Regex: 'x'\n Input: 'y'", TEST), C, "message"),
    (canned("AssertionError", "Pattern 'x' not found in 'y'", TEST), C, "message"),
    (canned("Failed", "Timeout >1.0s", TEST, bases=("OutcomeException",)), L, "timeout"),
    (canned("Failed", "Timeout (>1.0s) from pytest-timeout.", PRODUCT, bases=("OutcomeException",)), L, "timeout"),
    (canned("asyncio.exceptions.TimeoutError", "", TEST, PRODUCT, bases=("TimeoutError", "OSError")), L, "timeout"),
    (canned("ConnectionRefusedError", "[Errno 111]", PRODUCT, bases=("ConnectionError", "OSError")), E, "network"),
    (canned("socket.gaierror", "[Errno -2] Name or service not known", PRODUCT, bases=("OSError",)), E, "network"),
    (canned("PermissionError", "[Errno 13]", PRODUCT, bases=("OSError",)), E, "system"),
    (canned("OSError", "[Errno 28] No space left on device", PRODUCT), E, "system"),
    (canned("FixtureLookupError", "fixture 'db' not found", phase=Phase.SETUP, bases=("LookupError",)), E, "fixture"),
    (canned("SystemExit", "1", TEST), D, "exit"),
    (canned("AttributeError", "'TestA' object has no attribute 'x'", TEST, test="t.py::TestA::test_b"), D, "test_code"),
    (canned("TypeError", "test_a() missing 1 required positional argument: 'x'", TEST), D, "test_code"),
    (canned("AttributeError", "module 'shop.a' has no attribute 'g'", TEST), C, "signature"),
    (canned("AttributeError", "module 'math' has no attribute 'g'", TEST), L, "wrong_value"),
    (canned("SyntaxError", "invalid syntax (a.py, line 3)", TEST_MODULE, phase=Phase.COLLECT), F, "syntax"),
    (canned("SyntaxError", "invalid syntax (test_a.py, line 3)", phase=Phase.COLLECT), D, "syntax"),
    (
        canned("IndentationError", "unexpected indent (a.py, line 3)", phase=Phase.COLLECT, bases=("SyntaxError",)),
        F,
        "syntax",
    ),
    (
        canned("ImportError", "cannot import name 'g' from 'shop.a' (/x/a.py)", TEST_MODULE, phase=Phase.COLLECT),
        F,
        "import",
    ),
    (
        canned(
            "ModuleNotFoundError", "No module named 'shop.b'", TEST_MODULE, phase=Phase.COLLECT, bases=("ImportError",)
        ),
        F,
        "import",
    ),
    (
        canned("Failed", "async def functions are not natively supported.\nYou need", bases=("OutcomeException",)),
        E,
        "missing_module",
    ),
    (
        canned("ModuleNotFoundError", "No module named 'yaml'", MODULE, phase=Phase.COLLECT, bases=("ImportError",)),
        E,
        "missing_module",
    ),
    (
        canned("ImportError", "cannot import name 'Mapping' from 'collections' (x)", MODULE, phase=Phase.COLLECT),
        F,
        "import",
    ),
    (canned("NameError", "name 'x' is not defined", TEST_MODULE, MODULE, phase=Phase.COLLECT), F, "module"),
    (canned("NameError", "name 'x' is not defined", TEST_MODULE, phase=Phase.COLLECT), D, "test_code"),
    (canned("KeyError", "'x'", TEST_MODULE, MODULE, PRODUCT, phase=Phase.COLLECT), R, "key"),
    (
        canned("Failed", "In test_a: function uses no argument 'y'", phase=Phase.COLLECT, bases=("OutcomeException",)),
        D,
        "test_code",
    ),
    (canned("RuntimeError", "plugin", frame("/site/plugin.py")), E, "unknown"),
]


@pytest.mark.parametrize(("failure", "failure_class", "subclass"), CANNED)
def test_canned_failures(failure, failure_class, subclass):
    assert classify(failure, is_test_path, SOURCES) == (failure_class, subclass)


def test_hang_and_nothing():
    failure = canned("KeyError", "'x'", PRODUCT)
    hang = dataclasses.replace(failure, outcome=Outcome.HANG, exceptions=())
    assert classify(hang, is_test_path) == (L, "timeout")
    assert classify(dataclasses.replace(failure, exceptions=()), is_test_path) == (E, "unknown")


def test_without_sources_the_message_tells_a_raise_from_an_unsafe_operation():
    assert classify(canned("KeyError", "'x'", PRODUCT), is_test_path) == (R, "key")
    assert classify(canned("ValueError", "price must be positive", PRODUCT), is_test_path) == (C, "unexpected_raise")


@pytest.mark.parametrize(
    ("test", "name", "expected"),
    [
        ("docs/use.rst::use.rst", "TypeError", (L, "wrong_value")),
        ("docs/use.rst::use.rst", "ModuleNotFoundError", (E, "missing_module")),
        ("test_use.py::test_use", "TypeError", (E, "unknown")),
    ],
)
def test_an_example_on_a_page_that_raises_by_itself_is_no_fault_of_the_environment(test, name, expected):
    bases = (name, "ImportError" if name.startswith("Module") else "Exception")
    raised = SeenError(name, bases, "No module named 'absent_here'" if expected[0] is E else "no", ())
    failure = Failure(TestId(test), Phase.CALL, Outcome.FAILED, (raised,), "")
    assert classify(failure, is_test_path) == expected
