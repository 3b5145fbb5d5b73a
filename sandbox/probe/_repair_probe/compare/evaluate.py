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
import signal
import sys
import types
from contextlib import contextmanager

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.call_effects import Recorder, Written
from _repair_probe.values.pictures import excerpt, excerpts, picture, scrub_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Coroutine, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from types import CodeType, FrameType, FunctionType
    from typing import NoReturn, TypeVar

    from _repair_probe.compare.calls import Entry
    from _repair_probe.ground.words import Copies, Trace, Value
    from _repair_probe.swap.patch import Patch

    Given = TypeVar("Given")

_MOST_ITEMS = 100
"""Items of a generator that are compared."""

_ENDLESS = "does not end within %g s"
_UNWRITTEN = re.compile("\0.*?\0", re.DOTALL)
PATIENCE = 3
"""How much longer a call may take whose lines are watched, or that has not ended before."""

_STANDARD = os.path.dirname(os.__file__) + os.sep


class Hang(BaseException):
    """A call's time is up."""


class CallOutcome:
    """What a call gave and did to its arguments. Messages of exceptions that nobody wrote here do not count.

    That two programs fail inside ``int("-")`` and ``int("")`` is no difference in what they promise.
    """

    __slots__ = ("key", "shown", "state")

    def __init__(self, told: str, state: str) -> None:
        self.key = _UNWRITTEN.sub("", told)
        self.shown = told.replace("\0", "")
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallOutcome) and self.key == other.key and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # equal ones are not looked up

    def excerpts_beside(self, other: CallOutcome) -> tuple[str, str]:
        """This outcome and one that differs, as texts that show where they do."""
        if self.key != other.key:
            return excerpts(self.shown, other.shown)
        mine, theirs = excerpts(self.state, other.state)
        return "%s, leaves %s" % (excerpt(self.shown, 80), mine), "%s, leaves %s" % (excerpt(other.shown, 80), theirs)


class NotCompared(Exception):
    """A call that cannot be looked at: its arguments cannot be copied, say. The message gives the reason."""


class CallableProgram:
    """A patch as something to call. ``codes`` are all codes of its text, for tracing."""

    def __init__(self, patch: Patch, base: FunctionType) -> None:
        if patch.own is None:
            raise NotCompared("the text gives the function no code")
        self.patch = patch
        self._base = base
        self._code = patch.own
        self.codes = set(_all_codes(patch.own))

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
    """Runs programs. ``resume`` is called after each run to put back what was in before."""

    def __init__(self, namespace: dict[str, Value], seconds: float, resume: Callable[[], object]) -> None:
        self._seconds = seconds
        self._resume = resume
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
        bound it gets. What it writes into files that the arguments name is undone.
        """
        files = Written(entry.args, entry.kwargs)
        try:
            with silence_output(), bound_time(patience * self._seconds):
                args, kwargs, cells = self.copies(entry)
                program.patch.apply()
                function = program.function(cells)
                with inside or _do_nothing():
                    told = _call(function, args, kwargs)
                left = picture((args, kwargs), private=private)
                return CallOutcome(told, "args %s%s%s" % (left, _told_to(cells), files.changed_text()))
        except Hang:
            return CallOutcome(_ENDLESS % self._seconds, "")
        finally:
            self._resume()
            files.put_back()

    def copies(self, entry: Entry) -> Copies:
        """Copies of positional and named arguments and of free variables. Raises ``NotCompared``."""
        memo = dict(self._shared)
        memo.update((id(v), v) for v in entry.cells.values() if isinstance(v, types.ModuleType))
        try:
            return copy.deepcopy((entry.args, entry.kwargs, entry.cells), memo)
        except Hang:
            raise
        except BaseException as problem:  # copying runs the target's own methods
            kinds = ", ".join(sorted({type(a).__qualname__ for a in [*entry.args, *entry.kwargs.values()]}))
            text = "%s: %s" % (type(problem).__name__, str(problem)[:120])
            raise NotCompared("arguments (%s) cannot be copied: %s" % (kinds, scrub_addresses(text))) from problem

    def reaches(self, program: CallableProgram, entry: Entry, lines: Iterable[int]) -> bool:
        """Whether the program, given these arguments, executes one of the lines of its file.

        Raises ``NotCompared`` where it ends in time, but not while it is watched.
        """
        for patience in (1, PATIENCE):
            watch = _Watch(program.codes, frozenset(lines))
            watched = self.outcome(program, entry, watch, patience=patience)
            if watch.hit or watched.state or not self.outcome(program, entry).state:
                return watch.hit
        raise NotCompared("an input was left out: the call takes too long while its lines are watched")


def call(
    function: Callable[..., Value], args: Sequence[Value], kwargs: dict[str, Value], seconds: float
) -> CallOutcome:
    """The outcome of one call on arguments that are nobody else's."""
    try:
        with silence_output(), bound_time(seconds):
            told = _call(function, args, kwargs)
            return CallOutcome(told, "args %s" % picture((list(args), kwargs)))
    except Hang:
        return CallOutcome(_ENDLESS % seconds, "")


def _told_to(cells: dict[str, Value]) -> str:
    """What the free variables that are our own callables were called with."""
    heard = {name: value.calls for name, value in cells.items() if isinstance(value, Recorder)}
    return ", calls %s" % picture(heard) if heard else ""


def _is_constant(name: str, value: Value) -> bool:
    """Module constants whose identity matters (sentinels) are shared with copies, not copied."""
    if isinstance(value, (list, dict, set, bytearray)):
        return False
    return type(value) is object or isinstance(value, types.ModuleType) or name.strip("_").isupper()


def _call(function: Callable[..., Value], args: Sequence[Value], kwargs: dict[str, Value]) -> str:
    try:
        return "returns " + _settle_result(function(*args, **kwargs))
    except Hang:
        raise
    except BaseException as problem:  # that is what the program does
        return "raises %s" % scrub_addresses(_picture_exception(problem))


def _picture_exception(problem: BaseException) -> str:
    """The exception as text, its message between marks unless a ``raise`` outside the standard library made it."""
    try:
        text = repr(str(problem))
    except Exception:  # the target's own ``__str__`` fails
        text = "?"
    mark = "" if _written(problem) else "\0"
    return "%s(%s%s%s)" % (type(problem).__qualname__, mark, text, mark)


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
        ending = ", then raises %s" % scrub_addresses(_picture_exception(problem))
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
        ending = ", then raises %s" % scrub_addresses(_picture_exception(problem))
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


class _Watch:
    """Traces the lines of some codes until one of the wanted lines is executed, which ends the call."""

    def __init__(self, codes: Container[CodeType], lines: Container[int]) -> None:
        self._codes, self._lines, self.hit = codes, lines, False

    def __enter__(self) -> None:
        self._previous = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._previous)

    def _enter(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        if self.hit or frame.f_code not in self._codes:
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, _arg: object) -> Trace | None:
        if event == "line" and frame.f_lineno in self._lines:
            self.hit = True
            raise Hang
        return self._line


@contextmanager
def _do_nothing() -> Iterator[None]:
    yield


class _Void:
    """A stream that takes anything and keeps nothing."""

    encoding = "utf-8"
    errors = "strict"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Nothing is held."""

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


@contextmanager
def silence_output() -> Iterator[None]:
    """Throw output away."""
    kept = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = _Void()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = kept


@contextmanager
def bound_time(seconds: float) -> Iterator[None]:
    """Raise ``Hang`` in the body when its time is up."""

    def ring(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Hang

    kept = signal.signal(signal.SIGALRM, ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, kept)
