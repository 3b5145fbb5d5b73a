"""What the zygote's forks do: serve a text, import and collect, run the tests, tell what became of them."""

from __future__ import annotations

import ast
import os
import sys
from time import monotonic

from _repair_probe.fork.hazards import Hazards
from _repair_probe.ground.paths import is_installed, is_within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.fork_tasks import outcome, seen_lines
from _repair_probe.session.run import QUICK, serving_obstacle
from _repair_probe.session.runner import ResultRecorder, own_basetemp, quicken, run_items
from _repair_probe.swap.code_objects import SCOPES, find_chain, line_of
from _repair_probe.swap.served_text import serve_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    import pytest

    from _repair_probe.ground.words import Fields, Sender, Work

    Collected = Callable[[pytest.Session, Callable[[], str]], None]

NOT_COMPARED = "calls are not compared where each trial imports the project anew"
_SABOTAGE = {
    "raises": b'raise RuntimeError("repair canary")',
    "returns": b"return",
    "ends": b'raise BaseException("repair canary")',
}


class FunctionPlace:
    """Where one function stands in its file."""

    def __init__(self, root: str, path: str, qualname: str, first_line: int) -> None:
        self.path = os.path.join(root, path)
        with open(self.path, "rb") as file:
            self.source = file.read()
        self._lines = self.source.splitlines(True)
        chain = find_chain(ast.parse(self.source, self.path), qualname.split("."), first_line)
        if chain is None:
            raise LookupError("no function %s at line %d of %s" % (qualname, first_line, path))
        self._node = chain[-1]

    def file_with(self, text: bytes) -> bytes:
        """The whole file with this text for the function."""
        return b"".join([*self._lines[: line_of(self._node) - 1], text, *self._lines[self._node.end_lineno :]])

    def sabotage(self, body: str) -> bytes:
        """The whole file with an end in front of the function's body: it ``raises``, ``returns`` or ``ends`` it."""
        end = _SABOTAGE[body]
        first = self._node.body[0]
        number = line_of(first) if isinstance(first, SCOPES) else first.lineno
        lines = list(self._lines)
        line = lines[number - 1]
        before = line[: first.col_offset] if number == first.lineno else line[: len(line) - len(line.lstrip())]
        if before.strip():
            lines[number - 1] = before + end + b"; " + line[len(before) :]
        else:
            lines.insert(number - 1, before + end + b"\n")
        return b"".join(lines)


def scout(request: Fields) -> Work:
    """Work for a fork: collect the unpatched tests; their ids, and what they load from elsewhere."""

    def work(send: Sender) -> None:
        began, known = monotonic(), frozenset(sys.modules)

        def collected(session: pytest.Session, _trouble: Callable[[], str]) -> None:
            reason = serving_obstacle(session)
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


def _from_elsewhere(module: ModuleType, request: Fields) -> bool:
    """Whether a module can be loaded ahead: its file is there and is not the project's nor a copy of its."""
    path, root, original = getattr(module, "__file__", None), request["root"], request["original"]
    if not isinstance(path, str) or getattr(module, "__spec__", None) is None:
        return False
    real = os.path.realpath(path)
    return not is_within(real, root) and (not is_within(real, original) or is_installed(real, original))


def trial(session_request: Fields, place: FunctionPlace, request: Fields, ids: Sequence[str]) -> Work:
    """Work for a fork: the tests with a text in the function's place; the first that does not pass ends it."""
    content = place.file_with(request["text"].encode("latin-1"))

    def work(send: Sender) -> None:
        try:
            compile(content, place.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as problem:
            send(invalid="%s: %s" % (type(problem).__name__, str(problem)[:300]))
            return
        serve_text(place.path, content)

        def collected(session: pytest.Session, trouble: Callable[[], str]) -> None:
            if session.testsfailed or not session.items:
                send(failed=None, detail="the tests could not be collected: %s" % trouble())
                return
            recorder = _recorder(session)
            send(**outcome(ids, recorder, run_items(session.items, recorder)))

        _session(session_request, send, collected)

    return work


def canary(session_request: Fields, place: FunctionPlace, request: Fields, ids: Sequence[str]) -> Work:
    """Work for a fork: what all tests do, with the function as it is or with a body that is over at once."""
    body = request["body"]
    content = place.sabotage(body) if body else place.source

    def work(send: Sender) -> None:
        def tell(said: str) -> None:
            if "cold" in said:
                send(hazard=said)

        serve_text(place.path, content)
        hazards = None if body else Hazards(session_request["root"], place.path, tell)

        def collected(session: pytest.Session, trouble: Callable[[], str]) -> None:
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


def _recorder(session: pytest.Session) -> ResultRecorder:
    own_basetemp(session.config, os.environ["TMPDIR"])
    quicken(session.config, session.items)
    recorder = ResultRecorder()
    session.config.pluginmanager.register(recorder, "_repair_recorder")
    return recorder


def _session(request: Fields, send: Sender, collected: Collected) -> None:
    """Start pytest and do that once the tests are collected. Does not come back where they were."""
    import pytest

    class Takeover:
        """Replaces the loop over the tests."""

        def __init__(self) -> None:
            self.said = ""

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed and not self.said:
                self.said = str(report.longrepr).strip().rpartition("\n")[2][:300]

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: pytest.Session) -> None:
            collected(session, lambda: self.said or "no tests were collected")
            send.end()
            os._exit(0)

    takeover = Takeover()
    status = int(pytest.main([*request["args"], *QUICK], plugins=[takeover]))
    said = takeover.said or "pytest ended with status %d" % status
    send(refused="the tests could not be collected: %s" % said)
    send(failed=None, detail="the tests could not be collected: %s" % said)
