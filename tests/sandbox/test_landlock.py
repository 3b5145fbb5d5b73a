"""Walls built by ourselves: what runs behind them sees and changes what it may, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.facts import Digest, FunctionId, Limits, Outcome, RunFault, Trial, TrialState
from sandbox.landlock import LAUNCHER, find_landlock
from sandbox.preflight import preflight
from sandbox.warm import WarmServer


@pytest.fixture(scope="module")
def landlock():
    jail = find_landlock()
    if isinstance(jail, str):
        pytest.skip(f"Landlock: {jail}")
    doubt = preflight(jail)
    if doubt:
        pytest.skip(f"Landlock does not hold here: {doubt}")
    return jail


CODE = """
    import os, pathlib, pty, socket, subprocess, sys
    import pytest

    def test_own_files_and_temporary_folders(tmp_path):
        pathlib.Path("made").write_text("x")
        (tmp_path / "made").write_text("x")
        pathlib.Path("/tmp/made").write_text("x")
        pathlib.Path("/dev/shm/made").write_text("x")
        pathlib.Path("/dev/null").write_text("x")

    def test_a_local_server_and_a_terminal_work():
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname()).close()
        for end in pty.openpty():
            os.close(end)

    def test_outside_is_not_there():
        assert not os.path.exists({original!r})
        for place in ("/", "/etc", "/usr", "/dev", os.path.dirname({original!r})):
            with pytest.raises(OSError):
                open(place + "/written", "w")
        assert len([n for n in os.listdir("/proc") if n.isdigit()]) < 8

    def test_no_rights_come_back():
        status = pathlib.Path("/proc/self/status").read_text()
        assert "CapEff:\\t0000000000000000" in status and "CapBnd:\\t0000000000000000" in status
        assert "NoNewPrivs:\\t1" in status
        tried = "c.unshare(1 << 28), c.mount(b'x', b'/tmp', b'tmpfs', 0, b'')"
        code = f"import ctypes; c = ctypes.CDLL(None); print({{tried}})"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout.split() == [b"-1", b"-1"]

    def test_the_environment_is_the_one_given():
        assert set(os.environ) <= {{*{known!r}}}, os.environ
    """
KNOWN = (
    *("HOME", "LANG", "PATH", "PWD", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("PYTHONHASHSEED", "PYTEST_CURRENT_TEST", "PYTEST_VERSION", "LC_CTYPE"),
)


def test_runs_happen_inside(project, open_sandbox, landlock, tmp_path):
    original = tmp_path / "demo"
    code = CODE.format(original=str(original), known=KNOWN)
    sandbox = open_sandbox(project({"test_it.py": code}), jail=landlock)
    run = sandbox.run([])
    assert {r.outcome for r in run.results} == {Outcome.PASSED}, [r.message for r in run.results]
    assert run.isolation == "landlock"
    assert sandbox.importable(["pytest"]) == ("pytest",)
    assert not (original / "made").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [("os.kill(os.getpid(), 11)", "SIGSEGV"), ("os._exit(3)", "exit status 3"), ("os.abort()", "SIGABRT")],
)
def test_how_it_ended_comes_through(project, open_sandbox, landlock, body, said):
    run = open_sandbox(project({"test_it.py": f"import os\ndef test_a():\n    {body}\n"}), jail=landlock).run([])
    assert said in run.detail


def test_trials_run_inside(project, open_sandbox, landlock):
    files = {"m.py": "def f():\n    return 1\n", "test_it.py": "import m\ndef test_a():\n    assert m.f() == 2\n"}
    function = FunctionId("m.py", "f", 1)
    warm = open_sandbox(project(files), jail=landlock).warm(("test_it.py::test_a",), jobs=1)
    assert isinstance(warm, WarmServer), warm
    try:
        trials = [Trial(Digest(str(n)), function, f"def f():\n    return {n}\n".encode(), "") for n in (2, 3)]
        told = {o.digest: o.state for o in warm.trials(trials)}
    finally:
        warm.close()
    assert told == {"2": TrialState.PASSED, "3": TrialState.FAILED}


def test_nothing_outlives_a_run_that_hangs(project, open_sandbox, landlock):
    code = """
        import os, subprocess, time
        def test_a():
            subprocess.Popen(["/bin/sleep", "654.321"], start_new_session=True, env={})
            time.sleep(600)
        """
    limits = Limits(wall_seconds=3.0, test_seconds=30.0)
    run = open_sandbox(project({"test_it.py": code}), jail=landlock, limits=limits).run([])
    assert run.fault is RunFault.TIMEOUT
    assert not _running(b"654.321")


def test_it_dies_with_whoever_started_it(landlock, tmp_path):
    code = f"""
from analysis.facts import Limits
from sandbox.landlock import find_landlock
from sandbox.process import Command, channel, run
jail = find_landlock()
command = Command(("/bin/sleep", "765.432"), {str(tmp_path)!r}, ())
walled = jail.wrap(command, writable={str(tmp_path)!r}, readable=(), descriptors=(), limits=Limits())
print("started", flush=True)
with channel() as ends:
    run(walled, Limits(), ends)
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE) as engine:
        assert engine.stdout is not None
        assert engine.stdout.readline() == b"started\n"
        _until(lambda: _running(b"765.432", b"/bin/sleep"))
        engine.kill()
    _until(lambda: not _running(b"765.432"))


def test_a_launcher_without_its_engine_does_nothing(landlock, tmp_path):
    command = ("-I", "-S", "-B", str(LAUNCHER), json.dumps({**_walls(tmp_path), "engine": 1}), "-1", "/bin/echo", "ran")
    done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (137, b"")


@pytest.mark.slow
def test_other_interpreters_run_inside(project, open_sandbox, landlock, other_python):
    run = open_sandbox(project({"test_it.py": "def test_a(): pass\n"}), jail=landlock, python=other_python).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


def _walls(folder):
    place = str(folder)
    none = {"readable": [], "links": [], "tmp_bytes": 1 << 20, "shm_bytes": 1 << 20, "disk_bytes": 0, "original": ""}
    return {"namespaces": True, "cwd": place, "writable": place, **none}


def _running(*words):
    """Whether a process with these words in its command line is there, zombies apart."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                said = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if all(word in said for word in words) and not said.startswith(sys.executable.encode()):
                return True
    return False


def _until(reached):
    for _ in range(500):
        if reached():
            return
        time.sleep(0.02)
    pytest.fail("it did not come to that within 10 seconds")
