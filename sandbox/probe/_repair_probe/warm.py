"""The warm server: imports and collects once, then answers requests, each in a forked child.

Requests come as JSON lines on the control descriptor, answers leave through the report. The server
itself never runs a test: tests may change their own parameters. It refuses to serve where a fork
would not be a fair copy (other threads) or where others run the tests (xdist).
"""

import os

from _repair_probe.alive import alive, open_descriptors
from _repair_probe.early import Early
from _repair_probe.run import start

# Numeric libraries start a pool of threads when imported; a fork would lose it.
_NUMERIC_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
QUICK = ("--assert=plain", "--tb=no")


def serve(request, report):
    """Start pytest; its plugin takes over once the tests are collected and ends the process itself."""
    own_threads_only()
    pytest = start(request, report)
    if pytest is None:
        return 3
    takeover = _takeover(pytest, request, report)
    status = int(pytest.main([*request["args"], *QUICK], plugins=[takeover]))
    report.event("unserved", message="pytest ended with status %d before the tests were served" % status, status=status)
    return status


def own_threads_only():
    """Let numeric libraries work in the one thread that a fork takes with it."""
    for name in _NUMERIC_THREADS:
        os.environ.setdefault(name, "1")


def _takeover(pytest, request, report):
    before, early = open_descriptors(), Early(request["root"])

    class Takeover:
        """Replaces the loop over the tests."""

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session):
            called = early.stop()
            reason = unservable(session) or alive(before, request["root"])
            if reason:
                report.event("unserved", message=reason, status=-1)
                os._exit(3)
            from _repair_probe.server import Server

            try:
                Server(session, request, report, called).loop()
            except Exception as problem:  # the edge of this process: the engine takes the next tier
                report.event("unserved", message="%s: %s" % (type(problem).__name__, problem), status=-1)
            os._exit(0)

    return Takeover()


def unservable(session):
    """Why this session cannot be served from forks, or ``""``."""
    if session.testsfailed:
        return "collection failed"
    if not session.items:
        return "no tests were collected"
    if session.config.pluginmanager.hasplugin("dsession"):
        return "another plugin runs the tests (xdist)"
    return ""
