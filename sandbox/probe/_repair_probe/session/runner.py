"""Runs the collected items once, in a forked child, through the full protocol of pytest and its plugins."""

from __future__ import annotations

import os

import pytest

from _repair_probe.ground.stuck import RESULT, Bound, Stuck
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Any

    from _repair_probe.ground.words import Identity, Result

_MOST_TEXT = 300


class ResultRecorder:
    """Collects what becomes of each item: (outcome, phase, kind of exception and message, line in the test's file)."""

    results: dict[str, Result]
    _lines: dict[tuple[str, str], int]
    _called: set[str]

    def __init__(self) -> None:
        self.results = {}
        self._lines = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        yield
        if call.excinfo is not None:
            line = line_in(call.excinfo.tb, str(getattr(item, "path", None) or item.fspath))
            self._lines[item.nodeid, call.when] = line

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        previous = self.results.get(report.nodeid)
        if previous is None or previous[0] == "passed":
            outcome = str(report.outcome)
            if hasattr(report, "wasxfail"):
                outcome = "xpassed" if report.passed else "xfailed"
            if previous is None or outcome != "passed":
                text = "" if report.longrepr is None else str(report.longrepr)[:_MOST_TEXT]
                line = self._lines.get((report.nodeid, report.when), 0)
                self.results[report.nodeid] = (outcome, report.when, text, line)
        if report.when == "call":
            self._called.add(report.nodeid)

    def begin(self) -> None:
        """Forget earlier results."""
        self.results = {}
        self._lines = {}
        self._called = set()

    def result(self, nodeid: str) -> Result:
        """What became of an item."""
        return self.results.get(nodeid, ("missing", "", "", 0))

    def has_passed(self, nodeid: str) -> bool:
        """Whether the item's call ran and nothing of it was other than passed."""
        return nodeid in self._called and self.result(nodeid)[0] == "passed"


def run_items(
    items: Sequence[pytest.Item],
    recorder: ResultRecorder,
    stop_early: bool = True,
    before: Callable[[str], None] | None = None,
    bound: Bound | None = None,
) -> str:
    """Run the items in order, each within a bound. Returns the first node id that did not pass, or ``""``."""
    first = ""
    recorder.begin()
    for place, item in enumerate(items):
        if before is not None:
            before(item.nodeid)
        following = items[place + 1] if place + 1 < len(items) else None
        if bound is None:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        else:
            _run_bounded(item, following, recorder, bound)
        if not recorder.has_passed(item.nodeid):
            first = first or item.nodeid
            if stop_early:
                return first
    return first


def _run_bounded(item: pytest.Item, following: pytest.Item | None, recorder: ResultRecorder, bound: Bound) -> None:
    bound.start()
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    except Stuck:
        pass
    finally:
        bound.stop()
    if bound.fired:
        recorder.results[item.nodeid] = RESULT


def quicken(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Leave out what only a reader of the terminal needs: long tracebacks and the terminal itself."""
    for item in items:
        item.repr_failure = terse_failure  # type: ignore[method-assign]  # for this item
        item._repr_failure_py = terse_failure  # type: ignore[assignment,method-assign]  # the same, and what unittest's cases call
    manager = config.pluginmanager
    reporter = manager.getplugin("terminalreporter")
    if reporter is not None:
        manager.unregister(reporter)
        manager.register(_Silent(reporter), "terminalreporter")


class _Silent:
    """Stands in for the terminal reporter: others may ask it for its writer, hooks it has none."""

    def __init__(self, reporter: object) -> None:
        self._tw = getattr(reporter, "_tw", None)
        self.config = getattr(reporter, "config", None)
        self.verbosity = -2

    def write(self, *_args: object, **_options: object) -> None:
        """Say nothing."""

    write_line = write_sep = ensure_newline = section = write


def terse_failure(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
    """Type and message of an exception; its ``repr`` in long form costs more than the test."""
    return terse_text(excinfo.value)


def terse_text(problem: BaseException) -> str:
    """Type and message of an exception."""
    try:
        text = str(problem)
    except Exception:  # the target's own ``__str__``
        text = "?"
    return "%s: %s" % (type(problem).__name__, text[:_MOST_TEXT])


def line_in(traceback: TracebackType | None, path: str) -> int:
    """The last line of a file that a traceback passes, 0 where it does not."""
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def identity(nodeid: str, result: Result) -> Identity:
    """What makes two failures the same: the test, how it ended, the kind of exception and the test's line."""
    outcome, phase, text, line = result
    if outcome == "passed":
        return nodeid, outcome, "", "", 0
    kind = text.split(":")[0] if outcome == "failed" else ""
    return nodeid, outcome, phase, kind, line if kind else 0


def own_capture(config: pytest.Config) -> None:
    """Give this child capture files of its own (forks share the position in the server's) and no console."""
    null = os.open(os.devnull, os.O_RDWR)
    manager = config.pluginmanager.getplugin("capturemanager")
    capturing = getattr(manager, "_global_capturing", None)
    for name, fd in (("out", 1), ("err", 2)):
        capture = getattr(capturing, name, None)
        shared = _number(getattr(capture, "tmpfile", None))
        saved = getattr(capture, "targetfd_save", None)
        if shared is None or not isinstance(saved, int):
            os.dup2(null, fd)
            continue
        redirected = os.path.samestat(os.fstat(fd), os.fstat(shared))
        own = os.memfd_create("capture", 0) if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)
        os.dup2(own, shared, False)
        os.dup2(null, saved, False)
        os.dup2(own if redirected else null, fd)
        os.close(own)
    os.dup2(null, 0)
    os.close(null)


def silence(manager: object) -> None:
    """Let what is written to the console or its capture go nowhere: every fork inherits that."""
    null = os.open(os.devnull, os.O_RDWR)
    capturing = getattr(manager, "_global_capturing", None)
    shared = [_number(getattr(getattr(capturing, name, None), "tmpfile", None)) for name in ("out", "err")]
    for fd in (0, 1, 2, *(each for each in shared if each is not None and each > 2)):
        os.dup2(null, fd, fd <= 2)
    os.close(null)


def _number(stream: Any) -> int | None:
    try:
        number: int = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return number


def own_basetemp(config: pytest.Config, folder: str) -> None:
    """Let ``tmp_path`` lie in this child's own folder."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None and getattr(factory, "_basetemp", None) is None:
        from pathlib import Path

        factory._given_basetemp = Path(folder) / "pytest"


def identities(ids: Iterable[str], result: Callable[[str], Result]) -> list[list[str | int]]:
    """How each item ended, as values that survive a trip through JSON."""
    return [list(identity(each, result(each))) for each in ids]
