"""The report: JSON lines on a descriptor of its own, which tests neither see nor share."""

from __future__ import annotations

import fcntl
import json
from os import close, getpid, set_inheritable, write

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# Bound here, before any test can replace them.
_dumps = json.dumps
_HIGH = 200


class Report:
    """Writes events. Silent in forked children of the process that made it."""

    def __init__(self, fd: int) -> None:
        try:
            # Out of the way of tests that reuse low descriptor numbers.
            self._fd = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH)
            close(fd)
        except OSError:
            self._fd = fd
            set_inheritable(fd, False)
        self._pid = getpid()

    def event(self, kind: str, **fields: Any) -> None:
        """Write one event, whole."""
        if getpid() != self._pid:
            return
        fields["event"] = kind
        rest = (_dumps(fields, separators=(",", ":")) + "\n").encode("ascii")
        while rest:
            rest = rest[write(self._fd, rest) :]

    def adopt(self) -> None:
        """Let the calling (forked) process write from now on."""
        self._pid = getpid()

    def close(self) -> None:
        """Give the descriptor back."""
        close(self._fd)
