"""Processes are limited, watched and reaped; which limit was breached is told."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.facts import Limits, RunFault
from sandbox.limits import TestClock, breach, limit_command, signal_of
from sandbox.process import Command, channel, end, run, start

ENV = (("PATH", os.defpath),)
QUICK = Limits(wall_seconds=20.0)


def run_python(code: str, limits: Limits = QUICK, env=ENV, mark=""):
    argv = limit_command((sys.executable, "-I", "-S", "-c", code), limits)
    with channel() as ends:
        return run(Command(argv, "/", env, mark), limits, ends)


def test_output_status_and_environment_come_back():
    done = run_python("import os, sys; print(sorted(os.environ)); sys.stderr.write('e'); sys.exit(7)")
    assert (done.returncode, done.stopped) == (7, None)
    assert b"PATH" in done.output
    assert b"OPENAI" not in done.output
    assert done.output.endswith(b"e") or b"e" in done.output


def test_the_report_has_a_pipe_of_its_own():
    with channel() as ends:
        code = f"import os; os.write({ends.report_write}, b'said'); print('not this')"
        done = run(Command((sys.executable, "-I", "-c", code), "/", ENV), QUICK, ends)
    assert (done.report, done.output) == (b"said", b"not this\n")


def test_addresses_are_the_same_in_each_steady_run():
    asked = ("/bin/sh", "-c", "/usr/bin/setarch -R /bin/true")
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let addresses be fixed")
    argv = limit_command((sys.executable, "-I", "-S", "-c", "print(id(type), id(object()))"), QUICK, steady=True)
    assert len({subprocess.check_output(argv, env=dict(ENV)) for _ in range(4)}) == 1


def test_a_machine_that_does_not_fix_addresses_runs_the_command_all_the_same(tmp_path):
    (script,) = [word for word in limit_command(("x",), QUICK, steady=True) if "setarch" in word]
    missing = script.replace("/usr/bin/setarch", str(tmp_path / "setarch"))
    argv = [missing if word == script else word for word in limit_command(("/bin/echo", "on"), QUICK, steady=True)]
    done = subprocess.run(argv, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"on\n", b"")


@pytest.mark.parametrize("number", range(3, 15))
def test_any_descriptor_survives_the_limits(number):
    code = f"import os; os.write({number}, b'said')"
    reader, writer = os.pipe()
    argv = limit_command((sys.executable, "-I", "-S", "-c", code), QUICK, steady=True)
    # The number may be one of this process, so another child moves the pipe there.
    move = f"import os, sys; os.dup2({writer}, {number}); os.execv(sys.argv[1], sys.argv[1:])"
    subprocess.run([sys.executable, "-I", "-S", "-c", move, *argv], pass_fds=[writer], check=True)
    os.close(writer)
    with open(reader, "rb") as stream:
        assert stream.read() == b"said"


@pytest.mark.parametrize(
    ("code", "limits", "stopped"),
    [
        ("while True: pass", Limits(wall_seconds=0.3), RunFault.TIMEOUT),
        (
            "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)",
            Limits(wall_seconds=0.3),
            RunFault.TIMEOUT,
        ),
        ("while True: print('x' * 10000)", Limits(wall_seconds=20, output_bytes=1 << 16), RunFault.OUTPUT),
    ],
)
def test_time_and_output_are_stopped_by_us(code, limits, stopped):
    done = run_python(code, limits)
    assert done.stopped is stopped
    assert done.late is (stopped is RunFault.TIMEOUT)
    assert done.seconds < 10
    assert len(done.output) < 1 << 20


@pytest.mark.parametrize(
    ("code", "limits", "fault"),
    [
        ("while True: pass", Limits(wall_seconds=20, cpu_seconds=1), RunFault.TIMEOUT),
        ("import os; os.kill(os.getpid(), 9)", QUICK, RunFault.MEMORY),
        ("import os; os.abort()", QUICK, RunFault.SIGNAL),
        ("import os; os._exit(3)", QUICK, RunFault.EXITED),
    ],
)
def test_what_a_process_died_of_is_told(code, limits, fault):
    done = run_python(code, limits)
    assert done.stopped is None
    assert breach(done.returncode)[0] is fault


def test_memory_and_files_are_bounded(tmp_path):
    memory = run_python("x = bytearray(1 << 30)", Limits(wall_seconds=20, memory_bytes=512 << 20))
    assert b"MemoryError" in memory.output
    code = f"open({str(tmp_path / 'big')!r}, 'wb').write(bytes(1 << 20))"
    assert b"File too large" in run_python(code, Limits(wall_seconds=20, file_bytes=1 << 16)).output
    assert (tmp_path / "big").stat().st_size <= 1 << 16


def test_the_shell_leaves_no_trace():
    done = run_python("import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])")
    with channel() as ends:  # the two ends that the child gets
        expected = 3 + len({ends.report_write, ends.control_read})
    assert len(eval(done.output)) <= expected


def test_no_limit_of_the_machine_is_raised():
    script = (
        "/bin/sh",
        "-c",
        'ulimit -n 64; exec "$@"',
        "sh",
        *limit_command(("/bin/sh", "-c", "ulimit -n; echo on"), QUICK),
    )
    with channel() as ends:
        done = run(Command(script, "/", ENV), QUICK, ends)
    assert done.output.split() == [b"64", b"on"]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="strays are found through /proc")
def test_descendants_that_left_the_group_are_ended(tmp_path):
    code = f"""
