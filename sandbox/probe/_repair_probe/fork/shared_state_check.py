"""What the trials of a batch share beside the project's own data, and whether one has changed it for those behind it.

A *setting* is put back after each trial, or looked at then, or after the last one. *Foreign* are the modules and
classes of others that the module of the function under repair knows by name. Their attributes are looked at three
times: round all trials, and behind the unpatched program's last run. That tells what a trial has left there from what
each run changes.
"""

from __future__ import annotations

import builtins
import gc
import os
import random
import signal
import sys
import threading
import time
import types

from _repair_probe.fork.parameters import Parameters
from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType
    from typing import Any

    import pytest

    from _repair_probe.ground.words import Value

    Look = tuple[list[dict[str, Value]], dict[str, ModuleType]]

_MOST_FOREIGN = 3000
_PLAIN = (int, float, str, bytes, bool, type(None))
_PASSING = frozenset(("__warningregistry__", "last_exc", "last_traceback", "last_type", "last_value"))
"""What Python and pytest themselves put there when something fails."""

_HANDLED = [getattr(signal, name) for name in ("SIGALRM", "SIGCHLD", "SIGINT", "SIGTERM", "SIGUSR1", "SIGUSR2")]


class Settings:
    """Settings of the process: those that can be put back as of its making, the others as of ``note``."""

    def __init__(self, draws: bool, items: Iterable[pytest.Item]) -> None:
        self._parameters = Parameters(items)
        self._random = random.getstate() if draws else None
        self._folder = os.getcwd()
        self._environment, self._variables = dict(os.environ), dict(_variables())
        self._path = list(sys.path)
        self._streams = sys.stdout, sys.stderr, sys.stdin
        self._limit = sys.getrecursionlimit()
        self._quick: list[Any] | None = None
        self._seen: list[Any] | None = None

    def note(self) -> None:
        """The other settings count as they are now, after the unpatched program has run."""
        self._put_back()
        self._quick, self._seen = _quick_settings(), _late_settings()

    def are_kept(self) -> bool:
        """Whether those are as they were that are looked at but once, after all trials."""
        return _late_settings() == self._seen

    def restore(self) -> bool:
        """Put back what a trial may have changed; whether that was possible and what else is cheap to see is kept."""
        return self._put_back() and _quick_settings() == self._quick

    def _put_back(self) -> bool:
        self._parameters.restore()
        if self._random is not None:
            random.setstate(self._random)
        sys.stdout, sys.stderr, sys.stdin = self._streams
        if sys.path != self._path:
            sys.path[:] = self._path
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        if _variables() != self._variables:
            for name in os.environ.keys() - self._environment.keys():
                del os.environ[name]
            os.environ.update(self._environment)
        try:
            if os.getcwd() != self._folder:
                os.chdir(self._folder)
        except OSError:
            return False
        return True


def _variables() -> Any:
    return os.environ._data  # type: ignore[attr-defined]  # what the process has, without decoding it


def _quick_settings() -> list[Any]:
    """What is looked at after each trial."""
    found: list[Any] = [gc.isenabled(), tuple(map(id, vars(builtins).values())), threading.active_count()]
    decimal, locale = map(sys.modules.get, ("decimal", "_locale"))
    if decimal is not None:
        context = decimal.getcontext()
        bounds = context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp
        found += [bounds, list(context.traps.values())]
    if locale is not None:
        found.append(locale.setlocale(locale.LC_ALL))
    return found


def _late_settings() -> list[Any]:
    """What is looked at after all of them."""
    mask = os.umask(0o77)
    os.umask(mask)
    found: list[Any] = [
        *(mask, time.tzname, time.timezone, sys.getswitchinterval(), signal.getitimer(signal.ITIMER_REAL)[0] > 0),
        *(sys.gettrace(), sys.getprofile(), sys.excepthook, sys.displayhook, tuple(sys.meta_path)),
        [signal.getsignal(number) for number in _HANDLED],
    ]
    logging, socket = map(sys.modules.get, ("logging", "_socket"))
    if logging is not None:
        root = logging.root
        found.append((root.manager.disable, root.level, root.disabled, list(root.handlers), root.filters[:]))
    if socket is not None:
        found.append(socket.getdefaulttimeout())
    return found


class Foreign:
    """The attributes of others' modules and classes that some namespaces of the project know by name.

    Whoever looks at an object writes to its page, which this fork then has to copy: so only few are looked at.
    """

    _boxes: list[Any]

    def __init__(self, namespaces: Iterable[dict[str, Value]], root: str) -> None:
        things = {id(thing): thing for space in namespaces for thing in list(space.values())}
        self._boxes, left = [], _MOST_FOREIGN
        for thing in things.values():
            if _is_foreign(thing, root):
                left -= len(vars(thing))
                if left >= 0:
                    self._boxes.append(thing)

    def look(self) -> Look:
        """The attributes as they are, and the modules that are loaded. Keeps them alive, so that none is mistaken."""
        loaded = dict(sys.modules)
        return [dict(vars(thing)) for thing in self._boxes], loaded

    def is_touched(self, before: Look, after: Look, last: Look) -> bool:
        """Whether a trial between the first two looks has left something; the unpatched program ran before the last."""
        for old, new, end in zip(before[0], after[0], last[0]):
            if _differ(old, new) and any(_is_left_changed(n, old, new, end) for n in old.keys() | new.keys()):
                return True
        return any(after[1].get(name) is not module for name, module in before[1].items())


def _is_foreign(thing: Value, root: str) -> bool:
    module = sys.modules.get(thing.__module__) if isinstance(thing, type) else thing
    if not isinstance(module, types.ModuleType):
        return False
    path = getattr(module, "__file__", None)
    return not (isinstance(path, str) and is_within(path, root))


def _differ(old: dict[str, Value], new: dict[str, Value]) -> bool:
    return list(old) != list(new) or list(map(id, old.values())) != list(map(id, new.values()))


_MISSING = object()


def _is_left_changed(name: str, old: dict[str, Value], new: dict[str, Value], end: dict[str, Value]) -> bool:
    """Whether a trial has changed the attribute, which then stayed or came back; one that always changes is none."""
    was, left, at_last = (each.get(name, _MISSING) for each in (old, new, end))
    if _are_alike(was, left) or name in _PASSING or (was is _MISSING and isinstance(left, types.ModuleType)):
        return False
    return _are_alike(left, at_last) or _are_alike(was, at_last)


def _are_alike(value: Value, other: Value) -> bool:
    return value is other or (type(value) is type(other) and type(value) in _PLAIN and value == other)
