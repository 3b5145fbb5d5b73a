"""The zygote: a process that has pytest and what the tests import from elsewhere, and nothing of the project.

Each trial forks it, sees its text served by the import system, and imports and collects the project for itself. What
the text gives at import or collection is as in a cold run. A scout, a fork too, collects the unpatched tests first: it
tells their ids and which modules from elsewhere they load. Those are imported in a second process, the heart, which
serves. Where that brings threads, sockets or the project itself to life, the first process serves without them.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import sys
from time import monotonic

from _repair_probe.fork.alive import fork_obstacle, open_descriptors
from _repair_probe.fork.forks import Fork, adopt_orphans, ask, end_orphans, no_cores, process_control
from _repair_probe.fork.inbox import Inbox, patience
from _repair_probe.ground.paths import is_own
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.trial import NOT_COMPARED, FunctionPlace, canary, scout, trial
from _repair_probe.session.run import own_threads_only, start

if TYPE_CHECKING:
    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Called, Fields, Work

_SCOUT_SECONDS = 55.0
_LEAST_SECONDS = 1.0
_SLOWER = 3.0
"""How much longer than in the scout's run importing and collecting may take in a trial."""


def serve(request: Fields, report: Report) -> int:
    """Find out what to load, load it, and serve; ends with the status of the process."""
    own_threads_only()
    if start(request, report) is None:
        return 3
    before = open_descriptors()
    reason = fork_obstacle(before, request["root"]) or _loaded_already(request)
    if reason:
        return _refuse_serving(report, reason)
    zygote = Zygote(request, report)
    told, reason = zygote.scout()
    if reason:
        return _refuse_serving(report, reason)
    report.event("scouted", modules=len(told["modules"]))
    served = _heart(zygote, told["modules"], request, report, before)
    if served is None:
        zygote.loop(0)
        return 0
    return served


def _refuse_serving(report: Report, reason: str) -> int:
    report.event("unserved", message=reason, status=-1)
    return 3


def _loaded_already(request: Fields) -> str:
    """Whether something of the project is in this process already, which no fork could import anew."""
    root, original = request["root"], request["original"]
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and is_own(path, root, original):
            return "a module of the project is loaded before the tests are: %s" % name
    return ""


def _heart(zygote: Zygote, modules: list[str], request: Fields, report: Report, before: frozenset[int]) -> int | None:
    """Serve from a process that has loaded the modules; ``None`` where that is not fair, and nothing was served."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        began = bool(os.read(reader, 1))
        os.close(reader)
        status = os.waitpid(pid, 0)[1] if not began else _outlive(pid, zygote)
        return status if began else None
    os.close(reader)
    process_control(1, signal.SIGKILL)
    null = os.open(os.devnull, os.O_RDWR)
    saved = os.dup(1), os.dup(2)
    for number in (1, 2):
        os.dup2(null, number)
    for name in modules:
        try:
            __import__(name)
        except Exception:  # a trial will meet it too, where the tests import it
            pass
        except BaseException:  # it wants to end the process: the first one serves
            os._exit(0)
    for number, own in zip((1, 2), saved):
        os.dup2(own, number)
        os.close(own)
    os.close(null)
    if fork_obstacle(before | {writer}, request["root"]) or _loaded_already(request):
        os._exit(0)
    os.write(writer, b"!")
    os.close(writer)
    report.adopt()
    zygote.loop(len(modules))
    os._exit(0)


def _outlive(pid: int, zygote: Zygote) -> int:
    """Wait for the heart. The engine knows only this process: it must not end before, nor hold the pipes open."""
    zygote.let_go()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if hasattr(os, "waitstatus_to_exitcode") else _wait(pid)


def _wait(pid: int) -> int:
    return os.waitpid(pid, 0)[1] >> 8


class Zygote:
    """Keeps up to ``jobs`` forks at work and their deadlines, as the warm server does."""

    ids: list[str]

    def __init__(self, request: Fields, report: Report) -> None:
        self.request, self.root = request, request["root"]
        self._report, self._inbox = report, Inbox(request["control_fd"])
        self._running: dict[int, Fork] = {}
        self._places: dict[Called, FunctionPlace] = {}
        self._select: selectors.BaseSelector | None = None
        self.ids, self._collecting = [], 0.0

    def scout(self) -> tuple[Fields, str]:
        """What the scout found, and why there can be no trials, if so."""
        fork = ask(scout(self.request), _SCOUT_SECONDS, self._leave)
        end_orphans()
        told = next((line for line in fork.lines if "ids" in line), None)
        if told is not None:
            self.ids, self._collecting = told["ids"], told["seconds"]
            return told, ""
        refused = next((line[key] for line in fork.lines for key in ("refused", "problem") if key in line), "")
        return {}, refused or "the tests could not be collected: %s" % fork.ending()

    def loop(self, modules: int) -> None:
        """Serve until the engine closes its end."""
        adopt_orphans()
        no_cores()
        gc.collect()
        gc.freeze()
        select = self._select = selectors.DefaultSelector()
        select.register(self._inbox.control, selectors.EVENT_READ)
        self._report.event("ready", tests=self.ids, modules=modules)
        while self._inbox.open:
            self._fill(select)
            for key, _ in select.select(patience(self._running.values())):
                if key.fd == self._inbox.control:
                    self._inbox.take()
                elif key.fd in self._running:
                    self._running[key.fd].read()
            self._settle()
        for fork in self._running.values():
            fork.finish("closed")
        end_orphans()

    def let_go(self) -> None:
        """Close the ends of the engine's pipes: another process serves."""
        self._report.close()
        os.close(self._inbox.control)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.close(null)

    def _fill(self, select: selectors.BaseSelector) -> None:
        while self._inbox.waiting and len(self._running) < max(1, self._inbox.waiting[0].get("jobs", 1)):
            request = self._inbox.waiting.popleft()
            try:
                work = self._work(request)
            except (LookupError, OSError, SyntaxError, ValueError, RecursionError) as problem:
                self._answer(request, "done", "done", [{"invalid": "%s" % problem}])
                continue
            seconds = request["seconds"] + _SLOWER * self._collecting + _LEAST_SECONDS
            fork = Fork(request, work, seconds, self._leave)
            self._running[fork.fd] = fork
            fork.watched_by(select)

    def _work(self, request: Fields) -> Work:
        if request["task"] not in ("trial", "canary"):
            raise LookupError(NOT_COMPARED)
        key = (request["path"], request["qualname"], request["first_line"])
        if key not in self._places:
            self._places[key] = FunctionPlace(self.root, *key)
        make = trial if request["task"] == "trial" else canary
        return make(self.request, self._places[key], request, self.ids)

    def _settle(self) -> None:
        now = monotonic()
        for fd, fork in list(self._running.items()):
            if not fork.state and fork.is_late(now):
                fork.finish("timeout")
            elif not fork.state:
                continue
            del self._running[fd]
            self._answer(fork.tag, fork.state, fork.ending(), fork.lines)
        if not self._running:
            end_orphans()

    def _answer(self, request: Fields, state: str, ending: str, lines: list[Fields]) -> None:
        for line in lines:
            if "passed" in line:
                line["passed"] = line["passed"] == len(self.ids)
        self._report.event("answer", id=request["id"], state=state, ending=ending, lines=lines)

    def _leave(self) -> None:
        """In a fork: let go of everything that is the zygote's, and of the console."""
        self.let_go()
        if self._select is not None:
            self._select.close()
        for fork in self._running.values():
            for fd in fork.descriptors():
                os.close(fd)