import os, time
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open({str(tmp_path)!r} + '/%d' % os.getpid(), 'w').close()
            time.sleep(600)
        os._exit(0)
while len(os.listdir({str(tmp_path)!r})) < 5:
    time.sleep(0.01)
"""
    mark = f"HOME={tmp_path}"
    done = run_python(code, env=(*ENV, ("HOME", str(tmp_path))), mark=mark)
    assert done.returncode == 0
    pids = [name for name in os.listdir(tmp_path) if name.isdigit()]
    assert len(pids) == 5
    assert not [p for p in pids if _runs(p)]


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_comes_after_is_run_at_the_end(tmp_path):
    after = ("/bin/sh", "-c", f"touch {tmp_path}/done")
    with channel() as ends:
        run(Command(("/bin/sh", "-c", f"test ! -e {tmp_path}/done"), "/", ENV, after=after), QUICK, ends)
    assert (tmp_path / "done").exists()
    gone = Command(("/bin/sh", "-c", "exit 3"), "/", ENV, after=("/no/such/program",))
    with channel() as ends:
        assert run(gone, QUICK, ends).returncode == 3


def test_a_daemon_that_holds_the_pipes_does_not_hold_us():
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(600)\nprint('done')"
    done = run_python(code)
    assert done.output == b"done\n"
    assert done.seconds < 10


def test_descriptors_are_given_back():
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for _ in range(3):
        run_python("pass")
    after = len(os.listdir("/proc/self/fd")) if before else 0
    assert after == before


@pytest.mark.parametrize(
    ("returncode", "name"), [(-9, "SIGKILL"), (137, "SIGKILL"), (139, "SIGSEGV"), (0, None), (5, None), (128, None)]
)
def test_signals_are_told_through_shells_too(returncode, name):
    found = signal_of(returncode)
    assert (found.name if found else None) == name


def test_the_clock_follows_the_report_in_any_pieces():
    report = b'{"test":"a","event":"begin"}\n{"test":"a","event":"test"}\n{"test":"a","event":"done"}\n'
    for size in (1, 7, 1000):
        clock = TestClock(5.0)
        seen = []
        for at in range(0, len(report), size):
            clock.feed(report[at : at + size], float(at))
            seen.append(clock.deadline)
        assert clock.deadline is None
        assert size == 1000 or any(seen)


SLEEPS = "import time; time.sleep(60)"


def test_what_is_beyond_the_time_of_all_gets_no_moment_to_say_where_it_is(monkeypatch):
    monkeypatch.setattr("sandbox.process._GRACE", 4.0)
    argv = limit_command((sys.executable, "-I", "-S", "-c", SLEEPS), QUICK)
    took = []
    for until in (math.inf, time.monotonic()):
        began = time.monotonic()
        with channel() as ends:
            done = run(Command(argv, "/", ENV), Limits(wall_seconds=0.1), ends, until)
        assert done.stopped is RunFault.TIMEOUT
        took.append(time.monotonic() - began)
    assert took[1] < 4.0 <= took[0]


def test_a_killed_process_that_does_not_go_is_not_waited_for_long(monkeypatch):
    monkeypatch.setattr("sandbox.process._REAP", 0.2)
    with channel() as ends:
        child = start(Command(("/bin/sleep", "60"), "/", ENV), ends)
        with monkeypatch.context() as patch:
            patch.setattr("sandbox.process.os.killpg", lambda pid, number: None)
            began = time.monotonic()
            end(child)
            assert time.monotonic() - began < 30
    assert child.process.poll() is None
    child.process.kill()
    child.process.wait()
