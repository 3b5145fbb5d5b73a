"""Calls whose arguments cannot be copied: each program runs on the very arguments, in a fork at the entry of the call.

A fork copies all memory. So a child can do to the arguments what it will, tells what came of it, and ends; the test
goes on in the parent. What a fork does not copy is made the child's own, or forbids the fork. What would reach out of
the child ends it, and the call does not count. Lines about such calls wait until it is known that the test that made
them went on as it would have. A fork takes about five milliseconds, twenty programs on ten calls a
second.
"""

from __future__ import annotations

import gc
import select
import signal
import types
from contextlib import contextmanager

from _repair_probe.compare.bounds import BoundTime, Hang, LineWatch, silence_output
from _repair_probe.compare.evaluate import ENDED, HUNG, CallOutcome, NotCompared, run
from _repair_probe.fork.folders import Folder
from _repair_probe.fork.forks import Fork, ask, own_folders, wait_for
from _repair_probe.fork.outside import Confinement, OwnFiles, Surroundings, reachable, streams_among, within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import identity, run_items
from _repair_probe.values.call_effects import Written
from _repair_probe.values.pictures import picture
from _repair_probe.values.streams import stream_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    import pytest

    from _repair_probe.compare.calls import Entry
    from _repair_probe.compare.evaluate import CallableProgram
    from _repair_probe.ground.words import Fields, Send, Sender, Value, Work
    from _repair_probe.session.runner import ResultRecorder

_MOST_CALLS = 10
"""Calls of the tests that reach the change and are run in forks."""

_LOOKS = 40
"""Calls of one test that are looked at for such ones."""

_MOST_FORKS, _RESERVED = 600, 350
"""Forks for all of them and for what is varied in them, and how many of these are kept for the calls themselves."""

_SPARE_SECONDS = 2.0
"""What a child may take beside the call itself."""

_PARTS = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


class ForkedCalls:
    """Runs programs on live entries. ``programs`` are all that will be asked for: they say which globals count."""

    def __init__(self, namespace: dict[str, Value], seconds: float, programs: Iterable[CallableProgram]) -> None:
        own_folders()
        self.folder = Folder()
        self._namespace, self._seconds = namespace, seconds
        codes = [code for program in programs for code in program.codes]
        self._names = sorted({name for code in codes for name in code.co_names})
        self.surroundings = Surroundings()
        self._streams: list[Value] = []
        self._left = _MOST_FORKS
        self._looked: dict[str, int] = {}
        self.reaching, self.test = 0, ""

    @property
    def has_spare(self) -> bool:
        """Whether there are forks for more than the tests' own calls."""
        return self._left > _RESERVED

    def take(self, entry: Entry) -> None:
        """Make the entry live. Raises ``NotCompared`` where a fork would be no fair copy."""
        self.test = entry.test
        looked = self._looked[entry.test] = self._looked.get(entry.test, 0) + 1
        if self.reaching >= _MOST_CALLS or looked > _LOOKS:
            raise NotCompared("further calls on arguments that cannot be copied were left out")
        with _no_alarm():
            things = reachable([entry.args, entry.kwargs, entry.cells, self._globals()])
            obstacle = self.surroundings.obstacle(things)
        if obstacle:
            kinds = ", ".join(sorted({type(a).__qualname__ for a in [*entry.args, *entry.kwargs.values()]}))
            raise NotCompared("arguments (%s) cannot be copied, and the process not forked: %s" % (kinds, obstacle))
        self._streams = streams_among(things)
        entry.live = True

    def outcome(
        self,
        program: CallableProgram,
        entry: Entry,
        inside: AbstractContextManager[object] | None,
        private: bool,
        patience: int,
    ) -> CallOutcome:
        """What the program does with the arguments; they are as before afterwards. Raises ``NotCompared``."""
        if self._left <= 0:
            raise NotCompared("as many forks as may be made were, before all calls were compared")
        self._left -= 1
        files = Written(entry.args, entry.kwargs)
        child = _Child(self, program, entry, inside, private, patience * self._seconds, files)
        try:
            fork = _run_fork(child, patience * self._seconds + _SPARE_SECONDS, self.folder)
        finally:
            files.put_back()
        said: Fields = {}
        for line in fork.lines:
            said.update(line)
        if isinstance(inside, LineWatch):
            inside.hit = said.get("hit") is True
        for name in ("outside", "problem"):
            if name in said:
                raise NotCompared("a call on arguments that cannot be copied was left out: %s" % said[name])
        if fork.state == "timeout":
            return CallOutcome(HUNG, seconds=self._seconds)
        # A child that cannot tell any more ends with status 0, unless it is killed before: that is one and the same.
        how = "the process ended early" if fork.state == "crashed" and fork.status == 0 else fork.ending()
        return _outcome_of(said) or CallOutcome(ENDED, how)

    def in_child(self, child: _Child, send: Sender) -> None:
        """Run the program, say what came of it, and leave nothing behind."""
        gc.freeze()
        try:
            own = OwnFiles(self.surroundings)
        except OSError as problem:
            send(outside="an open file cannot be opened once more: %s" % problem)
            return
        Confinement(within(self.folder.path), child.files.paths, lambda said: send(outside=said))
        if child.entry.setting is not None:
            try:
                object.__setattr__(*child.entry.setting)
            except (AttributeError, TypeError) as problem:
                send(outside="an attribute cannot be set: %s" % problem)
                return
        before = self._pictures()

        def changed() -> str:
            return child.files.changed_text() + self._left_text(before, own)

        try:
            entry, program = child.entry, child.program
            with silence_output(), BoundTime(child.seconds):
                found = run(program, ([*entry.args], entry.kwargs, entry.cells), child.inside, child.private, changed)
        except Hang:
            found = CallOutcome(HUNG, seconds=self._seconds)
        send(outcome=found.fields(), hit=isinstance(child.inside, LineWatch) and child.inside.hit)

    def _globals(self) -> dict[str, Value]:
        """The data that the programs name in their module."""
        known = {name: self._namespace[name] for name in self._names if name in self._namespace}
        return {name: value for name, value in known.items() if not isinstance(value, _PARTS)}

    def _pictures(self) -> dict[str, str]:
        return {name: picture(value) for name, value in self._globals().items()}

    def _left_text(self, before: dict[str, str], own: OwnFiles) -> str:
        """What became of globals, and of files that are open."""
        now = self._pictures()
        moved = {name: now.get(name) for name in sorted({*before, *now}) if now.get(name) != before.get(name)}
        told = ["%s=%s" % (name, "<deleted>" if text is None else text) for name, text in moved.items()]
        text = ", globals %s" % ", ".join(told) if told else ""
        for stream in self._streams:
            try:
                stream.flush()
            except (OSError, ValueError):  # it is closed, or takes no more
                continue
        held = own.changed()
        stands = [stream_text(stream) for stream in self._streams]
        return "%s%s%s" % (
            text,
            ", streams %s" % ", ".join(stands) if any(stands) else "",
            ", files %s" % picture(held) if held else "",
        )


