"""A test that goes on in a child with another program, from the entry of a call on: how does it end there?

The process forks at the entry. In the child the other program answers this call and all later ones, and the test goes
on to its end, which the child tells. The child has copies of the test's temporary files, and opens once more what is
open. What would reach out of it ends it (see ``outside.py``). There are two controls: the candidate goes on in a child,
too, and has to end as it then does in the parent. A program that ends the test otherwise does so twice.

The calls before were answered by the candidate. So an end that differs says that the difference matters later in the
test, and not yet that the other program fails it.
"""

from __future__ import annotations

import builtins
import dis
import gc
import linecache
from time import monotonic

from _repair_probe.compare.calls import INSTEAD
from _repair_probe.compare.forked_calls import fork_here
from _repair_probe.fork.folders import own_folder
from _repair_probe.fork.forks import Fork, leave_child
from _repair_probe.fork.outside import Confinement, OwnFiles, Surroundings, reachable
from _repair_probe.fork.overlay import Overlay
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any

    import pytest

    from _repair_probe.compare.calls import Entry
    from _repair_probe.compare.evaluate import CallableProgram
    from _repair_probe.fork.folders import Folder
    from _repair_probe.ground.words import Fields, Identity, Result, Sender, Value
    from _repair_probe.session.runner import ResultRecorder

_MOST_CHILDREN, _MOST_SECONDS, _CHILD_SECONDS = 24, 9.0, 3.0
"""Children of one comparison that go on, what all of them may take, and what one may."""

_SLOWER = 3
"""A child that takes so many times as long as its control does not end."""

_MOST_FRAMES, _MOST_SOURCE = 60, 160
"""Frames above a call whose names are looked at, and characters of a source line that are told."""
_PYTEST = ("_pytest", "pluggy")
_TOLD = ("passed", "failed", "skipped", "xfailed", "xpassed")
_HUNG = "hung"
_REBINDS = ("STORE_DEREF", "DELETE_DEREF")


class End:
    """How a test ended: what two equal ends share, the line that tells it, and when it was over."""

    __slots__ = ("key", "seconds", "wire")

    def __init__(self, key: object, kind: str, how: str = "", line: int = 0, source: str = "") -> None:
        self.key, self.seconds = key, 0.0
        self.wire: Fields = {"kind": kind, "how": how, "line": line, "source": source}


