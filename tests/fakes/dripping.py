"""Servers of bytes on this machine: they send what they are told to, piece by piece, and keep what they were sent."""

from __future__ import annotations

import itertools
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import sleep

from fakes.accepting import Accepting


class Dripping:
    """A listening socket. ``pieces`` are sent to each who asks, one in ``pause`` seconds; ``sent`` is what came."""

    def __init__(self, pieces: Callable[[], Iterable[bytes]], pause: float) -> None:
        self.sent: list[bytes] = []
        self.ended = threading.Event()
        """Set when somebody has gone before the pieces ended."""
        self._pieces, self._pause = pieces, pause
        self._accepting = Accepting(self._answer)
        self.port, self.close = self._accepting.port, self._accepting.close

    def _answer(self, who: socket.socket) -> None:
        with who:
            try:
                self.sent.append(_request(who))
                for piece in self._pieces():
                    who.sendall(piece)
                    sleep(self._pause)
            except OSError:
                self.ended.set()


def _request(who: socket.socket) -> bytes:
    """A request with its body."""
    taken = b""
    while piece := who.recv(1 << 16):
        taken += piece
        head, _, body = taken.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if body and (length is None or len(body) >= int(length[1])):
            break
    return taken


def endless(start: bytes, piece: bytes) -> Callable[[], Iterator[bytes]]:
    """Pieces without an end."""
    return lambda: itertools.chain([start], itertools.repeat(piece))


HEADERS = endless(b"HTTP/1.1 200 OK\r\n", b"X-More: x\r\n")
BODY = endless(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n", b" ")
STATUS = endless(b"HTTP/1.1 200 ", b"O")


@contextmanager
def serving(pieces: Callable[[], Iterable[bytes]], pause: float = 0.1) -> Iterator[Dripping]:
    """A server, closed at the end."""
    server = Dripping(pieces, pause)
    try:
        yield server
    finally:
        server.close()
