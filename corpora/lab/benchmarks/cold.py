"""The rival: one plain pytest process for each candidate, with every plugin that the environment loads by itself."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.trials import Trial
from corpora.lab.benchmarks.cost import Cost
from corpora.lab.benchmarks.subject import Subject
from corpora.lab.benchmarks.verdicts import SAYING, Verdict, cold_verdict
from sandbox.limits import limit_command
from sandbox.run_folder import environment

LEAST_SECONDS = 30.0
_SOONEST = 12.0
_WIDE = "1000"
"""Columns of the terminal: a summary is cut to them."""


@dataclass(frozen=True, slots=True)
class Cold:
    """A copy of the tree for one worker of cold runs. Nothing of ours is in it, and no isolation around it."""

    subject: Subject
    root: Path
    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    seconds: float
    once: Cost
    """Of the unpatched program."""

    def run(self, trial: Trial) -> tuple[str, Cost]:
        """Write the patched file and run: ``passed``, ``failed``, ``timeout`` or ``crashed``, and what that cost."""
        (self.root / self.subject.path).write_bytes(self.subject.patch_file(trial))
        status, cost = run_plain(self.command, self.root, self.env, self.seconds)
        return {0: "passed", 1: "failed", None: "timeout"}.get(status, "crashed"), cost

    def verdict(self, trial: Trial, patience: float = 1.0) -> Verdict:
        """The same without traceback, but with the name of the failing test, under the limits that a trial has.

        ``patience`` stretches the time that it is given.
        """
        (self.root / self.subject.path).write_bytes(self.subject.patch_file(trial))
        words = (*self.command[:3], *SAYING, *self.subject.selection)
        seconds = patience * max(_SOONEST, 8 * self.once.wall)
        limits = replace(self.subject.limits, cpu_seconds=seconds)
        said = self.root.parent / "said"
        with said.open("w+b") as stream:
            status, _ = run_plain(
                limit_command(words, limits), self.root, (*self.env, ("COLUMNS", _WIDE)), seconds, stream.fileno()
            )
        return cold_verdict(status, said.read_text(encoding="utf-8", errors="replace"), self.subject.tests)


@contextlib.contextmanager
def open_cold(subject: Subject) -> Iterator[Cold]:
    """A copy whose modules are compiled to byte code, as a developer's are; the patched file's are not, it changes.

    A first run makes the byte code; it has to pass.
    """
    target = subject.sandbox.target
    command = (target.interpreter.python, "-m", "pytest", "-x", "-q", *subject.selection)
    with subject.sandbox.place() as place:
        frozen = dict(environment(target, place))
        warming = {name: value for name, value in frozen.items() if name != "PYTHONDONTWRITEBYTECODE"}
        root = Path(place.root)
        status, cost = run_plain(command, root, tuple(warming.items()), 20 * LEAST_SECONDS)
        assert status == 0, f"the unpatched tests of {subject.name} pass in the sandbox and fail in plain pytest"
        for compiled in (root / subject.path).parent.glob(f"__pycache__/{Path(subject.path).stem}.*"):
            compiled.unlink()
        seconds = max(LEAST_SECONDS, 5 * cost.wall)
        yield Cold(subject, root, command, tuple(frozen.items()), seconds, cost)


def run_plain(
    command: Sequence[str],
    cwd: Path,
    env: Sequence[tuple[str, str]],
    seconds: float,
    output: int = subprocess.DEVNULL,
) -> tuple[int | None, Cost]:
    """Exit status (``None`` where its time was up) and cost of a command, with all that it waited for."""
    began = time.monotonic()
    child = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    ended = os.pidfd_open(child.pid)
    try:
        in_time = bool(select.select([ended], [], [], seconds)[0])
    finally:
        os.close(ended)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    cost = Cost(time.monotonic() - began, used.ru_utime + used.ru_stime)
    return (child.returncode if in_time else None), cost
