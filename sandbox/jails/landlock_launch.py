"""Started as a script of its own: builds the walls of the kind ``landlock`` round itself, then becomes the command.

Imports little, and nothing of ours: it is started for every run. ``argv`` is the ``Walls`` as JSON, a descriptor to
read a filter of system calls from (-1 for none), then the command. The walls are a user namespace, and in it a root of
allowed folders (read-only). The command has its own processes, network and host name, no capabilities, and no further
user namespaces. A first process ends with the command and everything that it left. Landlock comes on top, which no
process within can take off again. Where ``alone`` is set, namespaces are left out and Landlock alone says which paths
can be read and written.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import select
import signal
import struct
import sys
from collections.abc import Callable, Sequence

_LIBC = ctypes.CDLL(None, use_errno=True)

# Numbers that are the same on every architecture, and the one that is not.
_MOUNT_SETATTR, _CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 442, 444, 445, 446
_PIVOT_ROOT = {"x86_64": 155, "i686": 217, "armv7l": 218, "ppc64le": 203, "s390x": 217}
_PIVOT_ROOT_ELSEWHERE = 41

_NEW_NS, _NEW_UTS, _NEW_IPC, _NEW_USER, _NEW_PID, _NEW_NET = 1 << 17, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 1 << 12, 1 << 14, 1 << 18
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_AT_FDCWD, _AT_RECURSIVE, _MNT_DETACH = -100, 0x8000, 2
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _BY_FILTER = 1, 22, 24, 38, 2
_AF_INET, _SOCK_DGRAM, _SIOCSIFFLAGS, _IFF_UP_RUNNING = 2, 2, 0x8914, 0x41

_READ = 0b1101  # execute, read files, list folders
_READ_FILE = 0b101
_USE_FILE = 1 << 15 | 1 << 14 | 0b110  # settings of a device, truncate, read, write
_SIGNALS_AND_ABSTRACT_SOCKETS = 0b11
_NEWEST_ABI = 6
_BUILT_ON = "/tmp"
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


class Walls:
    """What the command may see and change. ``links`` are system folders that are links, with where they point;
    ``engine`` is the process that starts the script. Where ``disk_bytes`` is not 0, the writable folder is an empty one
    in memory of that size. The true one is then shown, read-only, at ``original``. ``alone`` is without namespaces."""

    def __init__(
        self,
        *,
        engine: int,
        cwd: str,
        writable: str,
        readable: list[str],
        links: Sequence[tuple[str, str]] = (),
        tmp_bytes: int = 0,
        shm_bytes: int = 0,
        disk_bytes: int = 0,
        original: str = "",
        alone: bool = False,
    ) -> None:
        self.engine = engine
        self.cwd = cwd
        self.writable = writable
        self.readable = readable
        self.links = links
        self.tmp_bytes = tmp_bytes
        self.shm_bytes = shm_bytes
        self.disk_bytes = disk_bytes
        self.original = original
        self.alone = alone

    def to_json(self) -> str:
        """The walls as the script takes them."""
        return json.dumps(vars(self))


def main(argv: list[str]) -> None:
    """Build the walls and become the command."""
    walls, calls, command = Walls(**json.loads(argv[1])), int(argv[2]), argv[3:]
    _with_parent(lambda: os.getppid() == walls.engine)
    if walls.alone:
        _give_up_rights()
        _landlock((*walls.readable, "/proc"), (walls.writable,))
    else:
        _behind_namespaces(walls)
        _landlock(("/",), (walls.writable, "/tmp", "/dev"))
    os.chdir("/" if walls.disk_bytes else walls.cwd)
    if calls >= 0:
        _filter_calls(calls)
    os.execvp(command[0], command)


def _behind_namespaces(walls: Walls) -> None:
    """Everything but Landlock and the filter; what returns is the process that becomes the command."""
    _own_namespaces()
    outside, alive = os.pipe()
    if first := os.fork():
        os.close(outside)
        _leave_with(first)
    os.close(alive)
    _with_parent(lambda: not select.select([outside], [], [], 0)[0])
    os.close(outside)
    _own_root(walls)
    _own_network()
    # A user namespace in this one would give capabilities back.
    _write("/proc/sys/user/max_user_namespaces", "0")
    _give_up_rights()
    if last := os.fork():
        _leave_with(last)


def landlock_abi() -> int:
    """The kernel's version of Landlock; 0 where it has none."""
    return max(0, int(_LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def _with_parent(lives: Callable[[], bool]) -> None:
    """Whoever started us takes us along when it dies, and everything in the namespace with us.

    ``lives`` is asked after the request: a parent that died before it sends no signal.
    """
    _check(_LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "parent death signal")
    if not lives():
        os._exit(137)


def _leave_with(child: int) -> None:
    """Reap until the child has ended, then end as it did, as far as an exit status can tell."""
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _own_namespaces() -> None:
    """New namespaces, with the user as what he is."""
    uid, gid = os.geteuid(), os.getegid()
    spaces = _NEW_USER | _NEW_NS | _NEW_PID | _NEW_NET | _NEW_IPC | _NEW_UTS
    _check(_LIBC.unshare(spaces), "namespaces")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    _check(_LIBC.sethostname(b"sandbox", 7), "host name")


def _own_root(walls: Walls) -> None:
    """A root of allowed folders. What it is built on is covered first, so that paths below it can be shown too."""
    _mount("none", "/", "", _MS_REC | _MS_PRIVATE)
    _mount("tmpfs", _BUILT_ON, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=755,size=1m")
    os.mkdir(f"{_BUILT_ON}/.old")
    number = _PIVOT_ROOT.get(os.uname().machine, _PIVOT_ROOT_ELSEWHERE)
    _check(_LIBC.syscall(number, _BUILT_ON.encode(), f"{_BUILT_ON}/.old".encode()), "new root")
    os.chdir("/")
    _own_devices(walls.shm_bytes)
    _own_tmpfs("/tmp", walls.tmp_bytes)
    for link, target in walls.links:
        os.symlink(target, link)
    for path in walls.readable:
        _show(path, _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV)
    if walls.disk_bytes:
        _show(walls.writable, _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, walls.original)
        _own_tmpfs(walls.writable, walls.disk_bytes)
    else:
        _show(walls.writable, _ATTR_NOSUID | _ATTR_NODEV)
    os.mkdir("/proc")
    _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    _check(_LIBC.umount2(b"/.old", _MNT_DETACH), "leave the old root")
    os.rmdir("/.old")
    _attribute("/dev", _ATTR_RDONLY, 0)
    _attribute("/", _ATTR_RDONLY, 0)


def _own_devices(shm_bytes: int) -> None:
    os.mkdir("/dev")
    _mount("tmpfs", "/dev", "tmpfs", _MS_NOSUID, "mode=755,size=1m")
    for name in _DEVICES:
        if os.path.exists(f"/.old/dev/{name}"):
            _write(f"/dev/{name}", "")
            _mount(f"/.old/dev/{name}", f"/dev/{name}", "", _MS_BIND)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    os.symlink("/proc/self/fd", "/dev/fd")
    os.mkdir("/dev/pts")
    _mount("devpts", "/dev/pts", "devpts", _MS_NOSUID | _MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    os.symlink("pts/ptmx", "/dev/ptmx")
    _own_tmpfs("/dev/shm", shm_bytes)


def _own_tmpfs(path: str, size: int) -> None:
    os.makedirs(path, exist_ok=True)
    _mount("tmpfs", path, "tmpfs", _MS_NOSUID | _MS_NODEV, f"mode=1777,size={size}")


def _show(path: str, attributes: int, under: str = "") -> None:
    """A path of the old root under its own name, or another."""
    old, new = f"/.old{path}", under or path
    if os.path.isdir(old):
        os.makedirs(new, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(new), exist_ok=True)
        _write(new, "")
    _mount(old, new, "", _MS_BIND | _MS_REC)
    _attribute(new, attributes, _AT_RECURSIVE)


def _attribute(path: str, attributes: int, flags: int) -> None:
    wanted = struct.pack("=QQQQ", attributes, 0, 0, 0)
    size = ctypes.c_size_t(len(wanted))
    _check(_LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, wanted, size), f"close {path}")


def _own_network() -> None:
    """The loopback device is up: tests talk to servers of their own."""
    any_socket = int(_LIBC.socket(_AF_INET, _SOCK_DGRAM, 0))
    _check(any_socket, "a socket")
    fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP_RUNNING))
    os.close(any_socket)


def _give_up_rights() -> None:
    """No capabilities for us and none for what we become, root or not."""
    for number in range(64):
        if _LIBC.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break
    header, none = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    _check(_LIBC.capset(header, none), "drop capabilities")
    _check(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def _landlock(read: Sequence[str], written: Sequence[str]) -> None:
    """Allow reading and running what is below some paths, writing below others, and nothing else, whatever mounts or
    owners say. The harmless devices may be used wherever they are.

    TCP is not its matter: a namespace or the filter holds the network.
    """
    abi = min(landlock_abi(), _NEWEST_ABI)
    if not abi:
        raise SystemExit("this kernel has no Landlock")
    every = (1 << (12 + min(abi, 3) if abi < 5 else 16)) - 1
    scoped = _SIGNALS_AND_ABSTRACT_SOCKETS if abi >= 6 else 0
    attributes = struct.pack("=QQQ", every, 0, scoped)[: 8 if abi < 4 else 16 if abi < 6 else 24]
    ruleset = int(_LIBC.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))
    _check(min(ruleset, 0), "a Landlock ruleset")
    for path in read:
        _allow(ruleset, path, (_READ if os.path.isdir(path) else _READ_FILE) & every)
    for path in written:
        _allow(ruleset, path, every)
    for path in (f"/dev/{name}" for name in _DEVICES):
        if os.path.exists(path):
            _allow(ruleset, path, _USE_FILE & every)
    _check(_LIBC.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("=Qi", rights, place)
    _check(_LIBC.syscall(_ADD_RULE, ruleset, 1, rule, 0), f"a Landlock rule for {path}")
    os.close(place)


class _Program(ctypes.Structure):
    """A filter as the kernel takes it: how many instructions, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _filter_calls(descriptor: int) -> None:
    """Refuse what the filter refuses, here and in whatever comes of us."""
    with open(descriptor, "rb") as file:
        instructions = file.read()
    wanted = _Program(len(instructions) // 8, instructions)
    _check(_LIBC.prctl(_PR_SET_SECCOMP, _BY_FILTER, ctypes.byref(wanted), 0, 0), "filter of system calls")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    where = (os.fsencode(source), os.fsencode(target))
    _check(_LIBC.mount(*where, kind.encode(), ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _check(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(sys.argv)
