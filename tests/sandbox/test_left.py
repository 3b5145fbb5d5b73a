"""What forks have left in the files of a warm server shows, and what they have for themselves does not."""

import os
import signal
from pathlib import Path

import pytest

from analysis.facts import FunctionId, InvalidRun, digest
from analysis.trials import Trial
from sandbox.jail import choose
from sandbox.jail_protocol import NO_JAIL
from sandbox.request import PROBE

FILES = {
    "lib.py": "def f(x):\n    return x\n",
    "test_lib.py": "from lib import f\n\n\ndef test_f():\n    assert f(1)\n",
}
FUNCTION = FunctionId("lib.py", "f", 1)
QUIET = b"def f(x):\n    return x + 1\n"


@pytest.fixture
def serve(project, open_sandbox):
    """Serves the project warm behind these walls."""
    opened = []

    def serving(jail=NO_JAIL):
        session = open_sandbox(project(FILES), jail=jail).warm(())
        assert not isinstance(session, InvalidRun), session
        opened.append(session)
        return session

    yield serving
    for session in opened:
        session.close()


def tried(session, *texts):
    found = {o.digest: o.state.value for o in session.trials(Trial(digest(t), FUNCTION, t, "") for t in texts)}
    return [found[digest(t)] for t in texts]


def writing(path):
    return b"def f(x):\n    with open(%a, 'a') as file:\n        file.write('.')\n    return x\n" % path


def test_trials_and_calls_that_write_nothing_leave_nothing(serve):
    session = serve()
    before = session.digest_leftovers()
    temporary = (
        b"def f(x):\n    import tempfile\n    open(tempfile.mkstemp()[1], 'w').close()\n    f.more = x\n    return x\n"
    )
    assert tried(session, QUIET, temporary, b"def f(x):\n    return 0\n") == ["passed", "passed", "failed"]
    session.questions.record(FUNCTION, 5)
    assert before
    assert session.digest_leftovers() == before


@pytest.mark.parametrize("path", ["kept.txt", "lib.py"])
def test_a_file_that_a_trial_wrote_is_noticed(serve, path):
    session = serve()
    before = session.digest_leftovers()
    assert tried(session, writing(path)) == ["passed"]
    assert session.digest_leftovers() not in ("", before)


def test_behind_walls_the_machines_own_temporary_folder_counts_too(serve):
    jail = choose("auto")
    if jail.kind != "bwrap":
        pytest.skip("bubblewrap does not work here")
    session = serve(jail)
    before = session.digest_leftovers()
    assert tried(session, QUIET) == ["passed"]
    assert session.digest_leftovers() == before != ""
    assert tried(session, writing("/tmp/kept.txt")) == ["passed"]
    assert session.digest_leftovers() not in ("", before)


def test_what_is_still_under_way_is_waited_for(serve):
    session = serve()
    before = session.digest_leftovers()
    slow = [b"def f(x):\n    import time\n    time.sleep(0.3)\n    return x + %d\n" % number for number in range(4)]
    outcomes = session.trials(Trial(digest(text), FUNCTION, text, "") for text in slow)
    assert next(outcomes).state.value == "passed"
    outcomes.close()  # nobody waits for the others
    assert session.digest_leftovers() == before != ""


def test_a_server_that_was_started_again_says_nothing(serve):
    session = serve()
    assert session.digest_leftovers()
    os.kill(session.pid, signal.SIGKILL)
    assert session.digest_leftovers() == ""
    assert tried(session, QUIET) == ["passed"]
    assert session.digest_leftovers() == ""


def test_a_private_folder_counts_but_for_what_forks_have_for_themselves(tmp_path: Path, monkeypatch):
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.fork.process_state import Left  # noqa: PLC0415 -- it is on no path before

    environ = {"HOME": str(tmp_path / "h"), "TMPDIR": str(tmp_path / "t")}
    for name in ("r", "h", "t"):
        (tmp_path / name).mkdir()
    alone = Left(str(tmp_path / "r"), (), environ)
    wide = Left(str(tmp_path / "r"), (str(tmp_path),), environ)
    before = alone.digest(), wide.digest()
    (tmp_path / "t" / "fork-1").mkdir()
    assert (alone.digest(), wide.digest()) == before
    (tmp_path / "other").write_text("more")
    assert alone.digest() == before[0]
    assert wide.digest() != before[1]
    (tmp_path / "r" / "fork-1").mkdir()
    assert alone.digest() != before[0]
