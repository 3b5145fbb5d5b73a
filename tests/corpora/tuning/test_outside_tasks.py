"""What a tried command leaves behind may lead anywhere: nothing of ours is written through it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corpora.tuning.outside_tasks import OutsideAttempter, lay_over, read_table

TASKS = """\
[[task]]
id = "one"
argv = ["make"]
files = ["made.py"]
hidden = "hidden"
hidden_test = ["{python}", "checks/test_made.py"]
"""
TOOL = """\
import os, pathlib, sys
pathlib.Path("made.py").write_text("x = 1")
os.symlink(%r, "checks")
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/test_made.py").write_text("theirs")
    return tmp_path / "elsewhere"


@pytest.fixture
def hidden(tmp_path: Path) -> Path:
    (tmp_path / "hidden/checks").mkdir(parents=True)
    (tmp_path / "hidden/checks/test_made.py").write_text("import sys; sys.path.insert(0, '.'); import made\n")
    return tmp_path / "hidden"


def test_hidden_tests_are_not_written_through_links(tmp_path: Path, elsewhere: Path, hidden: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "checks").symlink_to(elsewhere)
    lay_over(hidden, work)
    assert (elsewhere / "test_made.py").read_text() == "theirs"
    assert not (work / "checks").is_symlink()
    (work / "checks/test_made.py").unlink()
    (work / "checks/test_made.py").symlink_to(elsewhere / "test_made.py")
    lay_over(hidden, work)
    assert (elsewhere / "test_made.py").read_text() == "theirs"
    assert "import made" in (work / "checks/test_made.py").read_text()


def test_a_folder_in_the_way_of_a_file_goes_and_so_does_a_file_in_the_way_of_a_folder(
    tmp_path: Path, hidden: Path
) -> None:
    work = tmp_path / "work"
    (work / "checks/test_made.py").mkdir(parents=True)
    lay_over(hidden, work)
    assert (work / "checks/test_made.py").is_file()
    lay_over(hidden, tmp_path / "work/checks/test_made.py")
    assert (work / "checks/test_made.py/checks/test_made.py").is_file()


def test_a_task_whose_command_leaves_a_link_is_judged_by_the_hidden_tests(
    tmp_path: Path, elsewhere: Path, hidden: Path
) -> None:
    """The prompt's own file is a link, too: what is tried must not get into the file behind it."""
    tool = tmp_path / "tool"
    tool.mkdir()
    (tool / "run.py").write_text(TOOL % str(elsewhere))
    (tmp_path / "prompt.txt").write_text("the user's prompt")
    (tool / "prompt.txt").symlink_to(tmp_path / "prompt.txt")
    (tmp_path / "tasks.toml").write_text(TASKS)
    command = f"{sys.executable} run.py {{prompt}} {{task}}"
    attempter = OutsideAttempter(command, read_table(tmp_path / "tasks.toml"), tool / "prompt.txt", {"PATH": "/bin"})
    outcome = attempter.attempt("a tried prompt", "one", 1)
    assert outcome.word == "solved", outcome
    assert (elsewhere / "test_made.py").read_text() == "theirs"
    assert (tmp_path / "prompt.txt").read_text() == "the user's prompt"
