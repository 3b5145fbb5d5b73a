"""What tests do that another tier has to answer for, seen while they run once on the unpatched program."""

from __future__ import annotations

import _posixsubprocess
import linecache
import os
import sys

from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from _repair_probe.ground.words import Value

    Places = tuple[tuple[int, int | None], ...]
    PathChanges = dict[str, Places]

NEEDS_IMPORT = "needs a fresh import"
NEEDS_COLD = "needs a cold run"
UNTOLD = "the tests do something that cannot be followed: %s" % NEEDS_COLD
_STARTS_PYTHON = "the tests start Python programs: %s" % NEEDS_COLD
_OWN_FOLDERS = (".hypothesis", ".pytest_cache", "__pycache__")
_QUOTING = ("traceback.py", "warnings.py")
PATH_CHANGES: PathChanges = {
    "os.link": ((1, 3),),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "sqlite3.connect": ((0, None),),
}
"""Which arguments are paths that change, each with that of the folder that it counts from."""


class Hazards:
    """An audit hook for a forked child that runs the tests once. There is no way to take it out again.

    Each hazard is told once for each test ``during`` which it is met. It is told at once, since a test that hangs or
    crashes keeps the child from its end. Those met before ``start`` do not count.
    """

    _told: set[tuple[str, str]]

    def __init__(self, root: str, path: str, tell: Callable[[str], object]) -> None:
        self._root, self._path, self._tell = root, path, tell
        self.during = ""
        self._told, self._counting = set(), False
        linecache.clearcache()
        sys.addaudithook(self._audit)
        self._watch_multiprocessing()

    def start(self) -> None:
        """From now on what is met counts."""
        self._counting = True

    def _audit(self, event: str, args: tuple[Value, ...]) -> None:
        if not self._counting:
            return
        try:
            said = self._said(event, args)
        except Exception:  # an odd path, an event of somebody's own, no stack left: whatever it was, it may matter
            said = UNTOLD
        if said and (said, self.during) not in self._told:
            self._told.add((said, self.during))
            self._tell(said)

    def _watch_multiprocessing(self) -> None:
        """See the processes that ``multiprocessing`` starts anew: there is no event for them."""
        plain = _posixsubprocess.fork_exec

        def fork_exec(*args: Value) -> int:
            self._audit("subprocess.Popen", args[:2])
            return plain(*args)

        _posixsubprocess.fork_exec = fork_exec

    def _said(self, event: str, args: tuple[Value, ...]) -> str:
        if event == "open":
            return self._opened(*args)
        if event == "exec":
            code = args[0]
            if getattr(code, "co_name", "") == "<module>" and self._is_file(code.co_filename):
                return "the tests import the function's module anew: %s" % NEEDS_IMPORT
        elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.spawn"):
            if any(_runs_python(word) for word in _words(args)):
                return _STARTS_PYTHON
        elif event == "socket.bind":
            if _is_fixed(args[1]):
                return "the tests listen on a fixed address: %s" % NEEDS_COLD
        elif event in PATH_CHANGES and any(map(self._is_own, changed_paths(PATH_CHANGES[event], event, args))):
            return "the tests change files of the project: %s" % NEEDS_COLD
        return ""

    def _opened(self, path: Value, _mode: Value, flags: int) -> str:
        if isinstance(path, int):
            return ""
        if flags & (os.O_WRONLY | os.O_RDWR):
            return "the tests change files of the project: %s" % NEEDS_COLD if self._is_own(path) else ""
        if self._is_file(path) and not _is_quoting():
            return "the tests read the function's file: %s" % NEEDS_IMPORT
        return ""

    def _is_file(self, path: Value) -> bool:
        name = os.fsdecode(path)
        return os.path.basename(name) == os.path.basename(self._path) and os.path.realpath(name) == self._path

    def _is_own(self, path: Value) -> bool:
        """Whether a path lies in the project and not in a folder that test tools keep for themselves."""
        name = os.path.abspath(os.fsdecode(path))
        return is_within(name, self._root) and not any(part in _OWN_FOLDERS for part in name.split(os.sep))


def _is_quoting() -> bool:
    """Whether whoever is at work only wants to show a line of a traceback or of a warning."""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename) in _QUOTING:
            return True
        frame = frame.f_back
    return False


def changed_paths(places: Places, event: str, args: tuple[Value, ...]) -> Iterator[str]:
    """The paths at these places of an event's arguments that name something, from the root on."""
    for place, folder in places:
        path = args[place]
        if isinstance(path, int):
            continue
        name = os.fsdecode(path)
        if event == "sqlite3.connect":
            name = name[len("file:") :].partition("?")[0] if name.startswith("file:") else name
            if name in ("", ":memory:") or "mode=memory" in os.fsdecode(path):
                continue
        # Whoever removes a whole tree names each file from its folder on.
        yield os.path.join(_folder(args[folder]), name) if folder is not None and args[folder] >= 0 else name


def _folder(descriptor: int) -> str:
    try:
        return os.readlink("/proc/self/fd/%d" % descriptor)
    except OSError:
        return ""


def _words(args: Iterable[Value]) -> Iterator[str]:
    for arg in args:
        if isinstance(arg, (str, bytes, os.PathLike)):
            yield from os.fsdecode(arg).split()
        elif isinstance(arg, (list, tuple)):
            yield from _words(arg)


def _runs_python(word: str) -> bool:
    name = os.path.basename(word)
    installed = os.path.dirname(os.path.abspath(word)) == os.path.dirname(sys.executable) if os.sep in word else False
    return name.startswith(("python", "pypy", "pytest", "coverage", "tox")) or word == sys.executable or installed


def _is_fixed(address: Value) -> bool:
    if isinstance(address, tuple) and len(address) > 1:
        return bool(address[1] != 0)
    return bool(address) and not is_within(os.path.abspath(os.fsdecode(address)), os.environ["TMPDIR"])
