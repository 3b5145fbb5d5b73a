"""Forked children that do one thing each and are trusted with nothing: lines through a pipe, a deadline, a kill.

The server forks at the point where the tests are collected. A child sends JSON lines that carry its nonce and ends with
a mark. It is killed, with its process group, as soon as the mark is there or it has ended. It is killed, too, when its
time is up or it floods the pipe. A *quiet* child has little to say. Nobody listens before it has ended (a descriptor of
the process tells), so that its lines wake nobody up.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import select
import selectors
import signal
from time import monotonic

from _repair_probe.fork.folders import Folder
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from types import FrameType
    from typing import Any, NoReturn

    from _repair_probe.ground.words import Fields, Leave, Sender, Work

_MOST_BYTES = 8 << 20
_SET_PIPE_SIZE, _WIDE = 1031, 1 << 20
DEATH_SIGNAL, _SUBREAPER = 1, 36
_exit, _write, _getpid, _dumps = os._exit, os.write, os.getpid, json.dumps
_TICKS = os.sysconf("SC_CLK_TCK")
_folders: list[Folder] = []  # left empty by children that have ended
_target_handlers: list[Callable[[int, FrameType | None], Any] | int] = []  # of SIGCHLD
_pidfd_open: Callable[[int], int] | None = getattr(os, "pidfd_open", None)


_prctl: Callable[..., object] | None = None
try:
    _prctl = ctypes.CDLL(None).prctl
except (OSError, AttributeError):
    pass


def process_control(option: int, value: int) -> None:
    """``prctl``, where the platform has it."""
    if _prctl is not None:
        _prctl(option, value, 0, 0, 0)


class Fork:
    """A child at work. ``state`` is empty while it runs, then ``done``, ``timeout``, ``flood`` or ``crashed``.

    ``fd`` becomes readable when ``read`` has something to do. A child gets ``seconds`` on the clock and as many (or
    ``cpu``) of processor time. One that could not get at a processor gets more of the former. Who gives a ``folder``
    uses it already. A child without ``work`` goes on where it was made: there ``send`` is its way to speak, which it
    ends by ``leave_child``.
    """

    fd: int
    send: Sender | None = None

    def __init__(
        self,
        tag: Any,
        work: Work | None,
        seconds: float,
        leave: Leave,
        quiet: bool = False,
        cpu: float = 0.0,
        folder: Folder | None = None,
    ) -> None:
        self.tag = tag
        self.state = ""
        self.status = 0  # known once it is over
        self.said = b""
        self.nonce = os.urandom(12).hex()
        self._end = ('{"end":"%s"}\n' % self.nonce).encode()
        self._buffer = bytearray()
        self._seconds, self._extended = seconds, 0
        self._progress = -1
        self._selector: selectors.BaseSelector | None = None
        self._folder = folder or (_folders.pop() if _folders else Folder())
        self._owned = folder is None
        self._pipe, out = os.pipe()
        if quiet:  # room for all lines of a batch, since nobody reads before its end
            try:
                fcntl.fcntl(out, _SET_PIPE_SIZE, _WIDE)
            except OSError:
                pass  # this user has many pipes already, or the system knows no sizes
        self.deadline = monotonic() + seconds
        try:
            self.pid = os.fork()
        except OSError:
            os.close(self._pipe)
            os.close(out)
            raise
        if self.pid == 0:
            os.close(self._pipe)
            os.set_blocking(out, not quiet)
            place = self._folder if self._owned else None
            self.send = _Sender(out, self.nonce, self._end)
            _child(work, self.send, place, cpu or seconds, leave)
            return
        os.close(out)
        self._quiet = quiet and self._watch()
        if not self._quiet:
            self.fd = self._pipe

    def _watch(self) -> bool:
        if _pidfd_open is None:
            return False
        try:
            self.fd = _pidfd_open(self.pid)
        except OSError:
            return False
        os.set_blocking(self._pipe, False)
        return True

    def watched_by(self, selector: selectors.BaseSelector) -> None:
        """Let a selector watch ``fd`` until the child has ended.

        It has to let go before ``fd`` is closed: a child forked meanwhile may hold a copy, and the number comes again.
        """
        self._selector = selector
        selector.register(self.fd, selectors.EVENT_READ)

    def descriptors(self) -> set[int]:
        """What a child forked later has to close."""
        return {self.fd, self._pipe}

    def read(self) -> None:
        """Take what the child has written; sets ``state`` when it is over."""
        if self._quiet:
            self._drain()
            self.finish("done" if self._buffer.endswith(self._end) else "crashed")
            return
        piece = os.read(self._pipe, 1 << 16)
        self._buffer += piece
        if self._buffer.endswith(self._end):
            self.finish("done")
        elif not piece:
            self.finish("crashed")
        elif len(self._buffer) > _MOST_BYTES:
            self.finish("flood")

    def is_late(self, now: float) -> bool:
        """Whether its time is up. One that goes on from trial to trial, or was kept waiting, gets more."""
        if self.deadline > now:
            return False
        if self._quiet and (self._drain() or self._progress < 0):
            before, self._progress = self._progress, self._buffer.count(b"\n")
            if self._progress > max(0, before):
                self.deadline = now + self._seconds
                return False
        if self._extended < 4 and _was_starved(self.pid, self._seconds):
            self._extended += 1
            self.deadline = now + self._seconds
            return False
        return True

    def finish(self, state: str) -> None:
        """Kill and reap the child and its group, and keep the lines that are its own."""
        self.state = state
        for kill in (os.killpg, os.kill):
            try:
                kill(self.pid, signal.SIGKILL)
                break
            except (ProcessLookupError, PermissionError):
                pass
        self.status = os.waitpid(self.pid, 0)[1]
        if self._selector is not None:
            self._selector.unregister(self.fd)
        if self._quiet:
            self._drain()
            os.close(self.fd)
        os.close(self._pipe)
        self._folder.clear()
        if self._owned:
            _folders.append(self._folder)
        if state == "crashed" and os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGXCPU:
            self.state = "timeout"
        self.said, self._buffer = bytes(self._buffer), bytearray()

    @property
    def lines(self) -> list[Fields]:
        """What the child itself has said, once it is over."""
        return lines_of(self.said, self.nonce)

    def _drain(self) -> bool:
        """Take all that is in the pipe; whether there was anything."""
        before = len(self._buffer)
        while len(self._buffer) <= _MOST_BYTES:
            try:
                piece = os.read(self._pipe, 1 << 16)
            except BlockingIOError:
                break
            if not piece:
                break
            self._buffer += piece
        return len(self._buffer) > before

    def ending(self) -> str:
        """How the child ended, in words."""
        if self.state == "crashed" and os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            # We kill what is still there; without its end mark it was on its way out by itself.
            if number != signal.SIGKILL or self._quiet:
                return "signal %d" % number
        if self.state == "crashed" and os.WIFEXITED(self.status):
            return "the process ended early with status %d" % os.WEXITSTATUS(self.status)
        words = {"crashed": "the process ended early", "timeout": "time is up", "flood": "too much output"}
        return words.get(self.state, self.state)


def own_folders() -> None:
    """In a fork that goes on to fork: the folders that are kept here stay its parent's."""
    _folders.clear()


