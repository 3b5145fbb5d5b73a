"""Forked children that do one thing each and are trusted with nothing: lines through a pipe, a deadline, a kill.

The server forks at the point where the tests are collected. A child sends JSON lines that carry its
nonce and ends with a mark; it is killed, with its process group, as soon as the mark is there, its
time is up, it floods the pipe, or the pipe ends.
"""

import ctypes
import json
import os
import resource
import shutil
import signal
import tempfile
from time import monotonic

_MOST_BYTES = 8 << 20
_DEATH_SIGNAL, _SUBREAPER = 1, 36
_exit, _write, _dumps = os._exit, os.write, json.dumps


try:
    _prctl = ctypes.CDLL(None).prctl
except (OSError, AttributeError):
    _prctl = None


def process_control(option, value):
    """``prctl``, where the platform has it."""
    if _prctl is not None:
        _prctl(option, value, 0, 0, 0)


class Fork:
    """A child at work. ``state`` is empty while it runs, then ``done``, ``timeout``, ``flood`` or ``crashed``."""

    def __init__(self, tag, work, seconds, leave):
        self.tag = tag
        self.state = ""
        self.status = None
        self.lines = []
        self._nonce = os.urandom(12).hex()
        self._end = ('{"end":"%s"}\n' % self._nonce).encode()
        self._buffer = bytearray()
        self.deadline = monotonic() + seconds
        self._folder = os.path.join(tempfile.gettempdir(), "fork-" + self._nonce)
        self.fd, out = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.fd)
            _child(work, _Sender(out, self._nonce, self._end), self._folder, seconds, leave)
        os.close(out)

    def read(self):
        """Take what the child has written; sets ``state`` when it is over."""
        piece = os.read(self.fd, 1 << 16)
        self._buffer += piece
        if self._buffer.endswith(self._end):
            self.finish("done")
        elif not piece:
            self.finish("crashed")
        elif len(self._buffer) > _MOST_BYTES:
            self.finish("flood")

    def finish(self, state):
        """Kill and reap the child and its group, and keep the lines that are its own."""
        self.state = state
        for kill, pid in ((os.killpg, self.pid), (os.kill, self.pid)):
            try:
                kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        self.status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        if os.path.isdir(self._folder):
            shutil.rmtree(self._folder, ignore_errors=True)
        for line in bytes(self._buffer).split(b"\n")[:-1]:
            self._keep(line)
        self._buffer = bytearray()

    def _keep(self, line):
        try:
            value = json.loads(line.decode("ascii"))
        except ValueError:
            return
        if isinstance(value, dict) and value.pop("nonce", None) == self._nonce:
            self.lines.append(value)

    def ending(self):
        """How the child ended, in words."""
        if self.state == "crashed" and os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) != signal.SIGKILL:
            return "signal %d" % os.WTERMSIG(self.status)
        words = {"crashed": "the process ended early", "timeout": "time is up", "flood": "too much output"}
        return words.get(self.state, self.state)


class _Sender:
    """Writes lines of one child. Only the process that was forked for it can write."""

    def __init__(self, fd, nonce, end):
        self._fd, self._nonce, self._end, self._pid = fd, nonce, end, os.getpid()

    def __call__(self, **fields):
        fields["nonce"] = self._nonce
        self._send((_dumps(fields, separators=(",", ":")) + "\n").encode("ascii"))

    def end(self):
        self._send(self._end)

    def _send(self, data):
        while data:
            data = data[_write(self._fd, data) :]


def _child(work, send, folder, seconds, leave):
    """Everything the child does. Never returns."""
    try:
        os.setsid()
        process_control(_DEATH_SIGNAL, signal.SIGKILL)
        leave()
        _bound(seconds)
        os.mkdir(folder, 0o700)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        work(send)
        send.end()
    except BaseException as problem:
        try:
            send(problem="%s: %s" % (type(problem).__name__, str(problem)[:500]))
            send.end()
        except BaseException:
            pass
    finally:
        _exit(0)


def _bound(seconds):
    """CPU time a little above the deadline, so that nothing outlives a lost server for long; no core files."""
    limit = int(seconds) + 2
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    if most == resource.RLIM_INFINITY or most > limit:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def adopt_orphans():
    """Become the parent of what children leave behind, so that it can be ended."""
    process_control(_SUBREAPER, 1)


def end_orphans():
    """Kill and reap every child process; called only when no fork is at work."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as stream:
            pids = [int(pid) for pid in stream.read().split()]
    except (OSError, ValueError):
        return
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except OSError:
            pass
