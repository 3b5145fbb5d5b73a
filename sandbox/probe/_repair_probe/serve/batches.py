"""Several trials in one fork, one after the other, where that changes nothing.

A fork pays for copying pages, and its first run for everything that is made on first use: more than most
tests take. A batch is allowed where the preflight found the tests sound (``preflight.py``). It only ever says
*no*, and is not believed blindly:

* what does not fail in a batch runs again alone, and so does one whose time is up. A trial before it may have kept a
  lock;
* so does a failure of a kind (test, exception, line of the test) that no fork of its own has shown for this function. A
  right fix that is spoilt by a trial before it fails in a way of its own;
* so does one failure of each fifty trials, another one each time, whatever its kind;
* and a text that does to something what the old one did not, by its instructions (``effects.py``), shares no fork.

The answers of a batch wait until its checks agree. One that does not ends batching, and all trials of that batch run
again alone. So they do where the unpatched program, run first and last, ends in another way or leaves other data. So
they do where settings of the process or modules of others are not as they were (``shared_state_check.py``).
"""

from __future__ import annotations

import contextvars
import os
from time import perf_counter

from _repair_probe.fork.process_state import World
from _repair_probe.fork.shared_state_check import Foreign, Settings
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import identity, own_basetemp
from _repair_probe.swap.effects import effects

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Sequence

    from _repair_probe.fork.forks import Fork
    from _repair_probe.fork.lanes import Lane
    from _repair_probe.ground.words import Called, Fields, Identity, Send, Work
    from _repair_probe.serve.preflight import Sound
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Stages
    from _repair_probe.swap.live_functions import LiveFunction

    Trials = Sequence[tuple[LiveFunction, bytes]]
    Kind = tuple[object, ...]
    Answer = tuple[Fields, list[Fields]]
    Answered = tuple[Fields, str, str, list[Fields]]

MOST = 50
"""Trials in one fork; twice as many where the tests are quick."""

QUICK = 0.025
"""Seconds for all tests, below which they are."""

LEAST = 4
"""Fewer are not worth the runs of the unpatched program."""

ALONE_FIRST = 32
"""The likeliest trials are each given a fork of their own."""

MOST_SPOILT = 4
DIGEST_SHARE = 0.1
"""How much of a batch's time may go into looking at the data that it leaves."""


def batch(server: Serving, trials: Trials, digests: bool, stuck: float | None) -> Work:
    """Work for a fork: the outcome of each (target, text), then whether the unpatched program is as before."""
    from _repair_probe.serve.fork_tasks import REFUSED, describe, refusal

    def work(send: Send) -> None:
        began = perf_counter()
        if stuck is not None:
            server.bound.seconds = stuck
        stages = server.stages
        own_basetemp(server.config, os.environ["TMPDIR"])
        stages.prepare()
        settings = Settings(server.sound.random, server.items)
        functions = [target.own_functions() for target in dict(trials)]
        foreign = Foreign([found[0].__globals__ for found in functions if found], server.root)
        before = _first_failure(stages)
        settings.note()
        looks = [foreign.look()]
        world = World(server.root, server.items)
        left = world.leftover_digest() if digests else None
        for place, (target, text) in enumerate(trials):
            server.index.clear_caches()
            try:
                patch = target.patch(text)
            except REFUSED as problem:
                send(place=place, invalid=refusal(problem))
                continue
            if patch.own is None or effects(patch.own) - target.effects:
                send(place=place, apart=True)
                continue
            patch.apply()
            try:
                first = _run(stages)
                told = describe(stages, first)
            except BaseException as problem:  # the target may raise anything; alone it is tried again
                told = {"unsure": type(problem).__name__}
            patch.undo()
            if not settings.restore():
                send(kept=False)
                return
            send(place=place, **told)
        server.index.clear_caches()
        trying, looking = perf_counter() - began, perf_counter()
        looks.append(foreign.look())
        kept = settings.are_kept() and _first_failure(stages) == before and settings.restore()
        kept = kept and (not digests or world.leftover_digest() == left)
        looks.append(foreign.look())
        kept = kept and not foreign.is_touched(*looks)
        send(kept=kept, trying=trying, looking=perf_counter() - looking)

    return work


def _first_failure(stages: Stages) -> Identity | tuple[()]:
    """What the tests do: the first that does not pass, and how."""
    first = _run(stages)
    return identity(first, stages.result(first)) if first else ()


def _run(stages: Stages) -> str:
    """Run the tests with context variables of their own."""
    return contextvars.copy_context().run(stages.run)


def text_of(request: Fields) -> bytes:
    """The text of a trial, as bytes."""
    text: str = request["text"]
    return text.encode("latin-1")


class Held:
    """Answers of one batch that wait for the trials that check them."""

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers
        self.checks = 0
        self.kinds: set[Kind] = set()
        self.failed = False


def _kind_of(state: str, lines: Iterable[Fields]) -> Kind | None:
    """How a trial failed, to compare with other failures; ``None`` for one that did not."""
    return next((tuple(line["kind"]) for line in lines if "kind" in line), None if state == "done" else (state,))


def stuck_of(request: Fields) -> float | None:
    """What one test of a trial may take of the processor; ``None`` where the server says it."""
    return 0.0 if request.get("patient") else request.get("stuck")


def place_of(request: Fields) -> Called:
    """Where the function of a request is."""
    return request["path"], request["qualname"], request["first_line"]


