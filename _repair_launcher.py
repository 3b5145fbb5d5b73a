"""Starts ``repair`` with nothing on the import path that belongs to the target.

The current folder and ``PYTHONPATH`` are the target's: both may hold packages called ``analysis`` or ``sandbox``. So
the process is started once more with both ignored, before anything of ours is imported. The environment stays as it
is, since the target's tests need their ``PYTHONPATH``.
"""

import contextlib
import os
import sys
import threading
import time

LAUNCHED = "repair-launched"
"""An option of the interpreter (``-X``) that says when our first line ran, on the monotonic clock."""


def main() -> int:
    """Run the command line and return its exit status; replaces the process where its import path is not safe."""
    launched = _launched()
    closed = _open_streams()
    if (closed or not (sys.flags.ignore_environment and sys.flags.safe_path)) and sys.executable:
        when = ["-X", f"{LAUNCHED}={launched}"]
        os.execv(sys.executable, [sys.executable, "-E", "-P", *when, "-m", "repair", *sys.argv[1:]])
    from repair.cli import main as run
    from repair.trials.run_time import process_began

    return _left(run(started=process_began(launched)))


def _launched() -> float:
    """When our first line ran in this process, which may have been replaced by itself since then."""
    now = time.monotonic()
    try:
        told = float(sys._xoptions.get(LAUNCHED, now))
    except ValueError:
        return now
    return told if 0.0 <= now - told <= 60.0 else now


def _left(status: int) -> int:
    """The status; where this process is ours alone, it ends here and now, since all that counts is written.

    To take a large heap apart takes a second on a busy machine, and nobody waits for a thread that was broken off.
    """
    ours = LAUNCHED in sys._xoptions
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
