"""What a run of the tests leaves behind in the process: a digest of the project's module-level data.

Two runs that leave the same digest have at least not grown a registry or counted something up. Nor have they changed a
test's own parameters or moved the process to another directory. It is read, never written.

What lies in the files that forks can write to, as a digest: two that are equal say that nothing was left there.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import types

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Mapping
    from types import FunctionType, ModuleType

    import pytest

    from _repair_probe.ground.words import Value


_FORK = "fork-"


class Left:
    """The copy, the home and temporary folders of this run, and ``private`` ones that a jail has for itself."""

    def __init__(self, root: str, private: Iterable[str], environ: Mapping[str, str] = os.environ) -> None:
        self._tmp = os.path.realpath(environ["TMPDIR"])
        self._own = [os.path.realpath(root), os.path.realpath(environ["HOME"]), self._tmp]
        self._folders = [*self._own, *(folder for folder in private if os.path.isdir(folder))]

    def digest(self) -> str:
        """Names, kinds, sizes and times of all of it; what forks have for themselves, and mounts, are left out."""
        found = hashlib.sha256()
        for folder in self._folders:
            self._walk(folder, found)
        return found.hexdigest()

    def _walk(self, folder: str, found: hashlib._Hash) -> None:
        device = os.stat(folder).st_dev
        pending = [folder]
        while pending:
            here = pending.pop()
            try:
                with os.scandir(here) as entries:
                    children = sorted(entries, key=lambda child: child.name)
            except OSError as problem:  # a trial may have closed it, which shows in the folder itself
                found.update(repr((here, problem.errno)).encode())
                continue
            for child in children:
                if self._is_passed_over(here, child):
                    continue
                seen = child.stat(follow_symlinks=False)
                told = child.path, seen.st_mode, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
                found.update(os.fsencode(repr(told)))
                if child.is_dir(follow_symlinks=False) and seen.st_dev == device:
                    pending.append(child.path)

    def _is_passed_over(self, here: str, child: os.DirEntry[str]) -> bool:
        """A fork's own folder, and what leads to our folders and so changes with those."""
        if here == self._tmp and child.name.startswith(_FORK):
            return True
        return any(own == child.path or own.startswith(child.path + os.sep) for own in self._own)


_PLAIN = (int, float, complex, str, bytes, bool, type(None))
_BOXES = (list, tuple, set, frozenset, dict)
_LEAVES = (types.BuiltinFunctionType, types.ModuleType, types.CodeType, property)
_DEEPEST = 5
_MOST = 30000


class TooLarge(Exception):
    """There is more data than can be looked at before each decision."""


def digest_of(roots: Value, names: Container[str], brought: dict[int, frozenset[str]] | None = None) -> int:
    """A value that differs where the data below the roots does. Objects of classes from other modules are leaves.

    ``brought`` names the attributes that count, for the ids of some classes.
    """
    return hash(_Walk(names, brought or {}).read(roots, 0))


class World:
    """The data of a project's modules, and what the tests bring with them, as digests."""

    def __init__(self, root: str, items: Iterable[pytest.Item]) -> None:
        self._root = root
        modules = (getattr(item, "module", None) for item in items)
        self._tests = {id(module): module for module in modules if module is not None}
        specs = (getattr(item, "callspec", None) for item in items)
        self._parameters = [spec.params for spec in specs if spec is not None]
        kinds = [thing for module in self._tests.values() for thing in vars(module).values() if isinstance(thing, type)]
        self._brought = {id(kind): frozenset(vars(kind)) for kind in kinds}

    def leftover_digest(self) -> int | None:
        """What runs have left behind; ``None`` where that is too much to look at."""
        modules = modules_below(self._root)
        try:
            return digest_of([data_of(modules.values()), process_data(), self._parameters], frozenset(modules))
        except TooLarge:
            return None

    def given_digest(self) -> int:
        """The tests' parameters and what their modules define; 0 where that is too much to look at.

        What a ``setup_class`` adds to its class is made anew each time, and left out.
        """
        names = frozenset(module.__name__ for module in self._tests.values())
        try:
            return digest_of([self._parameters, data_of(self._tests.values())], names, self._brought)
        except TooLarge:
            return 0


