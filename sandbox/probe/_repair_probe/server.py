"""The server's loop: requests in, forks at work, answers out."""

import gc
import json
import os
import selectors
from collections import deque
from time import monotonic

from _repair_probe.batches import MOST, Batching, batch, rehearsal, text_of
from _repair_probe.codes import Unswappable
from _repair_probe.forks import Fork, adopt_orphans, end_orphans
from _repair_probe.runner import Recorder, own_capture, quicken
from _repair_probe.swap import Index
from _repair_probe.tasks import TASKS


class Server:
    """Keeps up to ``jobs`` forks at work and their deadlines."""

    def __init__(self, session, request, report):
        self.items, self.config = session.items, session.config
        self.ids = [item.nodeid for item in session.items]
        self._report, self._control = report, request["control_fd"]
        self.root = request["root"]
        self._waiting, self._running, self._input = deque(), {}, b""
        self._open = True
        self._batching = Batching()
        quicken(self.config, self.items)
        self.recorder = Recorder()
        self.config.pluginmanager.register(self.recorder, "_repair_recorder")
        gc.collect()
        self.index = Index()
        adopt_orphans()
        os.set_inheritable(self._control, False)
        gc.collect()
        gc.freeze()
        self._select = selectors.DefaultSelector()
        self._select.register(self._control, selectors.EVENT_READ)
        report.event("ready", tests=self.ids)

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
        end_orphans()

    def _patience(self):
        if not self._running:
            return None
        return max(0.0, min(fork.deadline for fork in self._running.values()) - monotonic())

    def _take_requests(self):
        piece = os.read(self._control, 1 << 16)
        self._open = bool(piece)
        *lines, self._input = (self._input + piece).split(b"\n")
        self._waiting.extend(json.loads(line.decode("ascii")) for line in lines)

    def _fill(self):
        while self._waiting and len(self._running) < max(1, self._waiting[0].get("jobs", 1)):
            if self._batching.wants_rehearsal():
                self._start(None, rehearsal(self), 4 * self._waiting[0]["seconds"])
                continue
            request = self._waiting.popleft()
            target = self._target(request)
            if target is None:
                continue
            others = self._companions(request, target)
            if others:
                tag = [request, *(other for other, _ in others)]
                texts = [(target, text_of(request)), *((place, text_of(other)) for other, place in others)]
                self._start(tag, batch(self, texts), request["seconds"])
            else:
                self._batching.note_single(request)
                self._start(request, TASKS[request["task"]](self, target, request), request["seconds"])

    def _start(self, tag, work, seconds):
        fork = Fork(tag, work, seconds, self._leave)
        self._running[fork.fd] = fork
        self._select.register(fork.fd, selectors.EVENT_READ)

    def _companions(self, request, target):
        """Further waiting trials that can share a fork with this one, each with its target."""
        found = []
        while self._batching.takes(request, target) and len(found) < MOST - 1 and self._waiting:
            place = self._target(self._waiting[0]) if self._waiting[0]["task"] == "trial" else None
            if place is None or not self._batching.takes(self._waiting[0], place):
                break
            found.append((self._waiting.popleft(), place))
        return found

    def _settle(self):
        now = monotonic()
        for fd, fork in list(self._running.items()):
            if not fork.state and fork.deadline <= now:
                self._select.unregister(fd)
                fork.finish("timeout")
            elif fork.state:
                self._forget(fd)
            else:
                continue
            del self._running[fd]
            if fork.tag is None:
                self._batching.learn(fork.lines)
            elif isinstance(fork.tag, list):
                answers, again = self._batching.settle(fork)
                for request, state, ending, lines in answers:
                    self._answer(request, state, ending, lines)
                self._waiting.extendleft(reversed(again))
            else:
                self._answer(fork.tag, fork.state, fork.ending(), fork.lines)
        if not self._running:
            end_orphans()

    def _forget(self, fd):
        # The descriptor is closed already; epoll has dropped it, the selector's own map has not.
        try:
            self._select.unregister(fd)
        except (KeyError, OSError, ValueError):
            pass

    def _answer(self, request, state, ending, lines):
        """Report on one request; the ids of a passed run are compared here and replaced by a yes."""
        for line in lines:
            if "passed" in line:
                line["passed"] = line["passed"] == self.ids
        ahead = self._batching.ahead()
        self._report.event("answer", id=request["id"], state=state, ending=ending, lines=lines, ahead=ahead)

    def _target(self, request):
        """What the request is about; where that cannot be swapped, the request is answered."""
        path = os.path.join(self.root, request["path"])
        try:
            return self.index.target(path, request["qualname"], request["first_line"])
        except (Unswappable, OSError, SyntaxError, ValueError, RecursionError) as problem:
            self._answer(request, "done", "done", [{"invalid": "%s" % problem}])
            return None

    def _leave(self):
        """In a fork: let go of everything that is the server's."""
        self._report.close()
        os.close(self._control)
        self._select.close()
        for fd in self._running:
            os.close(fd)
        own_capture(self.config)
