"""The server's loop: requests in, forks at work, answers out."""

from __future__ import annotations

import functools
import gc
import itertools
import marshal
import os
import selectors
from time import monotonic

from _repair_probe.fork.forks import Fork, adopt_orphans, ask, end_orphans, no_cores, own_children
from _repair_probe.fork.inbox import Inbox, patience
from _repair_probe.fork.lanes import Lane, Lanes
from _repair_probe.fork.parameters import Parameters
from _repair_probe.fork.process_state import Left
from _repair_probe.ground.stuck import Bound
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.batches import Batching, place_of, stuck_of, text_of
from _repair_probe.serve.fork_tasks import REFUSED, TASKS, refusal
from _repair_probe.serve.lane_warmup import NAMES, work_in_lane
from _repair_probe.serve.late_imports import take_in
from _repair_probe.serve.preflight import SLOWEST, preflight
from _repair_probe.session.pytest_levels import FULL
from _repair_probe.session.runner import ResultRecorder, quicken
from _repair_probe.session.staged_items import Stages
from _repair_probe.swap.code_objects import Unswappable
from _repair_probe.swap.live_functions import Index

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import pytest

    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Called, Fields, Work
    from _repair_probe.serve.batches import Answered
    from _repair_probe.swap.live_functions import LiveFunction

_NEVER = 1 << 40
READY_AFTER = 24
"""Trials of one function in a row, after which more will follow, so that it pays to make a lane ready for them."""


