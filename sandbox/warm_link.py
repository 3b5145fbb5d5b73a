"""One warm server process and the bytes between it and the engine."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import selectors
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any

from sandbox.process import Channel, Command, blot_secrets, end, open_channel, start

MOST_LINE = 16 << 20
_CHUNK = 1 << 16
_WIDE = 1 << 20
_CONSOLE = 64 << 10

Prepare = Callable[[Channel], Command]
"""Makes a fresh copy and the command that serves it over the given channel."""


class ServerLost(Exception):
    """The server has ended, or no longer speaks its language; the message says which."""


class WarmLink:
    """A running server. Neither side can block the other: all that is written waits in a buffer here."""

    def __init__(self, prepare: Prepare) -> None:
        self._ends = open_channel()
        try:
            self._command = prepare(self._ends)
            self._child = start(self._command, self._ends)
        except BaseException:  # an interruption too must not leave the pipes open
            self._ends.close()
            raise
        console = self._child.process.stdout
        assert console is not None, "stdout is a pipe"
        self._console_end = console.fileno()
        os.set_blocking(self._ends.control_write, False)
        # Room for all requests of a batch, so that the server sees them together.
        with contextlib.suppress(OSError, AttributeError):  # this user has many pipes, or the system knows no sizes
            fcntl.fcntl(self._ends.control_write, fcntl.F_SETPIPE_SZ, _WIDE)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._console = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._ends.report_read, selectors.EVENT_READ)
        self._selector.register(self._console_end, selectors.EVENT_READ)
        self._closed = False

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._child.process.pid

    @property
    def console(self) -> str:
        """The first part of what the server printed."""
        return blot_secrets(bytes(self._console), self._command.secrets).decode("utf-8", "replace")

    def send(self, request: Mapping[str, object]) -> None:
        """Queue one request; ``flush`` or waiting for events sends what is queued."""
        self._outgoing += json.dumps(request).encode("ascii") + b"\n"

    def flush(self) -> None:
        """Send as much of what is queued as the server has room for."""
        if self._outgoing:
            self._write()

    def events(self, seconds: float) -> Iterator[dict[str, Any]]:
        """Events that arrive within the time, at least one. Raises ``ServerLost`` at the end of the report."""
        until = monotonic() + seconds
        self.flush()
        while True:
            left = until - monotonic()
            ready = [key.fd for key, _ in self._selector.select(max(0.0, left))]
            # Whoever prints without end is always ready, and yet gives no answer.
            if not ready or (left <= 0 and self._ends.report_read not in ready):
                raise ServerLost("the warm server does not answer")
            if self._ends.control_write in ready:
                self._write()
            if self._console_end in ready:
                self._read_console()
            if self._ends.report_read in ready:
                found = list(self._read_report())
                if found:
                    yield from found
                    return

    def close(self) -> None:
        """End the server and everything that it started."""
        if self._closed:
            return
        self._closed = True
        self._selector.close()
        self._ends.close()
        end(self._child)

    def _write(self) -> None:
        try:
            written = os.write(self._ends.control_write, self._outgoing) if self._outgoing else 0
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            written = len(self._outgoing)  # the end of the report tells the rest
        del self._outgoing[:written]
        watched = self._ends.control_write in self._selector.get_map()
        if self._outgoing and not watched:
            self._selector.register(self._ends.control_write, selectors.EVENT_WRITE)
        elif watched and not self._outgoing:
            self._selector.unregister(self._ends.control_write)

    def _read_console(self) -> None:
        piece = os.read(self._console_end, _CHUNK)
        self._console += piece[: max(0, _CONSOLE - len(self._console))]
        if not piece:
            self._selector.unregister(self._console_end)

    def _read_report(self) -> Iterator[dict[str, Any]]:
        piece = os.read(self._ends.report_read, _CHUNK)
        if not piece:
            raise ServerLost("the warm server ended")
        self._incoming += piece
        if len(self._incoming) > MOST_LINE:
            raise ServerLost("the warm server sent too much")
        if b"\n" not in piece:
            return
        *lines, rest = self._incoming.split(b"\n")
        self._incoming = bytearray(rest)
        for line in lines:
            try:
                event = json.loads(blot_secrets(bytes(line), self._command.secrets))
            except (ValueError, RecursionError) as problem:
                raise ServerLost("the warm server sent something unreadable") from problem
            if isinstance(event, dict):
                yield event
