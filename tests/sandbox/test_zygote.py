"""Trials that import the project anew: every way of reading the file sees the text; killed servers leave nothing."""

from __future__ import annotations

import os
import py_compile
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest
from fakes.bare import bare_target

from analysis.facts import FunctionId, InvalidRun, Limits, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=20, test_seconds=20)
OLD, NEW = b"def value():\n    return 1\n", b"def value():\n    return 2\n"

EVERY_WAY = """\
    import importlib.util, inspect, io, linecache, os, pathlib, runpy

    def ways():
        here = pathlib.Path(__file__).parent / "src" / "room" / "part.py"
        import room.part, part
        yield room.part.value()
        yield part.value()
        spec = importlib.util.spec_from_file_location("third", str(here))
        third = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(third)
        yield third.value()
        yield importlib.reload(room.part).value()
        yield runpy.run_path(str(here))["value"]()
        for text in (
            here.read_text(), here.read_bytes(), open(str(here)).read(), io.open(str(here), "rb").read(),
            open(os.path.relpath(str(here))).read(), spec.loader.get_data(str(here)), inspect.getsource(third),
            inspect.getsource(room.part.value), "".join(linecache.getlines(str(here))),
        ):
            space = {}
            exec(text, space)
            yield space["value"]()
        linecache.clearcache()
        yield int(inspect.getsource(part.value).split()[-1])

    def test_every_way():
        assert list(ways()) == [2] * 15
    """

Open = Callable[..., LocalSandbox]
Write = Callable[[Path, dict[str, str]], Path]


def trial(text: bytes, path: str = "lib.py", line: int = 1) -> Trial:
    return Trial(digest(path, text), FunctionId(path, "value", line), text, "test")


def opened(sandbox: LocalSandbox, limits: Limits = LIMITS) -> WarmServer:
    session = sandbox.warm((), limits=limits, fresh_import=True)
    assert isinstance(session, WarmServer), session
    return session


def only(session: WarmServer, one: Trial) -> TrialOutcome:
    (outcome,) = session.trials([one])
    return outcome


def test_every_way_of_reading_the_file_sees_the_text(write: Write, tmp_path: Path, open_sandbox: Open) -> None:
    files = {
        "src/room/part.py": OLD.decode(),
        "conftest.py": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'src', 'room'))\n",
        "test_ways.py": EVERY_WAY,
    }
    root = write(tmp_path / "demo", files)
    py_compile.compile(str(root / "src/room/part.py"))  # the same size and time as what it stands for
    session = opened(open_sandbox(root))
    place = "src/room/part.py"
    assert only(session, trial(NEW, place)).detail == ""
    assert only(session, trial(NEW, place)).state is TrialState.PASSED
    assert only(session, trial(OLD, place)).state is TrialState.FAILED
    session.close()
    assert (root / place).read_bytes() == OLD


PROJECT = {"lib.py": OLD.decode(), "test_lib.py": "import lib\ndef test_it(): assert lib.value() == 2\n"}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (NEW, TrialState.PASSED),
        (OLD, TrialState.FAILED),
        (b"def value(:\n", TrialState.INVALID),
        (b"def value():\n    return 2\nraise ImportError\n", TrialState.FAILED),
        (b"def value():\n    import os\n    os._exit(0)\n", TrialState.CRASHED),
        (b"def value():\n    return 2\nimport os\nos._exit(0)\n", TrialState.CRASHED),
        (b"def value():\n    import pytest\n    pytest.skip('no')\n", TrialState.FAILED),
        (b"def value():\n    import pytest\n    pytest.exit('no', 0)\n", TrialState.FAILED),
    ],
)
def test_each_end_is_an_outcome_of_its_own(zygote: WarmServer, text: bytes, state: TrialState) -> None:
    outcome = only(zygote, trial(text))
    assert (outcome.state, outcome.tier) == (state, "zygote"), outcome


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory, write: Write) -> Iterator[WarmServer]:
    root = write(tmp_path_factory.mktemp("zygote") / "demo", PROJECT)
    with LocalSandbox(bare_target(root)) as sandbox:
        session = opened(sandbox)
        yield session
        session.close()


