"""Candidates that hang, vanish, skip or forge; sessions that cannot be served; servers that die; leaks."""

import os
import signal
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.facts import FunctionId, InvalidRun, Limits, RunFault, TestId, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=1.5, test_seconds=1.5, file_bytes=8 << 20, memory_bytes=1 << 30)
FUNCTION = FunctionId("lib.py", "f", 1)
FILES = {
    "lib.py": "def f(x):\n    return x\n",
    "test_lib.py": """\
        import pytest
        from lib import f

        CASES = [[1], [2]]

        @pytest.mark.parametrize("case", CASES)
        def test_f(case):
            assert f(case.pop()) > 0

        def test_last():
            assert f(1) == 1
        """,
}

FORGED = """\
    import os
    for fd in range(3, 300):
        try:
            os.write(fd, b'{"passed": true}\\n')
        except OSError:
            pass
    return 0
    """
THREADED = """\
    import threading, time
    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
    def test_a(): pass
    """

Open = Callable[..., WarmServer | InvalidRun]


@pytest.fixture
def open_session(tmp_path: Path) -> Iterator[Open]:
    """Opens sessions on small projects; closes everything at the end."""
    opened: list[WarmServer | LocalSandbox] = []

    def build(
        files: dict[str, str], tests: tuple[TestId, ...] = (), limits: Limits = LIMITS, jobs: int | None = None
    ) -> WarmServer | InvalidRun:
        root = tmp_path / "project"
        root.mkdir()
        for name, text in files.items():
            (root / name).write_text(textwrap.dedent(text))
        sandbox = LocalSandbox(bare_target(root))
        opened.append(sandbox)
        session = sandbox.warm(tests, limits=limits, jobs=jobs)
        if isinstance(session, WarmServer):
            opened.append(session)
        return session

    yield build
    for thing in reversed(opened):
        thing.close()


def ready(answer: WarmServer | InvalidRun) -> WarmServer:
    assert isinstance(answer, WarmServer), answer
    return answer


def text(body: str) -> Trial:
    source = "def f(x):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return Trial(digest(source), FUNCTION, source.encode(), "test")


def only(session: WarmServer, body: str) -> TrialOutcome:
    (outcome,) = session.trials([text(body)])
    return outcome


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("return x\n", TrialState.PASSED),
        ("while True: pass\n", TrialState.TIMEOUT),
        ("import time\ntime.sleep(60)\n", TrialState.TIMEOUT),
        ("import signal as s\ns.pthread_sigmask(s.SIG_BLOCK, range(1, 32))\nwhile True: pass\n", TrialState.TIMEOUT),
        ("import os\nos._exit(0)\n", TrialState.CRASHED),
        ("import os\nos.kill(os.getpid(), 11)\n", TrialState.CRASHED),
        ("import sys\nsys.exit(0)\n", TrialState.FAILED),
        ("import pytest\npytest.exit('done', 0)\n", TrialState.FAILED),
        ("import pytest\npytest.skip('no')\n", TrialState.FAILED),
        ("import pytest\npytest.xfail('no')\n", TrialState.FAILED),
        ("raise KeyboardInterrupt\n", TrialState.FAILED),
        ("return x * bytearray(4 << 30)[0]\n", TrialState.MEMORY),
        (FORGED, TrialState.FAILED),
        ("import os\nif os.fork() == 0:\n  os._exit(0)\nreturn x\n", TrialState.PASSED),
        ("if not __import__('os').fork(): return 1\nreturn 0\n", TrialState.FAILED),
    ],
)  # fmt: skip
def test_each_end_is_an_outcome_of_its_own(open_session: Open, body: str, state: TrialState) -> None:
    session = ready(open_session(FILES))
    assert only(session, body).state is state
    assert only(session, "return x\n").state is TrialState.PASSED


def test_tests_that_are_too_slow_for_a_fork_are_not_said_to_notice_nothing(open_session: Open) -> None:
    slow = "import time\nfrom lib import f\n\ndef test_f():\n    time.sleep(60)\n    assert f(1) == 1\n"
    session = ready(open_session({**FILES, "test_lib.py": slow}))
    assert session.hindrance(FUNCTION) == "the tests do not come to their end in a fork: needs a fresh import"


