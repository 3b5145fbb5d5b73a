"""One process group under limits: watched without polling, ended whole, always reaped."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic, sleep

from analysis.errors import TargetError
from analysis.facts import Limits, RunFault
from sandbox.cgroups import Bounds, ControlGroup, open_group
from sandbox.limits import TestClock, signal_of
from sandbox.stray_processes import kill_marked, spawn_in_thread

MOST_REPORT = 64 << 20
FEED = "\0feed"
"""Stands for a descriptor's number in a command line; no word of one can hold it otherwise."""
_GRACE = 2.0
_AFTER = 30.0
_PAUSES = (0.1, 1.0)
"""Seconds before a process is started again that the machine refused."""

_REAP = 5.0
"""How long a process that was killed is waited for: the memory of a large one is given back page by page."""

_LOOK = 0.2
"""Seconds between two looks whether a command is still wanted, where anybody can tell."""

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Command:
    """What to start, where, and with exactly which environment.

    ``mark`` is an environment entry that only this command's processes have: it finds those that left the group.
    ``secrets`` are blotted out of whatever the command says. ``given`` is its standard input. It reads ``feed`` from
    a descriptor of its own, whose number stands in ``argv`` wherever ``FEED`` does. ``bounds`` hold all of its
    processes together. ``after`` is run when it has ended: it ends what the command has left where our signals do not
    reach, such as a container.
    """

    argv: tuple[str, ...]
    cwd: str
    env: tuple[tuple[str, str], ...]
    mark: str = ""
    secrets: tuple[bytes, ...] = ()
    after: tuple[str, ...] = ()
    feed: bytes = b""
    bounds: Bounds | None = None
    given: bytes = b""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended. ``stopped`` says why we ended it; ``None`` when it ended by itself."""

    returncode: int
    output: bytes
    report: bytes
    seconds: float
    stopped: RunFault | None
    ran_out: bool = False
    """Whether the kernel ended one of its processes because their memory together was used up."""
    late: bool = False
    """Whether it was ended because the time of the whole command was up, and not that of one test."""
    held: int = 0
    """Bytes of memory that its processes held together when we ended it, where that is known."""


def killed_by_others(finished: Finished) -> bool:
    """Whether the command was killed, and no limit of ours did it: by itself, by its own, or by the machine."""
    killed = signal_of(finished.returncode) is signal.SIGKILL
    return killed and finished.stopped is None and not finished.ran_out


def never_began(finished: Finished) -> bool:
    """Whether it ended by itself before our probe said a word: a fault of the sandbox or the machine, not of a test."""
    return not finished.report and finished.stopped is None and not finished.ran_out


@dataclass(frozen=True, slots=True)
class Child:
    """A started command, with the group that holds its processes where there is one."""

    process: subprocess.Popen[bytes]
    command: Command
    group: ControlGroup | None = None


def blot_secrets(said: bytes, secrets: Sequence[bytes]) -> bytes:
    """What a target said, with every secret in it replaced."""
    for secret in secrets:
        said = said.replace(secret, b"***")
    return said


@dataclass(frozen=True, slots=True)
class Channel:
    """Descriptors between us and the probe: we read the report and write control bytes, the child the reverse."""

    report_read: int
    report_write: int
    control_read: int
    control_write: int

    def close(self) -> None:
        """Close all of them."""
        for end in (self.report_read, self.report_write, self.control_read, self.control_write):
            with contextlib.suppress(OSError):  # closed already, or handed to the child
                os.close(end)


def open_channel() -> Channel:
    """A fresh channel; nothing that reads the report waits for it."""
    ends = Channel(*os.pipe(), *os.pipe())
    os.set_blocking(ends.report_read, False)
    return ends


def channel() -> contextlib.closing[Channel]:
    """A fresh channel, closed at the end."""
    return contextlib.closing(open_channel())


def run(
    command: Command,
    limits: Limits,
    ends: Channel,
    until: float = math.inf,
    unwanted: Callable[[], bool] | None = None,
) -> Finished:
    """Run the command to its end or to a limit. Nothing that it started outlives the call, as far as can be told.

    From ``until`` on, by the monotonic clock, nobody is interested in what it would say: it gets no grace. So it is,
    too, once it is ``unwanted``, which is asked a few times a second.
    """
    began = monotonic()
    child = start(command, ends)
    try:
        with _exit_descriptor(child.process) as ended:
            watch = _Watch(child, limits, ends, began, until, unwanted)
            watch.until_ended(ended)
    finally:
        ran_out = end(child)
    output, report = (blot_secrets(bytes(said), command.secrets) for said in (watch.output, watch.report))
    code = child.process.returncode if child.process.returncode is not None else -signal.SIGKILL
    return Finished(code, output, report, monotonic() - began, watch.stopped, ran_out, watch.late, watch.held)


def start(command: Command, ends: Channel) -> Child:
    """Start the command in a session of its own; its ends of the channel are closed on our side."""
    group = None
    if command.bounds is not None:
        try:
            group = open_group(command.bounds)
        except OSError as problem:
            raise TargetError(
                f"No group of processes can be made any more: {problem}",
                remedy="See that the control groups stay as they are.",
            ) from problem
    try:
        process = _start_process(command, group, ends)
    except BaseException:  # an interruption too must not leave the group behind
        if group is not None:
            group.close()
        raise
    assert process.stdout is not None, "stdout is a pipe"
    os.set_blocking(process.stdout.fileno(), False)
    # Their numbers stay taken: ``channel`` closes these later, and by then another thread could have been given them.
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for descriptor in (ends.report_write, ends.control_read):
        os.dup2(null, descriptor, inheritable=False)
    os.close(null)
    return Child(process, command, group)


def _start_process(command: Command, group: ControlGroup | None, ends: Channel) -> subprocess.Popen[bytes]:
    with contextlib.ExitStack() as stack:
        feed, given = (stack.enter_context(_as_file(content)) for content in (command.feed, command.given))
        argv = tuple(str(feed) if word == FEED else word for word in command.argv)

        def spawn() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                group.join_command(argv) if group is not None else argv,
                cwd=command.cwd,
                env=dict(command.env),
                stdin=subprocess.DEVNULL if given < 0 else given,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(ends.report_write, ends.control_read, *([feed] if command.feed else [])),
                start_new_session=True,
            )

        for pause in _PAUSES:
            with contextlib.suppress(BlockingIOError, MemoryError):  # the machine has no process or memory to give now
                return spawn_in_thread(spawn)
            sleep(pause)
        try:
            return spawn_in_thread(spawn)
        except (BlockingIOError, MemoryError) as problem:
            raise TargetError(
                f"The sandbox cannot start a process: {problem}",
                remedy="That is the machine, not your tests: end other programs, or raise its limit of processes.",
            ) from problem


@contextlib.contextmanager
def _as_file(content: bytes) -> Iterator[int]:
    """A descriptor from which the content can be read; -1 for no content."""
    if not content:
        yield -1
        return
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file.fileno()


def end(child: Child) -> bool:
    """Kill the group and whatever carries the mark; reap the child and close its output. Whether memory ran out."""
    process, command, ran_out = child.process, child.command, False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):  # the kernel may take its time; then its keeper waits on
        process.wait(_REAP)
    if command.after:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(command.after, capture_output=True, stdin=subprocess.DEVNULL, timeout=_AFTER, check=False)
    if child.group is not None:
        ran_out = child.group.ran_out()
        child.group.close()
    kill_marked(command.mark)
    if process.stdout is not None:
        process.stdout.close()
    return ran_out


class _Watch:
    """Collects output and report, and stops the child at a limit. Waits in one place only."""

    def __init__(
        self,
        child: Child,
        limits: Limits,
        ends: Channel,
        began: float,
        until: float,
        unwanted: Callable[[], bool] | None = None,
    ) -> None:
        stdout = child.process.stdout
        assert stdout is not None, "stdout is a pipe"
        self.output, self.report = bytearray(), bytearray()
        self.stopped: RunFault | None = None
        self.late, self.held = False, 0
        self._limits, self._ends = limits, ends
        self._group = child.group
        self._pipes = {stdout.fileno(): self.output, ends.report_read: self.report}
        self._clock = TestClock(limits.test_seconds)
        self._wall, self._until = began + limits.wall_seconds, until
        self._unwanted, self._look = unwanted, math.inf if unwanted is None else _LOOK
        self._last: float | None = None

    def until_ended(self, ended: int) -> None:
        """Return when the child has ended, or has to be killed."""
        with selectors.DefaultSelector() as selector:
            for descriptor in (*self._pipes, ended):
                selector.register(descriptor, selectors.EVENT_READ)
            while not self._time_is_up():
                ready = [
                    key.fd for key, _ in selector.select(max(0.0, min(self._deadline() - monotonic(), self._look)))
                ]
                for descriptor in ready:
                    if descriptor != ended and self._read(descriptor):
                        selector.unregister(descriptor)
                if self.stopped in (RunFault.OUTPUT, RunFault.INCONSISTENT):
                    return
                if ended in ready:
                    self._drain()
                    return

    def _deadline(self) -> float:
        if self._last is not None:
            return self._last
        return self._wall if self._clock.deadline is None else min(self._wall, self._clock.deadline)

    def _time_is_up(self) -> bool:
        """Whether to kill now. The first time, the probe is asked where the program is, and has a moment to answer."""
        if self._unwanted is not None and self._unwanted():
            self.stopped = RunFault.TIMEOUT
            return True
        if monotonic() < self._deadline():
            return False
        if self._last is not None:
            return True
        self.stopped = RunFault.TIMEOUT
        self.late = monotonic() >= self._wall
        self.held = self._group.held_bytes() if self._group is not None else 0
        self._last = min(monotonic() + _GRACE, self._until)
        with contextlib.suppress(OSError):  # nobody reads: then it does not say where it is
            os.write(self._ends.control_write, b"!")
        return False

    def _read(self, descriptor: int) -> bool:
        """Take what is there; whether the pipe has ended."""
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        into = self._pipes[descriptor]
        into += chunk
        if into is self.report:
            self._clock.feed(chunk, monotonic())
            if len(into) > MOST_REPORT:
                self.stopped = RunFault.INCONSISTENT
        elif len(into) > self._limits.output_bytes:
            self.stopped = RunFault.OUTPUT
        return not chunk

    def _drain(self) -> None:
        """What is still in the pipes; descendants may hold them open, so their end is not waited for."""
        for descriptor, into in self._pipes.items():
            before = -1
            while before != len(into) and self.stopped in (None, RunFault.TIMEOUT):
                before = len(into)
                self._read(descriptor)


@contextlib.contextmanager
def _exit_descriptor(child: subprocess.Popen[bytes]) -> Iterator[int]:
    """A descriptor that becomes readable when the child has ended."""
    if hasattr(os, "pidfd_open"):
        descriptor = os.pidfd_open(child.pid)
    else:
        descriptor, writer = os.pipe()

        def wait() -> None:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            os.close(writer)

        threading.Thread(target=wait, daemon=True).start()
    try:
        yield descriptor
    finally:
        os.close(descriptor)
