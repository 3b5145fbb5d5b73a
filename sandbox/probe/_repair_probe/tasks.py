"""What forks do: try a text, show what the tests do, record calls, compare programs."""

import ast
import os
import re

from _repair_probe.calls import record
from _repair_probe.codes import Unswappable
from _repair_probe.compare import compare
from _repair_probe.runner import own_basetemp, run_items

REFUSED = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, Unswappable)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def _trial(server, target, request):
    """Run the tests with a text in; the first that does not pass ends it."""

    def work(send):
        own_basetemp(server.config, os.environ["TMPDIR"])
        try:
            target.patch(request["text"].encode("latin-1")).apply()
        except REFUSED as problem:
            send(invalid="%s: %s" % (type(problem).__name__, str(problem)[:300]))
            return
        send(**outcome(server, run_items(server.items, server.recorder)))

    return work


def outcome(server, first):
    """The fields that say what the tests did; ``first`` is the one that did not pass, if any."""
    if not first:
        return {"passed": [i for i in server.ids if server.recorder.passed(i)]}
    word, phase, text = server.recorder.results.get(first, ("missing", "", ""))
    return {"failed": first, "detail": "%s in %s: %s" % (word, phase, text)}


def _canary(server, target, request):
    """What all tests do, with the function as it is or with a body that raises."""

    def work(send):
        own_basetemp(server.config, os.environ["TMPDIR"])
        if request["raising"]:
            target.patch(target.text(), raising).apply()
        run_items(server.items, server.recorder, stop_early=False)
        for nodeid, (outcome, phase, text) in server.recorder.results.items():
            send(test=nodeid, seen=[outcome, phase, _ADDRESS.sub("0x", text)])

    return work


def raising(node):
    """Put a raise in front of the body; the rest stays for its free variables and its kind."""
    call = ast.Call(ast.Name("RuntimeError", ast.Load()), [ast.Constant("repair canary")], [])
    statement = ast.copy_location(ast.Raise(call, None), node.body[0])
    node.body.insert(0, ast.fix_missing_locations(statement))


def _record(server, target, request):
    return record(target, server.items, server.recorder, request["most"])


def _compare(server, target, request):
    return compare(target, server.items, server.recorder, request)


TASKS = {"trial": _trial, "canary": _canary, "record": _record, "compare": _compare}
