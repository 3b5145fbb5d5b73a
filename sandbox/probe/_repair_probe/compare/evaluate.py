"""One call of one program on copies of its arguments: what came out, and what it did to them.

A ``CallableProgram`` is a patch that can be called. While it runs, the patch is in every live function, so that
recursion and callbacks reach the same program. Output is thrown away, and an alarm bounds the time.
"""

from __future__ import annotations

import asyncio
import copy
import dis
import inspect
import os
import re
import types
from contextlib import contextmanager

from _repair_probe.compare.bounds import BoundTime, Hang, LineWatch, silence_output
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.call_effects import Recorder, Written
from _repair_probe.values.pictures import excerpt, excerpt_start, excerpts, picture, scrub_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from types import CodeType, FunctionType
    from typing import Protocol, TypeVar

    from _repair_probe.compare.calls import Entry
    from _repair_probe.ground.words import Copies, Fields, Value
    from _repair_probe.swap.patch import Patch

    Given = TypeVar("Given")

    class Live(Protocol):
        """Runs a program on the very arguments of a call, so that what it does to them is undone."""

        def outcome(
            self,
            program: CallableProgram,
            entry: Entry,
            inside: AbstractContextManager[object] | None,
            private: bool,
            patience: int,
        ) -> CallOutcome: ...


_MOST_ITEMS = 100
"""Items of a generator that are compared."""

RETURNED, RAISED, HUNG, ENDED = "returned", "raised", "hung", "ended"
"""How a call can end: by itself, not in time, or with its process."""

_MOST_TOLD = 400
"""Characters of a picture that are told."""

_UNWRITTEN = re.compile("\0.*?\0", re.DOTALL)
PATIENCE = 3
"""How much longer a call may take whose lines are watched, or that has not ended before."""

_KNOWN_SECONDS = 0.004
"""The processor time of a look at a call that the program is known not to end, or that is left out beyond it."""

_MOST_FURTHER_HANGS = 4
"""How many times the whole bound is spent in vain on programs that did not end another call."""

_STANDARD = os.path.dirname(os.__file__) + os.sep


class CallOutcome:
    """What a call gave and did to its arguments. Messages of exceptions that nobody wrote here do not count.

    That two programs fail inside ``int("-")`` and ``int("")`` is no difference in what they promise. ``kind`` is one of
    ``RETURNED``, ``RAISED``, ``HUNG`` and ``ENDED``, ``type`` that of an exception. ``text`` is the picture of the
    value, what the exception says, or how the process ended.
    """

    __slots__ = ("_marked", "incidental", "key", "kind", "seconds", "state", "text", "type")

    def __init__(self, kind: str, text: str = "", state: str = "", type: str = "", seconds: float = 0.0) -> None:
        self.kind, self.type, self.state, self.seconds = kind, type, state, seconds
        self._marked = text
        self.key = _UNWRITTEN.sub("", text)
        self.text = text.replace("\0", "")
        self.incidental = self.key != self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallOutcome) and self.result == other.result and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # equal ones are not looked up

    @property
    def result(self) -> tuple[str, str, str]:
        """What counts of it but for what became of the arguments."""
        return self.kind, self.type, self.key

    @property
    def ending(self) -> tuple[str, str]:
        """What it is like: that something is returned, or the type of what is raised."""
        return self.kind, self.type

    @property
    def came_to_an_end(self) -> bool:
        """Whether the call ended in time, and its process did not end with it."""
        return self.kind in (RETURNED, RAISED)

    def fields(self) -> list[str | float]:
        """What makes it again in another process."""
        return [self.kind, self._marked, self.state, self.type, float(self.seconds)]

    def wire(self, left: str = "", start: int = 0) -> Fields:
        """The outcome as a line of the report tells it; of a long picture a piece from ``start`` on."""
        if self.kind == HUNG:
            return {"kind": HUNG, "seconds": self.seconds}
        if self.kind == ENDED:
            return {"kind": ENDED, "how": self.text}
        name = "value" if self.kind == RETURNED else "message"
        piece = excerpt(self.text, _MOST_TOLD, start)
        told: Fields = {"kind": self.kind, name: piece, "whole": piece == self.text}
        if self.kind == RAISED:
            told["type"] = self.type
        return dict(told, left=left, incidental=self.incidental)

    def wires_beside(self, other: CallOutcome) -> tuple[Fields, Fields]:
        """This outcome and one that differs: pieces that show where they do."""
        if self.result == other.result:
            mine, theirs = excerpts(self.state, other.state, _MOST_TOLD)
            return self.wire(mine), other.wire(theirs)
        start = excerpt_start(self.text, other.text, _MOST_TOLD)
        return self.wire(start=start), other.wire(start=start)


