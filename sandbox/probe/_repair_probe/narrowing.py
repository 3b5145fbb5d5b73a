"""Which of the collected tests pass and run functions of chosen files, found out in one fork before the first trial.

A mutant can only be noticed by a test that runs its function. The server is *narrowed* to the tests that run any
function of the files, and each trial to those that run its own. What a test runs is what is called between its begin
and the next one's, its fixtures among it. What a function gave may be kept, so that later tests see it and do not call
it: a fixture of several tests, a cache, a table that is made at its first use. So all tests run twice, and a function
that makes such a fixture, or that a test calls in one of the runs alone, is every test's.
"""

import os

import pytest

from _repair_probe.called import Calls
from _repair_probe.clock import unhindered
from _repair_probe.runner import own_basetemp, own_capture, run_items


class Callers:
    """For each function, by (file, name, first line): the passing tests that run it. ``took`` is the run's time."""

    def __init__(self, ids, runs, took):
        self.by_key, self.took = {}, took
        for file, name, line, places in runs:
            self.by_key[file, name, line] = frozenset(ids[place] for place in places)

    def all(self):
        """Every test that runs one of the functions."""
        return frozenset().union(*self.by_key.values())

    def of(self, targets):
        """The tests that run one of these targets' functions, or what stands in them."""
        codes = (code for target in targets for code in target.levels.values())
        keys = {(code.co_filename, code.co_name, code.co_firstlineno) for code in codes}
        return frozenset().union(*(self.by_key[key] for key in keys & self.by_key.keys()))


def survey(server, files, seconds):
    """The callers of the files' functions; ``None`` where the tests did not come to their end, twice."""
    lines = server.ask(_watching(server, files), seconds)
    found = next((line for line in lines if "runs" in line), None)
    return Callers(server.ids, found["runs"], found["took"]) if found else None


def _watching(server, files):
    def work(send):
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        notes = _Notes({os.path.join(server.root, path) for path in files})
        server.config.pluginmanager.register(notes)
        began = unhindered()
        first = notes.of(server)
        took = unhindered() - began
        passed = {place for place, each in enumerate(server.ids) if server.recorder.passed(each)}
        again = notes.of(server)
        places, runs = {each: place for place, each in enumerate(server.ids)}, []
        for key in sorted(first.keys() | again.keys()):
            kept = key in notes.wide or first.get(key) != again.get(key)
            own = passed & {places[each] for each in first.get(key, ()) if each in places}
            runs.append([*key, sorted(passed if kept else own)])
        send(runs=runs, took=took)

    return work


class _Notes:
    """Which functions of the files each test calls; ``wide`` are those that made a fixture for several tests."""

    def __init__(self, files):
        self.wide = set()
        self._files, self._known = files, {}

    def of(self, server):
        """Run all tests once: the ids of the tests that call each function."""
        self._calls, self._runs, self._now, self._making = Calls(), {}, "", 0
        self._calls.start()
        try:
            run_items(server.items, server.recorder, stop_early=False, before=self._begin)
        finally:
            self._note(self._calls.stop())
        return self._runs

    def _begin(self, nodeid):
        self._note(self._calls.take())
        self._now = nodeid

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        self._note(self._calls.take())
        wide = fixturedef.scope != "function"
        self._making += wide
        yield
        self._note(self._calls.take())
        self._making -= wide

    def _note(self, called):
        for code, _ in called:
            if code.co_filename not in self._known:
                self._known[code.co_filename] = os.path.realpath(code.co_filename) in self._files
            if self._known[code.co_filename]:
                key = code.co_filename, code.co_name, code.co_firstlineno
                self._runs.setdefault(key, set()).add(self._now)
                if self._making:
                    self.wide.add(key)
