"""The observer: a pytest plugin that writes down what happens and changes nothing but the order of tests.

Which recorder of lines a run has: the best of this interpreter, or the one that the engine asks for.
"""

from __future__ import annotations

import random
import sys
import threading
from time import perf_counter, process_time

import pytest

from _repair_probe.ground.stuck import Bound, Patience
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.lines import MonitoringTracer, SettraceTracer
from _repair_probe.trace.picturing import NoTracer, Picturing, Tracer
from _repair_probe.trace.recording import recorder
from _repair_probe.values.exceptions import Describer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from types import FrameType
    from typing import Any, TypeVar

    from pluggy import Result as Outcome

    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Fields

    Kind = TypeVar("Kind")


def tracer(kind: str, root: str) -> Tracer:
    """The recorder of that kind: ``""`` none, ``auto`` the best of this interpreter, or a named one.

    Kinds: ``monitoring`` (3.12 and newer), ``stamps`` (3.11) and ``settrace``; ``arcs``, which tells the order of lines
    too; and ``since check``, which tells functions, not lines.
    """
    if not kind:
        return NoTracer()
    if kind == "since check":
        from _repair_probe.trace.since_check import SinceCheck

        return SinceCheck(root)
    if kind == "arcs":
        from _repair_probe.trace.arcs import ArcTracer

        return ArcTracer(root)
    if kind == "monitoring" or (kind == "auto" and hasattr(sys, "monitoring")):
        return MonitoringTracer(root)
    if kind in ("stamps", "auto"):
        from _repair_probe.trace.lines import StampTracer
        from _repair_probe.trace.stamps import USABLE

        if USABLE:
            return StampTracer(root)
    return SettraceTracer(root)


_MOST_TEXT = 2000
_AGAIN = 0.2
"""Seconds between two exceptions in a test that hangs: on the way out of its call pytest should not meet another."""


