"""Runs the collected items once, each with no more of pytest around it than it needs (see ``pytest_levels.py``)."""

from __future__ import annotations

import copy
import logging
import os
import sys
import threading
import warnings

import pytest

from _repair_probe.ground.stuck import RESULT, Bound, Stuck
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.pytest_levels import BARE, FULL, SETUP, bare_call, level_of
from _repair_probe.session.runner import ResultRecorder, line_in, silence, terse_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any

    from _repair_probe.ground.words import Result

    Before = Callable[[str], None]
    Error = tuple[type[BaseException], BaseException, TracebackType]

_VARIABLE = "PYTEST_CURRENT_TEST"
_Exit = pytest.exit.Exception
_NOT_FAILED = {"Skipped": "skipped", "SkipTest": "skipped", "XFailed": "xfailed"}


class Unsure(Exception):
    """Only the full protocol can tell what this run means."""


class Stages:
    """The items of a selection, each at its level, and what became of them in the last run.

    ``results`` maps node ids to (outcome, phase, kind and message, line in the test's file), as the recorder's do.
    ``stuck`` says whether one of them was stopped at its bound of processor time.
    """

    results: dict[str, Result]
    _log_handlers: list[Any]
    _filters: list[Any]
    _log_level: int | None

    def __init__(self, session: pytest.Session, recorder: ResultRecorder, bound: Bound, least: int = BARE) -> None:
        self._state = session._setupstate
        self.results, self.stuck = {}, False
        self.bound = bound
        self._recorder = recorder
        self.steps = [Step(item, max(least, level_of(item, session.config))) for item in session.items]
        self.level = max(step.level for step in self.steps)
        self._mixed = self.level == FULL
        self._capture = session.config.pluginmanager.getplugin("capturemanager")
        self._log_handlers, self._strict = [], False
        if self.has(BARE) or self.has(SETUP):
            self._filters, self._strict = _warning_filters(session)
            self._log_handlers, self._log_level = _log_handlers(session.config)
        self._odd = self._prepared = False

    def narrow(self, ids: Sequence[str]) -> Stages:
        """Those of the items alone, in the order of these ids."""
        fewer, known = copy.copy(self), {step.id: step for step in self.steps}
        fewer.steps = [known[each] for each in ids if each in known]
        fewer.results = {}
        return fewer

    def has(self, level: int) -> bool:
        """Whether an item runs at this level."""
        return any(step.level == level for step in self.steps)

    def prepare(self) -> None:
        """In the process that will run items: what pytest's plugins would set up around each of them."""
        if self._prepared or not (self.has(BARE) or self.has(SETUP)):
            return
        self._prepared = True
        root = logging.getLogger()
        for handler in self._log_handlers:
            root.addHandler(handler)
        if self._log_level is not None:
            root.setLevel(min(root.level, self._log_level))
        warnings.showwarning = getattr(warnings, "_showwarning_orig", warnings.showwarning)
        warnings._showwarnmsg_impl = _drop  # type: ignore[attr-defined]  # private: what shows a warning
        self._resume()

    def settle(self) -> None:
        """In the server, once: what is printed below the full level goes nowhere, in every fork."""
        self.prepare()
        if not self.has(FULL):
            silence(self._capture)

    def run(self, stop_early: bool = True, steps: list[Step] | None = None, before: Before | None = None) -> str:
        """Run the items in order; the node id of the first that did not pass, or ``""``.

        ``before`` is told the node id of each that begins.
        """
        self.results, self.stuck = {}, False
        if not self._strict:
            return self._run(self.steps if steps is None else steps, stop_early, before)
        hooks = sys.unraisablehook, threading.excepthook
        sys.unraisablehook = threading.excepthook = self._noticed
        try:
            return self._run(self.steps if steps is None else steps, stop_early, before)
        finally:
            sys.unraisablehook, threading.excepthook = hooks

    def _run(self, steps: list[Step], stop_early: bool, before: Before | None) -> str:
        first = ""
        for place, step in enumerate(steps):
            if before is not None:
                before(step.id)
            following = steps[place + 1].item if place + 1 < len(steps) else None
            found = self._bounded(step, following)
            if found is not None:
                self.results[step.id] = found
                first = first or step.id
                if stop_early:
                    self.tear_down()
                    break
        os.environ.pop(_VARIABLE, None)
        return first

    def stand(self) -> None:
        """Set up what the first item shares with others, and leave that standing. For an item that has fixtures."""
        step = self.steps[0]
        self._enter(step)
        step.renew()
        self._state.setup(step.item)
        self._state.teardown_exact(step.item.parent)
        step.item._request, step.item.funcargs = False, None
        os.environ.pop(_VARIABLE, None)

    def tear_down(self) -> None:
        """Take down whatever is set up, also by a run that ended early."""
        if self.level > BARE:
            try:
                self._state.teardown_exact(None)
            except Exception:  # the run is over, and its first failure is known
                pass

    def result(self, nodeid: str) -> Result:
        """What became of an item that did not pass."""
        return self.results.get(nodeid, ("passed", "call", "", 0))

    def _bounded(self, step: Step, following: pytest.Item | None) -> Result | None:
        """What ``_one`` gives, unless the item was stopped: then nothing else counts."""
        self.bound.start()
        try:
            found = self._one(step, following)
        except Stuck:
            found = RESULT
        finally:
            self.bound.stop()
        self.stuck |= self.bound.fired
        return RESULT if self.bound.fired else found

    def _one(self, step: Step, following: pytest.Item | None) -> Result | None:
        """``None`` for an item that passed, else its result."""
        if step.level == FULL:
            self._recorder.begin()
            step.item.ihook.pytest_runtest_protocol(item=step.item, nextitem=following)
            return None if self._recorder.has_passed(step.id) else self._recorder.result(step.id)
        if self._mixed:
            self._resume()
        self._enter(step)
        if step.level == SETUP:
            found = self._set_up(step, following)
        else:
            found = step.call()
            if self.level > BARE and self._state.stack:  # what earlier items share with those that follow
                self._state.teardown_exact(following)
        if self._odd or (found is not None and found[0] == "unsure"):
            self._odd = False
            raise Unsure(step.id)
        return found

    def _enter(self, step: Step) -> None:
        os.environ[_VARIABLE] = step.label
        warnings.filters = list(self._filters)
        warnings._filters_mutated()  # type: ignore[attr-defined]  # private: other filters are in force from here
        for handler in self._log_handlers:
            handler.reset()

    def _set_up(self, step: Step, following: pytest.Item | None) -> Result | None:
        item, found, phase = step.item, None, "setup"
        step.renew()
        try:
            self._state.setup(item)
            phase = "call"
            item.runtest()
        except (KeyboardInterrupt, _Exit):
            raise
        except BaseException as problem:  # a test may fail with anything
            found = _result_of(step, problem, phase)
        errors = item.__dict__.pop("_excinfo", None)
        if errors:
            found = found or _result_of(step, errors[0].value, phase)
        try:
            self._state.teardown_exact(following)
        except (KeyboardInterrupt, _Exit):
            raise
        except BaseException as problem:  # a fixture may fail with anything
            found = found or _result_of(step, problem, "teardown")
        item._request, item.funcargs = False, None
        return found

    def _resume(self) -> None:
        if self._capture is not None:
            self._capture.resume_global_capture()

    def _noticed(self, *_args: object) -> None:
        self._odd = True


