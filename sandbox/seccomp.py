"""A filter of system calls, as the kernel takes it: what tests never need and attacks on the kernel do is refused.

Everything else passes, so a list that misses a call costs safety and never a test run. The program is classic BPF,
written by hand here: it looks at the architecture, the call's number, and for ``clone`` and ``socket`` at one argument.
A refused call fails with EPERM, as it would for want of a right. ``clone3``, whose flags lie behind a pointer, does not
exist (ENOSYS), and libraries then use ``clone``.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from dataclasses import dataclass

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data, low half on little endian
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_ABSENT = 0x00050000 | errno.ENOSYS
_X32 = 0x40000000

_NEW_NAMESPACES = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}
_FAMILIES = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK end at the walls of the network namespace; AF_VSOCK does not."""


_TABLE = """
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, process_madvise 440 440,
    pidfd_getfd 438 438,
    add_key 248 217, request_key 249 218, keyctl 250 219,
    bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, io_uring_setup 425 425, io_uring_enter 426 426,
    io_uring_register 427 427,
    unshare 272 97, setns 308 268,
    mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428, move_mount 429 429,
    fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442,
    open_by_handle_at 304 265, lookup_dcookie 212 18, nfsservctl 180 42,
    kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273,
    delete_module 176 106,
    syslog 103 116, acct 163 89, swapon 167 224, swapoff 168 225, reboot 169 142, quotactl 179 60, iopl 172 -1,
    ioperm 173 -1
"""
"""The calls, and their numbers on x86_64 and on aarch64 (-1 where there is none)."""

REFUSED = tuple((name, int(x86), int(arm)) for name, x86, arm in map(str.split, _TABLE.split(",")))


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers of one architecture."""

    architecture: int
    clone: int
    clone3: int
    socket: int
    refused: tuple[int, ...]
    x32: bool = False
    """Whether numbers from ``_X32`` on are a second way to the same calls."""


MACHINES = {
    "x86_64": Machine(0xC000003E, 56, 435, 41, tuple(number for _, number, _ in REFUSED), x32=True),
    "aarch64": Machine(0xC00000B7, 220, 435, 198, tuple(number for _, _, number in REFUSED if number >= 0)),
}

_SUPPORT = "/proc/sys/kernel/seccomp/actions_avail"


def call_filter(*, sockets: bool = True) -> bytes:
    """The filter for this machine; empty where the kernel takes none or the architecture has no list here.

    Without ``sockets`` there are none but pairs: what a network namespace would hold, the filter has to.
    """
    machine = MACHINES.get(platform.machine())
    families = _FAMILIES if sockets else ()
    return program(machine, families) if machine is not None and os.path.exists(_SUPPORT) else b""


def program(machine: Machine, families: tuple[int, ...] = _FAMILIES) -> bytes:
    """The filter as the kernel reads it. Each block either answers or goes on with the next."""
    lines = [(_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, machine.architecture), (_RETURN, 0, 0, _REFUSE)]
    lines += [(_LOAD, 0, 0, _NUMBER)]
    if machine.x32:
        lines += [(_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for number in machine.refused:
        lines += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    lines += [(_IF_EQUAL, 0, 1, machine.clone3), (_RETURN, 0, 0, _ABSENT)]
    lines += [(_IF_EQUAL, 0, 4, machine.clone), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    lines += [(_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES), (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    lines += [(_IF_EQUAL, 0, len(families) + 2, machine.socket), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    lines += [(_IF_EQUAL, len(families) - place, 0, family) for place, family in enumerate(families)]
    lines += [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
