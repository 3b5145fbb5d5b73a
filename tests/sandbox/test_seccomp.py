"""The filter refuses what it lists and nothing else; a small interpreter of the kernel's language tells."""

from __future__ import annotations

import errno
import os
import platform
import struct
from pathlib import Path

import pytest

from sandbox import seccomp
from sandbox.seccomp import MACHINES, REFUSED, call_filter, program

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
HARMLESS = ("read", 0, 63), ("openat", 257, 56), ("execve", 59, 221), ("futex", 202, 98), ("connect", 42, 203)


def answer(code, architecture, number, argument=0):
    """What the kernel would answer."""
    seen = struct.pack("=IIQQ", number, architecture, 0, argument)
    loaded, place = 0, 0
    while True:
        kind, yes, no, value = struct.unpack_from("=HBBI", code, place * 8)
        place += 1
        match kind:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", seen, value)
            case 0x15:
                place += yes if loaded == value else no
            case 0x35:
                place += yes if loaded >= value else no
            case 0x45:
                place += yes if loaded & value else no
            case 0x06:
                return value


@pytest.fixture(params=sorted(MACHINES))
def ask(request):
    machine = MACHINES[request.param]
    code = program(machine)
    column = 1 if request.param == "x86_64" else 2

    def asked(row_or_number, argument=0, architecture=machine.architecture):
        number = row_or_number if isinstance(row_or_number, int) else row_or_number[column]
        return answer(code, architecture, number, argument)

    asked.machine, asked.column = machine, column
    return asked


def test_listed_calls_are_refused_and_others_are_not(ask):
    assert {row[0] for row in REFUSED if row[ask.column] >= 0 and ask(row) != EPERM} == set()
    assert {row[0] for row in HARMLESS if ask(row) != ALLOW} == set()
    assert len({row[ask.column] for row in REFUSED if row[ask.column] >= 0}) == sum(r[ask.column] >= 0 for r in REFUSED)


def test_namespaces_are_refused_whichever_way_and_threads_are_not(ask):
    threads, new_user, new_net = 0x3D0F00, 0x10000000, 0x40000000
    assert ask(ask.machine.clone, threads) == ask(ask.machine.clone, 17) == ALLOW
    assert ask(ask.machine.clone, new_user | 17) == ask(ask.machine.clone, new_net) == EPERM
    assert ask(ask.machine.clone3) == ENOSYS


def test_only_socket_families_with_walls_are_allowed(ask):
    allowed = [family for family in range(64) if ask(ask.machine.socket, family) == ALLOW]
    assert allowed == [1, 2, 10, 16]


def test_other_ways_into_the_kernel_are_refused(ask):
    i386, x32 = 0x40000003, 0x40000000
    assert ask(HARMLESS[0], architecture=i386) == EPERM
    if ask.machine.x32:
        assert ask(x32 + 0) == ask(x32 + 101) == EPERM


@pytest.mark.skipif(not Path("/usr/include/asm-generic/unistd.h").exists(), reason="no kernel headers here")
def test_the_numbers_are_the_kernels():
    """aarch64 uses the generic table."""
    lines = Path("/usr/include/asm-generic/unistd.h").read_text().replace("__NR3264_", "__NR_").splitlines()
    words = [line.split() for line in lines if line.startswith("#define __NR_")]
    known = {name.removeprefix("__NR_"): int(number) for _, name, number, *_ in words if number.isdigit()}
    assert {name: number for name, _, number in REFUSED if number >= 0 and known.get(name, number) != number} == {}
    assert (known["clone"], known["socket"]) == (MACHINES["aarch64"].clone, MACHINES["aarch64"].socket)


def test_there_is_none_where_it_cannot_be_used(monkeypatch, tmp_path):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert call_filter() == b""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(seccomp, "_SUPPORT", os.fspath(tmp_path / "absent"))
    assert call_filter() == b""
    monkeypatch.setattr(seccomp, "_SUPPORT", os.fspath(tmp_path))
    assert call_filter() == program(MACHINES["x86_64"])
