"""What the probe is told, the command line that starts it, and how often that was done."""

from __future__ import annotations

import json
import secrets
import threading
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

PROBE = Path(__file__).parent / "probe"
"""The folder that the probe's package lies in; on the target's path only while the probe is imported."""

OLDEST = (3, 8)
"""The oldest Python that the probe runs in."""

BOOT = (
    "import sys; d, r = sys.argv[1:]; p = sys.path[:]; sys.path[0] = d; "
    "from _repair_probe.main import main; sys.path[:] = p; del d, p; main(r)"
)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the probe. ``mode`` is ``run``, ``warm``, ``zygote``, ``apart``, ``compile`` or ``import``.

    ``root`` is the copy, ``original`` the project that it was made from.
    """

    mode: str
    root: str
    original: str
    args: tuple[str, ...] = ()
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))
    trace: str = ""
    shuffle: int | None = None
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    points: tuple[tuple[str, int, str, tuple[str, ...]], ...] = ()
    """Path, line, kind and names of each point at which values are recorded."""
    subject: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Positional and named arguments, as literals, of calls of the subject."""
    call_seconds: float = 1.0
    like_tests: bool = False
    private: tuple[str, ...] = ()
    """Folders of the machine that are the jail's own, and that forks can write to."""
    stuck_seconds: float = 0.0

    @property
    def imports_pytest(self) -> bool:
        """Whether it is answered by a process that imports pytest: what makes a start a cold one."""
        return self.mode in ("run", "warm", "zygote") or self.like_tests

    def to_json(self, report_fd: int, control_fd: int) -> bytes:
        """The request as the probe reads it. The report goes to the descriptor ``report_fd``.

        On ``control_fd`` the probe learns that time is up (a byte) or that the engine is gone (the end).
        """
        return json.dumps({**asdict(self), "report_fd": report_fd, "control_fd": control_fd}).encode()


def probe_command(python: str, request_path: str, probe: str = str(PROBE)) -> tuple[str, ...]:
    """The argv that starts the probe of that folder in the target's interpreter, in the copy's root."""
    return (python, "-B", "-c", BOOT, probe, request_path)


class ColdStarts:
    """How many processes were started that import pytest, by purpose; several threads may count at a time.

    On a small project they are most of what a verdict costs: half a second each, whatever its tests take.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def count(self, purpose: str) -> None:
        """One more process was started for this: ``suite``, say."""
        with self._lock:
            self._counts[purpose] += 1

    def by_purpose(self) -> dict[str, int]:
        """How many for each purpose so far, in the order in which each was first needed."""
        with self._lock:
            return dict(self._counts)
