"""Which functions of the project a test called after the last of its checks that passed.

A test with many checks runs most of the program before the one that fails. What was called up to a check that
passed is less suspect than what was called since (test case purification: Xuan and Monperrus, FSE 2014, who cut such
a test into one for each check). Tests with one check, or none, are left alone: they pay nothing and tell nothing.
"""

import ast
import inspect
import os
import re
import sys

from _repair_probe.called import Calls
from _repair_probe.lines import Recorder, Tracer

_MOST_CALLS = 3_000_000
"""After so many calls the test is left alone: watching them has taken a second or two."""

_CHECK = re.compile(r"_*(assert|check|compare|ensure|expect|must|raises|should|validate|verify|warns)", re.IGNORECASE)


class SinceCheck(Tracer):
    """Its lines are the first lines of the functions called."""

    def __init__(self, root):
        self._recorder = Recorder(root)
        self._known = {}  # by identity: equal code objects of two files compare equal
        self._calls = None

    def begin(self, item):
        """The test's own call begins."""
        function = _function(item)
        code = getattr(function, "__code__", None)
        if code is None or sys.gettrace() is not None:
            return
        if id(code) not in self._known:
            self._known[id(code)] = code, _statements(code)
        units = self._known[id(code)][1]
        if not units:
            return
        self._code, self._units, self._now = code, units, None
        self._passed, self._failed, self._left = False, [], _MOST_CALLS
        self._calls = Calls()
        self._calls.start()
        sys.settrace(self._called)

    def start(self):
        """Nothing is known of the test yet."""

    def stop(self):
        """The functions called since the last check that passed; nothing where none did."""
        if self._calls is None:
            return None
        sys.settrace(None)
        calls, self._calls = self._calls.stop(), None
        for code, _ in (self._failed or calls) if self._passed else ():
            lines = self._recorder.seen_in(code.co_filename)
            if lines is not None:
                lines.add(code.co_firstlineno)
        return self._recorder.take()

    def _called(self, frame, _event, _arg):
        self._left -= 1
        if not self._left:
            self.stop()
        elif frame.f_code is self._code:
            return self._line
        elif _of_tests(frame.f_code.co_filename):
            frame.f_trace_lines = False
            return self._raised
        return None

    def _line(self, frame, event, arg):
        if event == "line":
            unit = self._units.get(frame.f_lineno)
            if unit != self._now:
                if self._now is not None and self._now[1]:
                    self._calls.take()
                    self._passed = True
                self._now = unit
        else:
            self._raised(frame, event, arg)
        return self._line

    def _raised(self, _frame, event, arg):
        """A check fails in the test or in a helper; that may not be its end, where it has parts (``subTest``)."""
        if event == "exception" and issubclass(arg[0], AssertionError):
            self._failed += self._calls.take()
        return self._raised


def _of_tests(path):
    name = os.path.basename(path)
    return name.startswith(("test", "conftest")) or name.endswith(("_test.py", "_tests.py"))


def _function(item):
    """The test as it was written: decorators that keep what they wrap are looked through."""
    try:
        return inspect.unwrap(getattr(item.obj, "__func__", item.obj))
    except (AttributeError, ValueError):
        return None


def _statements(code):
    """For each line of a test its statement, as a pair of its first line and whether it checks; empty if few do."""
    try:
        with open(code.co_filename, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _first_line(node) == code.co_firstlineno:
            units = {}
            return units if _note(node.body, units) > 1 else {}
    return {}


def _first_line(node):
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _note(body, units):
    """Note the statements of a block by their lines; how many checks are run in it, those of loops twice."""
    checks = 0
    for statement in body:
        checking = _checks(statement)
        blocks = [] if checking else _blocks(statement)
        last = blocks[0][0].lineno - 1 if blocks else statement.end_lineno
        for line in range(statement.lineno, max(statement.lineno, last) + 1):
            units[line] = (statement.lineno, checking)
        again = 2 if isinstance(statement, (ast.For, ast.While)) else 1
        checks += checking + again * sum(_note(block, units) for block in blocks)
    return checks


def _blocks(statement):
    """The blocks of a compound statement; a function or class within the test is one statement."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return []
    blocks = [getattr(statement, name, None) for name in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(statement, "handlers", ())]
    return [block for block in blocks if block]


def _checks(statement):
    """Whether the statement fails where something is wrong: an assertion, or a call of a helper that asserts."""
    if isinstance(statement, ast.With):
        return any(_is_check(item.context_expr, of_test=False) for item in statement.items)
    return isinstance(statement, ast.Assert) or (isinstance(statement, ast.Expr) and _is_check(statement.value))


def _is_check(call, of_test=True):
    if not isinstance(call, ast.Call):
        return False
    function = call.func
    if isinstance(function, ast.Name):
        return bool(_CHECK.match(function.id))
    if not isinstance(function, ast.Attribute):
        return False
    own = of_test and isinstance(function.value, ast.Name) and function.value.id == "self"
    return own or bool(_CHECK.match(function.attr))
