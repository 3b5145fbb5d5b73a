"""Jobs of a server as real processes: what is followed, what is cancelled, and what the end of a host ends."""

import json
import sys
import threading
import time

import pytest

from analysis.errors import UsageError
from repair.agents.jobs import ENDING_SECONDS, EngineJob, RunRequest, digest_of_change
from repair.client import Run
from repair.records.result import Result, Status

DEAF = """
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path({mark!r}).touch()
time.sleep(60)
"""
"""An engine that does not end when it is asked to; the mark is there once it has gone deaf."""


def job(asked, code, change=""):
    run = Run([sys.executable, "-c", code], b"", None, None, None, grace=ENDING_SECONDS)
    return EngineJob("job-1", asked, run, change), run


def test_what_does_not_end_when_it_is_asked_to_is_killed(tmp_path):
    mark = tmp_path / "deaf"
    deaf, run = job(RunRequest("fix", tmp_path), DEAF.format(mark=str(mark)))
    while not mark.exists():
        assert deaf.running
        time.sleep(0.01)
    began = time.monotonic()
    deaf.cancel()
    deaf.wait(2 * ENDING_SECONDS + 10)
    assert not deaf.running
    assert ENDING_SECONDS * 0.9 < time.monotonic() - began < ENDING_SECONDS + 30
    assert run._process.poll() is not None
    with pytest.raises(UsageError, match="gave no answer"):
        deaf.result()


def test_an_answer_about_other_files_is_none(tmp_path):
    """The files of a patch are read again when its run has ended."""
    code = "import json, sys; print(json.dumps(json.loads(sys.argv[1])))"
    (tmp_path / "a.py").write_text("x = 1\n")
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    asked = RunRequest("check", tmp_path, ("-",), patch, answers_to="another")
    told = json.dumps(Result(Status.PLAUSIBLE, run="r").to_json())
    run = Run([sys.executable, "-c", code, told], b"", None, None, None)
    ended = EngineJob("job-1", asked, run, digest_of_change(asked))
    ended.wait(60)
    assert ended.change == digest_of_change(asked) != ""
    with pytest.raises(UsageError, match="The files changed before job-1 judged them again"):
        ended.result()


def test_an_answer_is_told_once_it_is_known_what_it_is_about(tmp_path, monkeypatch):
    """Between the end of the engine and the second look at the files a question seemed to be about other files."""
    code = "import sys; print(sys.argv[1])"
    looking, go_on = threading.Event(), threading.Event()

    def slow(_):
        looking.set()
        go_on.wait(60)
        return "seen"

    monkeypatch.setattr("repair.agents.jobs.digest_of_change", slow)
    told = json.dumps(Result(Status.PLAUSIBLE, run="r").to_json())
    run = Run([sys.executable, "-c", code, told], b"", None, None, None)
    ended = EngineJob("job-1", RunRequest("check", tmp_path, answers_to="seen"), run, "seen")
    assert looking.wait(60)
    with pytest.raises(UsageError, match="has not ended"):
        ended.result()
    go_on.set()
    ended.wait(60)
    assert ended.result().status is Status.PLAUSIBLE


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_ends_although_its_files_cannot_be_looked_at_again(tmp_path, monkeypatch):
    def broken(_):
        raise ValueError("no text")

    monkeypatch.setattr("repair.agents.jobs.digest_of_change", broken)
    run = Run([sys.executable, "-c", "print('{}')"], b"", None, None, None)
    ended = EngineJob("job-1", RunRequest("check", tmp_path), run, "seen")
    ended.wait(60)
    assert not ended.running
    assert ended.change == ""


def test_a_change_is_named_by_what_its_files_hold(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    asked = RunRequest("check", tmp_path, ("-",), patch)
    before = digest_of_change(asked)
    (tmp_path / "a.py").write_text("x = 2\n")
    assert digest_of_change(asked) == before != "", "the same change, in place"
    (tmp_path / "a.py").write_text("x = 3\n")
    assert digest_of_change(asked) == "", "it fits no more"
    assert digest_of_change(RunRequest("fix", tmp_path)) == ""
    assert digest_of_change(RunRequest("check", tmp_path, options={"since": "HEAD"})) == "", "no repository"
