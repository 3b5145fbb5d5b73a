"""Runs of the engine that a server keeps: started, looked at, waited for, cancelled.

Each is a process of its own, followed by a thread. A host may leave at any time: ``close`` ends all of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.errors import RepairError, UsageError
from repair.client import EngineError, Run, start
from repair.front.changes import change_asked_about
from repair.records.events import Event
from repair.records.result import Result
from repair.store.atomic import sha256

MOST_AT_ONCE = 4
"""Runs at the same time; each may use all cores."""

ENDING_SECONDS = 1.5
"""What a run that is cancelled may take to end, before it is killed: a host waits some two seconds for its server."""

CHANGED_REMEDY = "Judge what stands there now: check_patch."

MOST_KEPT = 50
"""Runs that have ended are remembered, the newest."""


@dataclass(frozen=True, slots=True)
class JobState:
    """How a run stands: ``phase`` is what is being done, ``known`` the last thing that was found out."""

    job: str
    command: str
    running: bool
    seconds: float
    phase: str = ""
    known: str = ""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run was started with. ``options`` are those of the command line, with underscores.

    ``answers_to`` is the digest of the change whose question was answered, where a run judges one again.
    """

    command: str
    root: Path
    arguments: tuple[str, ...] = ()
    stdin: bytes = b""
    options: Mapping[str, Any] = field(default_factory=dict)
    answers_to: str = ""


class EngineJob:
    """One run and the thread that follows it."""

    def __init__(self, name: str, asked: RunRequest, run: Run, change: str = "") -> None:
        """``change`` is the digest of what it is about, taken before the run began."""
        self.name = name
        self.asked = asked
        self._run = run
        self._started = time.monotonic()
        self._ended: float | None = None
        self._phase = self._known = ""
        self._before, self._after = change, ""
        self._result: Result | None = None
        self._trouble = ""
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._ended is None

    def state(self) -> JobState:
        """How it stands now."""
        seconds = (self._ended or time.monotonic()) - self._started
        return JobState(self.name, self.asked.command, self.running, round(seconds, 1), self._phase, self._known)

    def result(self) -> Result:
        """What it came to; raises ``UsageError`` where there is no answer, or none yet."""
        if self.running:
            raise UsageError(f"{self.name} has not ended", remedy="Ask for its status, or wait for it.")
        if self._result is not None and self.asked.answers_to not in ("", self.change):
            raise UsageError(f"The files changed before {self.name} judged them again", remedy=CHANGED_REMEDY)
        if self._result is not None:
            return self._result
        raise UsageError(f"{self.name} gave no answer: {self._trouble}", remedy="Start it again, or see `repair runs`.")

    @property
    def change(self) -> str:
        """A digest of the change that an ended check judged; ``""`` where files of it changed meanwhile."""
        return self._before if self._before == self._after else ""

    def cancel(self) -> None:
        """Ask it to stop; what has not ended ``ENDING_SECONDS`` later is killed."""
        self._run.cancel()

    def wait(self, seconds: float) -> None:
        """Until it has ended, or so long."""
        self._thread.join(seconds)

    def _follow(self) -> None:
        try:
            self._result = self._run.result(self._hear)
        except EngineError as problem:
            self._result, self._trouble = problem.result, str(problem)
        finally:
            try:
                self._after = digest_of_change(self.asked)
            finally:  # whoever waits for it is told even then
                self._ended = time.monotonic()

    def _hear(self, happened: Event) -> None:
        fields = dict(happened.fields)
        if happened.type == "phase":
            self._phase = str(fields.get("detail") or fields.get("name", ""))
        elif happened.type == "doubt":
            self._known = str(fields.get("question") or fields.get("doubt", ""))
        elif happened.type == "patch":
            self._known = f"a patch is {fields.get('status', '')}"


def digest_of_change(asked: RunRequest) -> str:
    """A digest of the change that a check is about as the files are now; ``""`` where there is none."""
    since = asked.options.get("since")
    if asked.command != "check":
        return ""
    try:
        change = change_asked_about(asked.root, asked.stdin, None if since is None else str(since))
    except (RepairError, OSError):
        return ""
    return sha256(repr((change.before, change.after, change.others)).encode())


def run_to_end(
    asked: RunRequest,
    env: Mapping[str, str],
    listen: Callable[[Event], None],
    cancelled: threading.Event | None = None,
) -> Result:
    """One run, waited for; raises ``UsageError`` where the engine gives no answer."""
    try:
        run = start(
            asked.command,
            asked.arguments,
            root=asked.root,
            stdin=asked.stdin,
            env=env,
            cancel=cancelled,
            **dict(asked.options),
        )
        return run.result(listen)
    except EngineError as problem:
        raise UsageError(f"The engine gave no answer: {problem}", remedy="`repair runs` lists the runs.") from problem


class Jobs:
    """All runs of one server, in projects at or below its roots."""

    def __init__(self, roots: Sequence[Path], env: Mapping[str, str] | None = None) -> None:
        """``env`` is the environment of the runs; without one it is that of this process."""
        self._roots = tuple(root.resolve() for root in roots)
        self._env = env
        self._jobs: dict[str, EngineJob] = {}
        self._count = 0

    def root_of(self, named: str) -> Path:
        """The project that was named, or the only one; raises ``UsageError`` for one outside of the server's roots."""
        if not named and len(self._roots) == 1:
            return self._roots[0]
        if not named:
            raise UsageError("No root is named", remedy=f"Name one of {', '.join(map(str, self._roots))}.")
        found = Path(named).resolve()
        if not any(found == root or root in found.parents for root in self._roots):
            raise UsageError(
                f"{named} is outside of this server's roots",
                remedy=f"They are {', '.join(map(str, self._roots))}; `repair mcp --root` names them.",
            )
        return found

    def start(self, asked: RunRequest) -> EngineJob:
        """Start a run; raises ``UsageError`` where too many are under way, or where a test is an option."""
        options = [word for word in asked.arguments if word.startswith("-") and word != "-"]
        if options:
            raise UsageError(f"{options[0]!r} is no test", remedy="Give node ids, as pytest prints them.")
        if sum(job.running for job in self._jobs.values()) >= MOST_AT_ONCE:
            raise UsageError(f"{MOST_AT_ONCE} runs are under way", remedy="Wait for one, or cancel one.")
        self._count += 1
        name = f"job-{self._count}"
        change = digest_of_change(asked)
        run = start(
            asked.command,
            asked.arguments,
            root=asked.root,
            stdin=asked.stdin,
            env=self._env,
            grace=ENDING_SECONDS,
            **dict(asked.options),
        )
        self._jobs[name] = job = EngineJob(name, asked, run, change)
        ended = [each for each, known in self._jobs.items() if not known.running]
        for each in ended[: max(0, len(self._jobs) - MOST_KEPT)]:
            del self._jobs[each]
        return job

    def find(self, name: str) -> EngineJob:
        """The run of that name; raises ``UsageError`` where there is none."""
        if name not in self._jobs:
            known = ", ".join(self._jobs) or "none"
            raise UsageError(f"No job {name!r}", remedy=f"Known: {known}.")
        return self._jobs[name]

    def close(self) -> None:
        """End all runs, and see them gone."""
        for job in self._jobs.values():
            job.cancel()
        for job in self._jobs.values():
            job.wait(2 * ENDING_SECONDS)