class Server:
    """Keeps up to ``jobs`` forks at work and their deadlines."""

    ids: list[str]
    stages: Stages
    _left: Left | None

    def __init__(
        self, session: pytest.Session, request: Fields, report: Report, called: frozenset[Called] = frozenset()
    ) -> None:
        self.session, self.items, self.config = session, session.items, session.config
        self.ids = [item.nodeid for item in session.items]
        self._report, self._inbox = report, Inbox(request["control_fd"])
        self.root, self.original = request["root"], request["original"]
        self.bound = Bound(request["stuck_seconds"])
        self._running: dict[int, Fork | Lane] = {}
        self._lanes = Lanes(functools.partial(work_in_lane, self, self._known), self._leave)
        self._left, self._private = None, request["private"]
        quicken(self.config, self.items)
        self.recorder = ResultRecorder()
        self.config.pluginmanager.register(self.recorder, "_repair_recorder")
        adopt_orphans()
        own_children()
        no_cores()
        self._select = selectors.DefaultSelector()
        self._select.register(self._inbox.control, selectors.EVENT_READ)
        gc.collect()
        self.index = Index(called)
        gc.freeze()
        self.stages, self.sound = preflight(self)
        self.full = Stages(session, self.recorder, self.bound, FULL)
        self._settle_in()
        names = ("alone", "batched", "batches", "spoilt", "full")
        self._stats: Fields = dict.fromkeys((*names, *NAMES), 0)
        self._stats.update(levels=[step.level for step in self.stages.steps], batching_ended=self.sound.reason)
        self._batching = Batching(self.sound, self._stats)
        report.event("ready", tests=self.ids)

    def _settle_in(self) -> None:
        """Do once here what every fork would do on first use, as far as that changes nothing."""
        self.stages.settle()
        if self.sound.warm_up:
            parameters = Parameters(self.items)
            self.stages.run(stop_early=False)
            parameters.restore()
            own_children()
            self.index.clear_caches()
            self.index.renew()
        gc.collect()
        gc.freeze()

    def ask(self, work: Work, seconds: float) -> list[Fields]:
        """Run work in a fork while nothing else goes on; its lines, if it came to its end."""
        fork = ask(work, seconds, self._leave)
        end_orphans()
        return fork.lines if fork.state == "done" else []

    def take_in(self, names: Sequence[str]) -> bool:
        """Import modules of the project that tests import while they run; whether there were any."""
        called = take_in(names, self.root, self.original)
        if called is None:
            return False
        gc.collect()
        self.index.renew(called)
        gc.freeze()
        return True

    def loop(self) -> None:
        """Serve until the engine closes its end."""
        while self._inbox.open:
            self._fill()
            for key, _ in self._select.select(patience(self._running.values())):
                if key.fd == self._inbox.control:
                    self._inbox.take()
                elif key.fd in self._running:
                    self._running[key.fd].read()
            self._settle()
        for fork in self._running.values():
            fork.finish("closed")
        self._lanes.close()
        end_orphans()

    def _fill(self) -> None:
        while self._inbox.waiting and len(self._running) < max(1, self._inbox.waiting[0].get("jobs", 1)):
            if self._running and self._inbox.waiting[0]["task"] == "left":
                break  # what is under way may leave something yet
            request = self._inbox.waiting.popleft()
            if request["task"] == "usage":
                self._answer(request, "done", "done", [dict(self._stats)])
                continue
            if request["task"] == "left":
                self._tell_left(request)
                continue
            target = self._target(request)
            if target is None:
                continue
            others = self._batching.companions(request, target, self._inbox.waiting, self._target)
            if others:
                tag = [request, *others]
                self._stats["batches"] += 1
                texts = [(place_of(each), text_of(each)) for each in tag]
                places = {place for place, _ in texts}
                errand = "batch", texts, self._batching.digests(), stuck_of(request)
                cpu = request["seconds"] + len(tag) * SLOWEST
                self._send(tag, places.pop() if len(places) == 1 else None, errand, cpu)
            elif request["task"] == "trial":
                self._start_trial(request, target)
            else:
                work = TASKS[request["task"]](self, target, request)
                self._start(Fork(request, work, request["seconds"], self._leave))
        self._look_ahead()

    def _start_trial(self, request: Fields, target: LiveFunction) -> None:
        if "dumped" not in request:
            self._compile(request, target)
        if "refused" in request:
            self._answer(request, "done", "done", [{"invalid": request["refused"]}])
        else:
            place, full = place_of(request), bool(request.get("full"))
            plain = full or "doubted" in request or "only" in request
            errand = "trial", place, request["dumped"], full, stuck_of(request), request.get("only")
            self._send(request, None if plain else place, errand)

    def _look_ahead(self) -> None:
        """While the lanes are busy: compile what comes next."""
        jobs = self._inbox.waiting[0].get("jobs", 1) if self._inbox.waiting else 0
        for request in itertools.islice(self._inbox.waiting, jobs):
            if request["task"] == "trial" and "dumped" not in request and not self._batching.begun:
                target = self._target(request, quietly=True)
                if target is not None:
                    self._compile(request, target)

    def _compile(self, request: Fields, target: LiveFunction) -> None:
        """Put the compiled text into the request, or why it is refused.

        A parser touches more pages than most tests do, and a child would pay for each.
        """
        try:
            request["dumped"] = target.compile(text_of(request)).dump()
        except REFUSED as problem:
            request["refused"] = refusal(problem)

    def _send(
        self, tag: Fields | list[Fields], place: Called | None, errand: tuple[Any, ...], cpu: float = 0.0
    ) -> None:
        """Send a free lane on an errand about the function at a place (``None``: about several)."""
        if not self._batching.ready:
            self._lanes.end_ready()
        trials = tag if isinstance(tag, list) else [tag]
        lane = self._lanes.take(place, 2 * trials[0].get("jobs", 1))
        readied = self._batching.ready and not lane.ready and lane.streak >= READY_AFTER
        lane.readying, lane.ready = readied, lane.ready or readied
        lane.streak += len(trials)
        lane.start(tag, marshal.dumps((readied, errand)), trials[0]["seconds"], cpu)
        self._start(lane)

    def _known(self, place: Called) -> LiveFunction:
        path, qualname, first_line = place
        return self.index.target(os.path.join(self.root, path), qualname, first_line)

    def _start(self, fork: Fork | Lane) -> None:
        self._running[fork.fd] = fork
        fork.watched_by(self._select)

    def _settle(self) -> None:
        now = monotonic()
        for fd, fork in list(self._running.items()):
            if not fork.state and fork.is_late(now):
                fork.finish("timeout")
            elif not fork.state:
                continue
            del self._running[fd]
            if isinstance(fork, Lane):
                self._count_ready(fork)
            if isinstance(fork.tag, list):
                answers, again = self._batching.settle(fork)
            else:
                answers, again = self._settle_one(fork)
            for request, state, ending, lines in answers:
                self._answer(request, state, ending, lines)
            self._inbox.waiting.extendleft(reversed(again))
        if not self._running:
            end_orphans(self._lanes.pids())

    def _count_ready(self, lane: Lane) -> None:
        done = next((line["readied"] for line in lane.lines if "readied" in line), None)
        for name in done or ():
            self._stats[name] += 1
        if done == []:  # there is nothing to do ahead, and no need to ask again for this function
            lane.ready, lane.streak = False, -_NEVER
        if lane.readying and not lane.pid:  # it got lost on the way, which no judge has seen
            self._batching.ready = False

    def _settle_one(self, fork: Fork | Lane) -> tuple[list[Answered], list[Fields]]:
        """Answers and requests to run again, after a fork that had one request."""
        request = fork.tag
        if request["task"] != "trial" or not isinstance(fork, Lane):
            return [(request, fork.state, fork.ending(), fork.lines)], []
        if any("unsure" in line for line in fork.lines):
            return [], [dict(request, full=True, alone=True)]
        if request.get("only"):  # says nothing about how a batch of the same text should end
            return [(request, fork.state, fork.ending(), fork.lines)], []
        lost = fork.readying and not fork.pid
        if lost or (fork.ready and self._batching.doubts(request, fork.state, fork.lines)):
            return [], [dict(request, alone=True)]
        self._stats["full" if request.get("full") else "alone"] += 1
        answers, again = self._batching.settle_single(request, fork.state, fork.lines)
        own = fork.state, fork.ending()
        return [(r, *(own if r is request else ("done", "done")), lines) for r, lines in answers], again

    def _answer(self, request: Fields, state: str, ending: str, lines: list[Fields]) -> None:
        """Report on one request; the number of passed tests is compared here and replaced by a yes."""
        tests = set(request["only"]) if request.get("only") else self.ids
        for line in lines:
            if "passed" in line:
                line["passed"] = line["passed"] == len(tests)
        ahead = self._batching.ahead()
        self._report.event("answer", id=request["id"], state=state, ending=ending, lines=lines, ahead=ahead)

    def _tell_left(self, request: Fields) -> None:
        """What lies in the files now, while no fork is at work. What lanes have done ahead is given up."""
        self._lanes.close()
        end_orphans()
        self._left = self._left or Left(self.root, self._private)
        self._answer(request, "done", "done", [{"left": self._left.digest()}])

    def _target(self, request: Fields, quietly: bool = False) -> LiveFunction | None:
        """What the request is about; where that cannot be swapped, the request is answered."""
        try:
            return self._known(place_of(request))
        except (Unswappable, OSError, SyntaxError, ValueError, RecursionError) as problem:
            if not quietly:
                self._answer(request, "done", "done", [{"invalid": "%s" % problem}])
            return None

    def _leave(self) -> None:
        """In a fork: let go of everything that is the server's."""
        self._report.close()
        os.close(self._inbox.control)
        self._select.close()
        for fork in self._running.values():
            for fd in fork.descriptors():
                os.close(fd)
        self._lanes.let_go()
