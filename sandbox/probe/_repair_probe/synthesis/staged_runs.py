"""Runs of single tests of a server, each in a fork or several in one where that is sound, in bounded time."""

from __future__ import annotations

import os
from contextlib import nullcontext

from _repair_probe.compare.bounds import silence_output
from _repair_probe.fork.forks import ask, own_folders
from _repair_probe.fork.parameters import Parameters
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import own_basetemp, own_capture
from _repair_probe.session.staged_items import Unsure
from _repair_probe.synthesis.watch import Enough

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from _repair_probe.ground.clock import Allowance
    from _repair_probe.ground.words import Fields, Send, Work
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step

    Job = Callable[[], Fields]

_MOST_LOST = 6
_RUN_SECONDS, _FORK_SECONDS = 0.5, 2.0


class StagedRuns:
    """The tests of a server, which run one at a time in this process or in forks of it."""

    def __init__(self, server: Serving, allowance: Allowance, only: Sequence[str] = ()) -> None:
        """``only`` are the tests that count; none: all of the server's."""
        self.allowance = allowance
        self.steps = server.stages.narrow(only).steps if only else server.stages.steps
        self.count = self.unrun = 0
        self._server = server
        own_folders()
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        server.stages.prepare()
        server.bound.seconds = min(_RUN_SECONDS, server.bound.seconds or _RUN_SECONDS)

    def run_one(self, step: Step, around: AbstractContextManager[object] | None = None) -> bool | None:
        """Whether the test passes, ``around`` which something may be held; ``None`` where that cannot be told."""
        server = self._server
        server.index.clear_caches()
        parameters = Parameters(server.items)
        try:
            with silence_output(), around or nullcontext():
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
