"""A listening socket on this machine, whose every client is answered in a thread of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable


class Accepting:
    """Takes clients from the start until it is closed."""

    def __init__(self, answer: Callable[[socket.socket], None]) -> None:
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take nobody any more, and wait until nobody is waited for.

        A thread that still waits on a closed socket may go on with whatever gets its number: it would then answer the
        clients of a later test's server.
        """
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(60)
        assert not self._thread.is_alive(), "it still waits for clients"
        self._socket.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # the socket has been shut down
            while True:
                client = self._socket.accept()[0]
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()
