"""What a child that is forked in the middle of a test has of the outside, and what it may do there.

Memory is copied by a fork, and an open file is not: parent and child share its position. So a child opens what is read
once more, at its position. What can be written becomes a copy of its own. Sockets, pipes, maps that are shared, other
threads and what belongs to a database have no copy: with one of these there is no fork.

What would write a file, start a process, talk to a socket or signal to others is seen before it happens. The child
says so and ends: what it would have given does not count. It may write into a folder of its own, and where it is told.
"""

from __future__ import annotations

import fcntl
import gc
import io
import os
import stat
import sys
import threading
import types

from _repair_probe.fork.alive import open_descriptors
from _repair_probe.fork.hazards import PATH_CHANGES, changed_paths
from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from _repair_probe.ground.words import Value

_MOST_BYTES = 4 << 20
"""Bytes of a file that can be written, of which each child gets a copy."""

_MOST_OBJECTS = 20000
"""Objects below the arguments of a call that are looked at."""

_HIGH = 400
_DATABASE = b"SQLite format 3\0"
_HARMLESS = frozenset(("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"))
_OUTSIDE = (
    ("sqlite3", "Connection", "an SQLite connection"),
    ("sqlite3", "Cursor", "an SQLite connection"),
    ("socket", "socket", "a socket"),
    ("subprocess", "Popen", "another process"),
    ("multiprocessing.process", "BaseProcess", "another process"),
)
"""Classes by module and name whose objects reach out of the process."""

_PROCESSES = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.spawn", "os.fork", "os.forkpty")
_SOCKETS = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_CHANGES = dict(PATH_CHANGES, **{"os.chmod": ((0, 2),), "os.chown": ((0, 3),), "os.utime": ((0, 3),)})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_KEPT = ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC)
"""Flags with which a file is opened once more."""

_exit, _getpid = os._exit, os.getpid

_LEAVES = (type, types.ModuleType, types.CodeType, types.BuiltinFunctionType, str, bytes, int, float, type(None))
_STREAMS = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.FileIO)


class Surroundings:
    """What was open before the tests ran, so that it is none of theirs: descriptors and shared maps."""

    def __init__(self) -> None:
        self._descriptors = {each: _identity(each) for each in open_descriptors()}
        self._maps = _shared_maps()

    def obstacle(self, things: list[Value]) -> str:
        """What of this process is no copy in a fork, in words; ``things`` are what a call can reach."""
        others = [each.name for each in threading.enumerate() if each is not threading.main_thread()]
        if others:
            return "another thread is alive: %s" % ", ".join(others[:5])
        try:
            if len(os.listdir("/proc/self/task")) > 1:
                return "another thread is alive"
        except OSError:
            return "the system does not tell which files are open"
        if _shared_maps() - self._maps:
            return "memory is shared with other processes"
        kinds = [(getattr(sys.modules.get(module), name, None), said) for module, name, said in _OUTSIDE]
        known = [(kind, said) for kind, said in kinds if isinstance(kind, type)]
        for thing in things:
            for kind, said in known:
                if issubclass(type(thing), kind):
                    return "%s is open" % said
        new = (each for each in sorted(open_descriptors()) if not self.is_old(each))
        return next(filter(None, map(_unlike_file, new)), "")

    def is_old(self, descriptor: int) -> bool:
        """Whether the descriptor is what it was before the tests ran."""
        old = self._descriptors.get(descriptor)
        return old is not None and old == _identity(descriptor)


def _identity(descriptor: int) -> tuple[int, int] | None:
    """What file it is; ``None`` where it is closed, as that is with which the descriptors were listed."""
    try:
        seen = os.fstat(descriptor)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def reachable(roots: Iterable[Value]) -> list[Value]:
    """The objects below some, nearest first, up to a bound; none of their code is run."""
    waiting = list(roots)
    seen: set[int] = set()
    found: list[Value] = []
    while waiting and len(found) < _MOST_OBJECTS:
        following: list[Value] = []
        for thing in waiting:
            if id(thing) not in seen and not issubclass(type(thing), _LEAVES) and len(found) < _MOST_OBJECTS:
                seen.add(id(thing))
                found.append(thing)
                following.extend(_below(thing))
        waiting = following
    return found


def _below(thing: Value) -> list[Value]:
    if type(thing) is types.FunctionType:  # all that its module holds would be below it
        return [thing.__closure__, thing.__defaults__, thing.__kwdefaults__, thing.__dict__]
    return gc.get_referents(thing)


def streams_among(things: Iterable[Value]) -> list[Value]:
    """The language's own file objects among some, without those within others; none has code of the target."""
    found = [each for each in things if type(each) in _STREAMS]
    within = {id(getattr(each, name, None)) for each in found for name in ("buffer", "raw")}
    return [each for each in found if id(each) not in within]


def _shared_maps() -> frozenset[str]:
    """The maps of this process that a child would share for writing, by inode and path."""
    try:
        with open("/proc/self/maps") as stream:
            rows = [line.split(None, 5) for line in stream]
    except OSError:
        return frozenset()
    return frozenset(" ".join(row[3:]) for row in rows if row[1][1:2] == "w" and row[1].endswith("s"))


