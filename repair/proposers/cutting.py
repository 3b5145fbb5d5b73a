"""Work that waits for somebody else, given up in time: whoever sends a byte now and then can hold it for ever."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import httpx2

Given = TypeVar("Given")

CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
"""What the client tells when it has a connection, and when that is encrypted: then another socket stands for it."""


class Connections:
    """The connections of one HTTP client, so that another thread can cut them.

    A timeout of the client holds for each read alone, and a name is looked up without any.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []

    def watch(self, request: httpx2.Request) -> None:
        """Note the connection that the request is sent over. A hook of the client."""
        request.extensions = {**request.extensions, "trace": self._note}

    def cut(self) -> None:
        """End all of them: who reads from one sees its end."""
        while self._sockets:
            with contextlib.suppress(OSError):
                self._sockets.pop().shutdown(socket.SHUT_RDWR)

    def _note(self, name: str, said: Mapping[str, Any]) -> None:
        if name in CONNECTED:
            found = said["return_value"].get_extra_info("socket")
            if isinstance(found, socket.socket):
                self._sockets.append(found)


def run_within(seconds: float, work: Callable[[], Given], cut: Callable[[], None]) -> Given | None:
    """What the work gives; ``None`` where that takes longer: then it is ``cut``, and nobody waits for it."""
    answers: SimpleQueue[Given | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            answers.put(work())
        except BaseException as problem:  # noqa: BLE001 - handed over whole, raised by the caller's thread
            answers.put(problem)

    Thread(target=run, daemon=True, name="request").start()
    try:
        answer = answers.get(timeout=max(0.0, seconds))
    except Empty:
        cut()
        return None
    except BaseException:  # an interruption too: nothing more is sent for it
        cut()
        raise
    if isinstance(answer, BaseException):
        raise answer
    return answer
