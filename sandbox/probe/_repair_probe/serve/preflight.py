"""What a selection of tests allows, found out before the first trial, in forks that each run the unpatched program.

One fork runs it through all of pytest. Another runs it at the lowest levels that the rules allow (``pytest_levels.py``)
and then once more. A third runs it in shuffled order. Levels below the full one hold where the first two agree. A
warm-up and batches are for tests that do the same the second time and in any order, and leave the same data behind. The
functions must be called as often the second time: one that is not has its results kept somewhere.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter

from _repair_probe.fork.alive import fork_obstacle, open_descriptors
from _repair_probe.fork.parameters import Parameters
from _repair_probe.fork.process_state import World
from _repair_probe.ground.clock import unhindered_seconds
from _repair_probe.ground.stuck import RESULT
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.late_imports import Noting
from _repair_probe.session.pytest_levels import BARE, FULL, SETUP
from _repair_probe.session.runner import identities, own_basetemp, own_capture, run_items
from _repair_probe.session.staged_items import Stages, Unsure
from _repair_probe.trace.called import CallCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from _repair_probe.ground.words import Called, Fields, Send, Work
    from _repair_probe.session.serving import Tests

    Calling = Mapping[Called, int]

PATIENCE = 1.0
"""Seconds for a run of the tests; who needs longer gains nothing here."""

CROWDED = 3
"""How much longer to wait by the wall's clock: another process may have the core."""

SLOWEST = 0.25
"""Seconds that a run may take for batches and lower levels to pay."""


LEAVING = 0.2
"""Seconds for a thread that has ended to be gone from the system's list."""


class Sound:
    """What was found. ``odd`` are functions whose trials stay alone, as (file, name, first line)."""

    def __init__(self) -> None:
        self.took = PATIENCE
        self.batches, self.warm_up = False, False
        self.reason = "the tests are slow"
        self.odd: frozenset[Called] = frozenset()
        self.digests = False
        self.random = False

    def refuse(self, reason: str) -> Sound:
        """No batches and no warm-up, because of this."""
        self.batches, self.warm_up, self.reason = False, False, reason
        return self


def preflight(server: Tests) -> tuple[Stages, Sound]:
    """(stages, sound) for the server's items. ``server.ask`` runs work in a fork and gives its lines."""
    sound = Sound()
    lines = server.ask(_run_at_full(server), CROWDED * PATIENCE)
    found = _line(lines, "full")
    names = [line["imports"] for line in lines if "imports" in line]
    # Tried in a fork first: where the tests end otherwise with them, all stays as it is.
    if names and found is not None:
        again = _line(server.ask(_run_at_full(server, names), CROWDED * PATIENCE), "full")
        if again is not None and again["full"] == found["full"] and server.take_in(names):
            found = again
    if found is None or found["took"] > PATIENCE:
        return Stages(server.session, server.recorder, server.bound, FULL), sound
    sound.took = found["took"]
    if sound.took > SLOWEST and not found["stuck"]:  # finding lower levels out would cost more than they save
        return Stages(server.session, server.recorder, server.bound, FULL), sound
    stages = Stages(server.session, server.recorder, server.bound)
    again = _line(server.ask(_run_twice(server, stages), 8 * PATIENCE), "first")
    quick = stages.has(BARE) or stages.has(SETUP)
    if quick and (again is None or again["first"] != found["full"]):
        stages = Stages(server.session, server.recorder, server.bound, FULL)
        again = _line(server.ask(_run_twice(server, stages), 8 * PATIENCE), "first")
    if found["stuck"]:
        return stages, sound.refuse("a test does not end")
    if sound.took > SLOWEST:
        return stages, sound
    if again is None or "reason" in again:
        return stages, sound.refuse(again["reason"] if again else "the tests do not end alike")
    shuffled = _line(server.ask(_run_shuffled(server, stages), 4 * PATIENCE), "shuffled")
    if shuffled is None or shuffled["shuffled"] != again["first"]:
        return stages, sound.refuse("the tests depend on their order")
    sound.odd = frozenset(tuple(key) for key in again["odd"])
    sound.digests, sound.random = again["digests"], again["random"]
    sound.batches = True
    sound.warm_up = not sound.odd and again["threads"] == 1 and not again["random"]
    sound.reason = ""
    return stages, sound


