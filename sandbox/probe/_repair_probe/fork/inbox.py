"""What the engine asks of a server, and how long the server may wait for more."""

from __future__ import annotations

import json
import os
from collections import deque
from time import monotonic

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from _repair_probe.ground.words import AtWork, Fields


class Inbox:
    """Requests that wait, as they came through the control descriptor. ``open`` until the engine closes its end."""

    def __init__(self, control: int) -> None:
        self.control, self.open = control, True
        self.waiting: deque[Fields] = deque()
        self._rest = b""
        os.set_inheritable(control, False)

    def take(self) -> None:
        """Read what has come; a line that is not whole waits for its end."""
        piece = os.read(self.control, 1 << 20)
        self.open = bool(piece)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        self.waiting.extend(json.loads(line.decode("ascii")) for line in lines)


def patience(running: Collection[AtWork]) -> float | None:
    """Seconds until the first of the deadlines of what runs, ``None`` where nothing does."""
    return max(0.0, min(fork.deadline for fork in running) - monotonic()) if running else None
