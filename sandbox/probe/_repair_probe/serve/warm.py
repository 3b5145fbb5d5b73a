"""The warm server: imports and collects once, then answers requests, each in a forked child.

Requests come as JSON lines on the control descriptor, answers leave through the report. The server
itself never runs a test: tests may change their own parameters. It refuses to serve where a fork
would not be a fair copy (other threads) or where others run the tests (xdist).
"""

from __future__ import annotations

import os

from _repair_probe.fork.alive import fork_obstacle, open_descriptors
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.run import QUICK, own_threads_only, serving_obstacle, start
from _repair_probe.trace.early import Early

if TYPE_CHECKING:
    import pytest

    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Fields


def serve(request: Fields, report: Report) -> int:
    """Start pytest; its plugin takes over once the tests are collected and ends the process itself."""
    own_threads_only()
    pytest = start(request, report)
    if pytest is None:
        return 3
    takeover = _takeover(request, report)
    status = int(pytest.main([*request["args"], *QUICK], plugins=[takeover]))
    report.event("unserved", message="pytest ended with status %d before the tests were served" % status, status=status)
    return status


def _takeover(request: Fields, report: Report) -> object:
    import pytest

    before, early = open_descriptors(), Early(request["root"])

    class Takeover:
        """Replaces the loop over the tests."""

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: pytest.Session) -> None:
            called = early.stop()
            reason = serving_obstacle(session) or fork_obstacle(before, request["root"])
            if reason:
                report.event("unserved", message=reason, status=-1)
                os._exit(3)
            from _repair_probe.serve.server import Server

            try:
                Server(session, request, report, called).loop()
            except Exception as problem:  # the edge of this process: the engine takes the next tier
                report.event("unserved", message="%s: %s" % (type(problem).__name__, problem), status=-1)
            os._exit(0)

    return Takeover()
