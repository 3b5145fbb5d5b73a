"""One ordinary pytest session, observed.

Says where the program is when its time is up, and ends it when the engine has gone.

The engine writes a byte into the control pipe; the kernel turns that into a signal for this process. No
thread is needed: a second thread would make every ``os.fork`` of a test warn on Python 3.12 and newer.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from os import _exit, read

from _repair_probe.ground.paths import leaked_modules
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    import pytest

    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Fields, Observing


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


# Numeric libraries start a pool of threads when imported; a fork would lose it.
_NUMERIC_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
QUICK = ("--assert=plain", "--tb=no")
"""Options of pytest for runs whose explanations nobody reads."""


def start(request: Fields, report: Report) -> Any:
    """Import pytest and say who is running; ``None`` where the target has no pytest."""
    try:
        import pytest
    except ImportError as problem:
        report.event("no_pytest", message=str(problem)[:500])
        return None
    report.event(
        "start",
        python="%d.%d.%d" % sys.version_info[:3],
        flags={"optimize": sys.flags.optimize, "dev_mode": bool(sys.flags.dev_mode)},
    )
    sys.argv[:] = [pytest.__file__.replace("__init__", "__main__"), *request["args"]]
    return pytest


def run(request: Fields, report: Report) -> int:
    """Run the session; the last event carries its status and the nonce."""
    pytest = start(request, report)
    if pytest is None:
        return 3
    from _repair_probe.session.plugin import Observer

    observer = Observer(request, report)
    listen(request["control_fd"], observer)
    try:
        status = int(pytest.main(list(request["args"]), plugins=[observer]))
    except BaseException as problem:  # told to the engine and raised again
        observer.crash(problem)
        raise
    report.event(
        "end",
        status=status,
        counts=observer.counts,
        leaked=leaked_modules(request["original"], request["root"]),
        nonce=request["nonce"],
    )
    return status


def own_threads_only() -> None:
    """Let numeric libraries work in the one thread that a fork takes with it."""
    for name in _NUMERIC_THREADS:
        os.environ.setdefault(name, "1")


def serving_obstacle(session: pytest.Session) -> str:
    """Why this session cannot be served from forks, or ``""``."""
    if session.testsfailed:
        return "collection failed"
    if not session.items:
        return "no tests were collected"
    if session.config.pluginmanager.hasplugin("dsession"):
        return "another plugin runs the tests (xdist)"
    return ""
