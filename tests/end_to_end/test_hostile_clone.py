"""Somebody clones a stranger's repository and types a command: nothing is gained, and one clear sentence is said.

The controls show that each plant works where nobody stands in its way.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.hostile import EVIL, OLD, RUN, Hostile, hostile_clone

RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """The clone; every test leaves it unharmed."""
    return hostile_clone(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def configured(tmp_path) -> Callable[[str], Hostile]:
    """Such a clone with settings of ours in its file."""
    return lambda config: hostile_clone(tmp_path, config)


@pytest.fixture
def ask(repair, tmp_path_factory) -> Callable[..., tuple[int, str]]:
    """Runs a command in the clone, with a home of its own; its status and all that it said."""
    state = tmp_path_factory.mktemp("state")

    def run(clone: Hostile, *words: str, traceback: bool = False, **env: str) -> tuple[int, str]:
        answer = repair(*words, cwd=clone.root, env={"XDG_STATE_HOME": str(state), **env}, limit=120)
        said = answer.output + answer.messages
        assert traceback or "Traceback" not in said
        assert "defect" not in said
        assert RAW.search(said) is None, repr(said)
        clone.unharmed()
        return answer.status, said

    return run


# --- controls: each of these harms where nobody looks ---


def test_the_planted_journal_of_sqlite_deletes_a_file(tmp_path):
    clone = hostile_clone(tmp_path)
    with contextlib.closing(sqlite3.connect(clone.root / ".repair/index.sqlite")) as index:
        index.execute("select * from runs").fetchall()
    with pytest.raises(FileNotFoundError):
        clone.unharmed()


def test_the_planted_trigger_never_ends(planted, tmp_path):
    shutil.copy(planted.root / ".repair/index.sqlite", tmp_path / "index.sqlite")
    with contextlib.closing(sqlite3.connect(tmp_path / "index.sqlite")) as index:
        end = time.monotonic() + 0.5
        index.set_progress_handler(lambda: time.monotonic() > end, 1000)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            index.execute("insert into runs values ('x', '', '', '', '', 0, 0)")


def test_the_planted_environment_runs_code(tmp_path):
    clone = hostile_clone(tmp_path)
    subprocess.run([str(clone.root / ".venv/bin/python"), "-c", ""], check=True)
    with pytest.raises(AssertionError, match="code of the repository ran"):
        clone.unharmed()


def test_the_planted_script_runs_code(tmp_path):
    clone = hostile_clone(tmp_path)
    subprocess.run([str(clone.root / "evil.sh")], check=True)
    with pytest.raises(AssertionError, match="code of the repository ran"):
        clone.unharmed()


def test_the_planted_run_and_journal_hold_what_they_would_write(planted):
    files = {path.read_bytes() for path in (planted.root / ".repair/runs" / RUN / "files").iterdir()}
    assert files == {OLD, EVIL}


# --- a person's first commands ---


def test_the_list_of_runs_is_empty(planted, ask):
    status, said = ask(planted, "runs")
    assert status == 0
    assert "No runs yet" in said
    assert RUN not in said


@pytest.mark.parametrize(
    "words", [("show", "latest"), ("show", RUN), ("apply",), ("apply", RUN), ("undo",), ("undo", RUN)]
)
def test_a_planted_run_is_no_run(planted, ask, words):
    status, said = ask(planted, *words)
    assert status == 2
    assert re.search(r"No run|No applied patch", said)


def test_planted_runs_are_not_taken_over(planted, ask):
    status, said = ask(planted, "runs", "--take-over", "--yes")
    assert status == 2
    assert "git tracks the runs: they came with the repository" in said


@pytest.mark.parametrize("command", ["explain", "fix", "check", "tests"])
def test_the_planted_environment_is_refused(planted, ask, command):
    (planted.root / "x.diff").write_text(
        "--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n def total(prices):\n"
        "-    return sum(prices) + 1\n+    return sum(prices)\n"
    )
    more = ("x.diff",) if command == "check" else ()
    status, said = ask(planted, command, *more)
    assert status == 3
    assert ".venv" in said
    assert "--python" in said


def test_the_doctor_refuses_it_too(planted, ask):
    status, said = ask(planted, "doctor")
    assert status == 3
    assert ".venv" in said


def test_with_an_interpreter_of_ones_own_the_job_is_done(planted, ask):
    status, said = ask(planted, "explain", "--python", sys.executable, "--max-seconds", "60")
    assert status == 0
    assert "total" in said


def test_planted_coverage_data_is_refused(planted, ask):
    words = (
        "tests",
        "--coverage-data",
        ".coverage",
        "--python",
        sys.executable,
        "--mutants",
        "0",
        "--max-seconds",
        "60",
    )
    status, said = ask(planted, *words)
    assert status == 2
    assert "This is no coverage data: it holds a view" in said


def test_an_environment_of_ones_own_that_imports_from_the_clone_is_asked_behind_walls(planted, ask, tmp_path):
    """As after ``pip install --editable``: Python itself imports ``sitecustomize`` from there."""
    site = tmp_path / "own/lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (tmp_path / "own/bin").mkdir()
    (tmp_path / "own/bin/python").symlink_to(os.path.realpath(sys.executable))
    (tmp_path / "own/pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
    (site / "clone.pth").write_text(f"{planted.root}\n{Path(pytest.__file__).parent.parent}\n")
    ask(planted, "doctor", "--python", str(tmp_path / "own/bin/python"))
    subprocess.run([str(tmp_path / "own/bin/python"), "-c", ""], check=True)  # the control
    assert planted.canary.exists()
    planted.canary.unlink()


def test_a_traceback_holds_no_command_of_a_terminal(configured, ask):
    answer = ask(configured(r'python = "/no\u001b]0;PWNED\u0007/x"'), "explain", "--debug", traceback=True)
    assert "Traceback" in answer[1]


def test_a_run_that_was_handed_over_is_shown_as_foreign(planted, ask, tmp_path):
    records = str(tmp_path / "records")
    ask(planted, "runs", "--state-dir", records)
    (folder,) = Path(records).iterdir()
    shutil.copytree(planted.root / ".repair/runs" / RUN, folder / "runs" / RUN)
    status, said = ask(planted, "show", RUN, "--state-dir", records)
    assert status == 0
    assert said.startswith("foreign  ")
    assert "Your repair did not record this run" in said
    assert "\x1b" not in said
    assert "certified" not in said
    for words in (("apply", RUN), ("undo", RUN), ("apply",), ("show", "latest")):
        assert ask(planted, *words, "--state-dir", records)[0] == 2
    assert "foreign" in ask(planted, "runs", "--state-dir", records)[1]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("python = './evil.sh'", "python"),
        (r'python = "/no\u001b]0;PWNED\u0007/x"', "no such interpreter"),
        (r'python = "\u0000"', "interpreter"),
        ("model = 'm'", "model cannot be set in a file"),
        ("base-url = 'http://127.0.0.1:9/v1'", "base-url cannot be set in a file"),
        ("proposers = ['model']", "cannot turn on the proposer"),
        ("pass-env = ['MYSQL_PWD']", "sounds like a secret"),
        ("state-dir = 'link/escaped'", "state-dir cannot be set in a file"),
        ("isolation = 'none'", "cannot weaken isolation"),
        ("order = '/etc/passwd'", "order leads out of the project"),
        ("accept = 'plausible'", "cannot lower what is accepted"),
        ("output-price = 0.0", "output-price cannot be set in a file"),
        ("seed = 1" + "0" * 5000, "Not valid TOML"),
        (r'"a\u001b[2Jb" = 1', "Unknown key"),
    ],
)
def test_no_setting_of_the_repository_gains_anything(configured, ask, config, said):
    clone = configured(config)
    status, words = ask(clone, "explain", OPENAI_API_KEY="sk-canary-canary", MYSQL_PWD="canary-canary")
    assert status in (2, 3)
    assert said in words
    assert "canary-canary" not in words
