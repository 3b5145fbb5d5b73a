"""Lanes: processes that do nothing but fork, one errand after the other, so that forking stays cheap.

After a fork, parent and child pay for each page that either writes to. The server reads requests, compiles
and keeps books, and would pay for hundreds of pages a trial. A lane is forked from it once; between two forks it
touches little more than the bytes of one errand. Lanes also fork side by side.
"""

from __future__ import annotations

import marshal
import os
import select
import selectors
import signal
import socket
import struct
from time import monotonic, sleep

from _repair_probe.fork.folders import Folder
from _repair_probe.fork.forks import DEATH_SIGNAL, Fork, lines_of, own_folders, process_control, wait_for
from _repair_probe.fork.huge_pages import enlarge
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from _repair_probe.ground.words import Called, Fields, Leave, Work

_ERRAND, _REPLY = struct.Struct("=Idd"), struct.Struct("=I")
_BACKSTOP, _PAUSE = 30.0, 0.05
_SETTLED = 8
"""Errands after which more will follow, so that larger pages are worth a tenth of a second."""


class Lane:
    """A lane as the server sees it: at most one errand at a time, which looks like a ``Fork``."""

    about: Called | None
    tag: Any
    state: str
    lines: list[Fields]
    deadline: float
    _ending: str
    _selector: selectors.BaseSelector | None
    _buffer: bytearray

    def __init__(self, work_of: Callable[[bytes, Leave], Work], leave: Leave) -> None:
        """``work_of`` gives the work for a message, in the lane, given what a fork of it has to let go of.

        ``leave`` lets go of what is the server's.
        """
        self.busy = False
        self.about, self.streak, self.ready, self.readying = None, 0, False, False
        self._socket, other = socket.socketpair()
        self.fd = self._socket.fileno()
        server = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._socket.close()
                process_control(DEATH_SIGNAL, signal.SIGKILL)
                leave()
                if os.getppid() == server:
                    _serve(other, work_of)
            finally:
                os._exit(0)
        other.close()

    def start(self, tag: Any, message: bytes, seconds: float, cpu: float = 0.0) -> None:
        """Send the lane on an errand."""
        self.busy = True
        self.tag, self.state, self.lines = tag, "", []
        self.deadline = monotonic() + 8 * max(seconds, cpu) + _BACKSTOP
        self._ending, self._selector, self._buffer = "", None, bytearray()
        try:
            self._socket.sendall(_ERRAND.pack(len(message), seconds, cpu) + message)
        except OSError:
            pass  # its end shows as the end of what it says

    def watched_by(self, selector: selectors.BaseSelector) -> None:
        """Let a selector watch ``fd`` until the errand is over."""
        self._selector = selector
        selector.register(self.fd, selectors.EVENT_READ)

    def descriptors(self) -> Collection[int]:
        """What a child forked later has to close: nothing but what all lanes have."""
        return ()

    def is_late(self, now: float) -> bool:
        """Whether the lane itself is lost: it keeps the deadlines of its children."""
        return self.deadline <= now

    def read(self) -> None:
        """Take what the lane says; sets ``state`` when the errand is over."""
        try:
            piece = self._socket.recv(1 << 16)
        except OSError:  # it ended before it had read its errand
            piece = b""
        self._buffer += piece
        if not piece:
            self.finish("crashed")
        elif len(self._buffer) >= _REPLY.size:
            (size,) = _REPLY.unpack_from(self._buffer)
            if len(self._buffer) >= _REPLY.size + size:
                state, self._ending, nonce, said = marshal.loads(bytes(self._buffer[_REPLY.size :]))
                self.lines = lines_of(said, nonce)
                self._over(state)

    def finish(self, state: str) -> None:
        """The lane is lost, or not wanted any more: end it."""
        self._over(state)
        self._ending = self._ending or "the process ended early"
        self.close()

    def ending(self) -> str:
        """How the child ended, in words."""
        return self._ending

    def close(self) -> None:
        """End the lane and whatever is at work in it."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._socket.close()
            self.pid = 0

    def let_go(self) -> None:
        """In a fork of the server: the lane is not its own."""
        if self.pid:
            self._socket.close()

    def _over(self, state: str) -> None:
        self.state, self.busy = state, False
        if self._selector is not None:
            self._selector.unregister(self.fd)
            self._selector = None


class Lanes:
    """The lanes of one server, made as they are needed. One that has ended is forgotten."""

    def __init__(self, work_of: Callable[[bytes, Leave], Work], leave: Leave) -> None:
        self._lanes: list[Lane] = []
        self._work_of, self._leave = work_of, leave

    def take(self, place: Called | None, most: int) -> Lane:
        """A free lane, best one that was about the same function, and none that was made ready for another."""
        self._lanes = [lane for lane in self._lanes if lane.pid]
        free = [lane for lane in self._lanes if not lane.busy]
        lane = next((lane for lane in free if lane.about == place), None)
        lane = lane or next((lane for lane in free if not lane.ready), None)
        if lane is None:
            if free and len(self._lanes) >= most:
                free[0].close()
            lane = Lane(self._work_of, self._leave)
            self._lanes.append(lane)
        if place is None or lane.about != place:
            lane.about, lane.streak = place, 0
        return lane

    def end_ready(self) -> None:
        """End those that were made ready: what was done ahead was not sound after all."""
        for lane in self._lanes:
            if lane.ready and not lane.busy:
                lane.close()

    def pids(self) -> set[int]:
        """Their processes."""
        return {lane.pid for lane in self._lanes}

    def close(self) -> None:
        """End all of them."""
        for lane in self._lanes:
            lane.close()

    def let_go(self) -> None:
        """In a fork of the server: they are not its own."""
        for lane in self._lanes:
            lane.let_go()


def _serve(channel: socket.socket, work_of: Callable[[bytes, Leave], Work]) -> None:
    """The lane: an errand, a fork, a reply, until the server closes its end."""
    poll = select.poll()
    own_folders()
    folder = Folder()
    folder.use()
    errands = 0

    def leave() -> None:
        channel.close()

    while True:
        head = _read_exactly(channel, _ERRAND.size)
        if head is None:
            return
        size, seconds, cpu = _ERRAND.unpack(head)
        message = _read_exactly(channel, size)
        if message is None:
            return
        errands += 1
        if errands == _SETTLED:
            enlarge()
        fork = _fork_soon(work_of(message, leave), seconds, leave, cpu, folder)
        wait_for(fork, poll)
        poll.unregister(fork.fd)
        reply = marshal.dumps((fork.state, fork.ending(), fork.nonce, fork.said))
        channel.sendall(_REPLY.pack(len(reply)) + reply)


def _fork_soon(work: Work, seconds: float, leave: Leave, cpu: float, folder: Folder) -> Fork:
    """A fork, as soon as there can be one: a trial beside this one may hold every process that is allowed."""
    until = monotonic() + seconds + 1
    while True:
        try:
            return Fork(None, work, seconds, leave, quiet=True, cpu=cpu, folder=folder)
        except OSError:
            if monotonic() > until:
                raise
            sleep(_PAUSE)


def _read_exactly(channel: socket.socket, size: int) -> bytes | None:
    """So many bytes, or ``None`` at the end."""
    found = channel.recv(size, socket.MSG_WAITALL)
    return found if len(found) == size else None
