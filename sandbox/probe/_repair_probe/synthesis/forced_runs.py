"""Runs of single tests with hooks at places of a function, each in a fork or several in one where that is sound."""

from __future__ import annotations

import ast
import os

from _repair_probe.compare.bounds import silence_output
from _repair_probe.fork.forks import ask, own_folders
from _repair_probe.fork.parameters import Parameters
from _repair_probe.ground.clock import Allowance
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import own_basetemp, own_capture
from _repair_probe.session.staged_items import Unsure
from _repair_probe.synthesis.watch import Enough, Watch
from _repair_probe.values.snapshots import pack_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from _repair_probe.ground.words import Fields, Send, Work
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.synthesis.watch import Hit

    Job = Callable[[], Fields]

_MOST_LOST = 6
_MOST_RECORDED = 600000
_SHARES = 24, 6, 2
_RUN_SECONDS, _FORK_SECONDS = 0.5, 2.0


class ForcedPlace:
    """One expression of the function: its number, whether it decides, its text and how tightly that binds.

    One that is ``new`` decides whether the function is left where it goes on by itself.
    """

    number: int
    text: str
    level: int

    def __init__(self, told: Sequence[Any]) -> None:
        self.number, kind, self.text, self.level = told
        self.decides, self.new = kind != "value", kind == "exit"


class Runs:
    """The tests of a server with an instrumented text in, which run one at a time."""

    names: list[str]

    def __init__(self, server: Serving, target: LiveFunction, request: Fields) -> None:
        self.places = [ForcedPlace(told) for told in request["places"]]
        self.names = request["names"]
        self.literals = [(text, ast.literal_eval(text)) for text in request["literals"]]
        self.allowance = Allowance(request["working_seconds"])
        only = request.get("only")
        self.steps = server.stages.narrow(only).steps if only else server.stages.steps
        self.count = self.unrun = 0
        self._server = server
        self.passed: dict[tuple[str, int], int] = {}
        own_folders()
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        server.stages.prepare()
        server.bound.seconds = min(_RUN_SECONDS, server.bound.seconds or _RUN_SECONDS)
        patch = target.patch(request["text"].encode("latin-1"))
        patch.apply()
        self.watch = Watch(patch.own, self.names)

    def run_one(self, step: Step, *watched: Any) -> bool | None:
        """Whether the test passes; its hits are in the watch. ``None`` where that cannot be told."""
        server = self._server
        server.index.clear_caches()
        parameters = Parameters(server.items)
        self.watch.begin(*watched)
        try:
            with silence_output():
                passed = not server.stages.run(steps=[step])
            return None if server.stages.stuck else passed
        except (Unsure, Enough):
            return None
        finally:
            parameters.restore()

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Fields]]:
        """(number, line) of each job that came to its end; ``jobs`` are functions from nothing to a line."""
        start, lost, answered = 0, 0, 0
        most = len(jobs) if self._server.sound.batches else 1
        while start < len(jobs) and lost < _MOST_LOST and not self.allowance.is_over:
            share = jobs[start : start + most]
            fork = ask(_in_turn(share, self.allowance.handed_on()), _FORK_SECONDS, list)
            done = [line for line in fork.lines if "job" in line]
            for line in done:
                yield start + line["job"], line
            answered += len(done)
            lost += fork.state != "done"
            start += max(1, len(done)) if fork.state == "done" else len(done) + 1
        self.count += answered
        self.unrun += len(jobs) - answered - lost

    @property
    def cut(self) -> bool:
        """Whether there was more to try than there was time for."""
        return self.unrun > 0 or self.allowance.is_over


def _in_turn(jobs: Sequence[Job], allowance: Callable[[], Allowance]) -> Work:
    def work(send: Send) -> None:
        mine = allowance()
        for number, job in enumerate(jobs):
            if not mine.is_over:
                send(job=number, **job())

    return work


def fields_of_job(hits: dict[int, list[Hit]]) -> str:
    """All hits packed, fewer of each place where that is too much."""
    for most in _SHARES:
        told = pack_values({place: [hit.as_fields() for hit in known[:most]] for place, known in hits.items()})
        if len(told) <= _MOST_RECORDED:
            return told
    return pack_values({})
