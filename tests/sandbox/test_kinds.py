"""Every kind of walls: what runs behind them sees and changes what it may, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.facts import Digest, FunctionId, Limits, Outcome, RunFault
from analysis.trials import Trial, TrialState
from sandbox.jail import KINDS, check_jail
from sandbox.jails.landlock import LAUNCHER, find_landlock
from sandbox.warm import WarmServer


@pytest.fixture(
    scope="module",
    params=[pytest.param(kind, id=kind.name) for kind in KINDS],
)
def jail(request):
    """Each kind, where it holds on this machine."""
    found = check_jail(request.param)
    if isinstance(found, str):
        pytest.skip(f"{request.param.title}: {found}")
    return found


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
        for place in ("/", "/etc", "/usr", os.path.dirname({original!r})):
            with pytest.raises(OSError):
                open(place + "/written", "w")
        assert len([n for n in os.listdir("/proc") if n.isdigit()]) < 10

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
ALONE = """
    import os, pathlib, socket, subprocess, sys
    import pytest

    def test_own_files_and_temporary_folder(tmp_path):
        pathlib.Path("made").write_text("x")
        (tmp_path / "made").write_text("x")
        (tmp_path / "made").rename("moved")
        pathlib.Path("/dev/null").write_text("x")
        assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout == b"1\\n"

    def test_outside_is_out_of_reach(tmp_path):
        for place in ("/", "/etc", "/tmp", "/dev/shm", os.path.dirname({original!r})):
            with pytest.raises(OSError):
                open(place + "/written", "w")
        for unseen in ({original!r} + "/test_it.py", "/proc/1/environ", "/etc/hosts"):
            with pytest.raises(OSError):
                open(unseen)

    def test_there_are_pairs_but_no_sockets():
        one, other = socket.socketpair()
        one.sendall(b"x")
        assert other.recv(1) == b"x"
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                with pytest.raises(PermissionError):
                    socket.socket(family, kind)

    def test_no_rights_come_back():
        status = pathlib.Path("/proc/self/status").read_text()
        assert "CapEff:\\t0000000000000000" in status and "NoNewPrivs:\\t1" in status

    def test_the_environment_is_the_one_given():
        assert set(os.environ) <= {{*{known!r}}}, os.environ
    """
KNOWN = (
    *("HOME", "LANG", "PATH", "PWD", "OLDPWD", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("PYTHONHASHSEED", "PYTEST_CURRENT_TEST", "PYTEST_VERSION", "LC_CTYPE"),
)


def test_runs_happen_inside(project, open_sandbox, jail, tmp_path):
    original = tmp_path / "demo"
    code = (ALONE if jail.kind == "landlock-only" else CODE).format(original=str(original), known=KNOWN)
    sandbox = open_sandbox(project({"test_it.py": code}), jail=jail, plugins=True)
    run = sandbox.run([])
    assert {r.outcome for r in run.results} == {Outcome.PASSED}, [r.message for r in run.results]
    assert run.isolation == jail.kind
    assert sandbox.find_importable(["pytest"]) == ("pytest",)
    assert not (original / "made").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [("os.kill(os.getpid(), 11)", "SIGSEGV"), ("os._exit(3)", "exit status 3"), ("os.abort()", "SIGABRT")],
)
def test_how_it_ended_comes_through(project, open_sandbox, jail, body, said):
    run = open_sandbox(project({"test_it.py": f"import os\ndef test_a():\n    {body}\n"}), jail=jail).run([])
    assert said in run.detail


def test_trials_run_inside(project, open_sandbox, jail):
    files = {"m.py": "def f():\n    return 1\n", "test_it.py": "import m\ndef test_a():\n    assert m.f() == 2\n"}
    function = FunctionId("m.py", "f", 1)
    warm = open_sandbox(project(files), jail=jail).warm(("test_it.py::test_a",), jobs=1)
    assert isinstance(warm, WarmServer), warm
    try:
        trials = [Trial(Digest(str(n)), function, f"def f():\n    return {n}\n".encode(), "") for n in (2, 3)]
        told = {o.digest: o.state for o in warm.trials(trials)}
    finally:
        warm.close()
    assert told == {"2": TrialState.PASSED, "3": TrialState.FAILED}


@pytest.fixture
def closed(jail):
    """A kind that ends whatever leaves its session."""
    if "daemon" not in jail.stops:
        pytest.skip(f"{jail.kind}: what it leaves behind stays, and it says so")
    return jail


def test_nothing_outlives_a_run_that_hangs(project, open_sandbox, closed, seconds):
    code = f"""
        import os, subprocess, time
        def test_a():
            subprocess.Popen(["/bin/sleep", "{seconds}"], start_new_session=True, env={{}})
            time.sleep(600)
        """
    limits = Limits(wall_seconds=3.0, test_seconds=30.0)
    run = open_sandbox(project({"test_it.py": code}), jail=closed, limits=limits).run([])
    assert run.fault is RunFault.TIMEOUT
    assert not _running("/bin/sleep", seconds)


def test_it_dies_with_whoever_started_it(jail, tmp_path, seconds):
    code = f"""
from analysis.facts import Limits
from sandbox.jail import KINDS
from sandbox.process import Command, channel, run
jail = next(kind for kind in KINDS if kind.name == {jail.kind!r}).find()
command = Command(("/bin/sleep", "{seconds}"), {str(tmp_path)!r}, (("LANG", "C"),))
print("started", flush=True)
with channel() as ends:
    descriptors = (ends.report_write, ends.control_read)
    walled = jail.wrap(command, writable={str(tmp_path)!r}, readable=(), descriptors=descriptors, limits=Limits())
    run(walled, Limits(), ends)
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE) as engine:
        assert engine.stdout is not None
        assert engine.stdout.readline() == b"started\n"
        _until(lambda: _running("/bin/sleep", seconds))
        engine.kill()
    _until(lambda: not _running("/bin/sleep", seconds))


def test_a_launcher_without_its_engine_does_nothing(tmp_path):
    if isinstance(found := find_landlock(), str):
        pytest.skip(f"Landlock: {found}")
    command = ("-I", "-S", "-B", str(LAUNCHER), json.dumps({**_walls(tmp_path), "engine": 1}), "-1", "/bin/echo", "ran")
    done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (137, b"")


def test_other_interpreters_run_inside(project, open_sandbox, jail, other_python):
    run = open_sandbox(project({"test_it.py": "def test_a(): pass\n"}), jail=jail, python=other_python).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


def _walls(folder):
    place = str(folder)
    none = {"readable": [], "links": [], "tmp_bytes": 1 << 20, "shm_bytes": 1 << 20, "disk_bytes": 0, "original": ""}
    return {"cwd": place, "writable": place, **none}


def _running(*words):
    """Whether a process with this command line is there."""
    wanted = b"".join(word.encode() + b"\0" for word in words)
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                said = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if said == wanted:
                return True
    return False


def _until(reached):
    for _ in range(500):
        if reached():
            return
        time.sleep(0.02)
    pytest.fail("it did not come to that within 10 seconds")
