"""Groups of processes: found where they can be made, joined, bounded, emptied and removed, also those of the dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.errors import TargetError
from analysis.facts import Limits
from sandbox.cgroups import (
    Bounds,
    Cgroups,
    _start_tick,
    bounds_of,
    cgroup_folders,
    clear_stale,
    find_cgroups,
    open_group,
    own_memory_bound,
)
from sandbox.process import Command, channel, run


@pytest.fixture
def cgroups():
    found = find_cgroups()
    if isinstance(found, str):
        pytest.skip(found)
    return found


def ours(cgroups):
    return [path for folder in cgroups.folders for path in Path(folder).glob(f"repair-*-{os.getpid()}-*")]


def runs(pid):
    """Whether the process is there and no mere entry that nobody has reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_group_is_there_while_its_command_runs(cgroups):
    code = "import time; print(open('/proc/self/cgroup').read())"
    bounds = bounds_of(cgroups, Limits())
    with channel() as ends:
        done = run(Command((sys.executable, "-I", "-S", "-c", code), "/", (), bounds=bounds), Limits(), ends)
    assert done.output.count(b"/repair-") == len(cgroups.folders)
    assert ours(cgroups) == []


def test_memory_of_all_together_is_bounded_and_that_is_told(cgroups):
    hog = "import os\nfor _ in range(3): os.fork()\nx = b'x' * (32 << 20)\nimport time; time.sleep(5)"
    argv = (sys.executable, "-I", "-S", "-c", hog)
    with channel() as ends:
        done = run(Command(argv, "/", (), bounds=Bounds(cgroups, 64 << 20, 64)), Limits(wall_seconds=20), ends)
    assert done.ran_out
    with channel() as ends:
        fine = run(Command(("/bin/true",), "/", (), bounds=Bounds(cgroups, 64 << 20, 64)), Limits(), ends)
    assert (fine.returncode, fine.ran_out) == (0, False)


def test_what_it_held_when_its_time_was_up_is_told(cgroups):
    argv = (sys.executable, "-I", "-S", "-c", "x = b'x' * (32 << 20)\nimport time; time.sleep(60)")
    with channel() as ends:
        done = run(Command(argv, "/", (), bounds=Bounds(cgroups, 1 << 30, 64)), Limits(wall_seconds=5), ends)
    assert 32 << 20 <= done.held < 1 << 30


def test_whoever_leaves_session_and_environment_ends_with_the_group(cgroups, tmp_path):
    code = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    os.execve('/bin/sh', ['sh', '-c', 'echo $$ >{tmp_path}/pid; exec sleep 600'], {{}})
while not os.path.exists({str(tmp_path / "pid")!r}) or not open({str(tmp_path / "pid")!r}).read():
    time.sleep(0.01)
"""
    bounds = bounds_of(cgroups, Limits())
    with channel() as ends:
        run(Command((sys.executable, "-I", "-S", "-c", code), "/", (), bounds=bounds), Limits(wall_seconds=20), ends)
    assert not runs(int((tmp_path / "pid").read_text()))


def test_groups_of_the_dead_are_removed_and_those_of_the_living_stay(cgroups):
    leave = "import os, sys; from sandbox.cgroups import *; g = open_group(Bounds(find_cgroups(), 1 << 26, 9))"
    code = f"{leave}; print(*g.folders); sys.stdout.flush(); os.kill(os.getpid(), 9)"
    root = Path(__file__).parents[2]
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    left = dead.stdout.split()
    assert left
    living = open_group(Bounds(cgroups, 1 << 26, 9))
    try:
        assert all(map(os.path.isdir, left))
        clear_stale(cgroups)
        assert not any(map(os.path.isdir, left))
        assert all(map(os.path.isdir, living.folders))
    finally:
        living.close()
    assert ours(cgroups) == []


def test_a_group_that_cannot_be_made_is_an_answer(tmp_path):
    gone = Cgroups((str(tmp_path / "gone"),), 2, 1 << 30)
    with pytest.raises(OSError, match="No such file"):
        open_group(Bounds(gone, 1 << 26, 9))
    assert bounds_of("this user may not", Limits()) is None
    command = Command(("/bin/true",), "/", (), bounds=Bounds(gone, 1 << 26, 9))
    with channel() as ends, pytest.raises(TargetError, match="No group of processes"):
        run(command, Limits(), ends)


@pytest.fixture
def version_two(tmp_path, monkeypatch):
    """A folder whose new folders have a control group's files from the start, and lose them when they are removed."""
    make, remove = os.mkdir, os.rmdir
    ended = []

    def mkdir(path, mode=0o777):
        make(path, mode)
        for name in ("memory.max", "memory.swap.max", "memory.events", "pids.max", "cgroup.kill", "cgroup.procs"):
            Path(path, name).touch()

    def rmdir(path):
        ended.append({file.name: file.read_text() for file in Path(path).iterdir()})
        for file in Path(path).iterdir():
            file.unlink()
        remove(path)

    monkeypatch.setattr("sandbox.cgroups.os.mkdir", mkdir)
    monkeypatch.setattr("sandbox.cgroups.os.rmdir", rmdir)
    return Cgroups((str(tmp_path),), 2, 1 << 30), ended


