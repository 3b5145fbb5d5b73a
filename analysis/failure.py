"""From a test's result to a Failure, and the question whether two failures are the same one."""

from __future__ import annotations

import builtins
import dataclasses
import re

from analysis.facts import Failure, Frame, Outcome, Phase, SeenError, TestResult
from analysis.frames import has_type
from analysis.functions import plain_qualname

_RUNNER = re.compile(
    r"(?:^|/)(?:_pytest|pytest|pluggy|pytest_\w+|anyio/pytest_plugin|asyncio|importlib"
    r"|unittest/(?:async_case|case|loader|main|runner|suite))(?:/|\.py$)"
    r"|<frozen (?:importlib|runpy|zipimport)|(?:^|/)runpy\.py$"
)
_UNSTABLE = (
    (re.compile(r"0x[0-9a-fA-F]+"), "0x"),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    (re.compile(r"(?:/private)?/(?:tmp|dev/shm|var/tmp|var/folders)\b[^\s'\":,;)\]]*"), "<path>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+"), "<moment>"),
    (re.compile(r"\b\d+\.\d+(?:e[-+]?\d+)?\s?(?:s|ms|us|µs|ns|seconds?|secs?|milliseconds?)\b"), "<duration>"),
    (re.compile(r"\bline \d+"), "line"),
    (re.compile(r"(\.pyi?):\d+"), r"\1"),
    (re.compile(r"\bid=\d+"), "id"),
)
"""Parts of a message that change from run to run, or when lines move, and what stands for them."""

_REPORTED = re.compile(r"^(?:E\s+)?(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)): ?(?P<text>.*)$")


def failure_of(result: TestResult) -> Failure:
    """The failure that a test's result shows, without the runner's own frames."""
    exceptions = tuple(
        dataclasses.replace(e, frames=tuple(f for f in e.frames if not _is_runner(f))) for e in result.exceptions
    )
    if result.phase is Phase.COLLECT:
        exceptions = _unwrap(exceptions, result.message)
    return Failure(result.test, result.phase, result.outcome, exceptions, result.message)


def same_failure(a: Failure, b: Failure) -> bool:
    """Whether both are one failure: same test, phase and exception, raised in the same function.

    Assertions are told apart by their message instead, since all of them are raised by the test. Addresses,
    temporary paths, durations and line numbers do not count.
    """
    return _identity(a) == _identity(b)


def stable_message(message: str) -> str:
    """The message without what changes from run to run."""
    for pattern, stand_in in _UNSTABLE:
        message = pattern.sub(stand_in, message)
    return message.strip()


def _identity(failure: Failure) -> tuple[str, ...]:
    start = (failure.test, failure.phase.value)
    if failure.outcome is Outcome.HANG:
        return (*start, "hang")
    if not failure.exceptions:
        return (*start, failure.outcome.value, stable_message(failure.message))
    first = failure.exceptions[0]
    judged = has_type(first, "AssertionError", "OutcomeException")
    if failure.frames and not (judged and first.message):
        frame = failure.frames[-1]
        return (*start, first.type_name, frame.path, plain_qualname(frame.qualname))
    return (*start, first.type_name, stable_message(first.message))


def _is_runner(frame: Frame) -> bool:
    if "_repair_probe" in frame.path:
        return True
    return not frame.in_project and _RUNNER.search(frame.path) is not None


def _unwrap(exceptions: tuple[SeenError, ...], message: str) -> tuple[SeenError, ...]:
    """The chain from the exception that pytest wrapped; read from its text where only that is left."""
    if exceptions and not has_type(exceptions[0], "CollectError", "ConftestImportFailure"):
        return exceptions
    if len(exceptions) > 1:
        return (dataclasses.replace(exceptions[1], link=""), *exceptions[2:])
    text = exceptions[0].message if exceptions else message
    # The last exception that a rendered traceback names, without frames.
    for line in reversed(text.splitlines()):
        found = _REPORTED.match(line.strip())
        if found:
            name = found["type"].rsplit(".", 1)[-1]
            known = getattr(builtins, name, None)
            bases = tuple(c.__name__ for c in known.__mro__) if isinstance(known, type) else (name, "Exception")
            return (SeenError(name, bases, found["text"], ()),)
    return exceptions