def _unlike_file(descriptor: int) -> str:
    """Why a descriptor cannot be had for oneself, or ``""``."""
    try:
        mode = os.fstat(descriptor).st_mode
        link = os.readlink("/proc/self/fd/%d" % descriptor)
    except OSError:  # it was closed meanwhile
        return ""
    if stat.S_ISREG(mode):
        return _unlike_plain_file(descriptor)
    if stat.S_ISDIR(mode) or link in _HARMLESS:
        return ""
    kinds = ((stat.S_ISSOCK, "a socket"), (stat.S_ISFIFO, "a pipe"))
    said = next((said for is_kind, said in kinds if is_kind(mode)), "")
    return "%s is open" % (said or ("an event loop" if "eventpoll" in link else "a device"))


def _unlike_plain_file(descriptor: int) -> str:
    if not _is_written(descriptor):
        return ""
    if os.fstat(descriptor).st_size > _MOST_BYTES:
        return "a large file is open for writing"
    with open("/proc/self/fd/%d" % descriptor, "rb", buffering=0) as file:
        return "an SQLite database is open" if file.read(len(_DATABASE)) == _DATABASE else ""


def _is_written(descriptor: int) -> bool:
    return bool(fcntl.fcntl(descriptor, fcntl.F_GETFL) & (os.O_WRONLY | os.O_RDWR))


class OwnFiles:
    """In a child: the open files, made its own. Raises ``OSError`` where one cannot be.

    What was open for writing before the tests ran is the console, a log, or ours: in a child that leads nowhere. Where
    a file has a copy of its own at the path that ``copy_of`` gives, that one is opened.
    """

    def __init__(self, surroundings: Surroundings, copy_of: Callable[[int], str] = lambda descriptor: "") -> None:
        self._copies: list[tuple[int, bytes]] = []
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in sorted(open_descriptors() - {null}):
            try:
                mode = os.fstat(descriptor).st_mode
            except OSError:  # what the descriptors were listed with
                continue
            written = (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)) and _is_written(descriptor)
            path = copy_of(descriptor)
            if path:
                _put_in_place(descriptor, path, fcntl.fcntl(descriptor, fcntl.F_GETFL) & _KEPT)
            elif written and surroundings.is_old(descriptor):
                os.dup2(null, descriptor, os.get_inheritable(descriptor))
            elif stat.S_ISREG(mode) and written:
                self._copy(descriptor)
            elif stat.S_ISREG(mode) or stat.S_ISDIR(mode):
                _put_in_place(descriptor, _path_of(descriptor), fcntl.fcntl(descriptor, fcntl.F_GETFL) & _KEPT)
        os.close(null)

    def changed(self) -> list[bytes]:
        """What the files hold now that could be written, where it is something else than before."""
        return [now for now, before in ((_contents(own), before) for own, before in self._copies) if now != before]

    def _copy(self, descriptor: int) -> None:
        held = _contents(descriptor)
        plain = os.memfd_create("copy")
        own = fcntl.fcntl(plain, fcntl.F_DUPFD_CLOEXEC, _HIGH)  # kept, whatever becomes of the descriptor
        os.close(plain)
        os.write(own, held)
        self._copies.append((own, held))
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL) & (os.O_ACCMODE | os.O_APPEND)
        _put_in_place(descriptor, _path_of(own), flags)


def _path_of(descriptor: int) -> str:
    """What opens once more what is behind a descriptor, whatever became of its name."""
    return "/proc/self/fd/%d" % descriptor


def _put_in_place(descriptor: int, path: str, flags: int) -> None:
    """Open the path, at the position of the descriptor, and in its place."""
    opened = os.open(path, flags | os.O_CLOEXEC)
    os.lseek(opened, os.lseek(descriptor, 0, os.SEEK_CUR), os.SEEK_SET)
    os.dup2(opened, descriptor, os.get_inheritable(descriptor))
    os.close(opened)


def _contents(descriptor: int) -> bytes:
    with open("/proc/self/fd/%d" % descriptor, "rb", buffering=0) as file:
        return file.read(_MOST_BYTES) or b""


def within(folder: str) -> Callable[[str], bool]:
    """Whether a path that leads through no links lies in the folder."""
    place = os.path.realpath(folder)
    return lambda path: is_within(path, place)


class Confinement:
    """An audit hook, which nothing takes out again. ``tell`` is called with what was about to happen.

    The child may write where ``is_own`` says so of a path that leads through no links, and to the ``allowed`` paths.
    """

    def __init__(self, is_own: Callable[[str], bool], allowed: Iterable[str], tell: Callable[[str], object]) -> None:
        self._in_own, self._allowed, self._tell = is_own, frozenset(allowed), tell
        sys.dont_write_bytecode = True
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Value, ...]) -> None:
        try:
            said = self._said(event, args)
        except Exception:  # an odd path: whatever it was, it may be outside
            said = "it does something that cannot be followed"
        if said:
            self._end(said)

    def _end(self, said: str) -> NoReturn:
        try:
            self._tell(said)
        finally:
            _exit(0)

    def _said(self, event: str, args: tuple[Value, ...]) -> str:
        if event == "open":
            path, _, flags = args
            return "it writes a file" if flags & _WRITES and not self._is_own(path) else ""
        if event in _CHANGES:
            return "" if all(map(self._is_own, changed_paths(_CHANGES[event], event, args))) else "it changes files"
        if event in _PROCESSES:
            return "it starts a process"
        if event in _SOCKETS:
            return "it talks to a socket"
        if event in ("os.kill", "os.killpg", "signal.pidfd_send_signal"):
            return "" if args[0] in (0, _getpid()) else "it signals to another process"
        return ""

    def _is_own(self, path: Value) -> bool:
        if isinstance(path, int):
            return True
        name = os.path.abspath(os.fsdecode(path))
        return name == os.devnull or name in self._allowed or self._in_own(os.path.realpath(name))
