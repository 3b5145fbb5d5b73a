"""Limits on one process tree, which of them was breached, and when the running test's time is up."""

from __future__ import annotations

import signal

from analysis.facts import Limits, RunFault

# The shell sets the limits and becomes the program: no code of ours runs between fork and exec, and the
# same words work inside a jail. A limit that the machine already holds lower stays as it is. The braces
# keep the shell's complaints off the output without a spare descriptor, which might be one of the report's.
_SCRIPT = (
    "{ ulimit -c 0; ulimit -S -t $1; ulimit -H -t $2; ulimit -v $3; ulimit -f $4; ulimit -n $5; "
    'if [ "$6" -gt 0 ]; then ulimit -p $6 || ulimit -u $6; fi; } 2>/dev/null; shift 6; '
)
_LAUNCH = 'exec "$@"'
# Before Python 3.12 the hash of ``None`` is its address, as that of a class or function always is; what a set of them
# holds then comes in another order in each run, and with it the ids of tests that are made from one.
_STEADY = '/usr/bin/setarch -R /bin/true 2>/dev/null && exec /usr/bin/setarch -R "$@"; '
_OPEN_FILES = 1024


def limit_command(
    argv: tuple[str, ...], limits: Limits, *, own_processes: bool = False, steady: bool = False
) -> tuple[str, ...]:
    """The command line under the limits; with ``steady`` the addresses of objects are, where the machine allows it,
    the same in each run.

    The number of processes is limited only where the child has a user namespace of its own (``own_processes``).
    Elsewhere all processes of the user would count.
    """
    cpu, processes = max(1, round(limits.cpu_seconds)), limits.processes if own_processes else 0
    numbers = (cpu, cpu + 5, limits.memory_bytes >> 10, limits.file_bytes >> 9, _OPEN_FILES, processes)
    script = _SCRIPT + (_STEADY if steady else "") + _LAUNCH
    return ("/bin/sh", "-c", script, "sh", *map(str, numbers), *argv)


def signal_of(returncode: int) -> signal.Signals | None:
    """The signal that ended the process, be it reported directly or by a shell or jail around it."""
    number = -returncode if returncode < 0 else returncode - 128
    try:
        return signal.Signals(number) if number > 0 else None
    except ValueError:
        return None


def breach(returncode: int, *, ran_out: bool = False) -> tuple[RunFault, str]:
    """What a process that we did not stop died of; ``ran_out`` where the kernel says that memory was used up."""
    number = signal_of(returncode)
    if number is None:
        detail = f"The test process ended itself with exit status {returncode} before pytest had finished"
        return RunFault.EXITED, detail
    if number is signal.SIGXCPU:
        return RunFault.TIMEOUT, "The test process used up its CPU time"
    if number is signal.SIGXFSZ:
        return RunFault.OUTPUT, "The test process wrote a file beyond the size limit"
    if number is signal.SIGKILL and ran_out:
        return RunFault.MEMORY, "The processes of the run together used up the memory allowed to them"
    if number is signal.SIGKILL:
        return RunFault.MEMORY, "The test process was killed from outside, most likely because memory ran out"
    return RunFault.SIGNAL, f"The test process died of {number.name}"


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