class NotCompared(Exception):
    """A call that cannot be looked at. The message gives the reason."""


class Uncopied(NotCompared):
    """One whose arguments cannot be copied."""


class CallableProgram:
    """A patch as something to call. ``codes`` are all codes of its text, for tracing. ``has_hung`` in some call."""

    def __init__(self, patch: Patch, base: FunctionType) -> None:
        if patch.own is None:
            raise NotCompared("the text gives the function no code")
        self.patch = patch
        self._base = base
        self._code = patch.own
        self.codes = set(_all_codes(patch.own))
        self.has_hung = False

    def function(self, cells: dict[str, Value]) -> FunctionType:
        """A function object of its own over the given free variables."""
        code = self._code
        closure = tuple(types.CellType(cells[n]) if n in cells else types.CellType() for n in code.co_freevars)
        defaults, keyword_defaults = self.patch.current_defaults()
        function = types.FunctionType(code, self._base.__globals__, self._base.__name__, defaults, closure)
        function.__kwdefaults__ = keyword_defaults
        function.__qualname__ = self._base.__qualname__
        return function


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _all_codes(const)


class Evaluator:
    """Runs programs. ``resume`` is called after each run to put back what was in before; ``forked`` runs live calls."""

    def __init__(
        self,
        namespace: dict[str, Value],
        seconds: float,
        resume: Callable[[], object],
        forked: Live | None = None,
    ) -> None:
        self._seconds, self._forked = seconds, forked
        self._resume = resume
        self._further_hangs = 0
        self._shared = {id(v): v for k, v in list(namespace.items()) if _is_constant(k, v)}

    def outcome(
        self,
        program: CallableProgram,
        entry: Entry,
        inside: AbstractContextManager[object] | None = None,
        private: bool = True,
        patience: int = 1,
    ) -> CallOutcome:
        """Picture of what the program does with copies of the entry's arguments. Raises ``NotCompared``.

        Without ``private`` it says less of what objects keep to themselves. ``patience`` is how many times the usual
        bound it gets. That a call does not end is said only where the whole bound was spent on this very call. What it
        writes into files that the arguments name is undone. A live entry is run in a fork.
        """
        if entry.live and self._forked is not None:
            return self._forked.outcome(program, entry, inside, private, patience)
        is_known = program in entry.hung and inside is None and patience == 1
        is_left = program.has_hung and not is_known and self._further_hangs >= _MOST_FURTHER_HANGS
        files = Written(entry.args, entry.kwargs)
        try:
            with silence_output(), BoundTime(patience * self._seconds, _KNOWN_SECONDS if is_known or is_left else 0.0):
                return run(program, self.copies(entry), inside, private, files.changed_text)
        except Hang:
            if is_left and not (isinstance(inside, LineWatch) and inside.hit):
                raise NotCompared("a call was left out: it takes long, and others did not end in time") from None
            if inside is None:  # who is watched may have done what was waited for
                self._further_hangs += program.has_hung and not is_known
                program.has_hung = True
                entry.hung.add(program)
            return CallOutcome(HUNG, seconds=self._seconds)
        finally:
            self._resume()
            files.put_back()

    def check_copies(self, entry: Entry) -> None:
        """Raises ``Uncopied`` where the arguments cannot be copied."""
        try:
            with silence_output(), BoundTime(self._seconds):
                self.copies(entry)
        except Hang:
            raise Uncopied("arguments cannot be copied: that takes too long") from None

    def copies(self, entry: Entry) -> Copies:
        """Copies of positional and named arguments and of free variables. Raises ``Uncopied``.

        Of a live entry they hold the very arguments: what is put in place of one changes nothing for the test.
        """
        if entry.live:
            return [*entry.args], dict(entry.kwargs), dict(entry.cells)
        memo = dict(self._shared)
        memo.update((id(v), v) for v in entry.cells.values() if isinstance(v, types.ModuleType))
        try:
            return copy.deepcopy((entry.args, entry.kwargs, entry.cells), memo)
        except Hang:
            raise
        except BaseException as problem:  # copying runs the target's own methods
            kinds = ", ".join(sorted({type(a).__qualname__ for a in [*entry.args, *entry.kwargs.values()]}))
            text = "%s: %s" % (type(problem).__name__, str(problem)[:120])
            raise Uncopied("arguments (%s) cannot be copied: %s" % (kinds, scrub_addresses(text))) from problem

    def reaches(self, program: CallableProgram, entry: Entry, lines: Iterable[int]) -> bool:
        """Whether the program, given these arguments, executes one of the lines of its file.

        Raises ``NotCompared`` where it ends in time, but not while it is watched.
        """
        for patience in (1, PATIENCE):
            watch = LineWatch(program.codes, frozenset(lines))
            watched = self.outcome(program, entry, watch, patience=patience)
            if watch.hit or watched.came_to_an_end or not self.outcome(program, entry).came_to_an_end:
                return watch.hit
        raise NotCompared("an input was left out: the call takes too long while its lines are watched")


