"""The class of a failure, told from the exception, its frames and the source they point at.

The class is told before any edit is tried and never by a proposer. ``ENVIRONMENT`` and ``TEST_DEFECT`` stop a
repair, so they are said only where the project's own code cannot be the reason. A missing module is the
project's own where a path among its files supplies it.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.exception_kinds import ENDLESS, FOREIGN, RUNTIME, Subclass, kind_of
from analysis.expectations import expected_at, is_message_mismatch, missing_raise
from analysis.facts import Failure, FailureClass, Frame, Outcome, Phase, SeenError
from analysis.frame_source import Sources, is_raise
from analysis.frames import IsTest, has_type, innermost_frame, is_module_level, telling_exception
from analysis.public_names import parts_below_sources

Class = tuple[FailureClass, str]

_MISSING_MODULE = re.compile(r"No module named '?(?P<module>[\w.]+)'?")
_FROM_MODULE = re.compile(r"cannot import name '?\w+'? from (?:partially initialized module )?'(?P<module>[\w.]+)'")
_MODULE_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute")
_CALL = re.compile(
    r"(?P<name>[\w.<>]+)\(\) (?:missing \d+ required|takes |got (?:an unexpected keyword|multiple|some positional))"
)
_COMPARED = re.compile(r"^assert (?P<left>.+?) (?:==|in|not in|!=) (?P<right>.+?)$", re.M)
_UNEQUAL = re.compile(
    r"^(?P<left>'.*?'|\".*?\"|b'.*?') (?:!=|not found in|unexpectedly found in) (?P<right>'.*|\".*|b'.*)$", re.M
)
_OUTSIDE = re.compile(r"'(/(?:etc|usr|opt|bin|sbin|lib|var/(?:lib|run|log)|run|proc|sys|root|home)/[^']*)'")
_TEMPORARY = re.compile(r"'/(?:private/)?(?:tmp|dev/shm|var/tmp|var/folders)/")


@dataclass(frozen=True, slots=True)
class _Case:
    """One failure with what the questions about it need."""

    failure: Failure
    raised: SeenError
    is_test: IsTest
    sources: Sources

    @property
    def _frames(self) -> Iterator[Frame]:
        return (f for f in reversed(self.raised.frames) if f.in_project)

    @property
    def owner(self) -> Frame | None:
        """The innermost project frame outside the tests."""
        return next((f for f in self._frames if not self.is_test(f.path)), None)

    @property
    def test(self) -> Frame | None:
        """The innermost frame inside the tests."""
        return next((f for f in self._frames if self.is_test(f.path)), None)


def classify(failure: Failure, is_test: IsTest, sources: Sources = ()) -> Class:
    """Class and subclass of the failure.

    With ``sources`` a ``raise`` statement is told from an unsafe operation, and the exception that a test waits
    for from the one that came.
    """
    if failure.outcome is Outcome.HANG:
        return FailureClass.LOGIC, Subclass.TIMEOUT
    raised = telling_exception(failure)
    if raised is None:
        return FailureClass.ENVIRONMENT, Subclass.UNKNOWN
    kind = kind_of(raised, ENDLESS)
    if kind is not None:
        return FailureClass.LOGIC, kind
    case = _Case(failure, raised, is_test, sources)
    unknown = (FailureClass.ENVIRONMENT, kind_of(raised, FOREIGN) or Subclass.UNKNOWN)
    return next((found for rule in _RULES if (found := rule(case)) is not None), unknown)


_NO_ASYNC = "async def functions are not natively supported"
"""How pytest begins where the plugin is missing that awaits a test."""


def _plugin(case: _Case) -> Class | None:
    return (FailureClass.ENVIRONMENT, Subclass.MISSING_MODULE) if case.raised.message.startswith(_NO_ASYNC) else None


def _syntax(case: _Case) -> Class | None:
    if not has_type(case.raised, "SyntaxError"):
        return None
    if case.failure.phase is not Phase.COLLECT and case.owner and not is_module_level(case.owner):
        return FailureClass.RUNTIME_SAFETY, Subclass.CONVERSION
    reader = innermost_frame(case.raised)
    test_file = case.failure.test.split("::", 1)[0].rsplit("/", 1)[-1]
    if reader is None and (f"({test_file}," in case.raised.message or f"{test_file}'" in case.raised.message):
        return FailureClass.TEST_DEFECT, Subclass.SYNTAX
    return FailureClass.FORMAT, Subclass.SYNTAX


def _import(case: _Case) -> Class | None:
    if not has_type(case.raised, "ImportError"):
        return None
    found = _FROM_MODULE.search(case.raised.message) or _MISSING_MODULE.search(case.raised.message)
    module = found["module"] if found else ""
    own = _is_of_project(module, case.sources)
    if not own and not _is_slip(module):
        return FailureClass.ENVIRONMENT, Subclass.MISSING_MODULE
    if case.owner and not is_module_level(case.owner):
        return FailureClass.RUNTIME_SAFETY, Subclass.IMPORT
    if case.owner or own:
        return FailureClass.FORMAT, Subclass.IMPORT
    return FailureClass.TEST_DEFECT, Subclass.TEST_CODE


def _is_of_project(module: str, sources: Sources) -> bool:
    """Whether the module's top-level package or file is among the project's: ``shop.price`` by ``src/shop.py``."""
    top = module.partition(".")[0]
    tops = {parts_below_sources(path)[0] for path, _ in sources}
    return bool(top) and not tops.isdisjoint((top, f"{top}.py"))


def _is_slip(module: str) -> bool:
    """Whether the name is that of a standard module, or nearly so: then no package is missing."""
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or bool(difflib.get_close_matches(top, sys.stdlib_module_names, 1, 0.8))


def _collection(case: _Case) -> Class | None:
    if case.failure.phase is not Phase.COLLECT or kind_of(case.raised, FOREIGN):
        return None
    last = innermost_frame(case.raised)
    if has_type(case.raised, "OutcomeException"):
        return FailureClass.TEST_DEFECT, Subclass.TEST_CODE
    if last is None or (not case.is_test(last.path) and is_module_level(last)):
        return FailureClass.FORMAT, Subclass.MODULE
    if case.owner is None and _missing_attribute(case):
        return FailureClass.FORMAT, Subclass.IMPORT
    return None


def _missing_attribute(case: _Case) -> bool:
    """Whether a module of the project lacks what is asked of it."""
    found = _MODULE_ATTRIBUTE.search(case.raised.message) if has_type(case.raised, "AttributeError") else None
    return found is not None and _is_of_project(found[1], case.sources)


def _foreign(case: _Case) -> Class | None:
    kind = kind_of(case.raised, FOREIGN)
    if kind and _raises(case) is not True:
        return FailureClass.ENVIRONMENT, kind
    if not has_type(case.raised, "FileNotFoundError"):
        return None
    # The machine's: a system path, or a command that is not installed.
    is_command = any(f.path.endswith("/subprocess.py") for f in case.raised.frames)
    is_outside = is_command or _OUTSIDE.search(case.raised.message) is not None
    # What the test reads by itself, no project function was to write; in a temporary folder one was.
    is_given = case.owner is None and _TEMPORARY.search(case.raised.message) is None
    return (FailureClass.ENVIRONMENT, Subclass.MISSING_FILE) if is_outside or is_given else None


def _expectation(case: _Case) -> Class | None:
    if missing_raise(case.raised):
        return FailureClass.CONTRACT, Subclass.MISSING_RAISE
    if is_message_mismatch(case.raised):
        return FailureClass.CONTRACT, Subclass.MESSAGE
    judged = has_type(case.raised, "AssertionError", "OutcomeException") and case.owner is None
    expected = expected_at(case.test, case.sources) if case.test and not judged else ()
    if expected and not has_type(case.raised, *expected):
        return FailureClass.CONTRACT, Subclass.WRONG_RAISE
    return None


def _exit(case: _Case) -> Class | None:
    if not has_type(case.raised, "SystemExit", "Exit"):
        return None
    return FailureClass.TEST_DEFECT if case.owner is None else FailureClass.CONTRACT, Subclass.EXIT


def _classify_judgement(case: _Case) -> Class | None:
    """A test's own judgement: an assertion, ``pytest.fail``, a doctest's comparison."""
    if not has_type(case.raised, "AssertionError", "OutcomeException", "DocTestFailure"):
        return None
    last = innermost_frame(case.raised)
    if has_type(case.raised, "AssertionError") and last and not case.is_test(last.path):
        return FailureClass.CONTRACT, Subclass.ASSERTION
    if has_type(case.raised, "DocTestFailure") or _compares_text(case.raised.message):
        return FailureClass.LOGIC, Subclass.TEXT
    return FailureClass.LOGIC, Subclass.WRONG_VALUE


def _compares_text(message: str) -> bool:
    first = message.removeprefix("AssertionError: ")
    for pattern in (_COMPARED, _UNEQUAL):
        found = pattern.search(first)
        if found:
            return all(_is_text(found[side]) for side in ("left", "right"))
    return False


def _is_text(source: str) -> bool:
    try:
        return isinstance(ast.literal_eval(source.strip()), (str, bytes))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        # Long strings are cut in the middle when shown: quotes at the start still tell one.
        return source.lstrip("b").startswith(("'", '"')) and "..." in source


def _signature(case: _Case) -> Class | None:
    """The test's own call does not suit the signature of what it calls."""
    called = _CALL.search(case.raised.message) if has_type(case.raised, "TypeError") else None
    last = innermost_frame(case.raised)
    if called is None or last is None or case.owner is not None:
        return None
    test_name = case.failure.test.rsplit("::", 1)[-1].partition("[")[0]
    if called["name"].rsplit(".", 1)[-1] == test_name:
        return FailureClass.TEST_DEFECT, Subclass.TEST_CODE
    return FailureClass.CONTRACT, Subclass.SIGNATURE


