"""A review as people start it: at a terminal, killed at any moment, beside other processes that want to write."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from end_to_end.conftest import Command
from fakes.reviewed import OLD, run_to_review, text_of

from repair.store.decisions import decisions_of
from repair.store.store import open_store

REPAIR = str(Path(sys.executable).with_name("repair"))


class AtTerminal:
    """One command with a terminal of its own, 80×24."""

    def __init__(self, root: Path, *words: str, term: str = "dumb") -> None:
        self._ours, theirs = pty.openpty()
        env = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
        self.process = subprocess.Popen(
            [REPAIR, *words],
            cwd=root,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**env, "TERM": term, "COLUMNS": "80", "LINES": "24"},
            start_new_session=True,
        )
        os.close(theirs)
        self.said = ""

    def until(self, text: str, seconds: float = 60.0) -> None:
        """Wait for this text."""
        end = time.monotonic() + seconds
        while text not in self.said:
            assert time.monotonic() < end, self.said
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self._ours, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        assert text in self.said, self.said

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        status = self.process.wait(30)
        os.close(self._ours)
        return status

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.end()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.repair]\nrequire-approval = true\n")
    run_to_review(tmp_path, count=2, needs_approval=True)
    return tmp_path


def test_a_person_decides_at_a_terminal_and_only_then_it_is_written(project: Path, repair: Command) -> None:
    state = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    refused = repair("apply", "latest", cwd=project, env=state)
    assert (refused.status, "waits for the approval of a person" in refused.messages) == (1, True)
    by_program = repair("review", "latest", "--approve", cwd=project, env=state)
    assert by_program.status == 0
    assert repair("apply", "latest", cwd=project, env={**state, "REPAIR_REQUIRE_APPROVAL": "0"}).status == 1
    assert (project / "shop.py").read_bytes() == OLD
    review = AtTerminal(project, "review", "latest", "--approve", "--note", "I looked")
    review.until("Approved (run 20250102-000000-aa)")
    assert review.end() == 0
    told = repair("apply", "latest", "--json", cwd=project, env=state)
    assert (told.status, told.result["files"]) == (0, ["shop.py"])
    assert (project / "shop.py").read_bytes() == text_of(1)


def test_a_review_that_is_killed_leaves_what_was_decided_and_no_more(project: Path) -> None:
    for number, (typed, wait) in enumerate((("r no\n", "Rejected"), ("h Ada\n", "Handed on"), ("a", ""), ("r", ""))):
        review = AtTerminal(project, "review", "latest", "--plain")
        review.until("> ")
        review.type(typed)
        if wait:
            review.until(wait)
        review.kill()
        assert (project / "shop.py").read_bytes() == OLD, number
    run = open_store(project).load_run("latest")
    assert [each.said for each in decisions_of(run)] == ["rejected", "handed_on"]
    assert json.loads((run.path / "review.json").read_text())["said"] == "handed_on"


def test_kills_around_an_apply_leave_all_or_nothing(project: Path, repair: Command) -> None:
    state = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    for delay in (0.0, 0.005, 0.02):
        review = AtTerminal(project, "review", "latest", "--plain")
        review.until("> ")
        review.type("a\n")
        time.sleep(delay)
        review.kill()
        assert repair("runs", cwd=project, env=state).status == 0, "what was half done is put right"
        run = open_store(project).load_run("latest")
        text = (project / "shop.py").read_bytes()
        assert text == (text_of(1) if run.is_applied else OLD)
        if run.is_applied:
            assert decisions_of(run)[-1].said == "approved", "approved first, then written"
            assert repair("undo", run.id, cwd=project, env=state).status == 0
        assert (project / "shop.py").read_bytes() == OLD


@pytest.mark.parametrize("term", ["xterm-256color", "vt100"])
def test_the_screen_opens_on_a_terminal_and_leaves_it(project: Path, term: str) -> None:
    review = AtTerminal(project, "review", "latest", term=term)
    review.until("patch 1 of 2")
    review.type("q")
    review.until("repair: run 20250102-000000-aa")
    assert review.end() == 0


def test_without_the_library_of_the_screen_it_is_said_how_to_get_it(project: Path) -> None:
    code = "import sys; sys.modules['textual'] = None; from repair.cli import main; sys.exit(main(sys.argv[1:]))"
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "review", "latest"],
        cwd=project,
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm"},
        text=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 2
    assert "pip install 'textual>=8,<9', or give --plain." in done.stderr


def test_apply_of_a_fix_waits_for_the_approval(tmp_path: Path, repair: Command) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.repair]\nrequire-approval = true\n")
    (tmp_path / "post.py").write_text("def total(prices):\n    return sum(prices) + 1\n")
    (tmp_path / "test_post.py").write_text(
        "from post import total\n\n\ndef test_none():\n    assert total([]) == 0\n\n\n"
        "def test_some():\n    assert total([1, 2]) == 3\n\n\ndef test_one():\n    assert total([7]) == 7\n"
    )
    told = repair("fix", "--apply", "--accept", "plausible", "--json", cwd=tmp_path)
    assert (told.status, told.result["status"]) == (1, "conflict"), told.result
    assert "Not applied" in " ".join(told.result["messages"])
    assert told.result["patches"], "the patch is not lost"
    assert told.result["needs_approval"]
    assert (tmp_path / "post.py").read_text().endswith("+ 1\n")
