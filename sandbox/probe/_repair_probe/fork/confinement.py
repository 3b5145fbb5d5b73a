"""Keeps a child that was forked in the middle of a test from leaving anything outside of itself.

What would write a file, start a process, talk to a socket or signal to others is seen before it happens. The child
says so and ends: what it would have given does not count. It may write into a folder of its own, and where it is told.
"""

from __future__ import annotations

import os
import sys

from _repair_probe.fork.hazards import PATH_CHANGES, changed_paths
from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from _repair_probe.ground.words import Value

_PROCESSES = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.spawn", "os.fork", "os.forkpty")
_SOCKETS = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_CHANGES = dict(PATH_CHANGES, **{"os.chmod": ((0, 2),), "os.chown": ((0, 3),), "os.utime": ((0, 3),)})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_exit, _getpid = os._exit, os.getpid


class Confinement:
    """An audit hook, which nothing takes out again. ``tell`` is called with what was about to happen."""

    def __init__(self, folder: str, allowed: Iterable[str], tell: Callable[[str], object]) -> None:
        self._folder, self._allowed, self._tell = os.path.realpath(folder), frozenset(allowed), tell
        sys.dont_write_bytecode = True
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Value, ...]) -> None:
        try:
            said = self._said(event, args)
        except Exception:  # an odd path: whatever it was, it may be outside
            said = "it does something that cannot be followed"
        if said:
            self._end(said)

    def _end(self, said: str) -> NoReturn:
        try:
            self._tell(said)
        finally:
            _exit(0)

    def _said(self, event: str, args: tuple[Value, ...]) -> str:
        if event == "open":
            path, _, flags = args
            return "it writes a file" if flags & _WRITES and not self._is_own(path) else ""
        if event in _CHANGES:
            return "" if all(map(self._is_own, changed_paths(_CHANGES[event], event, args))) else "it changes files"
        if event in _PROCESSES:
            return "it starts a process"
        if event in _SOCKETS:
            return "it talks to a socket"
        if event in ("os.kill", "os.killpg", "signal.pidfd_send_signal"):
            return "" if args[0] in (0, _getpid()) else "it signals to another process"
        return ""

    def _is_own(self, path: Value) -> bool:
        if isinstance(path, int):
            return True
        name = os.path.abspath(os.fsdecode(path))
        return name == os.devnull or name in self._allowed or is_within(os.path.realpath(name), self._folder)