def _within_project(case: _Case) -> Class | None:
    if case.owner is None:
        return None
    last = innermost_frame(case.raised)
    own = last is not None and not case.is_test(last.path)
    kind = kind_of(case.raised, RUNTIME)
    raises = _raises(case)
    deliberate = raises or has_type(case.raised, "NotImplementedError", "Warning")
    if deliberate or (kind is None and (raises is None or not own)):
        return FailureClass.CONTRACT, Subclass.UNEXPECTED_RAISE
    return FailureClass.RUNTIME_SAFETY, kind or Subclass.OTHER


def _raises(case: _Case) -> bool | None:
    """Whether project code raised the exception by a statement; ``None`` where its source does not tell."""
    last = innermost_frame(case.raised)
    if last is None or last is not case.raised.frames[-1]:
        return False if last else None
    return is_raise(last, case.sources)


def _within_test(case: _Case) -> Class | None:
    """Only the test's frames are left: the project's function returned, or was never reached."""
    if case.test is None:
        return None
    holder = re.match(r"'(\w+)' object has no attribute", case.raised.message)
    lacks = holder is not None and holder[1] in case.failure.test.split("::")[1:-1]
    if lacks or has_type(case.raised, "NameError"):
        return FailureClass.TEST_DEFECT, Subclass.TEST_CODE
    if _missing_attribute(case):
        return FailureClass.CONTRACT, Subclass.SIGNATURE
    return FailureClass.LOGIC, Subclass.WRONG_VALUE


def _within_page(case: _Case) -> Class | None:
    """An example on a page of text raises by itself: what the project gave it is not what it can use."""
    page = not case.failure.test.partition("::")[0].endswith(".py")
    return (FailureClass.LOGIC, Subclass.WRONG_VALUE) if page and case.failure.phase is Phase.CALL else None


_RULES: tuple[Callable[[_Case], Class | None], ...] = (
    _plugin,
    _syntax,
    _import,
    _collection,
    _expectation,
    _exit,
    _classify_judgement,
    _foreign,
    _signature,
    _within_project,
    _within_test,
    _within_page,
)
"""Asked in this order; the first that answers decides."""