class Observer:
    """Hooks of one session. Every test gives ``begin``, one ``test`` per phase, and ``done``."""

    _running: str | None

    def __init__(self, request: Fields, report: Report) -> None:
        self._report = report
        self._shuffle = request["shuffle"]
        self._describe = Describer(request["root"], request["original"])
        self._tracer = tracer(request["trace"], request["root"])
        self._picturing = Picturing(self._tracer)
        if request["trace"]:
            self._picturing.install()
        self._recorder = recorder(request)
        self._raised: dict[tuple[str, str | None], pytest.ExceptionInfo[BaseException]] = {}
        self._uncollected: dict[str, list[Fields]] = {}
        self._running = None
        self._reporting = 0.0
        self._bound = Bound(request["stuck_seconds"], self.hang, _AGAIN)
        self._patience = Patience(request["stuck_seconds"])
        self.counts = {"collected": 0, "deselected": 0, "begun": 0, "done": 0}

    def hang(self, frame: FrameType | None) -> None:
        """Where the main thread is now; called when the time of the run, or of the test, is up."""
        self._report.event("hang", test=self._running, frames=self._describe.stack(frame))

    # Collection

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self) -> Generator[None, Outcome[object], None]:
        outcome = yield
        problem = outcome.excinfo
        if problem is not None and problem[0].__name__ == "ConftestImportFailure":
            failure: Any = problem[1]
            error = getattr(failure, "cause", None) or failure.excinfo[1]
            node = self._describe.relative_path(str(failure.path))
            raised = self._describe.chain(error, error.__traceback__)
            self._report.event("collect_error", node=node, raised=raised, message="")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self) -> Generator[None, Outcome[object], None]:
        outcome = yield
        problem = outcome.excinfo
        if problem is not None and issubclass(problem[0], pytest.UsageError):
            said = [self._describe.text_outside(str(arg)[:_MOST_TEXT]) for arg in problem[1].args[:20]]
            self._report.event("usage", messages=said)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._shuffle is not None:
            items[:] = shuffle_items(items, random.Random(self._shuffle))

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self.counts["deselected"] += len(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        ids = [item.nodeid for item in session.items]
        self.counts["collected"] = len(ids)
        self._report.event("collected", tests=ids, deselected=self.counts["deselected"])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Outcome[object], None]:
        if not isinstance(collector, pytest.Module):
            yield
            return
        self._tracer.start()
        yield
        lines = self._tracer.stop()
        if lines:
            self._report.event("collected_file", node=collector.nodeid, lines=lines)

    def pytest_exception_interact(
        self,
        node: pytest.Item | pytest.Collector,
        call: pytest.CallInfo[Any],
        report: pytest.CollectReport | pytest.TestReport,
    ) -> None:
        if not isinstance(node, pytest.Item) and call.excinfo is not None:
            self._uncollected[report.nodeid] = self._describe.chain(call.excinfo.value, call.excinfo.tb)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            chain = self._uncollected.pop(report.nodeid, [])
            self._report.event("collect_error", node=report.nodeid, raised=chain, message=self._text(report))

    # Tests

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Outcome[object], None]:
        self._running = item.nodeid
        self.counts["begun"] += 1
        self._report.event("begin", test=item.nodeid)
        began, worked, self._reporting = perf_counter(), process_time(), 0.0
        self._tracer.start()
        self._picturing.start()
        self._recorder.start()
        outcome = yield
        values = self._recorder.stop()
        lines = self._tracer.stop()
        if outcome.excinfo is not None:
            return  # the session is being broken off: this test has not ended
        if values:
            self._report.event("values", test=item.nodeid, seen=values)
        self.counts["done"] += 1
        self._running = None
        # A trial makes no report of a failure, which may take far longer than the test (a deep recursion, say).
        took, cpu = perf_counter() - began, process_time() - worked - self._reporting
        arcs = self._tracer.arcs()
        self._patience.heed(cpu, self._bound.fired)
        more: Fields = {} if arcs is None else {"arcs": arcs}
        self._report.event("done", test=item.nodeid, seconds=took, cpu=cpu, lines=lines, **more)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Outcome[object], None]:
        self._tracer.begin(item)
        self._bound.seconds = self._patience.seconds
        self._bound.start()
        outcome = yield
        self._bound.stop()
        self._tracer.end()
        if outcome.excinfo is not None:
            self._picturing.end()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Outcome[object], None]:
        goes_on = _in_call(sys._getframe())  # a part of a test is reported while the test goes on
        if threading.current_thread() is threading.main_thread() and not goes_on:
            self._bound.stop()  # where it ended amid the hooks of the call
        began = process_time()
        if call.excinfo is not None or getattr(item, "_excinfo", None):  # a case of unittest keeps its own
            self._picturing.hold()
        with self._bound.pause():
            yield
        self._reporting += process_time() - began
        if call.excinfo is not None and not goes_on:
            self._picturing.end()
        self._picturing.resume()
        # Read afterwards: for unittest cases pytest puts the real exception in on the way.
        if call.excinfo is not None:
            self._raised[(item.nodeid, call.when)] = call.excinfo

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        began = process_time()
        self._tell(report)
        self._reporting += process_time() - began

    def _tell(self, report: pytest.TestReport) -> None:
        info = self._raised.pop((report.nodeid, report.when), None)
        keep = report.failed or hasattr(report, "wasxfail")
        self._report.event(
            "test",
            test=report.nodeid,
            phase=report.when,
            outcome=str(report.outcome),
            wasxfail=hasattr(report, "wasxfail"),
            seconds=float(getattr(report, "duration", 0.0)),
            raised=self._describe.chain(info.value, info.tb) if info is not None and keep else [],
            message="" if report.passed else self._text(report),
        )

    def _text(self, report: pytest.CollectReport | pytest.TestReport) -> str:
        return self._describe.text_outside(_text(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hypothesis' plugin imports Hypothesis for its summary, 0.8 s long, even where no test has used it."""
        manager = session.config.pluginmanager
        if "hypothesis" not in sys.modules and manager.has_plugin("hypothesispytest"):
            manager.unregister(name="hypothesispytest")

    # Ends that are not tests' outcomes

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._report.event("interrupted", test=self._running, raised=self._describe.chain(excinfo.value, excinfo.tb))

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.crash(excinfo.value)

    def crash(self, problem: BaseException) -> None:
        """pytest itself was ended by an exception."""
        raised = self._describe.chain(problem, problem.__traceback__)
        self._report.event("internal", test=self._running, raised=raised)


def shuffle_items(items: list[pytest.Item], random_source: random.Random) -> list[pytest.Item]:
    """The items in another order; modules, and classes within them, stay together."""
    tree: dict[str, dict[str, list[pytest.Item]]] = {}
    for item in items:
        module, _, rest = item.nodeid.partition("::")
        group = rest.rpartition("::")[0] or rest
        tree.setdefault(module, {}).setdefault(group, []).append(item)
    mixed = []
    for module in _mix(tree, random_source):
        for group in _mix(tree[module], random_source):
            mixed.extend(_mix(tree[module][group], random_source))
    return mixed


def _mix(things: Iterable[Kind], random_source: random.Random) -> list[Kind]:
    mixed = list(things)
    random_source.shuffle(mixed)
    return mixed


def _text(report: pytest.CollectReport | pytest.TestReport) -> str:
    """First lines of what pytest says went wrong, bounded."""
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message)[:_MOST_TEXT]
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        return str(longrepr[2])[:_MOST_TEXT]  # skips: file, line, reason
    return "" if longrepr is None else str(longrepr)[:_MOST_TEXT]


def _in_call(frame: FrameType | None) -> bool:
    """Whether the call of a test goes on in one of these frames."""
    while frame is not None and frame.f_code.co_name != "pytest_runtest_call":
        frame = frame.f_back
    return frame is not None