def modules_below(root: str) -> dict[str, ModuleType]:
    """The modules whose files lie below the root, by name."""
    found = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.startswith(root + os.sep) and isinstance(module, types.ModuleType):
            found[name] = module
    return found


def data_of(modules: Iterable[ModuleType]) -> list[dict[str, Value]]:
    """The data of modules: what they define, without what Python itself puts there."""
    return [{k: v for k, v in vars(module).items() if not k.startswith("__")} for module in modules]


def process_data() -> list[Value]:
    """What a test may change of the process itself."""
    return [os.getcwd(), dict(os.environ), list(sys.path), threading.active_count(), id(sys.stdout), id(sys.stderr)]


class _Walk:
    def __init__(self, names: Container[str], brought: dict[int, frozenset[str]]) -> None:
        self._brought = brought
        self._left = _MOST
        self._seen: dict[int, int] = {}
        self._names = names

    def read(self, thing: Value, depth: int) -> Hashable:
        """A hashable picture of the thing, down to some depth; what was met before is named by its number."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        kind = type(thing)
        if kind in _PLAIN:
            return (kind.__name__, thing) if thing == thing else (kind.__name__, "nan")
        if id(thing) in self._seen:
            return ("again", self._seen[id(thing)])
        self._seen[id(thing)] = len(self._seen)
        if depth >= _DEEPEST or isinstance(thing, _LEAVES):
            return (kind.__name__,)
        if kind is dict:
            return (kind.__name__, tuple((self.read(k, depth + 1), self.read(v, depth + 1)) for k, v in thing.items()))
        if kind in (set, frozenset):
            return (kind.__name__, len(thing), hash(thing) if kind is frozenset else _digest_of_set(thing))
        if isinstance(thing, _BOXES):
            inner = thing.items() if isinstance(thing, dict) else tuple(thing)
            return (kind.__name__, tuple(self.read(each, depth + 1) for each in inner))
        if kind is types.FunctionType:
            return (kind.__name__, self._kept_by(thing, depth))
        return (kind.__name__, self._attributes(thing, depth))

    def _kept_by(self, function: FunctionType, depth: int) -> Hashable:
        """What a function of the project can keep from call to call: attributes, defaults, variables around it."""
        if function.__module__ not in self._names:
            return None
        cells: list[Hashable] = []
        for cell in function.__closure__ or ():
            try:
                cells.append(self.read(cell.cell_contents, depth + 1))
            except ValueError:
                cells.append(None)
        kept = function.__dict__, function.__defaults__, function.__kwdefaults__
        return (*cells, *[self.read(each, depth + 1) if each else None for each in kept])

    def _attributes(self, thing: Value, depth: int) -> Hashable:
        is_type = isinstance(thing, type)
        home = getattr(thing if is_type else type(thing), "__module__", None)
        if not isinstance(home, str) or home not in self._names:
            own = None
        else:
            own = type.__dict__["__dict__"].__get__(thing) if is_type else _own_attributes(thing)
        if own is None:
            try:
                return len(thing)
            except Exception:  # no length, or the target's own ``__len__`` fails
                return None
        counting = self._brought.get(id(thing), own)
        found = [(name, value) for name, value in list(own.items()) if name != "__doc__" and name in counting]
        return tuple((name, self.read(value, depth + 1)) for name, value in found)


def _own_attributes(thing: Value) -> dict[str, Value] | None:
    try:
        own = object.__getattribute__(thing, "__dict__")
    except Exception:  # no such attribute, or a property of that name that fails
        return None
    return own if type(own) is dict else None


def _digest_of_set(thing: Iterable[Value]) -> int | None:
    try:
        return hash(frozenset(thing))
    except TypeError:
        return None
