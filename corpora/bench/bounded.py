"""Work in a child process of its own that is ended from outside: when its time is up, and when we are gone.

The child is forked where this process has no threads, and costs milliseconds then. A worker with threads (Dask's)
cannot fork safely: there a fresh interpreter is started. Either leads a session of its own. It hears SIGTERM when
whoever started it dies, be it by SIGKILL, so it can still take away what it made. Between it and us stands a watcher.

What the child and all below it use is looked at from outside. A process's use is added to an account where somebody
waits for it: its parent, or its heir. Nobody waits for targets that are killed with their whole jail. So the tree is
looked at now and then, and what is gone without having been added to any account is kept.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import select
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from corpora.bench import watcher
from corpora.bench.processes import accounts, descendants, resident_mb
from corpora.bench.watcher import end_with_parent, kill, watch

LOOK_SECONDS = 0.5

Accounts = dict[tuple[int, str], tuple[float, float]]


class Usage:
    """The account of one tree. What runs between two looks of a part that is killed before the second is not seen."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._before: Accounts = {}
        self._lost = 0.0
        self.peak_mb = 0.0

    def look(self) -> None:
        """Take in what the tree has used by now."""
        now = accounts(self._root)
        if self._before.keys() - now.keys():
            now = accounts(self._root)  # a process may have been waited for after its parent's account was read
        self._lost += _lost_seconds(self._before, now)
        self._before = now
        self.peak_mb = max(self.peak_mb, *map(resident_mb, (self._root, *descendants(self._root))))

    def so_far(self) -> float:
        """CPU seconds of the whole tree while its root lives."""
        self.look()
        return self._lost + sum(map(sum, self._before.values()))

    def total(self, waited: float) -> float:
        """CPU seconds of the whole tree when its root has ended; ``waited`` is what waiting for the root told."""
        known = {key: spent for key, spent in self._before.items() if key[0] == self._root}
        ended = dict.fromkeys(known, (0.0, waited))  # the root's own time counts as if it had been reaped
        before = {**self._before, **{key: (0.0, sum(spent)) for key, spent in known.items()}}
        return waited + self._lost + _lost_seconds(before, ended)


def _lost_seconds(before: Accounts, now: Accounts) -> float:
    """What those that are gone had used, as far as nobody's account has grown by it."""
    gone = sum(sum(spent) for key, spent in before.items() if key not in now)
    inherited = sum(now[key][1] - reaped for key, (_, reaped) in before.items() if key in now)
    return max(0.0, gone - inherited)


GRACE_SECONDS = watcher.GRACE_SECONDS + 2 * watcher.LINGER_SECONDS
"""How long the watcher may take to end a child, and what the child leaves."""

_REPORT, _FAILED = 3, 70
_CHUNK = 1 << 16
_TAIL = 2000

Work = Callable[[Any], bytes]


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a child ended: what it reported, what it said, what it and all of its own took, and its largest process."""

    report: bytes
    status: int
    said: str
    is_late: bool
    cpu_seconds: float
    peak_mb: float


def run_bounded(work: Work, given: Any, seconds: float, memory_mb: int) -> ChildEnd:
    """Call ``work``, a function of a module, in a child; what it returns is the report.

    ``memory_mb`` bounds each of its processes. An exception in the child is a traceback in ``said`` and a status.
    """
    with tempfile.TemporaryFile() as said, contextlib.ExitStack() as stack:
        read, write = os.pipe()
        stack.callback(os.close, read)
        try:
            start = _fork if threading.active_count() == 1 else _spawn
            child = start(work, given, write, said, memory_mb)
        finally:
            os.close(write)
        report, is_late, seen = bytearray(), True, Usage(child)
        try:
            is_late = not _read(read, report, time.monotonic() + seconds, seen)
        finally:
            status, reaped = _wait_for_end(child, is_late)
        said.seek(max(0, said.seek(0, os.SEEK_END) - _TAIL))
        tail = said.read().decode("utf-8", "replace")
        cpu_seconds = seen.total(reaped.ru_utime + reaped.ru_stime)
        peak_mb = max(seen.peak_mb, reaped.ru_maxrss / 1000)
        return ChildEnd(bytes(report), status, tail, is_late, round(cpu_seconds, 3), round(peak_mb, 1))


def _fork(work: Work, given: Any, write: int, said: IO[bytes], memory_mb: int) -> int:
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _child(work, given, write, said.fileno(), memory_mb, parent)
    return child


def _spawn(work: Work, given: Any, write: int, said: IO[bytes], memory_mb: int) -> int:
    with tempfile.TemporaryFile() as asked:
        pickle.dump((work, given, memory_mb, os.getpid()), asked)
        asked.flush()
        asked.seek(0)
        files = [(os.POSIX_SPAWN_DUP2, asked.fileno(), 0)]
        files += [(os.POSIX_SPAWN_DUP2, said.fileno(), number) for number in (1, 2)]
        files += [(os.POSIX_SPAWN_DUP2, write, _REPORT)]
        argv = [sys.executable, "-E", "-P", "-m", __name__]
        return os.posix_spawn(sys.executable, argv, os.environ, file_actions=files)


def _child(work: Work, given: Any, write: int, said: int, memory_mb: int, parent: int) -> NoReturn:
    """The whole life of the watcher and of the child; neither ever returns into what it was forked from."""

    def report() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what workers ignore, targets may want
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = memory_mb << 20 if hard == resource.RLIM_INFINITY else min(memory_mb << 20, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        with os.fdopen(write, "wb") as pipe:
            pipe.write(work(given))

    def begin() -> None:
        os.setsid()
        os.dup2(said, 1)
        os.dup2(said, 2)
        end_with_parent(signal.SIGTERM, parent)
        watch(lambda: _live(report), write)

    _live(begin)


def _live(deed: Callable[[], None]) -> NoReturn:
    """Do it, and end: nothing may run on into the code of whoever was forked."""
    status = _FAILED
    try:
        deed()
        status = 0
    except BaseException:  # noqa: BLE001 - the edge of the process: whatever it was is told, and ends with it
        with contextlib.suppress(OSError, ValueError):
            os.write(2, traceback.format_exc().encode("utf-8", "replace")[-_TAIL:])
    finally:
        os._exit(status)


def _read(read: int, report: bytearray, until: float, seen: Usage) -> bool:
    """Whether the whole report came in time."""
    while (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select([read], [], [], min(left, LOOK_SECONDS))
        if not ready:
            seen.look()
        else:
            chunk = os.read(read, _CHUNK)
            if not chunk:
                return True
            report += chunk
    return False


def _wait_for_end(child: int, is_late: bool) -> tuple[int, resource.struct_rusage]:
    """The child's exit status and use, once it is gone; one that is late, or does not end, is made to."""
    if is_late:
        kill(child, signal.SIGTERM)
    until = time.monotonic() + GRACE_SECONDS
    while True:
        gone, status, usage = os.wait4(child, os.WNOHANG)
        if gone:
            _signal_group(child)
            return os.waitstatus_to_exitcode(status), usage
        if time.monotonic() > until:
            _signal_group(child)
        time.sleep(0.002 if until - time.monotonic() > GRACE_SECONDS - 0.5 else 0.05)


def _signal_group(child: int) -> None:
    """Kill what is left of the child's session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def main() -> None:
    """The child as a fresh interpreter: what to do comes by standard input."""
    work, given, memory_mb, parent = pickle.load(sys.stdin.buffer)
    _child(work, given, _REPORT, 1, memory_mb, parent)


if __name__ == "__main__":
    main()
