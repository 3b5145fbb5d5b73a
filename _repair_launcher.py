"""Starts ``repair`` with nothing on the import path that belongs to the target.

The current folder and ``PYTHONPATH`` are the target's: both may hold packages called ``analysis`` or ``sandbox``. So
the process is started once more with both ignored, before anything of ours is imported. The environment stays as it
is, since the target's tests need their ``PYTHONPATH``.
"""

import os
import sys


def main() -> int:
    """Run the command line and return its exit status; replaces the process where its import path is not safe."""
    closed = _open_streams()
    if (closed or not (sys.flags.ignore_environment and sys.flags.safe_path)) and sys.executable:
        os.execv(sys.executable, [sys.executable, "-E", "-P", "-m", "repair", *sys.argv[1:]])
    from repair.cli import main as run

    return run()


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
