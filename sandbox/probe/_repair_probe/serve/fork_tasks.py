"""What forks do: try a text, show what the tests do, record calls, compare programs, count their work.

Texts to show, without what is random in the paths of one run.

A path that a test makes up lies in another folder each time. What is shown names that folder by a word, so that one and
the same input has one text.
"""

from __future__ import annotations

import ast
import os
import re
import tempfile

from _repair_probe.compare.calls import record
from _repair_probe.compare.rivals import compare
from _repair_probe.compare.work_done import work
from _repair_probe.fork.hazards import Hazards
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.pytest_levels import FULL
from _repair_probe.session.runner import identity, own_basetemp, own_capture, run_items
from _repair_probe.session.staged_items import Unsure
from _repair_probe.swap.code_objects import Unswappable
from _repair_probe.swap.patch import Compiled, Patch
from _repair_probe.synthesis.following import follow
from _repair_probe.synthesis.forcing import force, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from _repair_probe.ground.words import Change, Fields, Function, Send, Telling, Work
    from _repair_probe.session.runner import ResultRecorder
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Stages
    from _repair_probe.swap.live_functions import LiveFunction


TMP, HOME, PROJECT = "<tmp>", "<home>", "<project>"
_FORKS = "(?:/fork-[a-z0-9_]{8})*"
_OF_TEST = r"(?:/pytest-of-[^/]+/pytest-[0-9]+|/pytest)/([^/'\"]*?)([0-9]+)"
_END = r"(?![\w.-])"
_RANDOM = re.compile(r"(?<=/)(tmp|like-)([a-z0-9_]{8})(?![a-z0-9_])")


class Legible:
    """Puts words for the folders of a run: the copy of the project, the home, and the temporary one.

    What is random below the last is numbered in the order in which it is seen. So are the folders that pytest gives to
    tests: they are numbered on from run to run.
    """

    def __init__(self, root: str) -> None:
        temporary = re.escape(re.sub(_FORKS + "$", "", tempfile.gettempdir())) + _FORKS
        self._test_folder = re.compile(temporary + _OF_TEST + _END)
        named = [(re.escape(root), PROJECT), (temporary, TMP), (re.escape(os.path.expanduser("~")), HOME)]
        self._words = [(re.compile(folder + _END), word) for folder, word in named]
        self._seen: dict[str, dict[str, int]] = {}

    def __call__(self, text: str) -> str:
        """The text with these words."""
        text = self._test_folder.sub(lambda found: "%s/%s" % (TMP, self._numbered(found, 0)), text)
        for pattern, word in self._words:
            text = pattern.sub(word, text)
        return _RANDOM.sub(lambda found: self._numbered(found, 1), text) if TMP in text else text

    def _numbered(self, found: re.Match[str], first: int) -> str:
        """The first part of what was found, and a number for the second."""
        names = self._seen.setdefault(found.group(1), {})
        return "%s%d" % (found.group(1), names.setdefault(found.group(2), len(names) + first))

    def wrap_send(self, send: Send) -> Send:
        """A ``send`` that makes the texts of its fields legible, and leaves values in lists alone: they are used."""
        return lambda **fields: send(**self._fields(fields))

    def _fields(self, fields: Fields) -> Fields:
        return {name: self._field(value) for name, value in fields.items()}

    def _field(self, value: Any) -> Any:
        if type(value) is str:
            return self(value)
        return self._fields(value) if type(value) is dict else value


REFUSED = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, Unswappable)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def trial(
    server: Serving,
    target: LiveFunction,
    dumped: bytes,
    full: bool,
    stuck: float | None,
    only: Sequence[str] | None,
) -> Work:
    """Work for a fork: run the tests with a compiled text in; the first that does not pass ends it.

    ``stuck`` is what one test may take of the processor, 0 for as much as the fork, ``None`` for what the server says.
    Where some tests are enough, no other is run, and these in their order.
    """

    def work(send: Send) -> None:
        stages = server.full if full else server.stages
        if only:
            stages = stages.narrow(only)
        if stages.level == FULL:  # then the server is not silent, whichever tests are run here
            own_capture(server.config)
            own_basetemp(server.config, os.environ["TMPDIR"])
        stages.prepare()
        if stuck is not None:
            server.bound.seconds = stuck
        try:
            Patch(target, Compiled.load(dumped)).apply()
            first = stages.run()
        except Unswappable as problem:
            send(invalid=refusal(problem))
        except Unsure as doubt:
            send(unsure=str(doubt))
        else:
            send(**describe(stages, first))

    return work


