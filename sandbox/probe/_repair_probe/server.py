"""The server's loop: requests in, forks at work, answers out."""

import gc
import itertools
import json
import marshal
import os
import resource
import selectors
from collections import deque
from time import monotonic

from _repair_probe.batches import LEAST, Batching, batch, text_of
from _repair_probe.codes import Unswappable
from _repair_probe.forks import Fork, adopt_orphans, end_orphans, no_cores, own_children
from _repair_probe.lanes import Lane
from _repair_probe.levels import FULL
from _repair_probe.parameters import Parameters
from _repair_probe.preflight import SLOWEST, preflight
from _repair_probe.runner import Recorder, quicken
from _repair_probe.stages import Stages
from _repair_probe.swap import Index
from _repair_probe.tasks import REFUSED, TASKS, refusal, trial


class Server:
    """Keeps up to ``jobs`` forks at work and their deadlines."""

    def __init__(self, session, request, report, called=frozenset()):
        self.session, self.items, self.config = session, session.items, session.config
        self.ids = [item.nodeid for item in session.items]
        self._report, self._control = report, request["control_fd"]
        self.root, self._called = request["root"], called
        self._waiting, self._running, self._input = deque(), {}, b""
        self._lanes = []
        self._open = True
        quicken(self.config, self.items)
        self.recorder = Recorder()
        self.config.pluginmanager.register(self.recorder, "_repair_recorder")
        adopt_orphans()
        own_children()
        no_cores()
        os.set_inheritable(self._control, False)
        self._select = selectors.DefaultSelector()
        self._select.register(self._control, selectors.EVENT_READ)
        gc.collect()
        self.index = Index(self._called)
        gc.freeze()
        self.stages, self.sound = preflight(self)
        self.full = Stages(session, self.recorder, FULL)
        self._settle_in()
        names = ("alone", "batched", "again", "batches", "spoilt", "full", "alone_cpu", "batch_cpu")
        self._stats = dict.fromkeys(names, 0)
        self._stats.update(levels=[step.level for step in self.stages.steps], batching_ended=self.sound.reason)
        self._batching = Batching(self.sound, self._stats)
        report.event("ready", tests=self.ids)

    def _settle_in(self):
        """Do once here what every fork would do on first use, as far as that changes nothing."""
        self.stages.settle()
        if self.sound.warm_up:
            parameters = Parameters(self.items)
            self.stages.run(stop_early=False)
            parameters.restore()
            own_children()
            self.index.clear_caches()
            gc.unfreeze()
            self.index = Index(self._called)
        gc.collect()
        gc.freeze()

    def ask(self, work, seconds):
        """Run work in a fork while nothing else goes on; its lines, if it came to its end."""
        fork = Fork(None, work, seconds, self._leave)
        fork.watched_by(self._select)
        while not fork.state:
            ready = self._select.select(max(0.0, fork.deadline - monotonic()))
            if any(key.fd == fork.fd for key, _ in ready):
                fork.read()
            elif fork.is_late(monotonic()):
                fork.finish("timeout")
        end_orphans()
        return fork.lines if fork.state == "done" else []

    def loop(self):
        """Serve until the engine closes its end."""
        while self._open:
            self._fill()
            for key, _ in self._select.select(self._patience()):
                if key.fd == self._control:
                    self._take_requests()
                elif key.fd in self._running:
                    self._running[key.fd].read()
            self._settle()
        for fork in self._running.values():
            fork.finish("closed")
        for lane in self._lanes:
            lane.close()
        end_orphans()

    def _patience(self):
        if not self._running:
            return None
        return max(0.0, min(fork.deadline for fork in self._running.values()) - monotonic())

    def _take_requests(self):
        piece = os.read(self._control, 1 << 20)
        self._open = bool(piece)
        *lines, self._input = (self._input + piece).split(b"\n")
        self._waiting.extend(json.loads(line.decode("ascii")) for line in lines)

    def _fill(self):
        while self._waiting and len(self._running) < max(1, self._waiting[0].get("jobs", 1)):
            request = self._waiting.popleft()
            if request["task"] == "usage":
                self._tell_usage(request)
                continue
            target = self._target(request)
            if target is None:
                continue
            others = self._companions(request, target)
            if others:
                tag = [request, *(other for other, _ in others)]
                self._stats["batches"] += 1
                texts = [(place_of(each), text_of(each)) for each in tag]
                message = marshal.dumps(("batch", (texts, self._batching.digests())))
                self._send(tag, message, request["seconds"], request["seconds"] + len(tag) * SLOWEST)
            elif request["task"] == "trial":
                self._start_trial(request, target)
            else:
                work = TASKS[request["task"]](self, target, request)
                self._start(Fork(request, work, request["seconds"], self._leave))
        self._look_ahead()

    def _start_trial(self, request, target):
        if "message" not in request:
            self._compile(request, target)
        if "refused" in request:
            self._answer(request, "done", "done", [{"invalid": request["refused"]}])
        else:
            self._send(request, request["message"], request["seconds"])

    def _look_ahead(self):
        """While the lanes are busy: compile what comes next."""
        for request in itertools.islice(self._waiting, self._waiting[0].get("jobs", 1) if self._waiting else 0):
            if request["task"] == "trial" and "message" not in request and not self._batching.begun:
                target = self._target(request, quietly=True)
                if target is not None:
                    self._compile(request, target)

    def _compile(self, request, target):
        """Put the message for a lane into the request, or why its text is refused.

        A parser touches more pages than most tests do, and a child would pay for each.
        """
        try:
            dumped = target.compile(text_of(request)).dumped()
        except REFUSED as problem:
            request["refused"] = refusal(problem)
        else:
            request["message"] = marshal.dumps(("trial", (place_of(request), dumped, bool(request.get("full")))))

    def _send(self, tag, message, seconds, cpu=0.0):
        """Send a free lane on an errand; there are as many as forks at work."""
        self._lanes = [lane for lane in self._lanes if lane.pid]
        lane = next((lane for lane in self._lanes if not lane.busy), None)
        if lane is None:
            lane = Lane(self._work_of, self._leave)
            self._lanes.append(lane)
        lane.start(tag, message, seconds, cpu)
        self._start(lane)

    def _work_of(self, message):
        """In a lane: the work for a message of ``_send``."""
        kind, given = marshal.loads(message)
        if kind == "batch":
            texts, digests = given
            return batch(self, [(self._known(place), text) for place, text in texts], digests)
        place, dumped, full = given
        return trial(self, self._known(place), dumped, full)

    def _known(self, place):
        path, qualname, first_line = place
        return self.index.target(os.path.join(self.root, path), qualname, first_line)

    def _start(self, fork):
        self._running[fork.fd] = fork
        fork.watched_by(self._select)

    def _companions(self, request, target):
        """Further waiting trials that can share a fork with this one, each with its target."""
        if not self._batching.takes(request, target):
            return []
        jobs = max(1, request.get("jobs", 1))
        share = min(self._batching.most(), -(-(len(self._waiting) + 1) // jobs))
        if share < LEAST:
            return []
        found = []
        while len(found) < share - 1 and self._waiting:
            if self._waiting[0]["task"] != "trial":
                break
            place = self._target(self._waiting[0])
            if place is not None and not self._batching.takes(self._waiting[0], place):
                break
            other = self._waiting.popleft()
            if place is not None:
                found.append((other, place))
        return found

    def _settle(self):
        now = monotonic()
        for fd, fork in list(self._running.items()):
            if not fork.state and fork.is_late(now):
                fork.finish("timeout")
            elif not fork.state:
                continue
            del self._running[fd]
            if isinstance(fork, Lane):
                self._stats["batch_cpu" if isinstance(fork.tag, list) else "alone_cpu"] += fork.spent
            if isinstance(fork.tag, list):
                answers, again = self._batching.settle(fork)
            else:
                answers, again = self._settle_one(fork)
            for request, state, ending, lines in answers:
                self._answer(request, state, ending, lines)
            self._stats["again"] += len(again)
            self._waiting.extendleft(reversed(again))
        if not self._running:
            end_orphans({lane.pid for lane in self._lanes})

    def _settle_one(self, fork):
        """Answers and requests to run again, after a fork that had one request."""
        request = fork.tag
        if request["task"] != "trial":
            return [(request, fork.state, fork.ending(), fork.lines)], []
        if any("unsure" in line for line in fork.lines):
            request.pop("message", None)
            return [], [dict(request, full=True, alone=True)]
        self._stats["full" if request.get("full") else "alone"] += 1
        answers, again = self._batching.single(request, fork.lines)
        own = fork.state, fork.ending()
        return [(r, *(own if r is request else ("done", "done")), lines) for r, lines in answers], again

    def _answer(self, request, state, ending, lines):
        """Report on one request; the number of passed tests is compared here and replaced by a yes."""
        for line in lines:
            if "passed" in line:
                line["passed"] = line["passed"] == len(self.ids)
        ahead = self._batching.ahead()
        self._report.event("answer", id=request["id"], state=state, ending=ending, lines=lines, ahead=ahead)

    def _tell_usage(self, request):
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        seconds = [each.ru_utime + each.ru_stime for each in used] + [lane.cpu for lane in self._lanes]
        self._answer(
            request,
            "done",
            "done",
            [dict(self._stats, cpu=seconds)],
        )

    def _target(self, request, quietly=False):
        """What the request is about; where that cannot be swapped, the request is answered."""
        try:
            return self._known(place_of(request))
        except (Unswappable, OSError, SyntaxError, ValueError, RecursionError) as problem:
            if not quietly:
                self._answer(request, "done", "done", [{"invalid": "%s" % problem}])
            return None

    def _leave(self):
        """In a fork: let go of everything that is the server's."""
        self._report.close()
        os.close(self._control)
        self._select.close()
        for fork in self._running.values():
            for fd in fork.descriptors():
                os.close(fd)
        for lane in self._lanes:
            lane.let_go()


def place_of(request):
    """Where the function of a request is."""
    return request["path"], request["qualname"], request["first_line"]
