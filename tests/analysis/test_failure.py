"""Failure identity: what may differ between two runs, and what may not."""

from __future__ import annotations

import dataclasses

import pytest

from analysis.facts import Frame, Outcome, Phase, SeenError, TestId, TestResult
from analysis.failure import failure_of, read_alike, same_failure, stable_message


def frame(path: str, line: int = 3, qualname: str = "f") -> Frame:
    return Frame(path, not path.startswith(("/", "<")), line, None, None, None, qualname, qualname, 1)


def result(type_name: str, message: str, *frames: Frame, test: str = "tests/test_a.py::test_a") -> TestResult:
    raised = SeenError(type_name, (type_name, "Exception", "BaseException", "object"), message, frames)
    return TestResult(TestId(test), Outcome.FAILED, Phase.CALL, 0.1, (raised,), message)


RUNNER = [
    "/site-packages/_pytest/python.py",
    "/site-packages/pluggy/_callers.py",
    "/usr/lib/python3.11/unittest/case.py",
    "/usr/lib/python3.11/unittest/async_case.py",
    "/usr/lib/python3.11/asyncio/runners.py",
    "/usr/lib/python3.11/importlib/__init__.py",
    "<frozen importlib._bootstrap>",
    "/site-packages/pytest_asyncio/plugin.py",
    "/somewhere/_repair_probe/session/plugin.py",
]


@pytest.mark.parametrize("path", RUNNER)
def test_runner_frames_are_trimmed(path):
    shown = failure_of(result("KeyError", "'a'", frame(path), frame("tests/test_a.py"), frame("a.py"), frame(path)))
    assert [f.path for f in shown.exceptions[0].frames] == ["tests/test_a.py", "a.py"]


@pytest.mark.parametrize("path", ["pluggy/_callers.py", "src/_pytest/python.py", "/usr/lib/python3.11/json/decoder.py"])
def test_other_frames_stay(path):
    shown = failure_of(result("KeyError", "'a'", frame("tests/test_a.py"), frame(path)))
    assert [f.path for f in shown.exceptions[0].frames] == ["tests/test_a.py", path]