def test_a_group_of_version_two_is_bounded_joined_and_ended(version_two, tmp_path):
    cgroups, ended = version_two
    group = open_group(Bounds(cgroups, 64 << 20, 9))
    (place,) = map(Path, group.folders)
    assert [(place / f"{name}.max").read_text() for name in ("memory", "memory.swap", "pids")] == ["67108864", "0", "9"]
    joined = subprocess.run(group.join_command(("/bin/echo", "joined")), capture_output=True, check=True)
    assert joined.stdout == b"joined\n"
    assert (place / "cgroup.procs").read_text().strip().isdigit()
    assert not group.ran_out()
    (place / "memory.events").write_text("oom 2\noom_kill 1\n")
    assert group.ran_out()
    assert group.held_bytes() == 0
    (place / "memory.current").write_text("4096\n")
    assert group.held_bytes() == 4096
    group.close()
    assert (ended[0]["cgroup.kill"], ended[0]["pids.max"]) == ("1", "0")
    assert list(tmp_path.iterdir()) == []


def machine(tmp_path, own, mounts):
    """A process directory that says so."""
    (tmp_path / "cgroup").write_text("\n".join(own) + "\n")
    lines = [
        f"30 20 0:30 {root} {tmp_path}{point} rw - {kind} {kind} {options}" for root, point, kind, options in mounts
    ]
    (tmp_path / "mountinfo").write_text("\n".join(["21 1 0:5 / / rw - ext4 /dev/vda rw", *lines]) + "\n")
    return tmp_path


def folder(tmp_path, name, **files):
    made = tmp_path / name
    made.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (made / f"cgroup.{file}").write_text(text)
    return str(made)


V1 = [("/", "/mem", "cgroup", "rw,memory"), ("/", "/pids", "cgroup", "rw,pids"), ("/", "/two", "cgroup2", "rw")]
V2 = [("/", "/two", "cgroup2", "rw")]


def test_version_one_takes_groups_below_our_own(tmp_path):
    process = machine(tmp_path, ["4:memory:/job/a", "8:pids:/", "0::/"], V1)
    made = folder(tmp_path, "mem/job/a"), folder(tmp_path, "pids")
    assert cgroup_folders(process) == (made, 1)
    (tmp_path / "mem/job/a/memory.limit_in_bytes").write_text("123\n")
    assert own_memory_bound(process) == 123


def test_version_two_takes_the_nearest_group_above_that_hands_down(tmp_path):
    process = machine(tmp_path, ["0::/user/app/scope"], V2)
    folder(tmp_path, "two/user/app/scope", subtree_control="", procs="")
    above = folder(tmp_path, "two/user/app", subtree_control="cpu memory pids", procs="")
    assert cgroup_folders(process) == ((above,), 2)
    folder(tmp_path, "two/user/app", subtree_control="pids")
    assert "hands memory and processes down" in cgroup_folders(process)
    assert own_memory_bound(process) > 1 << 60


def test_a_container_sees_its_own_part_of_the_tree(tmp_path):
    mounts = [("/docker/x", "/mem", "cgroup", "rw,memory"), ("/docker/x", "/pids", "cgroup", "rw,pids")]
    process = machine(tmp_path, ["4:memory:/docker/x/y", "8:pids:/docker/x/y"], mounts)
    made = folder(tmp_path, "mem/y"), folder(tmp_path, "pids/y")
    assert cgroup_folders(process) == (made, 1)


def test_without_groups_the_reason_is_told(tmp_path):
    assert cgroup_folders(tmp_path) == "the kernel has no control groups"
    process = machine(tmp_path, ["9:freezer:/"], [("/", "/f", "cgroup", "rw,freezer")])
    assert "no memory" in cgroup_folders(process)
    read_only = machine(tmp_path, ["4:memory:/", "8:pids:/"], V1[:2])
    assert "may not write" in cgroup_folders(read_only)


def test_a_process_that_ends_while_it_is_looked_at_has_no_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.cgroups._read", lambda path: "")
    assert _start_tick(os.getpid()) == ""
