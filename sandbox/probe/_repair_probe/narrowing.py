"""Which of the collected tests pass and run functions of chosen files, found out in one fork before the first trial.

A mutant can only be noticed by a test that runs its function. The server is *narrowed* to the tests that run any
function of the files, and each trial to those that run its own. What a test runs is what is called between its begin
and the next one's, its fixtures among it; what an earlier test has set up for several is that test's.
"""

import os

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
    """The callers of the files' functions; ``None`` where the tests did not come to their end."""
    lines = server.ask(_watching(server, files), seconds)
    found = next((line for line in lines if "runs" in line), None)
    return Callers(server.ids, found["runs"], found["took"]) if found else None


def _watching(server, files):
    def work(send):
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        wanted = {os.path.join(server.root, path) for path in files}
        calls, known, runs, now = Calls(), {}, {}, [""]

        def note(called):
            for code, _ in called:
                if code.co_filename not in known:
                    known[code.co_filename] = os.path.realpath(code.co_filename) in wanted
                if known[code.co_filename]:
                    runs.setdefault((code.co_filename, code.co_name, code.co_firstlineno), set()).add(now[0])

        def begin(nodeid):
            note(calls.take())
            now[0] = nodeid

        calls.start()
        began = unhindered()
        try:
            run_items(server.items, server.recorder, stop_early=False, before=begin)
        finally:
            note(calls.stop())
        took = unhindered() - began
        places = {each: place for place, each in enumerate(server.ids) if server.recorder.passed(each)}
        told = [[*key, sorted(places[each] for each in tests if each in places)] for key, tests in runs.items()]
        send(runs=told, took=took)

    return work