SAME = [
    (result("KeyError", "'a'", frame("a.py", 3)), result("KeyError", "'b'", frame("a.py", 9))),
    (
        result("KeyError", "'a'", frame("a.py", 3, "C.f.<locals>.<lambda>")),
        result("KeyError", "'a'", frame("a.py", 3, "C.f")),
    ),
    (
        result("AssertionError", "assert <X object at 0x7f01> == 2", frame("tests/test_a.py")),
        result("AssertionError", "assert <X object at 0x7f99ab> == 2", frame("tests/test_a.py", 8)),
    ),
    (
        result("AssertionError", "'/tmp/pytest-of-me/pytest-1/x' != 1"),
        result("AssertionError", "'/tmp/pytest-of-me/pytest-2/y' != 1"),
    ),
    (result("AssertionError", "took 0.1234s"), result("AssertionError", "took 1.5e-05s")),
    (result("ValueError", "bad token at line 3"), result("ValueError", "bad token at line 4")),
    (
        result("AssertionError", "assert {'a', 'b'} == {'c'}\n  Extra items in the left set:\n  'a'\n  'b'"),
        result("AssertionError", "assert {'b', 'a'} == {'c'}\n  Extra items in the left set:\n  'b'\n  'a'"),
    ),
    (
        result("AssertionError", "assert ['b', 'c', 'a'] == ['a', 'b', 'c']\n  At index 0 diff: 'b' != 'a'"),
        result("AssertionError", "assert ['a', 'c', 'b'] == ['a', 'b', 'c']\n  At index 1 diff: 'c' != 'b'"),
    ),
    (
        result("AssertionError", "Lists differ: ['b', 'a'] != ['a']\n\nFirst differing element 0:\n'b'\n'a'"),
        result("AssertionError", "Lists differ: ['a', 'b'] != ['a']\n\nFirst list contains 1 additional elements."),
    ),
    (
        result("AssertionError", "assert {'x0', 'x3', ...} == set()", frame("tests/test_a.py")),
        result("AssertionError", "assert {'x7', 'x1', ...} == set()", frame("tests/test_a.py")),
    ),
    (
        result("AssertionError", "assert 0.023512 < 0.01\n +  where 0.023512 = spent()"),
        result("AssertionError", "assert 0.019918 < 0.01\n +  where 0.019918 = spent()"),
    ),
    (result("AssertionError", "elapsed: 12, too long"), result("AssertionError", "elapsed: 15, too long")),
    (
        result("AssertionError", "assert datetime.datetime(2026, 1, 2, 3, 4) is None"),
        result("AssertionError", "assert datetime.datetime(2026, 1, 2, 3, 5) is None"),
    ),
    (result("AssertionError", "assert '12:00:01' == ''"), result("AssertionError", "assert '12:00:02' == ''")),
    (result("AssertionError", "assert 1764000000.25 == 0"), result("AssertionError", "assert 1764000003.5 == 0")),
    (result("AssertionError", "pid 4711 is left"), result("AssertionError", "pid 4720 is left")),
    (result("AssertionError", "<Thread-3> is left"), result("AssertionError", "<Thread-9> is left")),
    (
        result("AssertionError", "no answer of 127.0.0.1:40123"),
        result("AssertionError", "no answer of 127.0.0.1:40999"),
    ),
    (
        result("AssertionError", "assert '/ramdisk/pytest-of-me/pytest-3/a0/x.txt' == ''"),
        result("AssertionError", "assert '/ramdisk/pytest-of-me/pytest-4/a0/x.txt' == ''"),
    ),
    (result("AssertionError", "assert 'tmpa1b2c3d4' == ''"), result("AssertionError", "assert 'tmpzzzz0000' == ''")),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same(a, b):
    assert same_failure(failure_of(a), failure_of(b))


BASE = result("KeyError", "'a'", frame("tests/test_a.py"), frame("a.py"))
DIFFERENT = [
    (BASE, result("IndexError", "'a'", frame("tests/test_a.py"), frame("a.py"))),
    (BASE, result("KeyError", "'a'", frame("tests/test_a.py"), frame("a.py", 3, "g"))),
    (BASE, result("KeyError", "'a'", frame("tests/test_a.py"), frame("b.py"))),
    (BASE, result("KeyError", "'a'", frame("tests/test_a.py"))),
    (BASE, result("KeyError", "'a'", frame("a.py"), test="tests/test_a.py::test_b")),
    (BASE, dataclasses.replace(BASE, phase=Phase.SETUP)),
    (BASE, dataclasses.replace(BASE, outcome=Outcome.HANG)),
    (
        result("AssertionError", "assert '3 seconds' == '2 seconds'", frame("tests/test_a.py")),
        result("AssertionError", "assert '4 seconds' == '2 seconds'", frame("tests/test_a.py")),
    ),
    (
        result("AssertionError", "assert {'a', 'b'} == set()", frame("tests/test_a.py", 3)),
        result("AssertionError", "assert {'b', 'a'} == set()", frame("tests/test_a.py", 4)),
    ),
    (
        result("AssertionError", "assert [1, 2, ...] == []", frame("tests/test_a.py", 3)),
        result("AssertionError", "assert [1, 5, ...] == []", frame("tests/test_a.py", 4)),
    ),
    (result("AssertionError", "assert {'a', 'b'} == set()"), result("AssertionError", "assert {'a', 'c'} == set()")),
    (result("AssertionError", "assert 0.023512 == 1"), result("AssertionError", "assert 0.019918 == 1")),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different(a, b):
    assert not same_failure(failure_of(a), failure_of(b))


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        (SAME[2][0], SAME[2][1], True),
        (result("KeyError", "'a'", frame("a.py", 3)), result("KeyError", "'a'", frame("a.py", 9)), True),
        (SAME[0][0], SAME[0][1], False),
        (result("AssertionError", "assert [1, 2] == []"), result("AssertionError", "assert [2, 1] == []"), False),
        (BASE, result("KeyError", "'a'", frame("tests/test_a.py"), frame("b.py")), False),
        (BASE, dataclasses.replace(BASE, exceptions=(*BASE.exceptions, *BASE.exceptions)), False),
    ],
)
def test_failures_that_read_alike_have_the_same_words_in_the_same_order(a, b, alike):
    assert read_alike(failure_of(a), failure_of(b)) is alike


def test_results_without_exceptions_are_told_by_their_message():
    bare = dataclasses.replace(BASE, exceptions=(), message="[XPASS(strict)] later")
    assert same_failure(failure_of(bare), failure_of(bare))
    assert not same_failure(failure_of(bare), failure_of(dataclasses.replace(bare, message="other")))


def collected(message, *exceptions):
    return failure_of(
        dataclasses.replace(BASE, phase=Phase.COLLECT, outcome=Outcome.ERROR, exceptions=exceptions, message=message)
    )


def test_a_failure_to_collect_is_unwrapped():
    wrapper = SeenError("CollectError", ("CollectError", "Exception"), "ImportError while importing", ())
    cause = SeenError("ImportError", ("ImportError", "Exception"), "cannot import name 'g'", (), "cause")
    failure = collected("x", wrapper, cause)
    assert [(e.type_name, e.link) for e in failure.exceptions] == [("ImportError", "")]
    assert (failure.phase, failure.outcome) == (Phase.COLLECT, Outcome.ERROR)


def test_a_failure_to_collect_is_read_from_text_where_only_that_is_left():
    text = (
        "ImportError while importing test module.\n  a.py:1: in <module>\nE   ModuleNotFoundError: No module named 'b'"
    )
    (raised,) = collected(text).exceptions
    assert (raised.type_name, raised.message) == ("ModuleNotFoundError", "No module named 'b'")
    assert "ImportError" in raised.bases
    assert collected("no idea").exceptions == ()


@pytest.mark.parametrize(
    ("message", "stable"),
    [
        ("id=140234 and 0xdeadBEEF", "id and 0x"),
        ("a.py:12: x", "a.py: x"),
        ("6f1c2b1e-1111-2222-3333-444455556666!", "<uuid>!"),
        ("at 2024-01-02T03:04:05.678 now", "at <moment> now"),
        ("1.5 seconds", "<duration>"),
        ("version 1.5 stays", "version 1.5 stays"),
    ],
)
def test_stable_message(message, stable):
    assert stable_message(message) == stable
