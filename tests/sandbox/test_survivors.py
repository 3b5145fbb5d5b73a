"""Nothing outlives a run or its engine, whatever walls there are; and what tests ordinarily do works behind them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from analysis.facts import Limits, Outcome, RunFault
from sandbox.cgroups import find_cgroups
from sandbox.jail import KINDS, check_jail
from sandbox.jails.landlock_alone import find_landlock_alone
from sandbox.process import Command, channel, end, start


@pytest.fixture(scope="module", params=["bwrap", "landlock"])
def jail(request):
    kind = next(kind for kind in KINDS if kind.name == request.param)
    found = check_jail(kind)
    if isinstance(found, str):
        pytest.skip(f"{kind.title}: {found}")
    return found


def sleepers(seconds):
    """Processes that sleep for so long; zombies have no command line."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"sleep") and seconds.encode() in words:
            found.append(int(name))
    return found


def until(reached):
    give_up = time.monotonic() + 20
    while not reached():
        assert time.monotonic() < give_up, "it did not come to that"
        time.sleep(0.02)


def test_a_time_out_with_twenty_sessions_leaves_none(project, open_sandbox, jail, seconds):
    code = f"""
        import subprocess, time
        def test_a():
            for _ in range(20):
                subprocess.Popen(["/bin/sleep", "{seconds}"], start_new_session=True, env={{}})
            time.sleep(600)
        """
    limits = Limits(test_seconds=1.5)
    sandbox = open_sandbox(project({"test_it.py": code}), jail=jail, limits=limits)
    runs = []
    thread = threading.Thread(target=lambda: runs.append(sandbox.run([])))
    thread.start()
    until(lambda: len(sleepers(seconds)) > 10)
    thread.join()
    assert runs[0].fault is RunFault.TIMEOUT
    assert sleepers(seconds) == []


def engine_killed(kind, tmp_path, seconds):
    """An engine is killed while its command runs that goes on for ever."""
    script = f"while :; do /bin/sleep {seconds}; done & setsid /bin/sleep {seconds} & wait"
    code = f"""
from analysis.facts import Limits
from sandbox.cgroups import find_cgroups
from sandbox.jail import KINDS
from sandbox.process import Command, channel, run
jail = next(kind for kind in KINDS if kind.name == {kind!r}).find()
command = Command(("/bin/sh", "-c", {script!r}), {str(tmp_path)!r}, (("PATH", "/usr/bin:/bin"),))
with channel() as ends:
    run(jail.wrap(command, writable={str(tmp_path)!r}, readable=(), descriptors=(), limits=Limits()), Limits(), ends)
"""
    with subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2]) as engine:
        until(lambda: len(sleepers(seconds)) >= 2)
        engine.kill()


def test_a_killed_engine_leaves_none(jail, tmp_path, seconds):
    engine_killed(jail.kind, tmp_path, seconds)
    until(lambda: not sleepers(seconds))


def test_without_namespaces_the_next_engine_ends_what_a_killed_one_left(tmp_path, seconds):
    found = find_landlock_alone()
    if isinstance(found, str) or "daemon" not in found.stops:
        pytest.skip(f"Landlock without namespaces, with a group: {found}")
    engine_killed(found.kind, tmp_path, seconds)
    find_cgroups()
    until(lambda: not sleepers(seconds))


def test_a_run_outlives_the_thread_that_began_it(jail, tmp_path, seconds):
    started = []
    command = Command(("/bin/sleep", seconds), str(tmp_path), ())
    walled = jail.wrap(command, writable=str(tmp_path), readable=(), descriptors=(), limits=Limits())
    with channel() as ends:
        thread = threading.Thread(target=lambda: started.append(start(walled, ends)))
        thread.start()
        thread.join()
        child = started[0]
        try:
            until(lambda: sleepers(seconds))
            time.sleep(0.1)
            assert child.process.poll() is None
            assert sleepers(seconds)
        finally:
            end(child)
    until(lambda: not sleepers(seconds))


ORDINARY = """
import asyncio, concurrent.futures, multiprocessing, os, socket, sqlite3, subprocess, tempfile
import pytest

def double(number):
    return 2 * number

@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_process_pools(way):
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(double, [1, 2]) == [2, 4]

def test_threads_and_subprocesses():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(double, range(8))) == list(range(0, 16, 2))
    assert subprocess.run(["/bin/sh", "-c", "echo on"], capture_output=True).stdout == b"on\\n"

def test_asyncio_and_sockets():
    async def echo():
        server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.close()
        server.close()
        return await reader.read()
    assert asyncio.run(echo()) == b""
    one, other = socket.socketpair()
    one.close(); other.close()
    assert socket.getaddrinfo("127.0.0.1", 80)

def test_files(tmp_path):
    with sqlite3.connect(tmp_path / "base") as base:
        base.execute("create table t (x)")
    base.close()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink("/", os.path.join(folder, "link"))
    os.utime(tmp_path / "base")
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\\necho run\\n")
    script.chmod(0o755)
    assert subprocess.run([str(script)], capture_output=True).stdout == b"run\\n"

def test_no_keys_of_the_system():
    assert not os.path.exists("/etc/ssl/private")
    assert not os.path.exists("/etc/shadow")

def test_other_socket_families_are_not_there():
    for family in (17, 38, 40):
        with pytest.raises(OSError):
            socket.socket(family, socket.SOCK_DGRAM)
"""


def test_what_tests_ordinarily_do_works(project, open_sandbox, jail):
    run = open_sandbox(project({"test_it.py": ORDINARY}), jail=jail).run([])
    assert [(r.test, r.message) for r in run.results if r.outcome is not Outcome.PASSED] == []
    assert len(run.results) == 7


def test_a_large_project_stays_on_the_disk(project, open_sandbox, jail, monkeypatch):
    monkeypatch.setattr("sandbox.sandbox.LARGEST_IN_MEMORY", 0)
    code = """
        import os
        def test_a():
            open("made", "w").close()
            assert os.statvfs(".").f_blocks * os.statvfs(".").f_frsize > 512 << 20
            assert not os.path.exists("/.original")
        """
    root = project({"test_it.py": code})
    run = open_sandbox(root, jail=jail).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run
    assert not os.path.exists(f"{root}/made")
