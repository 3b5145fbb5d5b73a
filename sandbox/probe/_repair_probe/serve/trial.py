"""What the zygote's forks do: serve a text, import and collect, run the tests, tell what became of them."""

import ast
import os
import sys
import types
from time import monotonic

from _repair_probe.fork.hazards import Hazards
from _repair_probe.ground.paths import is_installed, within
from _repair_probe.serve.fork_tasks import outcome, seen_lines
from _repair_probe.session.run import QUICK, unservable
from _repair_probe.session.runner import Recorder, own_basetemp, quicken, run_items
from _repair_probe.swap.code_objects import find_chain, line_of
from _repair_probe.swap.served_text import serve_text

NOT_COMPARED = "calls are not compared where each trial imports the project anew"
_SABOTAGE = {
    "raises": b'raise RuntimeError("repair canary")',
    "returns": b"return",
    "ends": b'raise BaseException("repair canary")',
}


class Place:
    """Where one function stands in its file."""

    def __init__(self, root, path, qualname, first_line):
        self.path = os.path.join(root, path)
        with open(self.path, "rb") as file:
            self.source = file.read()
        self._lines = self.source.splitlines(True)
        chain = find_chain(ast.parse(self.source, self.path), qualname.split("."), first_line)
        if chain is None:
            raise LookupError("no function %s at line %d of %s" % (qualname, first_line, path))
        self._node = chain[-1]

    def file_with(self, text):
        """The whole file with this text for the function."""
        return b"".join([*self._lines[: line_of(self._node) - 1], text, *self._lines[self._node.end_lineno :]])

    def sabotaged(self, body):
        """The whole file with an end in front of the function's body: it ``raises``, ``returns`` or ``ends`` it."""
        end = _SABOTAGE[body]
        first = self._node.body[0]
        number = line_of(first) if hasattr(first, "decorator_list") else first.lineno
        lines = list(self._lines)
        line = lines[number - 1]
        before = line[: first.col_offset] if number == first.lineno else line[: len(line) - len(line.lstrip())]
        if before.strip():
            lines[number - 1] = before + end + b"; " + line[len(before) :]
        else:
            lines.insert(number - 1, before + end + b"\n")
        return b"".join(lines)


def scout(request):
    """Work for a fork: collect the unpatched tests; their ids, and what they load from elsewhere."""

    def work(send):
        began, known = monotonic(), frozenset(sys.modules)

        def collected(session, _trouble):
            reason = unservable(session)
            if reason:
                send(refused=reason)
                return
            modules = [name for name, module in list(sys.modules.items()) if name not in known]
            send(
                ids=[item.nodeid for item in session.items],
                seconds=monotonic() - began,
                modules=[name for name in modules if _from_elsewhere(sys.modules[name], request)],
            )

        _session(request, send, collected)

    return work


def _from_elsewhere(module, request):
    """Whether a module can be loaded ahead: its file is there and is not the project's nor a copy of its."""
    path, root, original = getattr(module, "__file__", None), request["root"], request["original"]
    if not isinstance(path, str) or getattr(module, "__spec__", None) is None:
        return False
    real = os.path.realpath(path)
    return not within(real, root) and (not within(real, original) or is_installed(real, original))


def trial(session_request, place, request, ids):
    """Work for a fork: the tests with a text in the function's place; the first that does not pass ends it."""
    content = place.file_with(request["text"].encode("latin-1"))

    def work(send):
        try:
            compile(content, place.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as problem:
            send(invalid="%s: %s" % (type(problem).__name__, str(problem)[:300]))
            return
        serve_text(place.path, content)

        def collected(session, trouble):
            if session.testsfailed or not session.items:
                send(failed=None, detail="the tests could not be collected: %s" % trouble())
                return
            recorder = _recorder(session)
            server = types.SimpleNamespace(ids=ids, recorder=recorder)
            send(**outcome(server, run_items(session.items, recorder)))

        _session(session_request, send, collected)

    return work


def canary(session_request, place, request, ids):
    """Work for a fork: what all tests do, with the function as it is or with a body that is over at once."""
    body = request["body"]
    content = place.sabotaged(body) if body else place.source

    def work(send):
        def tell(said):
            if "cold" in said:
                send(hazard=said)

        serve_text(place.path, content)
        hazards = None if body else Hazards(session_request["root"], place.path, tell)

        def collected(session, trouble):
            if session.testsfailed or not session.items:
                send(test="", seen=["collection", trouble()])
                return
            recorder = _recorder(session)
            if hazards is not None:
                hazards.start()
            run_items(session.items, recorder, stop_early=False)
            for line in seen_lines(recorder):
                send(**line)

        _session(session_request, send, collected)

    return work


def _recorder(session):
    own_basetemp(session.config, os.environ["TMPDIR"])
    quicken(session.config, session.items)
    recorder = Recorder()
    session.config.pluginmanager.register(recorder, "_repair_recorder")
    return recorder


def _session(request, send, collected):
    """Start pytest and do that once the tests are collected. Does not come back where they were."""
    import pytest

    class Takeover:
        """Replaces the loop over the tests."""

        def __init__(self):
            self.said = ""

        def pytest_collectreport(self, report):
            if report.failed and not self.said:
                self.said = str(report.longrepr).strip().rpartition("\n")[2][:300]

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session):
            collected(session, lambda: self.said or "no tests were collected")
            send.end()
            os._exit(0)

    takeover = Takeover()
    status = int(pytest.main([*request["args"], *QUICK], plugins=[takeover]))
    said = takeover.said or "pytest ended with status %d" % status
    send(refused="the tests could not be collected: %s" % said)
    send(failed=None, detail="the tests could not be collected: %s" % said)
