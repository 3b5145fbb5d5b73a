"""What a lane has done already when it forks for one function, so that its children need not do it each.

A lane does two things, each only where a *judge* has found them sound. The judge is a fork of the lane that does the
same and then runs the unpatched program. Another fork, beside it, only runs that program.

* A *rehearsal*: the tests run once with a body that raises ``BaseException``. It makes what is made on first use
  (compiled patterns, lazy imports, decorators). Nothing that is kept can rest on what the function gives: it gives
  nothing. A test in which something else than that very exception comes out has caught it, and forbids this.
* *Standing fixtures*: what the first test shares with others (session, package, module, class) is set up once. It
  must not run the function.

Neither may touch files, processes or sockets, start threads, or leave other functions, generators or caches of the
function behind. The unpatched tests must end as without it and leave the same data, where that is not too much to be
looked at.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
import threading
import types

from _repair_probe.fork.forks import ask
from _repair_probe.fork.huge_pages import enlarge
from _repair_probe.fork.parameters import Parameters
from _repair_probe.fork.process_state import World, process_data
from _repair_probe.fork.shared_state_check import Settings
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.batches import batch
from _repair_probe.serve.fork_tasks import insert_end, trial
from _repair_probe.session.pytest_levels import FULL, SETUP
from _repair_probe.session.runner import identities, own_basetemp
from _repair_probe.swap.live_functions import CacheWrapper

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from _repair_probe.ground.words import Called, Fields, Leave, Send, Sender, Value, Work
    from _repair_probe.session.serving import Allowed, Serving
    from _repair_probe.session.staged_items import Stages
    from _repair_probe.swap.live_functions import LiveFunction

    Labels = Callable[[], list[str]]
    Act = Callable[[Serving, LiveFunction, Labels], str]

NAMES = "rehearsed", "standing"
_CAUGHT = "BaseException: repair canary"
_SECONDS = 8.0
_OUTSIDE = ("subprocess.", "socket.", "shutil.", "tempfile.", "sqlite3.", "os.", "pty.", "_thread.", "ctypes.dlopen")
_INSIDE = ("os.putenv", "os.unsetenv", "os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr")


def work_in_lane(server: Serving, target_at: Callable[[Called], LiveFunction], message: bytes, leave: Leave) -> Work:
    """In a lane: the work for a message of the server."""
    readied, (kind, *given) = marshal.loads(message)
    if kind == "batch":
        texts, digests, stuck = given
        trials = [(target_at(place), text) for place, text in texts]
        target, work = trials[0][0], batch(server, trials, digests, stuck)
    else:
        place, *errand = given
        target = target_at(place)
        work = trial(server, target, *errand)
    if not readied:
        return work
    done = make_ready(server, target, leave)

    def telling(send: Sender) -> None:
        send(readied=done)
        work(send)

    return telling


def make_ready(server: Serving, target: LiveFunction, leave: Leave) -> list[str]:
    """In a lane: from now on its children start from there, for this function only. What was done, by name."""
    sound, stages = server.sound, server.stages
    done: list[str] = []
    if not sound.batches or sound.random or _key(target.levels[target.own_key()]) in sound.odd:
        return done
    stages.prepare()
    for name, act in zip(NAMES, (_rehearse, _stand)):
        if _is_wanted(act, sound, stages) and _is_sound(server, target, act, leave):
            act(server, target, list)
            done.append(name)
            gc.collect()
            gc.freeze()
    if done:
        enlarge()
    return done


def _is_wanted(act: Act, sound: Allowed, stages: Stages) -> bool:
    if act is _rehearse:
        return not sound.warm_up
    return not stages.has(FULL) and stages.steps[0].level == SETUP


def _is_sound(server: Serving, target: LiveFunction, act: Act, leave: Leave) -> bool:
    """Whether the unpatched program ends alike with an act before it and without.

    After fixtures its data is the same as well. A rehearsal may make things in another order: failures of its
    children are checked (see ``Batching.doubts``).
    """
    told: list[Fields] = []
    for each in (None, act):
        try:
            fork = ask(_judge(server, target, each), _SECONDS, leave)
        except OSError:  # no fork can be had now: a trial beside this one holds every process
            return False
        told += [line for line in fork.lines if "seen" in line and fork.state == "done"]
    if len(told) != 2 or told[0]["seen"] != told[1]["seen"]:
        return False
    return act is _rehearse or told[0]["left"] == told[1]["left"]


def _judge(server: Serving, target: LiveFunction, act: Act | None) -> Work:
    """Work for a fork: how the unpatched program ends and what it leaves, after an act or without one."""

    def work(send: Send) -> None:
        own_basetemp(server.config, os.environ["TMPDIR"])
        world = World(server.root, server.items)
        settings = Settings(False, server.items)
        settings.note()
        before = world.given_digest(), process_data()
        if act is not None:
            outside, calls = _Outside(), _Calls(target)
            problem = act(server, target, calls.labels)
            calls.stop()
            if problem or outside.happened or calls.strange() or _is_more(target):
                return
        server.stages.run(stop_early=False)
        server.index.clear_caches()
        left = process_data()
        if settings.are_kept() and settings.restore() and before == (world.given_digest(), left):
            send(seen=identities(server.ids, server.stages.result), left=world.leftover_digest())

    return work


def _rehearse(server: Serving, target: LiveFunction, labels: Labels) -> str:
    """Run the tests with a raising body; a reason against it, or ``""``."""
    parameters = Parameters(server.items)
    patch = target.patch(target.text(), insert_end)
    patch.apply()
    try:
        server.stages.run(stop_early=False)
    finally:
        patch.undo()
        parameters.restore()
        server.index.clear_caches()
    met = labels()
    for step in server.stages.steps:
        if met and step.label in met and server.stages.result(step.id)[2] != _CAUGHT:
            return "the exception was caught"
    return "it was raised again" if len(met) != len(set(met)) else ""


def _stand(server: Serving, _target: LiveFunction, labels: Labels) -> str:
    """Set up what the first test shares with others; a reason against it, or ``""``."""
    server.stages.stand()
    return "the fixtures run the function" if labels() else ""


class _Calls:
    """In which tests the function runs, by their labels. Children know their own threads only."""

    _labels: list[str]
    _elsewhere: bool

    def __init__(self, target: LiveFunction) -> None:
        self._codes = {_key(code) for code in target.levels.values()}
        self._labels, self._elsewhere = [], False
        self._own, self._threads = threading.get_ident(), threading.active_count()
        threading.setprofile(self._watch)
        sys.setprofile(self._watch)

    def _watch(self, frame: FrameType, event: str, _argument: object) -> None:
        if threading.get_ident() != self._own:
            self._elsewhere = True
        if event == "call" and _key(frame.f_code) in self._codes:
            self._labels.append(os.environ.get("PYTEST_CURRENT_TEST", ""))

    def labels(self) -> list[str]:
        return self._labels

    def stop(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def strange(self) -> bool:
        """Whether other threads ran, or there are other threads than before. Not every Python audits their start."""
        return self._elsewhere or threading.active_count() != self._threads


class _Outside:
    """An audit hook that notes whether anything outside this process is touched. It cannot be taken out again."""

    happened: bool

    def __init__(self) -> None:
        self.happened = self._over = False
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Value, ...]) -> None:
        if event == "open":
            self.happened |= bool(args[2] & (os.O_WRONLY | os.O_RDWR))
        elif event.startswith(_OUTSIDE) and event not in _INSIDE:
            self.happened = True


def _is_more(target: LiveFunction) -> bool:
    """Whether there are functions, suspended frames or caches that were not there before the heap was frozen."""
    codes = {_key(code) for code in target.levels.values()}
    for thing in gc.get_objects():
        kind = type(thing)
        if kind is CacheWrapper:
            return True
        code = getattr(thing, _CODES[kind]) if kind in _CODES else None
        if code is not None and _key(code) in codes:
            return True
    return False


_CODES: dict[type, str] = {
    types.FunctionType: "__code__",
    types.GeneratorType: "gi_code",
    types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code",
}


def _key(code: CodeType) -> Called:
    return code.co_filename, code.co_name, code.co_firstlineno
