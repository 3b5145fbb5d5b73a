"""Small programs run here and now, with the lines that each of their tests runs and the frames of what it raises."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from analysis.facts import Frame, Outcome, Phase, SeenError, TestId, TestResult, TestRun

PROGRAM, TESTS = "shop.py", "test_shop.py"
RAISED = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
HEAD = """
def equal(mine, wanted):
    if mine != wanted:
        raise AssertionError(f"assert {mine!r} == {wanted!r}")
"""


def dedented(text: str) -> str:
    """The text without its indentation and its first line end."""
    return textwrap.dedent(text).lstrip("\n")


def run_tests(program: str, tests: str) -> TestRun:
    """Runs each ``test_…`` of a text by itself; tests see the names of the program, and ``equal``."""
    names: dict[str, Any] = {}
    exec(compile(program, PROGRAM, "exec"), names)
    exec(compile(HEAD + dedented(tests), TESTS, "exec"), names)
    found = [_run(name, each) for name, each in names.items() if name.startswith("test_")]
    results = tuple(result for result, _ in found)
    broken = any(result.outcome is not Outcome.PASSED for result in results)
    return TestRun(results, (), int(broken), 0.1, tuple((r.test, ((PROGRAM, lines),)) for r, lines in found))


def _run(name: str, test: Callable[[], None]) -> tuple[TestResult, frozenset[int]]:
    lines: set[int] = set()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename == PROGRAM and event == "line":
            lines.add(frame.f_lineno)
        return trace

    before, which = sys.gettrace(), TestId(f"{TESTS}::{name}")
    sys.settrace(trace)
    try:
        test()
    except RAISED as raised:
        return TestResult(which, Outcome.FAILED, Phase.CALL, 0.01, (_seen(raised),)), frozenset(lines)
    finally:
        sys.settrace(before)
    return TestResult(which, Outcome.PASSED, Phase.CALL, 0.01), frozenset(lines)


def _seen(raised: Exception) -> SeenError:
    frames: list[Frame] = []
    here = raised.__traceback__
    while here is not None:
        code: CodeType = here.tb_frame.f_code
        if code.co_filename in (PROGRAM, TESTS):
            place = (here.tb_lineno, None, None, None, code.co_qualname, code.co_name, code.co_firstlineno)
            frames.append(Frame(code.co_filename, True, *place))
        here = here.tb_next
    return SeenError(type(raised).__name__, tuple(c.__name__ for c in type(raised).__mro__), str(raised), tuple(frames))
