"""What the zygote's forks do: serve a text, import and collect, run the tests, tell what became of them.

One file's text served in place of what the disk says, to everything in this process that reads it.

A trial of a fresh import runs on a copy that other trials share, so its text cannot be written there.
Whoever imports, opens or quotes the file gets the new bytes: under whatever path and module name, by
whatever loader that reads files. Bytecode of that file is neither read nor written.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import io
import linecache
import os
import sys
import tokenize
from time import monotonic

from _repair_probe.fork.hazards import Hazards
from _repair_probe.ground.paths import is_installed, is_within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.serve.fork_tasks import outcome, seen_lines
from _repair_probe.session.run import QUICK, serving_obstacle
from _repair_probe.session.runner import ResultRecorder, own_basetemp, quicken, run_items
from _repair_probe.swap.code_objects import SCOPES, find_chain, line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    import pytest

    from _repair_probe.ground.words import Fields, Sender, Work

    Collected = Callable[[pytest.Session, Callable[[], str]], None]
    from collections.abc import Callable

    from _repair_probe.ground.words import Value


def serve_text(path: str, content: bytes) -> None:
    """From now on the file at that path has this content, as far as this process can see."""
    served = Served(path, content)
    _serve_imports(served)
    opener = _Opener(served, io.open)
    builtins.open = io.open = opener
    tokenize._builtin_open = opener  # type: ignore[attr-defined]  # its own name for ``open``
    if hasattr(io, "open_code"):
        io.open_code = _Opener(served, io.open_code, "rb")  # type: ignore[assignment]  # stands in for it
    # Entries without a time of change are never checked against the disk.
    lines = content.decode(served.encoding, "replace").splitlines(True)
    linecache.cache[path] = (len(content), None, lines, path)


class Served:
    """The file and its bytes; knows the file under its other names."""

    def __init__(self, path: str, content: bytes) -> None:
        self._real, self._base = os.path.realpath(path), os.path.basename(path)
        self._known: dict[str, bool] = {}
        self.content = content
        try:
            self.encoding = tokenize.detect_encoding(io.BytesIO(content).readline)[0]
        except SyntaxError:
            self.encoding = "utf-8"

    def has(self, path: Value) -> bool:
        """Whether the path leads to the file."""
        if isinstance(path, int):
            return False
        try:
            name = os.fspath(path)
            name = os.fsdecode(name)
        except (TypeError, ValueError):
            return False
        if os.path.basename(name) != self._base:
            return False
        name = os.path.abspath(name)
        if name not in self._known:
            self._known[name] = os.path.realpath(name) == self._real
        return self._known[name]


def _serve_imports(served: Served) -> None:
    """Let every loader that reads files see the text, and none a stamp that bytecode could be looked up by."""
    loader = importlib.machinery.SourceFileLoader
    get_data, path_stats = loader.get_data, loader.path_stats

    def read(self: Value, path: str) -> bytes:
        return served.content if served.has(path) else get_data(self, path)

    def stamp(self: Value, path: str) -> Value:
        if served.has(path):
            raise OSError("bytecode of this file is not used")
        return path_stats(self, path)

    loader.get_data, loader.path_stats = read, stamp  # type: ignore[method-assign]  # for every instance


class _Opener:
    """Stands in for ``open``. Not a function, so that a class which keeps it does not make it a method."""

    def __init__(self, served: Served, plain: Callable[..., Value], mode: str = "r") -> None:
        self._served, self._plain, self._mode = served, plain, mode

    def __call__(self, file: Value, *args: Value, **options: Value) -> Value:
        mode: Value = options.get("mode", args[0] if args else self._mode)
        if not self._served.has(file) or not set(str(mode)) <= set("rbtU"):
            return self._plain(file, *args, **options)
        stream = io.BytesIO(self._served.content)
        if "b" in mode:
            return stream
        given = dict(zip(("mode", "buffering", "encoding", "errors", "newline"), (mode, *args[1:])), **options)
        text = io.TextIOWrapper(stream, given.get("encoding"), given.get("errors"), given.get("newline"))
        text.mode = mode  # type: ignore[misc]  # as ``open`` itself does
        return text


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
