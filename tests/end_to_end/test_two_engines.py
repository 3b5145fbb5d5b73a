"""Two commands at once in one project: the second waits, or says who is at work; nothing is lost."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes.bare import BARE

from corpora.lab.benchmarks.kills import set_up
from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import open_store

OLD, NEW = b"x = 1\n", b"x = 2\n"
PATIENCE = 60.0


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "a.py").write_bytes(OLD)
    change = FileChange("a.py", sha256(OLD), sha256(NEW))
    record = open_store(project).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
    record.save_candidate("d1", "diff", (("a.py", NEW),))
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "diff", "d1", files=(change,))
    record.save_result(Result(Status.CERTIFIED, patches=(patch,)))
    record.close()
    return project


def start(root: Path, *words: str, **given: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("repair")), *words],
        cwd=root,
        env={**os.environ, **given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(*commands: subprocess.Popen[str]) -> list[tuple[int, str]]:
    """Each one's status and all that it said, those that did what they were asked to first."""
    told = [each.communicate(timeout=300) for each in commands]
    return sorted((each.returncode, out + err) for each, (out, err) in zip(commands, told, strict=True))


def test_of_two_that_write_or_take_out_one_patch_one_does_and_the_other_says_why_not(root):
    run = open_store(root).load_run().id
    for _ in range(3):
        (done, _), (status, said) = ended(start(root, "apply"), start(root, "apply"))
        assert (done, status) == (0, 1), said
        assert "is applied already" in said
        assert (root / "a.py").read_bytes() == NEW
        (done, _), (status, said) = ended(start(root, "undo", run), start(root, "undo", run))
        assert (done, status) == (0, 2), said
        assert "is not applied" in said
        assert (root / "a.py").read_bytes() == OLD
    assert sorted(os.listdir(root)) == [".repair", "a.py", "pyproject.toml"]


def test_an_apply_and_an_undo_at_once_end_in_one_of_both_states(root):
    assert ended(start(root, "apply"))[0][0] == 0
    for _ in range(3):
        answers = ended(start(root, "undo"), start(root, "apply", "latest"))
        assert answers[0][0] == 0, answers
        assert all("Traceback" not in said and "defect" not in said for _, said in answers), answers
        listed = json.loads(ended(start(root, "runs", "--json"))[0][1])["runs"][0]
        assert (root / "a.py").read_bytes() == (NEW if listed["applied"] else OLD)
        ended(start(root, "apply"))


@pytest.fixture
def slow_commit(root):
    """A repository whose commits wait until a file ``go`` is there; gives the function that lets them."""
    for words in (("init", "-q"), ("config", "user.name", "A"), ("config", "user.email", "a@example.org")):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    subprocess.run(["git", "-C", str(root), "add", "a.py"], check=True)
    subprocess.run(["git", "-C", str(root), "commit", "-qm", "one"], check=True)
    go, reached = root.parent / "go", root.parent / "reached"
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {reached}\nwhile [ ! -e {go} ]; do sleep 0.05; done\n")
    hook.chmod(0o755)
    first = start(root, "apply", "--commit")
    until = time.monotonic() + PATIENCE
    while not reached.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert reached.exists()
    yield first, go.touch
    go.touch()
    first.communicate(timeout=PATIENCE)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_who_comes_while_another_one_is_at_work_waits_a_while_and_says_so(root, slow_commit):
    first, go = slow_commit
    began = time.monotonic()
    ((status, said),) = ended(start(root, "undo"))
    assert status == 1, said
    assert "Another repair process is applying or undoing a patch" in said
    assert time.monotonic() - began > 4, "it waited"
    assert ended(start(root, "runs"))[0][0] == 0, "reading needs no lock"
    go()
    ((status, said),) = ended(first)
    assert (status, (root / "a.py").read_bytes()) == (0, NEW), said


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_who_comes_shortly_before_its_end_has_its_turn(root, slow_commit):
    first, go = slow_commit
    second = start(root, "undo")
    time.sleep(1.0)
    go()
    assert [status for status, _ in ended(first, second)] == [0, 0]
    assert (root / "a.py").read_bytes() == OLD


def test_two_fixes_at_once_apply_one_patch(tmp_path, accepted_risk):
    scene = set_up(tmp_path, "auto")
    own = {"TMPDIR": str(scene.temporary), "XDG_STATE_HOME": str(tmp_path / "state")}
    given = {**BARE, "REPAIR_PASS_ENV": " ".join(BARE), **accepted_risk, **own}
    words = ("fix", "test_mid.py::test_middle", "--apply", "--accept", "plausible", "--max-candidates", "200", "--json")
    before = (scene.root / "mid.py").read_bytes()
    (done, first), (status, second) = ended(start(scene.root, *words, **given), start(scene.root, *words, **given))
    assert (done, status) == (0, 1), (first, second)
    assert '"Applied: mid.py."' in first
    assert "Not applied: " in second or "Nothing was written." in second, "whether its own run had ended by then or not"
    listed = json.loads(ended(start(scene.root, "runs", "--json", **given))[0][1])["runs"]
    assert [run["applied"] for run in listed].count(1) == 1
    assert ended(start(scene.root, "undo", **given))[0][0] == 0
    assert (scene.root / "mid.py").read_bytes() == before
