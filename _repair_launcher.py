"""Starts ``repair`` with nothing on the import path that belongs to the target.

The current folder and ``PYTHONPATH`` are the target's: both may hold packages called ``analysis`` or ``sandbox``. So
the process is started once more with both ignored, before anything of ours is imported. The environment stays as it
is, since the target's tests need their ``PYTHONPATH``. The installed command without any such variable has neither on
its path; it spares itself the second start, which takes as long as a quarter of ``repair --version``.
"""

import contextlib
import os
import sys
import threading
import time

LAUNCHED = "repair-launched"
"""An option of the interpreter (``-X``) that says when our first line ran, on the monotonic clock."""

HARMLESS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
"""Variables of Python's own that change nothing of what is imported, and that are often set."""

LAUNCH_SECONDS = 2.0
"""What an interpreter takes to start at most. A process that is older has been another program before."""


def main(*, ours: bool = False) -> int:
    """Run the command line and return its exit status; replaces the process where its import path is not safe.

    ``ours`` says that nobody else has any business in this process.
    """
    launched = _launched()
    closed = _open_streams()
    unsafe = closed or not (sys.flags.ignore_environment and sys.flags.safe_path)
    if unsafe and sys.executable:
        if closed or not _is_bare_script():
            when = ["-X", f"{LAUNCHED}={launched}"]
            os.execv(sys.executable, [sys.executable, "-E", "-P", *when, "-m", "repair", *sys.argv[1:]])
        del sys.path[0]
        sys.dont_write_bytecode = False  # as a second start would have it
        ours = True
    from repair.cli import main as run

    return _left(run(started=process_began(launched)), ours=ours)


def _is_bare_script() -> bool:
    """Whether this is the installed command, and all that differs from a clean import path is the script's own folder.

    So it is where no variable of Python's own is set that could have put anything else before our packages.
    """
    here = os.path.dirname(os.path.realpath(sys.argv[0]))
    beside = os.path.dirname(os.path.realpath(sys.executable)) == here or os.path.dirname(sys.executable) == here
    heeded = any(name.startswith("PYTHON") and name not in HARMLESS for name in os.environ)
    return beside and not heeded and bool(sys.path) and os.path.realpath(sys.path[0]) == here


def _launched() -> float:
    """When our first line ran in this process, which may have been replaced by itself since then."""
    now = time.monotonic()
    try:
        told = float(sys._xoptions.get(LAUNCHED, now))
    except ValueError:
        return now
    return told if 0.0 <= now - told <= 60.0 else now


def process_began(launched: float) -> float:
    """When this process began, on the monotonic clock; ``launched`` is when our first line ran."""
    try:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as stat:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return launched
    began = time.monotonic() - age
    return began if 0.0 <= launched - began <= LAUNCH_SECONDS else launched


def _left(status: int, *, ours: bool) -> int:
    """The status; where this process is ``ours`` alone, it ends here and now, since all that counts is written.

    To take a large heap apart takes a second on a busy machine, and nobody waits for a thread that was broken off.
    """
    if ours or any(thread.is_alive() and not thread.daemon for thread in threading.enumerate()[1:]):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(status)
    return status


def _open_streams() -> bool:
    """Whether a standard stream was closed: it leads nowhere now, so that no file of ours is taken for it."""
    closed = False
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            closed = True
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
    return closed