class Batching:
    """When the server may batch, and what a finished batch says of each of its trials."""

    def __init__(self, sound: Sound, stats: Fields) -> None:
        self._sound, self._stats = sound, stats
        self._singles, self._batches, self._spoilt = 0, 0, 0
        self._allowed, self.begun = sound.batches, False
        self._ahead, self.ready = 0, True
        self._known: dict[Called, set[Kind]] = {}
        self._digest_every = 1 if sound.digests else 0

    def most(self) -> int:
        """How many trials may share a fork."""
        return 2 * MOST if self._sound.took <= QUICK else MOST

    def ahead(self) -> int:
        """How many trials for each job it is good to have waiting."""
        return 2 * self.most() if self._allowed and self.begun else 2

    def takes(self, request: Fields, target: LiveFunction) -> bool:
        """Whether this request may share a fork."""
        self.begun = self._singles >= ALONE_FIRST
        return bool(
            self._allowed
            and self.begun
            and request["task"] == "trial"
            and not request.get("alone")
            and not any((c.co_filename, c.co_name, c.co_firstlineno) in self._sound.odd for c in target.levels.values())
        )

    def companions(
        self,
        request: Fields,
        target: LiveFunction,
        waiting: deque[Fields],
        target_of: Callable[[Fields], LiveFunction | None],
    ) -> list[Fields]:
        """Further waiting trials that can share a fork with this one; one that has no target is taken out as well."""
        if not self.takes(request, target):
            return []
        share = min(self.most(), -(-(len(waiting) + 1) // max(1, request.get("jobs", 1))))
        found: list[Fields] = []
        while share >= LEAST and len(found) < share - 1 and waiting and waiting[0]["task"] == "trial":
            other = target_of(waiting[0])
            alike = stuck_of(waiting[0]) == stuck_of(request)
            if other is not None and not (alike and self.takes(waiting[0], other)):
                break
            each = waiting.popleft()
            if other is not None:
                found.append(each)
        return found

    def digests(self) -> bool:
        """Whether the next batch looks at the data that it leaves."""
        self._batches += 1
        return bool(self._digest_every) and self._batches % self._digest_every == 0

    def end(self, reason: str) -> None:
        """No more batches for this selection."""
        self._allowed = False
        self._stats["batching_ended"] = reason

    def doubts(self, request: Fields, state: str, lines: Sequence[Fields]) -> bool:
        """Whether a trial that failed in a lane made ready has to fail in a plain one too; it is marked then.

        As in a batch: each kind of failure that no plain fork has shown, and one of fifty in any case. Crashes and
        hangs are kinds like others, and all of them are doubted once a ready lane was wrong.
        """
        kind = _kind_of(state, lines)
        if kind is None:
            return False
        self._ahead += 1
        if self.ready and kind in self._known.get(place_of(request), ()) and self._ahead % MOST:
            return False
        request["doubted"] = kind
        return True

    def settle_single(self, request: Fields, state: str, lines: list[Fields]) -> tuple[list[Answer], list[Fields]]:
        """A trial has had a fork of its own. Answers as (request, lines) and requests to run alone are returned."""
        self._singles += 1
        found = _kind_of(state, lines)
        if found is not None:
            self._known.setdefault(place_of(request), set()).add(found)
        if request.pop("doubted", found) != found:
            self.ready = False
        held = request.pop("held", None)
        if held is None:
            return [(request, lines)], []
        expected, held = held
        held.checks -= 1
        if (found or ()) != expected and not held.failed:
            held.failed = True
            self.end("a trial ended differently in a batch")
        if not held.failed:
            held.answers.append((request, lines))
            return (held.answers, []) if held.checks == 0 else ([], [])
        again = [dict(other, alone=True) for other, _ in held.answers]
        held.answers = []
        return [(request, lines)], again

    def settle(self, fork: Fork | Lane) -> tuple[list[Answered], list[Fields]]:
        """What a batch gives: answers as (request, state, ending, lines), and requests that have to run alone."""
        lines = {line.pop("place"): line for line in fork.lines if isinstance(line.get("place"), int)}
        last = next((line for line in fork.lines if "kept" in line), {})
        kept = fork.state == "done" and last.get("kept") is True
        if fork.state == "done" and not kept:
            self._spoilt += 1
            self._stats["spoilt"] += 1
            if self._spoilt >= MOST_SPOILT:
                self.end("batches spoil themselves")
        if kept and "looking" in last and self._digest_every:
            much = 2 * last["looking"] > DIGEST_SHARE * last["trying"] * self._digest_every
            self._digest_every = min(64, 2 * self._digest_every) if much else self._digest_every
        answers: list[Answered] = []
        again: list[Fields] = []
        held = Held([])
        for place, request in enumerate(fork.tag):
            line = lines.get(place)
            if kept and line is not None and ("failed" in line or "invalid" in line):
                self._hold(held, request, line, again)
            else:
                again.append(dict(request, alone=True, full="unsure" in (line or ())))
        for _ in range(-(-len(fork.tag) // MOST)):
            self._check_one(held, again)
        if not held.checks:
            answers += [(request, "done", "done", found) for request, found in held.answers]
        self._stats["batched"] += len(fork.tag) - len(again)
        return answers, again

    def _hold(self, held: Held, request: Fields, line: Fields, again: list[Fields]) -> None:
        key = place_of(request)
        kind = tuple(line.get("kind") or ())
        if "failed" in line and kind not in self._known.get(key, ()) and kind not in held.kinds:
            held.kinds.add(kind)
            held.checks += 1
            again.append(dict(request, alone=True, held=(kind, held)))
        else:
            held.answers.append((request, [dict(line, batch=True)]))

    def _check_one(self, held: Held, again: list[Fields]) -> None:
        """One failure of each fifty trials is checked, whatever its kind."""
        failures = [n for n, (_, lines) in enumerate(held.answers) if "failed" in lines[0]]
        if not failures:
            return
        request, (line,) = held.answers.pop(failures[self._batches * 7 % len(failures)])
        held.checks += 1
        again.append(dict(request, alone=True, held=(tuple(line.get("kind") or ()), held)))