def _outcome_of(said: Fields) -> CallOutcome | None:
    """What a child says that came of the call; it runs the target's code, so that it may say anything."""
    told = said.get("outcome")
    if isinstance(told, list) and [type(each) for each in told] == [str, str, str, str, float]:
        return CallOutcome(*told)
    return None


class _Child:
    """What one child is to do."""

    def __init__(
        self,
        calls: ForkedCalls,
        program: CallableProgram,
        entry: Entry,
        inside: AbstractContextManager[object] | None,
        private: bool,
        seconds: float,
        files: Written,
    ) -> None:
        self._calls = calls
        self.program, self.entry, self.inside, self.private = program, entry, inside, private
        self.seconds, self.files = seconds, files

    def __call__(self, send: Sender) -> None:
        self._calls.in_child(self, send)


def _run_fork(work: _Child, seconds: float, folder: Folder) -> Fork:
    try:
        return fork_here(work, seconds, folder)
    except OSError as problem:
        raise NotCompared("no fork could be made: %s" % problem) from None


def fork_here(work: Work | None, seconds: float, folder: Folder) -> Fork:
    """Run work in a fork while the test stands still; its clocks, and what it does with ended children, stay its own.

    Without work the child comes back as well: see ``Fork``. Raises ``OSError`` where there can be no further process.
    """
    handler = signal.getsignal(signal.SIGCHLD)
    is_own = handler not in (None, signal.SIG_DFL)

    def leave() -> None:
        if work is not None:
            folder.use()
        if is_own:
            signal.signal(signal.SIGCHLD, handler)

    if is_own:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        with _no_alarm():
            fork = Fork(None, work, seconds, leave, folder=folder)
            if fork.send is not None:
                return fork
            try:
                wait_for(fork, select.poll())
            except BaseException:
                if not fork.state:
                    fork.finish("closed")
                raise
            return fork
    finally:
        if is_own:
            signal.signal(signal.SIGCHLD, handler)


@contextmanager
def _no_alarm() -> Iterator[None]:
    """The test's own alarm stands still meanwhile."""
    left, again = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, again)


class HeldLines:
    """Sends lines, and keeps those that come while it is ``holding``."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: list[Fields] = []
        self.holding = False

    def __call__(self, **fields: Any) -> None:
        if self.holding:
            self._waiting.append(fields)
        else:
            self._send(**fields)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def settle(self, keep: bool) -> None:
        """Send what waits, or forget it."""
        waiting, self._waiting = self._waiting, []
        for fields in waiting if keep else ():
            self._send(**fields)


def ends_alike(item: pytest.Item, recorder: ResultRecorder, prepare: Callable[[], object], seconds: float) -> bool:
    """Whether a test that has just ended passed or, after ``prepare``, ends in the same way where nobody listens."""
    if recorder.has_passed(item.nodeid):
        return True
    ending = [*identity(item.nodeid, recorder.result(item.nodeid))]

    def work(send: Sender) -> None:
        prepare()
        run_items([item], recorder, stop_early=False)
        send(ending=[*identity(item.nodeid, recorder.result(item.nodeid))])

    return any(line.get("ending") == ending for line in ask(work, seconds, list).lines)