class GoingOn:
    """Lets tests go on with other programs. ``note`` is told why that cannot be; ``until`` is when all is over."""

    def __init__(
        self,
        mine: CallableProgram,
        items: dict[str, pytest.Item],
        recorder: ResultRecorder,
        surroundings: Surroundings,
        folder: Folder,
        until: float,
        note: Callable[[str], object],
    ) -> None:
        self._mine, self._items, self._recorder = mine, items, recorder
        self._surroundings, self._folder, self._until, self._note = surroundings, folder, until, note
        self._overlay = Overlay(own_folder(), folder.path)
        self._left, self._seconds = _MOST_CHILDREN, _MOST_SECONDS
        self._wanted: list[tuple[int, CallableProgram, Entry, Fields]] = []
        self._done: set[int] = set()
        self._seen: list[tuple[int, Fields, End, End]] = []
        self._send: Sender | None = None
        self._test = ""

    def begin(self) -> None:
        """A test begins."""
        self._overlay.begin()

    def want(self, place: int, program: CallableProgram, entry: Entry, call: Fields) -> None:
        """A program was told apart by this call: ask how the test that makes it goes on, once for each program."""
        if entry.test and place not in self._done:
            self._done.add(place)
            self._wanted.append((place, program, entry, call))

    def follow(self, frame: FrameType) -> None:
        """At the end of the entry: fork for each program that is wanted. In a child it comes back as well."""
        wanted, self._wanted = self._wanted, []
        if not wanted or monotonic() > self._until:
            return
        entry = wanted[0][2]
        self._test = entry.test
        rebinds = any(map(_rebinds, [self._mine, *(each[1] for each in wanted)]))
        obstacle = "it binds a variable of the function around it" if rebinds else self._obstacle(frame, entry)
        control: End | str = obstacle or self._end(self._mine, entry)
        if self._is_child():
            return
        if not isinstance(control, End) or control.key == _HUNG:
            self._say_why("it takes too long" if isinstance(control, End) else control)
            return
        for place, program, _, call in wanted:
            found = self._steady_end(program, entry, control)
            if self._is_child():
                return
            if isinstance(found, End):
                self._seen.append((place, call, control, found))
            else:
                self._say_why(found)

    def _steady_end(self, program: CallableProgram, entry: Entry, control: End) -> End | str:
        """How the test ends with the program, twice where that is another end than the control's."""
        found = self._end(program, entry)
        if self._is_child() or not isinstance(found, End) or found.key == control.key:
            return found
        if found.key == _HUNG:
            return found if _SLOWER * control.seconds < _CHILD_SECONDS else "it takes too long"
        again = self._end(program, entry)
        return found if isinstance(again, End) and again.key == found.key else "it ends in two ways"

    def _say_why(self, reason: str) -> None:
        self._note("how %s goes on with another program is not told: %s" % (self._test, reason))

    def _is_child(self) -> bool:
        return self._send is not None

    def settle(self) -> Iterator[Fields]:
        """The test has ended: what was seen of it, where it ended as its control did. In a child, its end."""
        if self._send is not None:
            leave_child(self._send, result=list(self._recorder.result(self._test)))
        seen, self._seen = self._seen, []
        for place, call, control, found in seen:
            if control.key == identity(self._test, self._recorder.result(self._test)):
                yield {"rival": place, "call": call, "mine": control.wire, "other": found.wire}

    def _obstacle(self, frame: FrameType, entry: Entry) -> str:
        """What of the test is no copy in a fork, in words."""
        roots: list[Value] = [entry.args, entry.kwargs, entry.cells]
        caller = frame.f_back
        for _ in range(_MOST_FRAMES):
            if caller is None or str(caller.f_globals.get("__name__")).split(".")[0] in _PYTEST:
                break
            roots.append(dict(caller.f_locals))
            caller = caller.f_back
        roots.append(dict(getattr(self._items[entry.test], "funcargs", None) or {}))
        try:
            return self._surroundings.obstacle(reachable(roots)) or self._overlay.obstacle()
        except OSError as problem:
            return "its files cannot be listed: %s" % problem

    def _end(self, program: CallableProgram, entry: Entry) -> End | str:
        """How the test ends where the program goes on; a reason where that is not known, and anything in a child."""
        if self._left <= 0 or self._seconds < _CHILD_SECONDS:
            return "as many children as may be were asked"
        self._left -= 1
        began = monotonic()
        try:
            self._overlay.lay()
        except OSError as problem:
            return "no copy of its temporary files could be made: %s" % problem
        fork = None
        try:
            fork = fork_here(None, _CHILD_SECONDS, self._folder)
        except OSError as problem:
            return "no fork could be made: %s" % problem
        finally:
            if fork is None or fork.send is None:
                self._overlay.lift()
        if fork.send is not None:
            self._go_on(fork.send, program, entry)
            return ""
        took = monotonic() - began
        self._seconds -= took
        end = self._read(fork)
        if isinstance(end, End):
            end.seconds = took
        return end

    def _go_on(self, send: Sender, program: CallableProgram, entry: Entry) -> None:
        """In the child: what is open becomes its own, and the program answers from here on."""
        self._send = send
        gc.freeze()
        try:
            OwnFiles(self._surroundings, self._overlay.copy_of)
            self._overlay.enter()
        except OSError as problem:
            leave_child(send, outside="an open file cannot be opened once more: %s" % problem)
        Confinement(self._overlay.may_write, (), lambda said: send(outside=said))
        program.patch.apply()

        def answer() -> Value:
            setattr(builtins, INSTEAD, None)
            return program.function(entry.cells)(*entry.args, **entry.kwargs)

        setattr(builtins, INSTEAD, answer)

    def _read(self, fork: Fork) -> End | str:
        """What a child says; it runs the target's code, so that it may say anything."""
        said: Fields = {}
        for line in fork.lines:
            said.update(line)
        for name in ("outside", "problem"):
            if name in said:
                return str(said[name])
        if fork.state == "timeout":
            return End(_HUNG, _HUNG)
        result: Any = said.get("result")
        if not isinstance(result, list) or [type(each) for each in result] != [str, str, str, int]:
            how = "the process ended early" if fork.status == 0 else fork.ending()
            return End(how, "ended", how)
        outcome, phase, text, line = result
        if outcome not in _TOLD:
            return "its end is none that a test has"
        ended: Result = (outcome, phase, text, line)
        key: Identity = identity(self._test, ended)
        item = self._items[self._test]
        path = str(getattr(item, "path", None) or item.fspath)
        source = linecache.getline(path, line).strip()[:_MOST_SOURCE] if line and outcome == "failed" else ""
        how = text.split("\n")[0] if outcome == "failed" else ""
        return End(key, outcome, how, line, source)


def _rebinds(program: CallableProgram) -> bool:
    """Whether it binds a variable of the function around it: in a child it has what that holds, and not itself."""
    free = program.patch.own.co_freevars if program.patch.own is not None else ()
    steps = (step for code in program.codes for step in dis.get_instructions(code))
    return bool(free) and any(step.opname in _REBINDS and step.argval in free for step in steps)
