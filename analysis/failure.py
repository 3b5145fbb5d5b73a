"""From a test's result to a Failure, and the question whether two failures are the same one."""

from __future__ import annotations

import builtins
import dataclasses
import re

from analysis.facts import Failure, Frame, Outcome, Phase, SeenError, TestResult
from analysis.frames import has_type, short_name
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

_VARYING = (
    (
        re.compile(r"\b(took|taken|elapsed|duration|latency|waited)\b([\s:=]{1,3})\d+(?:\.\d+)?(?:e[-+]?\d+)?"),
        r"\1\2<n>",
    ),
    (re.compile(r"\bdatetime\.(?:datetime|time)\([^()]*"), "<moment>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?|\b\d?\d:\d\d:\d\d(?:\.\d+)?"), "<moment>"),
    (re.compile(r"\b1[5-9]\d{8}(?:\.\d+)?\b"), "<moment>"),
    (re.compile(r"\b(pid|port|process|thread|fd)([\s:=]{1,3})\d+", re.IGNORECASE), r"\1\2<n>"),
    (re.compile(r"\b(Thread|Task|Dummy|ForkPoolWorker|Process)-\d+"), r"\1-<n>"),
    (re.compile(r"(127\.0\.0\.1|localhost|\[::1\]):\d+"), r"\1:<n>"),
    (re.compile(r"[^\s'\"]*\bpytest-of-[^\s'\":,;)\]]*"), "<path>"),
    (re.compile(r"\btmp[a-z0-9_]{8}\b"), "<path>"),
)
"""Further parts that a clock, the system or chance gives; ``_UNSTABLE`` is looked for first."""

_MEASURED = re.compile(r"\d+\.\d{3,}(?:e[-+]?\d+)?|\d+(?:\.\d+)?e-\d+")
_BY_SIZE = re.compile(r"^assert .* (?:<|<=|>|>=) ", re.MULTILINE)
"""``assert 0.0213 < 0.01``: a number that is only compared by its size, as what a clock gave is."""

_ELIDED = "..."

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
    temporary paths, durations and line numbers do not count. Neither does the order of what the message shows, or a
    number that it measured, where both were raised in the same line.
    """
    (*mine, my_text), (*other, other_text) = _identity(a), _identity(b)
    if mine != other:
        return False
    return my_text == other_text or (_raised_at(a) == _raised_at(b) and _read(my_text) == _read(other_text))


def stable_message(message: str) -> str:
    """The message without what changes from run to run."""
    for pattern, stand_in in _UNSTABLE:
        message = pattern.sub(stand_in, message)
    return message.strip()


MOST_DESCRIBED = 1500
"""Characters of a failure in words."""


def describe_failure(failure: Failure) -> str:
    """The failure in words: test, exception, message, and where it was raised; or how else the test ended."""
    if not failure.exceptions:
        return f"{failure.test}: {failure.message or failure.outcome.value}"[:MOST_DESCRIBED]
    first = failure.exceptions[0]
    where = f" (at {failure.frames[-1].path}:{failure.frames[-1].line})" if failure.frames else ""
    return f"{failure.test}: {short_name(first)}: {first.message}"[:MOST_DESCRIBED] + where


def read_alike(a: Failure, b: Failure) -> bool:
    """Whether both are one failure that reads the same, word by word, but for addresses, paths and the like."""
    if _identity(a) != _identity(b) or len(a.exceptions) != len(b.exceptions):
        return False
    pairs = zip(a.exceptions, b.exceptions, strict=True)
    return all(stable_message(x.message) == stable_message(y.message) for x, y in pairs)


def _read(text: str) -> tuple[str, ...]:
    """What a stable message says, in whatever order: ``{'b', 'a'}`` reads as ``{'a', 'b'}``.

    Of an assertion that pytest or unittest explains this is its first line: the explanation follows from it, and hangs
    on the order. Of what is shown in part nothing is left: the order decides which part that is.
    """
    lines = text.splitlines()
    told = next((n for n, line in enumerate(lines) if line.startswith("assert ") or " differ: " in line), len(lines))
    said = "\n".join(lines[: told + 1])
    if _ELIDED in said:
        return (_ELIDED,)
    if _BY_SIZE.search(said):
        said = _MEASURED.sub("<n>", said)
    for pattern, stand_in in _VARYING:
        said = pattern.sub(stand_in, said)
    return tuple(sorted(re.findall(r"\w+|[^\w\s]", said)))


def _raised_at(failure: Failure) -> tuple[str, int] | None:
    return (failure.frames[-1].path, failure.frames[-1].line) if failure.frames else None


def _identity(failure: Failure) -> tuple[str, ...]:
    """What a failure is known by, its message last."""
    start = (failure.test, failure.phase.value)
    if failure.outcome is Outcome.HANG:
        return (*start, "hang", "")
    if not failure.exceptions:
        return (*start, failure.outcome.value, stable_message(failure.message))
    first = failure.exceptions[0]
    judged = has_type(first, "AssertionError", "OutcomeException")
    if failure.frames and not (judged and first.message):
        frame = failure.frames[-1]
        return (*start, first.type_name, frame.path, plain_qualname(frame.qualname), "")
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


_FENCE = re.compile(r'File "(?:[^"\n]*/)?([^"/\n]+)", line (\d+)\n(?:E\b)?[ \t]*(```[^\n]{0,30})')


_FENCE_LINE = re.compile(
    rb"""(?m)\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)
    |'''(?:\\.|[^\\])*?(?:'''|\Z)
    |"(?:\\.|[^"\\\n])*"
    |'(?:\\.|[^'\\\n])*'
    |[#][^\n]*
    |^[ \t]*(?P<fence>```[^\r\n]{0,30})""",
    re.VERBOSE | re.DOTALL,
)
"""Texts and comments, which may hold anything, and a line that begins with a fence."""


def find_code_fence(path: str, source: bytes) -> str:
    """The first code fence in a file that cannot be parsed, as a clause to append; empty where it has none.

    One in a text of several lines is none: docstrings hold such.
    """
    for found in _FENCE_LINE.finditer(source):
        if fence := found["fence"]:
            line = source.count(b"\n", 0, found.start("fence")) + 1
            return _tell_fence(line, path, fence.decode("utf-8", "replace"))
    return ""


def _tell_fence(line: int | str, path: str, fence: str) -> str:
    return f"; line {line} of {path} is a code fence ({fence.rstrip()}) and no Python: take it out"


def describe_code_fence(message: str) -> str:
    """The code fence that a message on a syntax error shows, as a clause to append; empty where it shows none."""
    found = _FENCE.search(message)
    return _tell_fence(found[2], found[1], found[3]) if found is not None else ""
