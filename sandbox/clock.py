"""When the running test's time is up, told from the report while it comes in."""

from __future__ import annotations

_BEGIN = b'"event":"begin"}'
_DONE = b'"event":"done"}'


class TestClock:
    """Fed with chunks of the report; ``deadline`` is that of the test now running, ``None`` between tests."""

    __test__ = False

    def __init__(self, seconds: float) -> None:
        self.deadline: float | None = None
        self._seconds = seconds
        self._rest = b""

    def feed(self, chunk: bytes, now: float) -> None:
        """Note where tests begin and end."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.endswith(_BEGIN):
                self.deadline = now + self._seconds
            elif line.endswith(_DONE):
                self.deadline = None
