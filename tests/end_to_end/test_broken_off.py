"""Apply and undo, killed and interrupted while they write: whole files, and true sentences.

Many tries are for the laboratory (``make lab``); a few are made each time.
"""

from __future__ import annotations

import datetime
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import open_store

OLD = {"a.py": b"\xef\xbb\xbfdef f():\r\n    return 1\r\n", "b.py": b"# coding: latin-1\n# \xe9\nx = 1"}
NEW = {"a.py": b"\xef\xbb\xbfdef f():\r\n    return 2\r\n", "b.py": b"# coding: latin-1\n# \xe9\nx = 2"}


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    for name, content in OLD.items():
        (project / name).write_bytes(content)
    changes = tuple(FileChange(name, sha256(OLD[name]), sha256(NEW[name])) for name in OLD)
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "diff", "d1", files=changes)
    record = open_store(project).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
    record.save_candidate("d1", "diff", tuple(NEW.items()))
    record.save_result(Result(Status.CERTIFIED, patches=(patch,)))
    record.close()
    return project


def state_of(root: Path) -> str:
    contents = {name: (root / name).read_bytes() for name in OLD}
    return "old" if contents == OLD else "new" if contents == NEW else "mixed"


def command(root: Path, word: str) -> subprocess.Popen[str]:
    argv = [str(Path(sys.executable).with_name("repair")), word]
    return subprocess.Popen(argv, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def broken_off(root: Path, word: str, number: signal.Signals, delay: float) -> tuple[int, str, bool]:
    """The command's status and words, a signal having come so long after its journal was there; whether it hit."""
    journal, begun = open_store(root).directory / "journal.json", command(root, word)
    while begun.poll() is None and not journal.exists():
        time.sleep(0.0002)
    end = time.monotonic() + delay
    while time.monotonic() < end:
        pass
    hit = begun.poll() is None
    begun.send_signal(number)
    out, err = begun.communicate(timeout=60)
    return begun.returncode, out + err, hit


def try_once(root: Path, number: signal.Signals, delay: float) -> bool:
    """One apply or undo that is broken off, and what has to hold; whether the signal came before it had ended."""
    word = "apply" if state_of(root) == "old" else "undo"
    before, after = ("old", "new") if word == "apply" else ("new", "old")
    status, said, hit = broken_off(root, word, number, delay)
    if number is not signal.SIGKILL:
        assert status in (0, 130, 143)
        assert state_of(root) == (after if status == 0 else before), said
        assert ("no project file was changed" in said) == (status != 0)
    listed = command(root, "runs")
    out, err = listed.communicate(timeout=60)
    assert listed.returncode == 0, err
    assert state_of(root) in ("old", "new")
    assert ("applied" in out) == (state_of(root) == "new"), out
    assert sorted(os.listdir(root)) == [".repair", "a.py", "b.py", "pyproject.toml"]
    return hit


def tried(root: Path, number: signal.Signals, times: int) -> int:
    """How many of so many tries hit, the delays by a fixed seed."""
    chance = random.Random(7)
    return sum(try_once(root, number, chance.uniform(0.0, 0.012)) for _ in range(times))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_files_are_whole_and_sentences_true(root, number):
    chance = random.Random(7)
    hits = (try_once(root, number, chance.uniform(0.0, 0.008)) for _ in range(10))
    assert any(hits), "no signal came in time to show anything"


@pytest.mark.lab
@pytest.mark.parametrize(("number", "times"), [(signal.SIGKILL, 60), (signal.SIGINT, 40)])
def test_files_are_whole_and_sentences_true_in_many_tries(root, number, times):
    assert tried(root, number, times) > times // 3, "too few signals came in time to show anything"