def test_nothing_is_recorded_or_compared(zygote: WarmServer) -> None:
    one = trial(NEW)
    assert zygote.questions.record(one.function, 5).seen == ()
    found = zygote.questions.compare(one, [trial(OLD)], (), trial(OLD), (2,))
    assert found.tried.inputs == 0
    assert "not compared" in found.tried.failures[0]


def test_a_function_that_is_not_there(zygote: WarmServer) -> None:
    gone = trial(NEW, line=7)
    assert only(zygote, gone).state is TrialState.INVALID
    assert zygote.hindrance(gone.function)


def test_an_older_and_a_newer_python(write: Write, tmp_path: Path, open_sandbox: Open, other_python: str) -> None:
    session = opened(open_sandbox(write(tmp_path / "demo", PROJECT), python=other_python))
    assert [only(session, trial(text)).state for text in (NEW, OLD)] == [TrialState.PASSED, TrialState.FAILED]
    assert not session.hindrance(trial(NEW).function)
    session.close()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"test_lib.py": "import nowhere\n"}, "collection failed"),
        ({"conftest.py": "import os\nos._exit(5)\n", "test_lib.py": ""}, "could not be collected"),
        ({"lib.py": ""}, "no tests were collected"),
    ],
)
def test_what_cannot_be_served_says_why(
    write: Write, tmp_path: Path, open_sandbox: Open, files: dict[str, str], why: str
) -> None:
    session = open_sandbox(write(tmp_path / "demo", files)).warm((), limits=LIMITS, fresh_import=True)
    assert isinstance(session, InvalidRun)
    assert why in session.detail


@pytest.mark.parametrize("fresh", [False, True], ids=["warm", "zygote"])
def test_killed_workers_and_servers_leave_nothing(write: Write, tmp_path: Path, fresh: bool) -> None:
    """A lost worker costs its trial, a lost server nothing, until it was lost too often."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    slow = dict(PROJECT, **{"test_lib.py": "import lib, time\ndef test_it():\n    time.sleep(0.5)\n    lib.value()\n"})
    target = bare_target(write(tmp_path / "demo", slow))
    sandbox = LocalSandbox(target, scratch=str(scratch))
    before = set(os.listdir("/proc/self/fd"))
    session = sandbox.warm((), limits=LIMITS, fresh_import=fresh)
    assert isinstance(session, WarmServer)

    def states(kill: Callable[[], None]) -> list[TrialState]:
        outcomes = session.trials(trial(b"def value():\n    return %d\n" % n) for n in range(6))
        first = next(outcomes)
        kill()
        return [first.state, *(outcome.state for outcome in outcomes)]

    def workers() -> None:
        server = heart(session.pid) if fresh else session.pid
        while not (found := children(server)):
            sleep(0.01)
        for worker in found:
            os.kill(worker, signal.SIGKILL)

    def server() -> None:
        os.kill(session.pid, signal.SIGKILL)

    seen: list[TrialState] = []
    while TrialState.CRASHED not in seen and len(seen) < 60:  # a worker may have just ended when it is killed
        seen += states(workers)
    assert set(seen) == {TrialState.PASSED, TrialState.CRASHED}
    for _ in range(2):
        assert states(server) == [TrialState.PASSED] * 6
    assert len(states(server)) == 6
    assert only(session, trial(NEW)).state is TrialState.INVALID
    session.close()
    assert set(os.listdir("/proc/self/fd")) <= before  # what an earlier test left open may be closed by now
    assert not [pid for pid in os.listdir("/proc") if pid.isdigit() and str(scratch).encode() in environment_of(pid)]
    assert not list(scratch.glob("*/r*"))
    sandbox.close()
    assert not list(scratch.iterdir())


def heart(pid: int) -> int:
    (one,) = children(pid)
    return one


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def environment_of(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