def ask(work: Work, seconds: float, leave: Leave) -> Fork:
    """Run work in a fork while nothing else goes on; the fork, which has ended."""
    fork = Fork(None, work, seconds, leave)
    wait_for(fork, select.poll())
    return fork


def wait_for(fork: Fork, poll: select.poll) -> None:
    """Let a fork come to its end, or end it, while nothing else goes on."""
    poll.register(fork.fd, select.POLLIN)
    while not fork.state:
        if poll.poll(max(0.0, fork.deadline - monotonic()) * 1000 + 1):
            fork.read()
        elif fork.is_late(monotonic()):
            fork.finish("timeout")


def lines_of(said: bytes, nonce: str) -> list[Fields]:
    """The lines that carry a child's nonce, without it."""
    found = []
    for line in said.split(b"\n")[:-1]:
        try:
            value = json.loads(line.decode("ascii"))
        except ValueError:
            continue
        if isinstance(value, dict) and value.pop("nonce", None) == nonce:
            found.append(value)
    return found


class _Sender:
    """Writes lines of one child. Only the process that was forked for it can write."""

    def __init__(self, fd: int, nonce: str, end: bytes) -> None:
        self._fd, self._nonce, self._end, self._pid = fd, nonce, end, _getpid()

    def __call__(self, **fields: Any) -> None:
        fields["nonce"] = self._nonce
        self._send((_dumps(fields, separators=(",", ":")) + "\n").encode("ascii"))

    def end(self) -> None:
        self._send(self._end)

    def _send(self, data: bytes) -> None:
        while data and _getpid() == self._pid:
            data = data[_write(self._fd, data) :]


def leave_child(send: Sender, **last: Any) -> NoReturn:
    """The last word of a child, and its end."""
    try:
        send(**last)
        send.end()
    finally:
        _exit(0)


def _child(work: Work | None, send: _Sender, folder: Folder | None, seconds: float, leave: Leave) -> None:
    """Everything the child does. Returns only where it has no work of its own."""
    try:
        os.setsid()
        process_control(DEATH_SIGNAL, signal.SIGKILL)
        for handler in _target_handlers:
            signal.signal(signal.SIGCHLD, handler)
        leave()
        limit = int(seconds) + 2  # processor time as much as time on the clock, rounded up
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        if most == resource.RLIM_INFINITY or most > limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        if folder is not None:
            folder.use()
        if work is None:
            return
        work(send)
        send.end()
    except BaseException as problem:  # whatever the target does, it ends here and is told
        try:
            send(problem="%s: %s" % (type(problem).__name__, str(problem)[:500]))
            send.end()
        except BaseException:  # the pipe is gone: so is whoever listens
            pass
    _exit(0)


def _was_starved(pid: int, seconds: float) -> bool:
    """Whether a process wants to run, and had a processor for less than half of its time."""
    try:
        with open("/proc/%d/stat" % pid) as stream:
            fields = stream.read().rpartition(")")[2].split()
        return fields[0] == "R" and (int(fields[11]) + int(fields[12])) / _TICKS < seconds / 2
    except (OSError, ValueError, IndexError):
        return False


def no_cores() -> None:
    """No core files, of this process and all that it forks."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def own_children() -> None:
    """Keep the target's handler of ended children, which may reap them, for the children themselves."""
    handler = signal.getsignal(signal.SIGCHLD)
    if handler not in (None, signal.SIG_DFL):  # one that is not Python's could not be put back
        _target_handlers[:] = [handler]
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def adopt_orphans() -> None:
    """Become the parent of what children leave behind, so that it can be ended."""
    process_control(_SUBREAPER, 1)


def end_orphans(but: Container[int] = ()) -> None:
    """Kill and reap every child process but some; called only when no fork is at work."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as stream:
            pids = [int(pid) for pid in stream.read().split()]
    except (OSError, ValueError):
        return
    for pid in pids:
        if pid in but:
            continue
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except OSError:
            pass
