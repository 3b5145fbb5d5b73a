"""The same line map through the target's own ``coverage``: a reference to compare ours with."""

import os

from _repair_probe.ground.paths import within
from _repair_probe.trace.lines import Tracer, ranges_of


class CoverageTracer(Tracer):
    """Coverage's C tracer with one context per test; its ``sysmon`` core credits lines to the wrong tests."""

    def __init__(self, root):
        os.environ["COVERAGE_CORE"] = "ctrace"
        import coverage

        self._root = root
        self._coverage = coverage.Coverage(data_file=None, config_file=False, source=[root], messages=False)
        self._coverage.set_option("run:core", "ctrace") if coverage.version_info >= (7, 10) else None
        self._number = 0

    def start(self):
        """Begin."""
        self._number += 1
        self._coverage.start()
        self._coverage.switch_context("test-%d" % self._number)

    def stop(self):
        """End, and the lines."""
        self._coverage.stop()
        data = self._coverage.get_data()
        data.set_query_contexts(["^test-%d$" % self._number])
        found = {}
        for path in data.measured_files():
            lines = [line for line in data.lines(path) or [] if line > 0]
            if lines and within(path, self._root):
                found[os.path.relpath(path, self._root)] = ranges_of(lines)
        return found
