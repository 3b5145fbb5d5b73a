"""What of the project a test ran after the last of its checks that passed: functions, and the lines of these.

A test with many checks runs most of the program before the one that fails. What was called up to a check that passed is
less suspect than what was called since. This is test case purification (Xuan and Monperrus, FSE 2014), which cuts such
a test into one for each check. Tests with one check, or none, are left alone: they pay nothing and tell nothing. A test
that takes long while its lines are watched has its functions told, and no lines.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
import threading
from time import perf_counter

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.lines import LineRecorder
from _repair_probe.trace.picturing import Tracer

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    import pytest

    from _repair_probe.ground.words import Ranges, Trace, Value

    Units = dict[int, tuple[int, bool]]
    Ran = dict[int, tuple[CodeType, set[int]]]

_MOST_SECONDS = 2.0
"""A test that takes longer while it is watched is left alone from then on."""

_MOST_LINE_SECONDS = 1.0
"""After so many seconds of a test only the functions that it calls are noted."""

_MOST_IN_ALL = 6.0
"""After so many seconds of watching no further test is watched."""

_EVENTS = 1000
"""Calls and lines between two looks at the clock."""

_CHECK = re.compile(r"_*(assert|check|compare|ensure|expect|must|raises|should|validate|verify|warns)", re.IGNORECASE)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class SinceCheck(Tracer):
    """Its lines are the first lines of the functions called, and the lines that ran in them where these are known."""

    _code: CodeType
    _now: tuple[int, bool] | None
    _called: Ran
    _failed: Ran

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root)
        self._files: dict[str, dict[int, ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self._units: Units | None = None
        self._spent = 0.0
        self._told: tuple[tuple[CodeType, set[int]], ...] = ()

    def start(self) -> None:
        """Nothing is known of the test yet."""
        self._told = ()

    def begin(self, item: pytest.Item) -> None:
        """The test's own call begins."""
        code = getattr(_function(item), "__code__", None)
        busy = sys.gettrace() is not None or threading.active_count() > 1 or self._spent > _MOST_IN_ALL
        self._units = None if code is None or busy else self._statements(code)
        if code is None or not self._units:
            return
        self._code, self._now, self._passed = code, None, False
        self._called, self._failed, self._raising, self._raised = {}, {}, False, False
        self._lines_too = True
        self._left, self._began = _EVENTS, perf_counter()
        threading.settrace(self._call)
        sys.settrace(self._call)

    def end(self) -> None:
        """The call is over; what is torn down belongs to no check."""
        if not self._units:
            return
        self._let_go()
        # A test that was not ended by an exception failed in parts of it, which say so themselves.
        self._told = tuple((self._called if self._raised or not self._failed else self._failed).values())
        if not self._passed:
            self._told = ()

    def hold(self) -> None:
        """Let go for a while."""
        if self._units:
            sys.settrace(None)

    def resume(self) -> None:
        """Watch again."""
        if self._units:
            sys.settrace(self._call)

    def stop(self) -> dict[str, Ranges]:
        """What ran since the last check that passed; nothing where none did."""
        for code, ran in self._told:
            lines = self._recorder.seen_in(code.co_filename)
            if lines is not None:
                lines.add(code.co_firstlineno)
                if self._lines_too:
                    lines.update(ran)
        return self._recorder.take()

    def _let_go(self) -> None:
        sys.settrace(None)
        threading.settrace(None)
        self._spent += perf_counter() - self._began
        self._units = None

    def _in_time(self) -> bool:
        """Whether the test may still be watched; asked at each event."""
        self._left -= 1
        if self._left:
            return True
        self._left = _EVENTS
        taken = perf_counter() - self._began
        self._lines_too = self._lines_too and taken < _MOST_LINE_SECONDS
        if taken < _MOST_SECONDS:
            return True
        if self._units:
            self._let_go()
        return False

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        if not self._in_time():
            return None
        code = frame.f_code
        if code is self._code:
            return self._line
        self._called.setdefault(id(code), (code, set()))
        if _is_of_tests(code.co_filename):
            frame.f_trace_lines = False
            return self._helper
        inside = self._lines_too and self._recorder.seen_in(code.co_filename) is not None
        return self._inside if inside else None

    def _inside(self, frame: FrameType, event: str, _arg: object) -> Trace | None:
        """In a function of the project, which may have been called before the last check and go on after it."""
        if not self._lines_too or not self._in_time():
            return None
        if event == "line":
            code = frame.f_code
            self._called.setdefault(id(code), (code, set()))[1].add(frame.f_lineno)
        return self._inside

    def _line(self, frame: FrameType, event: str, arg: Value) -> Trace | None:
        """In the test itself: a check has passed where another statement follows it."""
        if not self._in_time():
            return None
        if event == "exception":
            self._helper(frame, event, arg)
        elif event == "line" and self._units is not None:
            unit = self._units.get(frame.f_lineno)
            if unit != self._now:
                if self._now is not None and self._now[1]:
                    self._called, self._passed = {}, True
                self._now = unit
        self._raised = self._raising and event == "return"
        self._raising = event == "exception"
        return self._line

    def _helper(self, _frame: FrameType, event: str, arg: Value) -> Trace | None:
        """A check fails in the test or in a helper; that may not be the end, where the test has parts (``subTest``)."""
        if event == "exception" and issubclass(arg[0], AssertionError):
            for key, (code, ran) in self._called.items():
                self._failed.setdefault(key, (code, set()))[1].update(ran)
        return self._helper

    def _statements(self, code: CodeType) -> Units:
        """For each line of a test its statement, as a pair of its first line and whether it checks; empty if few do."""
        path = code.co_filename
        if path not in self._files:
            self._files[path] = _functions(path)
        node = self._files[path].get(code.co_firstlineno)
        units: Units = {}
        return units if node is not None and _note(node.body, units) > 1 else {}