def refusal(problem: BaseException) -> str:
    """Why a text is not put in."""
    return "%s: %s" % (type(problem).__name__, str(problem)[:300])


def describe(stages: Stages, first: str) -> Fields:
    """The fields that say what the tests did; ``first`` is the one that did not pass, if any."""
    if not first:
        return {"passed": len(stages.steps)}
    word, phase, text, _ = result = stages.result(first)
    told = {"failed": first, "detail": "%s in %s: %s" % (word, phase, text), "kind": identity(first, result)}
    return dict(told, stuck=True) if stages.stuck else told


def outcome(ids: Sequence[str], recorder: ResultRecorder, first: str) -> Fields:
    """The same for a run through the whole protocol that the server's recorder has watched."""
    if not first:
        return {"passed": sum(recorder.has_passed(each) for each in ids)}
    word, phase, text, _ = recorder.result(first)
    return {"failed": first, "detail": "%s in %s: %s" % (word, phase, text)}


def _canary(server: Serving, target: LiveFunction, request: Fields) -> Work:
    """What all tests do, with the function as it is or with a body that is over at once."""

    def work(send: Send) -> None:
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        during = None
        if request["body"]:
            target.patch(target.text(), _SABOTAGE[request["body"]]).apply()
        else:
            hazards = Hazards(server.root, target.path, lambda said: send(hazard=said, during=hazards.during))
            hazards.start()

            def during(nodeid: str) -> None:
                hazards.during = nodeid

        run_items(server.items, server.recorder, stop_early=False, before=during, bound=server.bound)
        for line in seen_lines(server.recorder):
            send(**line)

    return work


def seen_lines(recorder: ResultRecorder) -> Iterator[Fields]:
    """What became of each test, without what differs from run to run."""
    for nodeid, (outcome, phase, text, _) in recorder.results.items():
        yield {"test": nodeid, "seen": [outcome, phase, _ADDRESS.sub("0x", text)]}


def insert_raise(node: Function, kind: str = "RuntimeError") -> None:
    """Put a raise in front of the body, behind its docstring; the rest stays for its free variables and its kind."""
    _put_first(node, ast.Raise(ast.Call(ast.Name(kind, ast.Load()), [ast.Constant("repair canary")], []), None))


def insert_return(node: Function) -> None:
    """The same with a return of nothing."""
    _put_first(node, ast.Return(None))


def insert_end(node: Function) -> None:
    """The same with what few handlers catch, so that it ends the test."""
    insert_raise(node, "BaseException")


_SABOTAGE: dict[str, Change] = {"raises": insert_raise, "returns": insert_return, "ends": insert_end}


def _put_first(node: Function, statement: ast.stmt) -> None:
    ast.copy_location(statement, node.body[0])
    node.body.insert(ast.get_docstring(node, clean=False) is not None, ast.fix_missing_locations(statement))


def _record(server: Serving, target: LiveFunction, request: Fields) -> Work:
    text = request["text"].encode("latin-1")
    return _with_capture(server, record(target, server.items, server.recorder, request["most"], server.bound, text))


def _compare(server: Serving, target: LiveFunction, request: Fields) -> Work:
    return _with_capture(server, compare(target, server.items, server.recorder, request))


def _work(server: Serving, target: LiveFunction, request: Fields) -> Work:
    return _with_capture(server, work(target, server.root, server.items, server.recorder, request))


def _with_capture(server: Serving, work: Telling) -> Work:
    def captured(send: Send) -> None:
        own_capture(server.config)
        work(Legible(server.root).wrap_send(send))

    return captured


TASKS: dict[str, Callable[[Serving, LiveFunction, Fields], Work]] = {
    "canary": _canary,
    "record": _record,
    "compare": _compare,
    "work": _work,
    "force": force,
    "settle": settle,
    "follow": follow,
}
