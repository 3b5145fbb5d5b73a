"""Which of the collected tests pass and run functions of chosen files, found out in one fork before the first trial.

A mutant can only be noticed by a test that runs its function. The server is *narrowed* to the tests that run any
function of the files, and each trial to those that run its own. What a test runs is what is called between its begin
and the next one's, its fixtures among it. What a function gave may be kept, so that later tests see it and do not call
it: a fixture of several tests, a cache, a table that is made at its first use. So all tests run twice, and a function
that makes such a fixture, or that a test calls in one of the runs alone, is every test's.
"""

import ast
import functools
import os
import sys

import pytest

from _repair_probe.ground.clock import unhindered
from _repair_probe.session.runner import own_basetemp, own_capture, run_items
from _repair_probe.session.staged_items import Stages, Unsure
from _repair_probe.trace.called import Calls

_NAMED = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


class Callers:
    """For each function, by (file, name, first line): the passing tests that run it. ``took`` is the run's time.

    Of functions that nobody ``asked`` for no more is known than that tests run them: those tests may be left out.
    """

    def __init__(self, ids, runs, took, asked):
        self.by_key, self.took, self._others = {}, took, set()
        for file, name, line, places in runs:
            if asked(file, line):
                self.by_key[file, name, line] = frozenset(ids[place] for place in places)
            elif places:
                self._others.add((file, name, line))

    def all(self):
        """Every test that runs one of the functions."""
        return frozenset().union(*self.by_key.values())

    def of(self, targets):
        """The tests that run one of these targets' functions, or what stands in them."""
        return frozenset().union(*(self.by_key[key] for key in _keys(targets) & self.by_key.keys()))

    def leave_out(self, target):
        """Whether passing tests run this target's function, and nobody asked for it."""
        return not self._others.isdisjoint(_keys([target]))


def _keys(targets):
    codes = (code for target in targets for code in target.levels.values())
    return {(code.co_filename, code.co_name, code.co_firstlineno) for code in codes}


def survey(server, wanted, seconds):
    """The callers of functions, each a pair of a file and a qualified name, which is empty for all of the file.

    ``None`` where the tests did not come to their end, twice.
    """
    files = {}
    for path, qualname in wanted:
        place = os.path.join(server.root, path)
        files.setdefault(place, []).extend(_lines_of(place, qualname))
    lines = server.ask(_watching(server, files), seconds)
    found = next((line for line in lines if "runs" in line), None)
    if found is None:
        return None

    def asked(file, line):
        return any(first <= line <= last for first, last in files[os.path.realpath(file)])

    return Callers(server.ids, found["runs"], found["took"], asked)


def _lines_of(path, qualname):
    """First and last lines of each function of the name, decorators and what lies in it included."""
    if not qualname:
        return [(0, sys.maxsize)]
    with open(path, "rb") as stream:
        around = [ast.parse(stream.read())]
    for name in qualname.split("."):
        below = [node for each in around for node in ast.walk(each) if node is not each]
        around = [node for node in below if isinstance(node, _NAMED) and node.name == name]
    return [(min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno) for node in around]


def _watching(server, files):
    def work(send):
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        notes = _Notes(files)
        server.config.pluginmanager.register(notes)
        in_full = functools.partial(run_items, server.items, server.recorder, stop_early=False)
        quick = Stages(server.session, server.recorder, server.bound)
        began = unhindered()
        first = notes.of(in_full)
        took = unhindered() - began
        passed = {place for place, each in enumerate(server.ids) if server.recorder.passed(each)}
        try:
            quick.prepare()
            again = notes.of(functools.partial(quick.run, stop_early=False))
        except Unsure:
            again = notes.of(in_full)
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

    def of(self, run):
        """The ids of the tests that call each function in a run of all of them."""
        self._calls, self._runs, self._now, self._making = Calls(), {}, "", 0
        self._calls.start()
        try:
            run(before=self._begin)
        finally:
            self._note(self._calls.stop())
        return self._runs

    def _begin(self, nodeid):
        self._note(self._calls.take())
        self._now = nodeid

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            yield
            return
        self._note(self._calls.take())
        self._making += 1
        yield
        self._note(self._calls.take())
        self._making -= 1

    def _note(self, called):
        for code, _ in called:
            if code.co_filename not in self._known:
                self._known[code.co_filename] = os.path.realpath(code.co_filename) in self._files
            if self._known[code.co_filename]:
                key = code.co_filename, code.co_name, code.co_firstlineno
                self._runs.setdefault(key, set()).add(self._now)
                if self._making:
                    self.wide.add(key)