def _is_of_tests(path: str) -> bool:
    name = os.path.basename(path)
    return name.startswith(("test", "conftest")) or name.endswith(("_test.py", "_tests.py"))


def _function(item: Any) -> Callable[..., object] | None:
    """The test as it was written: decorators that keep what they wrap are looked through."""
    try:
        written: Callable[..., object] = inspect.unwrap(getattr(item.obj, "__func__", item.obj))
    except (AttributeError, ValueError):
        return None
    return written


def _functions(path: str) -> dict[int, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a file by their first lines, decorators included."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    found = (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))
    return {min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in found}


def _note(body: list[ast.stmt], units: Units) -> int:
    """Note the statements of a block by their lines; how many checks are run in it, those of loops twice."""
    checks = 0
    for statement in body:
        checking = _checks(statement)
        blocks = [] if checking else _blocks(statement)
        last = blocks[0][0].lineno - 1 if blocks else statement.end_lineno or statement.lineno
        for line in range(statement.lineno, max(statement.lineno, last) + 1):
            units[line] = (statement.lineno, checking)
        again = 2 if isinstance(statement, _LOOPS) else 1
        checks += checking + again * sum(_note(block, units) for block in blocks)
    return checks


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement; a function or class within the test is one statement."""
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return []
    blocks = [getattr(statement, name, None) for name in ("body", "orelse", "finalbody")]
    parts = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
    return [block for block in (*blocks, *(part.body for part in parts)) if block]


def _checks(statement: ast.stmt) -> bool:
    """Whether the statement fails where something is wrong: an assertion, or a call of a helper that asserts."""
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return any(_is_check(item.context_expr, of_test=False) for item in statement.items)
    return isinstance(statement, ast.Assert) or (isinstance(statement, ast.Expr) and _is_check(statement.value))


def _is_check(call: ast.expr, of_test: bool = True) -> bool:
    if isinstance(call, ast.Await):
        call = call.value
    if not isinstance(call, ast.Call):
        return False
    function = call.func
    if isinstance(function, ast.Name):
        return bool(_CHECK.match(function.id))
    if not isinstance(function, ast.Attribute):
        return False
    own = of_test and isinstance(function.value, ast.Name) and function.value.id == "self"
    return own or bool(_CHECK.match(function.attr))