def run(
    program: CallableProgram,
    given: Copies,
    inside: AbstractContextManager[object] | None,
    private: bool,
    changed: Callable[[], str],
) -> CallOutcome:
    """Picture of what the program does with these arguments; ``changed`` says what it did to anything else."""
    args, kwargs, cells = given
    program.patch.apply()
    function = program.function(cells)
    with inside or _do_nothing():
        kind, text, name = _call(function, args, kwargs)
    left = picture((args, kwargs), private=private)
    return CallOutcome(kind, text, "args %s%s%s" % (left, _told_to(cells), changed()), name)


def call(
    function: Callable[..., Value], args: Sequence[Value], kwargs: dict[str, Value], seconds: float
) -> CallOutcome:
    """The outcome of one call on arguments that are nobody else's."""
    try:
        with silence_output(), BoundTime(seconds):
            kind, text, name = _call(function, args, kwargs)
            return CallOutcome(kind, text, "args %s" % picture((list(args), kwargs)), name)
    except Hang:
        return CallOutcome(HUNG, seconds=seconds)


def _told_to(cells: dict[str, Value]) -> str:
    """What the free variables that are our own callables were called with."""
    heard = {name: value.calls for name, value in cells.items() if isinstance(value, Recorder)}
    return ", calls %s" % picture(heard) if heard else ""


def _is_constant(name: str, value: Value) -> bool:
    """Module constants whose identity matters (sentinels) are shared with copies, not copied."""
    if isinstance(value, (list, dict, set, bytearray)):
        return False
    return type(value) is object or isinstance(value, types.ModuleType) or name.strip("_").isupper()


def _call(function: Callable[..., Value], args: Sequence[Value], kwargs: dict[str, Value]) -> tuple[str, str, str]:
    """How it ends, the picture of that, and the type of an exception."""
    try:
        return RETURNED, _settle_result(function(*args, **kwargs)), ""
    except Hang:
        raise
    except BaseException as problem:  # that is what the program does
        return RAISED, _message_of(problem), type(problem).__qualname__


def _message_of(problem: BaseException) -> str:
    """What an exception says, between marks unless a ``raise`` outside the standard library made it."""
    try:
        text = repr(str(problem))
    except Exception:  # the target's own ``__str__`` fails
        text = "?"
    mark = "" if _written(problem) else "\0"
    return "%s%s%s" % (mark, scrub_addresses(text), mark)


def _picture_exception(problem: BaseException) -> str:
    return "%s(%s)" % (type(problem).__qualname__, _message_of(problem))


def _written(problem: BaseException) -> bool:
    last = problem.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    standard = code.co_filename.startswith(_STANDARD) and "site-packages" not in code.co_filename
    return not standard and dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def _settle_result(value: Value) -> str:
    """Picture of a result; what is lazy is run to its end or its bound."""
    if inspect.iscoroutine(value):
        return "awaited " + _settle_result(_in_loop(value))
    if inspect.isasyncgen(value):
        return _in_loop(_collect_async(value))
    return picture(value, _drain_iterator)


def _drain_iterator(iterator: Iterable[Value]) -> str:
    items, ending = [], ""
    try:
        for item in iterator:
            items.append(picture(item, _drain_iterator))
            if len(items) >= _MOST_ITEMS:
                ending = ", and more"
                break
    except Hang:
        raise
    except BaseException as problem:  # that is what the iterator does
        ending = ", then raises %s" % _picture_exception(problem)
    return "items [%s]%s" % (", ".join(items), ending)


async def _collect_async(generator: Value) -> str:
    items, ending = [], ""
    try:
        async for item in generator:
            items.append(picture(item, _drain_iterator))
            if len(items) >= _MOST_ITEMS:
                ending = ", and more"
                break
    except Hang:
        raise
    except BaseException as problem:  # that is what the iterator does
        ending = ", then raises %s" % _picture_exception(problem)
    return "items [%s]%s" % (", ".join(items), ending)


def _in_loop(coroutine: Coroutine[Value, Value, Given]) -> Given:
    """Run in a loop of its own, also where a test's loop is running."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()
        asyncio._set_running_loop(running)


@contextmanager
def _do_nothing() -> Iterator[None]:
    yield
