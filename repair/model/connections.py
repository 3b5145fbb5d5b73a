"""The connections of one HTTP client, and work that is given up in time.

Who sends a byte now and then can hold a client for ever, and a name is looked up without any bound. So each try works
in a thread of its own, whose connections are cut from outside.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from typing import Any, TypeVar

import httpx2

Given = TypeVar("Given")

CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
"""What the client tells when it has a connection, and when that is encrypted: then another socket stands for it."""


class _Line:
    """The sockets of one try. Once it is cut, what connects later is cut at once: nothing more is sent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._is_cut = False

    def note(self, name: str, said: Mapping[str, Any]) -> None:
        """Hear of a step of the client."""
        found = said["return_value"].get_extra_info("socket") if name in CONNECTED else None
        if isinstance(found, socket.socket):
            with self._lock:
                self._sockets.append(found)
            if self._is_cut:
                self.cut()

    def cut(self) -> None:
        """End them: who reads from one sees its end."""
        self._is_cut = True
        with self._lock:
            while self._sockets:
                with contextlib.suppress(OSError):  # it is closed already
                    self._sockets.pop().shutdown(socket.SHUT_RDWR)


class Connections:
    """Knows which connections belong to which try, as long as the client keeps none for a later one."""

    def __init__(self) -> None:
        self._here = threading.local()

    def watch(self, request: httpx2.Request) -> None:
        """Note the connection that the request is sent over. A hook of the client, called in the thread that sends."""
        line: _Line = self._here.line
        request.extensions = {**request.extensions, "trace": line.note}

    def run_within(self, seconds: float, work: Callable[[], Given]) -> Given | None:
        """What the work gives; ``None`` where that takes longer: then its connections end, and nobody waits for it."""
        answer: Future[Given] = Future()
        line = _Line()

        def run() -> None:
            self._here.line = line
            try:
                answer.set_result(work())
            except BaseException as problem:  # noqa: BLE001 - handed over whole, raised by the caller's thread
                answer.set_exception(problem)

        threading.Thread(target=run, daemon=True, name="request").start()
        try:
            ended, _ = wait([answer], timeout=max(0.0, seconds))
        except BaseException:  # an interruption too: nothing more is sent for it
            line.cut()
            raise
        if not ended:
            line.cut()
            return None
        return answer.result()
