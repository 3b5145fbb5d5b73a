"""What no pool could do without, measured in the server itself: a fork, the test bodies, compiling the function."""

import os
import resource
from time import perf_counter

from _repair_probe.levels import BARE

_TIMES = 30


def floors(server, target, request):
    """Work for a fork: seconds for the bare test bodies and for compiling the function's text."""

    def work(send):
        stages = server.stages
        stages.prepare()
        bodies = _Bodies(stages)
        for _ in range(_TIMES):
            stages.run(stop_early=False)
            bodies.next()
        text = target.text().decode(target.encoding)
        source = "if 1:\n" + text if text[:1] in " \t" else text
        compiling = []
        for _ in range(_TIMES):
            began = perf_counter()
            compile(source, target.filename, "exec", target.flags, True)
            compiling.append(perf_counter() - began)
        send(body=min(bodies.rounds), compiling=min(compiling))

    return work


class _Bodies:
    """Adds up the time that is spent in the tests' own bodies.

    On the clock: some kernels count processor time in steps longer than a test. The least of many rounds counts.
    """

    def __init__(self, stages):
        self.rounds, self._seconds = [], 0.0
        for step in stages.steps:
            if step.level == BARE:
                step.call = self._timed(step.call)
            else:
                step.item.runtest = self._timed(step.item.runtest)

    def next(self):
        """A round is over."""
        self.rounds.append(self._seconds)
        self._seconds = 0.0

    def _timed(self, function):
        def timed():
            began = perf_counter()
            try:
                return function()
            finally:
                self._seconds += perf_counter() - began

        return timed


def fork_floor():
    """Seconds of processor time, ours and the child's, for a fork that ends at once."""
    began = _used()
    for _ in range(_TIMES):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    return (_used() - began) / _TIMES


def _used():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