class Step:
    """One item with its level and, for a bare one, what to call."""

    _thing: Any

    def __init__(self, item: Any, level: int) -> None:
        self.item, self.level, self.id = item, level, item.nodeid
        self.label = "%s (call)" % item.nodeid.replace("\0", "(null)")
        self.path = str(getattr(item, "path", None) or item.fspath)
        bare = bare_call(item) if level == BARE else None
        self._kind, self._thing, self._arguments = bare if bare is not None else ("", None, {})
        self._result = _Case if hasattr(type(item), "addSubTest") else _OldCase

    def call(self) -> Result | None:
        """Call the bare test; ``None`` when it passed."""
        try:
            if self._kind == "case":
                return self._case()
            if self._kind == "method":
                kind, name = self._thing
                answer = getattr(kind(), name)(**self._arguments)
            else:
                answer = self._thing(**self._arguments)
        except (KeyboardInterrupt, _Exit):
            raise
        except BaseException as problem:  # a test may fail with anything
            return _result_of(self, problem, "call")
        return None if answer is None else ("unsure", "call", "", 0)

    def _case(self) -> Result | None:
        result = self._result()
        self._thing(self.item.name).run(result)
        if getattr(self._thing, "_class_cleanups", None):
            return ("unsure", "call", "", 0)
        if result.error is not None:
            return _result_of(self, result.error, "call")
        return None if result.other is None else (result.other, "call", "", 0)

    def renew(self) -> None:
        """A new request and a new instance of the test's class, as for its first run."""
        self.item._initrequest()
        if isinstance(self.item.parent, pytest.Class):
            self.item.__dict__.pop("_instance", None)
            self.item._obj = None


class _OldCase:
    """The part of a result that ``unittest.TestCase.run`` speaks to."""

    error: BaseException | None
    other: str | None

    failfast = shouldStop = False

    def __init__(self) -> None:
        self.error, self.other = None, None

    def startTest(self, test: object) -> None:
        pass

    stopTest = addSuccess = startTest

    def addDuration(self, test: object, elapsed: float) -> None:
        pass

    def addError(self, test: object, error: Error) -> None:
        if isinstance(error[1], (KeyboardInterrupt, _Exit)):
            raise error[1]
        self.error = self.error or error[1]

    addFailure = addError

    def addSkip(self, test: object, reason: str) -> None:
        self.other = "skipped"

    def addExpectedFailure(self, test: object, error: Error) -> None:
        self.other = "xfailed"

    def addUnexpectedSuccess(self, test: object) -> None:
        self.other = "failed"


class _Case(_OldCase):
    """For a pytest that knows subtests."""

    def addSubTest(self, test: object, subtest: object, error: Error | None) -> None:
        if error is not None:
            self.addError(test, error)


def _drop(_message: object) -> None:
    """Pytest shows warnings in its summary, which nobody reads here."""


def _result_of(step: Step, problem: BaseException, phase: str) -> Result:
    outcome = _NOT_FAILED.get(type(problem).__name__, "failed")
    return outcome, phase, terse_text(problem), line_in(problem.__traceback__, step.path)


def _warning_filters(session: pytest.Session) -> tuple[list[Any], bool]:
    """The filters that pytest puts up around each test, and whether some turn warnings into errors."""
    if not session.config.pluginmanager.hasplugin("warnings"):
        return list(warnings.filters), False
    from _pytest.warnings import catch_warnings_for_item

    around: dict[str, Any] = {"config": session.config, "ihook": session.ihook, "when": "runtest", "item": None}
    with catch_warnings_for_item(**around):
        found = list(warnings.filters)
    return found, any(each[0] == "error" for each in found)


def _log_handlers(config: pytest.Config) -> tuple[list[Any], int | None]:
    """The handlers that pytest's logging puts on the root logger, and its level."""
    plugin = config.pluginmanager.getplugin("logging-plugin")
    if plugin is None:
        return [], None
    return [plugin.caplog_handler, plugin.report_handler], plugin.log_level
