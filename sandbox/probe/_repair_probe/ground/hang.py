"""Says where the program is when its time is up, and ends it when the engine has gone.

The engine writes a byte into the control pipe; the kernel turns that into a signal for this process. No
thread is needed: a second thread would make every ``os.fork`` of a test warn on Python 3.12 and newer.
"""

from __future__ import annotations

import fcntl
import os
import signal
from os import _exit, read

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    from _repair_probe.ground.words import Observing

_F_SETSIG = 10  # Linux; not named by the fcntl module of older interpreters


def listen(control_fd: int, observer: Observing) -> None:
    """Install the handler; a platform that lacks the means goes without (the engine still kills)."""
    if control_fd < 0 or not hasattr(signal, "SIGRTMAX"):
        return
    number = signal.SIGRTMAX - 2

    def told(_number: int, frame: FrameType | None) -> None:
        try:
            gone = not read(control_fd, 1)
        except OSError:
            return
        if not gone:
            observer.hang(frame)
        _exit(70)

    try:
        os.set_inheritable(control_fd, False)
        signal.signal(number, told)
        fcntl.fcntl(control_fd, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(control_fd, _F_SETSIG, int(number))
        flags = fcntl.fcntl(control_fd, fcntl.F_GETFL)
        fcntl.fcntl(control_fd, fcntl.F_SETFL, flags | os.O_ASYNC | os.O_NONBLOCK)
    except (OSError, ValueError):
        signal.signal(number, signal.SIG_DFL)