def _line(lines: Iterable[Fields], key: str) -> Fields | None:
    return next((line for line in lines if key in line), None)


def _run_at_full(server: Tests, names: Sequence[str] = ()) -> Work:
    """All tests through all of pytest, with the modules of these names imported before; nothing, if that is no use."""

    def work(send: Send) -> None:
        before = open_descriptors()
        if names and (not server.take_in(names) or fork_obstacle(before, server.root)):
            return
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        if not names:
            Noting(lambda name: send(imports=name)).begin()
        began = unhindered_seconds()
        run_items(server.items, server.recorder, stop_early=False, bound=server.bound)
        stuck = sum(server.recorder.result(each) is RESULT for each in server.ids)
        took = unhindered_seconds() - began - stuck * server.bound.seconds
        send(full=identities(server.ids, server.recorder.result), took=took, stuck=stuck)

    return work


def _run_twice(server: Tests, stages: Stages) -> Work:
    def work(send: Send) -> None:
        _enter(server, stages)
        world, state, threads = World(server.root, server.items), random.getstate(), threading.active_count()
        given, parameters = world.given_digest(), Parameters(server.items)
        try:
            first, calls = _run_watched(server, stages)
            parameters.restore()
            told = {"first": first, "threads": _threads(), "random": random.getstate() != state, "digests": True}
            if threading.active_count() != threads:
                told["reason"] = "the tests leave threads behind"
            elif given != world.given_digest():
                told["reason"] = "the tests change their own data"
            else:
                told.update(_run_again(server, stages, world, first, calls, parameters))
        except Unsure:
            return
        send(**told)

    return work


def _run_again(
    server: Tests, stages: Stages, world: World, first: list[list[str | int]], calls: Calling, parameters: Parameters
) -> Fields:
    """A second run: what is to be said of it."""
    digests = [world.leftover_digest()]
    seen, calls_again = _run_watched(server, stages)
    parameters.restore()
    digests.append(world.leftover_digest())
    if seen != first:
        return {"reason": "a second run differs from the first"}
    if digests[0] != digests[1]:
        return {"reason": "the tests leave more behind each time"}
    odd = sorted(key for key in calls.keys() | calls_again.keys() if calls.get(key) != calls_again.get(key))
    return {"odd": [list(key) for key in odd], "digests": digests[0] is not None}


def _run_shuffled(server: Tests, stages: Stages) -> Work:
    def work(send: Send) -> None:
        _enter(server, stages)
        steps = list(stages.steps)
        random.Random(7).shuffle(steps)
        try:
            stages.run(stop_early=False, steps=steps)
        except Unsure:
            return
        send(shuffled=identities(server.ids, stages.result))

    return work


def _enter(server: Tests, stages: Stages) -> None:
    own_capture(server.config)
    own_basetemp(server.config, os.environ["TMPDIR"])
    stages.prepare()


def _run_watched(server: Tests, stages: Stages) -> tuple[list[list[str | int]], Calling]:
    """What all tests do, and how often each function of the project is called meanwhile."""
    calls, root = CallCounter(), server.root + os.sep
    found: Counter[Called] = Counter()
    server.index.clear_caches()
    calls.start()
    try:
        stages.run(stop_early=False)
    finally:
        for code, count in calls.stop():
            if code.co_filename.startswith(root):
                found[code.co_filename, code.co_name, code.co_firstlineno] += count
    return identities(server.ids, stages.result), found


def _threads() -> int:
    """How many threads there are. One that was joined a moment ago may still be on its way out of the system."""
    late = time.monotonic() + LEAVING
    while True:
        try:
            count = len(os.listdir("/proc/self/task"))
        except OSError:
            return threading.active_count()
        if count <= threading.active_count() or time.monotonic() > late:
            return count
        time.sleep(LEAVING / 50)
