"""The observer: a pytest plugin that writes down what happens and changes nothing but the order of tests."""

import random
import sys
import threading
from time import perf_counter, process_time

import pytest

from _repair_probe.ground.stuck import Bound
from _repair_probe.trace.recording import recorder
from _repair_probe.trace.tracers import tracer
from _repair_probe.values.exceptions import Describer

_MOST_TEXT = 2000
_AGAIN = 0.2
"""Seconds between two exceptions in a test that hangs: on the way out of its call pytest should not meet another."""


class Observer:
    """Hooks of one session. Every test gives ``begin``, one ``test`` per phase, and ``done``."""

    def __init__(self, request, report):
        self._report = report
        self._shuffle = request["shuffle"]
        self._describe = Describer(request["root"], request["original"])
        self._tracer = tracer(request["trace"], request["root"])
        self._recorder = recorder(request)
        self._raised = {}
        self._running = None
        self._reporting = 0.0
        self._bound = Bound(request["stuck_seconds"], self.hang, _AGAIN)
        self.counts = {"collected": 0, "deselected": 0, "begun": 0, "done": 0}

    def hang(self, frame):
        """Where the main thread is now; called when the time of the run, or of the test, is up."""
        self._report.event("hang", test=self._running, frames=self._describe.stack(frame))

    # Collection

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self):
        outcome = yield
        problem = outcome.excinfo
        if problem is not None and problem[0].__name__ == "ConftestImportFailure":
            error = getattr(problem[1], "cause", None) or problem[1].excinfo[1]
            node = self._describe.relative(str(problem[1].path))
            raised = self._describe.chain(error, error.__traceback__)
            self._report.event("collect_error", node=node, raised=raised, message="")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self):
        outcome = yield
        problem = outcome.excinfo
        if problem is not None and issubclass(problem[0], pytest.UsageError):
            said = [self._describe.outside(str(arg)[:_MOST_TEXT]) for arg in problem[1].args[:20]]
            self._report.event("usage", messages=said)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if self._shuffle is not None:
            items[:] = shuffled(items, random.Random(self._shuffle))

    def pytest_deselected(self, items):
        self.counts["deselected"] += len(items)

    def pytest_collection_finish(self, session):
        ids = [item.nodeid for item in session.items]
        self.counts["collected"] = len(ids)
        self._report.event("collected", tests=ids, deselected=self.counts["deselected"])

    def pytest_exception_interact(self, node, call, report):
        if not isinstance(node, pytest.Item):
            self._raised[(report.nodeid, "collect")] = self._describe.chain(call.excinfo.value, call.excinfo.tb)

    def pytest_collectreport(self, report):
        if report.failed:
            chain = self._raised.pop((report.nodeid, "collect"), [])
            self._report.event("collect_error", node=report.nodeid, raised=chain, message=self._text(report))

    # Tests

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self._running = item.nodeid
        self.counts["begun"] += 1
        self._report.event("begin", test=item.nodeid)
        began, worked, self._reporting = perf_counter(), process_time(), 0.0
        self._tracer.start()
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
        self._report.event("done", test=item.nodeid, seconds=took, cpu=cpu, lines=lines)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item):
        self._tracer.begin(item)
        self._bound.start()
        yield
        self._bound.stop()
        self._tracer.end()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        if threading.current_thread() is threading.main_thread() and not _in_call(sys._getframe()):
            self._bound.stop()  # where it ended amid the hooks of the call
        began = process_time()
        with self._bound.paused():  # a part of a test is reported while the test goes on
            yield
        self._reporting += process_time() - began
        # Read afterwards: for unittest cases pytest puts the real exception in on the way.
        if call.excinfo is not None:
            self._raised[(item.nodeid, call.when)] = call.excinfo

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        began = process_time()
        self._tell(report)
        self._reporting += process_time() - began

    def _tell(self, report):
        info = self._raised.pop((report.nodeid, report.when), None)
        keep = info is not None and (report.failed or hasattr(report, "wasxfail"))
        self._report.event(
            "test",
            test=report.nodeid,
            phase=report.when,
            outcome=str(report.outcome),
            wasxfail=hasattr(report, "wasxfail"),
            seconds=float(getattr(report, "duration", 0.0)),
            raised=self._describe.chain(info.value, info.tb) if keep else [],
            message="" if report.passed else self._text(report),
        )

    def _text(self, report):
        return self._describe.outside(_text(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        """Hypothesis' plugin imports Hypothesis for its summary, 0.8 s long, even where no test has used it."""
        manager = session.config.pluginmanager
        if "hypothesis" not in sys.modules and manager.has_plugin("hypothesispytest"):
            manager.unregister(name="hypothesispytest")

    # Ends that are not tests' outcomes

    def pytest_keyboard_interrupt(self, excinfo):
        self._report.event("interrupted", test=self._running, raised=self._describe.chain(excinfo.value, excinfo.tb))

    def pytest_internalerror(self, excinfo):
        self.crash(excinfo.value)

    def crash(self, problem):
        """pytest itself was ended by an exception."""
        raised = self._describe.chain(problem, problem.__traceback__)
        self._report.event("internal", test=self._running, raised=raised)


def shuffled(items, random_source):
    """The items in another order; modules, and classes within them, stay together."""
    tree = {}
    for item in items:
        module, _, rest = item.nodeid.partition("::")
        group = rest.rpartition("::")[0] or rest
        tree.setdefault(module, {}).setdefault(group, []).append(item)
    mixed = []
    for module in _mixed(tree, random_source):
        for group in _mixed(tree[module], random_source):
            mixed.extend(_mixed(tree[module][group], random_source))
    return mixed


def _mixed(things, random_source):
    mixed = list(things)
    random_source.shuffle(mixed)
    return mixed


def _text(report):
    """First lines of what pytest says went wrong, bounded."""
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message)[:_MOST_TEXT]
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        return str(longrepr[2])[:_MOST_TEXT]  # skips: file, line, reason
    return "" if longrepr is None else str(longrepr)[:_MOST_TEXT]


def _in_call(frame):
    """Whether the call of a test goes on in one of these frames."""
    while frame is not None and frame.f_code.co_name != "pytest_runtest_call":
        frame = frame.f_back
    return frame is not None