def test_output_without_end_is_stopped(open_session: Open) -> None:
    session = ready(open_session(FILES))
    body = "import os\nwhile True:\n  os.write(1, b'x' * 65536)\n"
    assert only(session, body).state in (TrialState.FAILED, TrialState.CRASHED, TrialState.TIMEOUT)
    assert only(session, "return x\n").state is TrialState.PASSED


def test_trials_run_side_by_side(open_session: Open) -> None:
    session = ready(open_session(FILES, jobs=2))
    body = "import os\nopen('{0}', 'w').close()\nwhile not os.path.exists('{1}'): pass\nreturn x\n"
    outcomes = list(session.trials([text(body.format(*names)) for names in (("one", "two"), ("two", "one"))]))
    assert {o.state for o in outcomes} == {TrialState.PASSED}


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"test_a.py": THREADED}, "threads are alive"),
        ({"test_a.py": "import nowhere\n"}, "collection failed"),
        ({"lib.py": ""}, "no tests were collected"),
        ({"conftest.py": "import os\nos._exit(5)\n", "test_a.py": ""}, "before it was ready"),
        ({"conftest.py": "def pytest_collection(session):\n  raise SystemExit(4)\n", "test_a.py": ""}, "before"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_says_why(open_session: Open, files: dict[str, str], why: str) -> None:
    answer = open_session(files)
    assert isinstance(answer, InvalidRun)
    assert why in answer.detail


def test_unknown_test(open_session: Open) -> None:
    answer = open_session(FILES, (TestId("test_lib.py::test_last"), TestId("test_lib.py::test_nothing")))
    assert isinstance(answer, InvalidRun)
    assert answer.fault is not RunFault.NO_PYTEST


def test_what_a_lost_server_had_under_way_is_tried_again(open_session: Open) -> None:
    session = ready(open_session(FILES))

    def states(killed: bool) -> list[TrialState]:
        def trials() -> Iterator[Trial]:
            for n in range(12):
                if n == 5 and killed:
                    os.kill(session.pid, signal.SIGKILL)
                yield text(f"return x + 0 * {n}\n")

        return [o.state for o in session.trials(trials())]

    assert states(killed=True) == [TrialState.PASSED] * 12
    assert states(killed=True) == [TrialState.PASSED] * 12
    assert states(killed=False) == [TrialState.PASSED] * 12
    assert states(killed=True)[-1] is TrialState.INVALID
    assert session.hindrance(FUNCTION)
    assert session.questions.record(FUNCTION, 5).seen == ()


def test_a_trial_that_kills_its_server_is_tried_twice_and_then_counts_as_crashed(open_session: Open) -> None:
    session = ready(open_session(FILES))
    assert only(session, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n").state is TrialState.CRASHED
    assert only(session, "return x\n").state is TrialState.PASSED


def test_nothing_is_left(open_session: Open) -> None:
    before = len(os.listdir("/proc/self/fd"))
    session = ready(open_session(FILES))
    daemon = "import subprocess\nsubprocess.Popen(['sleep', '312'], start_new_session=True)\nreturn x\n"
    tmp = "import tempfile\ntempfile.mkdtemp()\nreturn x\n"
    outcomes = list(session.trials([text(daemon), text(tmp), text("while True: pass\n")] * 3))
    assert len(outcomes) == 9
    descriptors = []
    for _ in range(4):
        list(session.trials([text(tmp)] * 20))
        descriptors.append(len(os.listdir(f"/proc/{session.pid}/fd")))
    assert descriptors[-1] < descriptors[0] + 20, "60 trials leave no descriptor each; a lane may open late"
    pid = session.pid
    session.close()
    assert not Path(f"/proc/{pid}").exists()
    assert "sleep 312" not in subprocess.run(["ps", "ax"], capture_output=True, text=True, check=True).stdout
    assert len(os.listdir("/proc/self/fd")) <= before
