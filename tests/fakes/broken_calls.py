"""A command of ours that is broken off at a system call which changes files: killed before it, or the disk is full.

The product knows nothing of it: a tracer (``ptrace``) stops the command's process at each such call below a folder.
This file is also the tracer's program. It has our modules loaded and forks for each command, so that one takes tens
of milliseconds. Children of the command, such as git, are traced too.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import signal
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import repair.commands.fix_and_check
import repair.commands.record
import repair.show.output
import repair.store.apply
import repair.store.run_stats  # noqa: F401 - all are loaded once, before the forks
from repair.cli import main

WAYS = ("kill", "kill all", "tear", "fill", "refuse", "")
"""What happens at the call:

- ``kill``: the command is killed before it; ``kill all``: with its children;
- ``tear``: a write is cut in half, another call is made, and then the command is killed;
- ``fill``: from there on the disk is full: nothing more can be made or written below the folders;
- ``refuse``: this call alone fails, as on a disk with a fault.
"""

OBSTACLE = "" if (sys.platform, platform.machine()) == ("linux", "x86_64") else "the tracer knows x86_64 Linux alone"


@dataclass(frozen=True)
class Broken:
    """How a command ended: its status (-9 where it was killed), what it said, and its calls that change files."""

    status: int
    out: str
    err: str
    calls: tuple[str, ...]


class Breaker:
    """Runs commands in forks of one process. Use it as a context."""

    def __init__(self, environment: dict[str, str]) -> None:
        argv = [sys.executable, "-P", __file__]
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd="/", text=True
        )

    def __enter__(self) -> Breaker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, root: Path, *words: str, at: int = 0, way: str = "", below: tuple[Path, ...] = ()) -> Broken:
        """``repair WORDS`` in the folder, broken off in that way at its ``at``-th call below one of the folders."""
        assert way in WAYS, way
        asked = {"root": str(root), "words": words, "at": at, "way": way, "below": [str(each) for each in below]}
        assert self._process.stdin is not None, "opened with a pipe"
        assert self._process.stdout is not None, "opened with a pipe"
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        return Broken(told["status"], told["out"], told["err"], tuple(told["calls"]))


# What follows runs in the tracer's process.

_TRACEME, _GETREGS, _SETREGS, _CONT, _SYSCALL, _DETACH, _SETOPTIONS = 0, 12, 13, 7, 24, 17, 0x4200
_SYSGOOD, _FORK, _VFORK, _CLONE, _EXEC, _EXITKILL = 1, 2, 4, 8, 16, 0x100000
_ALL = 0x40000000  # __WALL: threads too
_INFO, _ENTERED = 0x420E, 1
_ENOSPC, _EIO = 28, 5

_OPEN_AT = 257
_OF_PATH = {  # number: name, and which argument is the path (with the one that is its folder before it)
    83: ("mkdir", 0, None),
    84: ("rmdir", 0, None),
    87: ("unlink", 0, None),
    82: ("rename", 1, None),
    86: ("link", 1, None),
    88: ("symlink", 1, None),
    90: ("chmod", 0, None),
    76: ("truncate", 0, None),
    _OPEN_AT: ("open", 1, 0),
    258: ("mkdir", 1, 0),
    263: ("unlink", 1, 0),
    264: ("rename", 3, 2),
    316: ("rename", 3, 2),
    265: ("link", 3, 2),
    266: ("symlink", 2, 1),
    268: ("chmod", 1, 0),
    280: ("utime", 1, 0),
}
_OF_DESCRIPTOR = {
    1: "write",
    18: "write",
    20: "write",
    74: "sync",
    75: "sync",
    77: "truncate",
    91: "chmod",
    93: "chown",
    285: "allocate",
}
_TAKES_ROOM = ("open", "mkdir", "link", "symlink", "write", "allocate")
_CREATES = os.O_CREAT | os.O_TRUNC


_REGISTERS = (
    *("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi"),
    *("orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs"),
)


class _Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in _REGISTERS]


_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def _ptrace(request: int, pid: int, what: Any = None) -> None:
    if _libc.ptrace(request, pid, None, what) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class _Tracing:
    """One command from its first call to its end."""

    def __init__(self, pid: int, at: int, way: str, below: tuple[str, ...]) -> None:
        self._main, self._at, self._way, self._below = pid, at, way, below
        self._failing: dict[int, int] = {}
        self._torn: set[int] = set()
        self._full = False
        self._left = {pid}
        self.status = 0
        self.calls: list[str] = []

    def follow(self) -> None:
        """Until the command and its children have ended."""
        os.waitpid(self._main, 0)
        options = _SYSGOOD | _FORK | _VFORK | _CLONE | _EXEC | _EXITKILL
        _ptrace(_SETOPTIONS, self._main, options)
        _ptrace(_SYSCALL, self._main)
        while self._left:
            try:
                pid, status = os.waitpid(-1, _ALL)
            except ChildProcessError:
                return
            if os.WIFSTOPPED(status):
                self._left.add(pid)
                with contextlib.suppress(ProcessLookupError):
                    self._go_on(pid, status)
                continue
            self._left.discard(pid)
            if pid == self._main:
                self.status = os.waitstatus_to_exitcode(status)

    def _go_on(self, pid: int, status: int) -> None:
        number, event = os.WSTOPSIG(status), status >> 16
        if number == signal.SIGTRAP | 0x80:
            if _is_entered(pid):
                self._enter(pid)
            else:
                self._leave(pid)
            _ptrace(_SYSCALL, pid)
        elif event or number == signal.SIGSTOP:
            _ptrace(_SYSCALL, pid)
        else:
            _ptrace(_SYSCALL, pid, 0 if number == signal.SIGTRAP else int(number))

    def _enter(self, pid: int) -> None:
        registers = _Registers()
        _ptrace(_GETREGS, pid, ctypes.byref(registers))
        name, path = _describe(pid, registers)
        if not name or not path.startswith(self._below):
            return
        self.calls.append(f"{name} {path}")
        here = len(self.calls) == self._at
        if here and self._way == "kill":
            os.kill(self._main, signal.SIGKILL)
        elif here and self._way == "kill all":
            for each in self._left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
        elif here and self._way == "tear":
            if name == "write":
                registers.rdx //= 2
                _ptrace(_SETREGS, pid, ctypes.byref(registers))
            self._torn.add(pid)
        self._full = self._full or here
        full = self._full and self._way == "fill" and name in _TAKES_ROOM
        if full or (here and self._way == "refuse"):
            registers.orig_rax = ctypes.c_ulonglong(-1).value
            _ptrace(_SETREGS, pid, ctypes.byref(registers))
            self._failing[pid] = _ENOSPC if full else _EIO

    def _leave(self, pid: int) -> None:
        if pid in self._failing:
            registers = _Registers()
            _ptrace(_GETREGS, pid, ctypes.byref(registers))
            registers.rax = ctypes.c_ulonglong(-self._failing.pop(pid)).value
            _ptrace(_SETREGS, pid, ctypes.byref(registers))
        if pid in self._torn:
            self._torn.discard(pid)
            os.kill(self._main, signal.SIGKILL)


def _is_entered(pid: int) -> bool:
    """Whether the process stands before its call, and not behind it."""
    told = ctypes.create_string_buffer(88)
    if _libc.ptrace(_INFO, pid, len(told), ctypes.byref(told)) < 0:
        raise ProcessLookupError(pid)
    return told.raw[0] == _ENTERED


def _describe(pid: int, registers: _Registers) -> tuple[str, str]:
    """The call's name, empty for one that changes no file, and the path that it is about."""
    number, given = registers.orig_rax, (registers.rdi, registers.rsi, registers.rdx, registers.r10)
    if number in _OF_DESCRIPTOR:
        try:
            return _OF_DESCRIPTOR[number], os.readlink(f"/proc/{pid}/fd/{given[0]}")
        except OSError:
            return "", ""
    if number not in _OF_PATH:
        return "", ""
    name, at, folder = _OF_PATH[number]
    if name == "open" and not given[2] & _CREATES:
        return "", ""
    if not given[at]:  # it is about an open file
        with contextlib.suppress(OSError):
            return name, os.readlink(f"/proc/{pid}/fd/{given[0]}")
        return "", ""
    path = _text(pid, given[at])
    if not path.startswith("/"):
        descriptor = ctypes.c_int(given[folder]).value if folder is not None else -100
        place = f"/proc/{pid}/cwd" if descriptor == -100 else f"/proc/{pid}/fd/{descriptor}"
        with contextlib.suppress(OSError):
            path = os.path.join(os.readlink(place), path)
    if name == "open" and os.path.exists(path) and not given[2] & os.O_TRUNC:
        return "", ""  # such as a lock that is there already
    if os.path.lexists(path) if name == "mkdir" else name in ("unlink", "rmdir") and not os.path.lexists(path):
        return "", ""  # it changes nothing
    return name, path


def _text(pid: int, address: int) -> str:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        said = b""
        while b"\0" not in said and len(said) < 4096:
            said += memory.read(256 - (address + len(said)) % 256)
    return os.fsdecode(said.partition(b"\0")[0])


def _command(asked: dict[str, Any], out: int, err: int) -> None:
    """In the fork: the command itself, which begins once it is traced."""
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(asked["root"])
        if asked["way"] or asked["below"]:
            _ptrace(_TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        status = main(asked["words"])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    except BaseException:  # noqa: BLE001 - nothing may go on as the tracer
        traceback.print_exc()
        os._exit(99)


def _serve() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        out, err = os.memfd_create("out"), os.memfd_create("err")
        pid = os.fork()
        if pid == 0:
            _command(asked, out, err)
        tracing = _Tracing(pid, asked["at"], asked["way"], tuple(asked["below"]))
        if asked["way"] or asked["below"]:
            tracing.follow()
        else:
            tracing.status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        said = []
        for each in (out, err):
            os.lseek(each, 0, os.SEEK_SET)
            with open(each, encoding="utf-8", errors="replace") as file:
                said.append(file.read())
        told = {"status": tracing.status, "out": said[0], "err": said[1], "calls": tracing.calls}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
