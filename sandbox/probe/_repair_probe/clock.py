"""Time that a run takes by itself, whatever else the machine does."""

from os import O_RDONLY, close, read
from os import open as os_open
from time import monotonic


def unhindered():
    """Seconds on a clock that stands still while this thread is ready to run and another has its core.

    Sleeping and waiting for something count. Where the system does not tell (only Linux does), it is the usual clock.
    """
    return monotonic() - _waited()


def _waited():
    try:
        descriptor = os_open("/proc/thread-self/schedstat", O_RDONLY)
        try:
            return int(read(descriptor, 100).split()[1]) / 1e9
        finally:
            close(descriptor)
    except (OSError, ValueError, IndexError):
        return 0.0
