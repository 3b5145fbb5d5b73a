"""Commands on a disk that is really full: that of the records, that of the project, that of temporary files.

A small file system in memory is filled. Where none can be mounted, a limit on the size of files stands in for it: it
needs no right at all. What is asked each time: a clear sentence and status, no half-written file, and that the same
command works once there is room.
"""

from __future__ import annotations

import compileall
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes.bare import BARE
from fakes.small_disk import OBSTACLE, Done, SmallDisk

from repair.records.result import Result, Status

needs_a_mount = pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE)

FAULTY = "def half(n):\n    return n // 3\n"
MENDED = "def half(n):\n    return n // 2\n"
TEST = "from halves import half\n\n\ndef test_half():\n    assert half(8) == 4\n    assert half(3) == 1\n"
LONG = "# a comment of some length, so that the file takes room\n" * 400
"""22 kB: both texts of the file have them."""

DIFF = "--- a/halves.py\n+++ b/halves.py\n@@ -1,2 +1,2 @@\n def half(n):\n-    return n // 3\n+    return n // 2\n"

RECORD = """
import datetime, sys
from pathlib import Path
from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import open_store
root, name, new = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]).read_bytes()
change = FileChange(name, sha256((root / name).read_bytes()), sha256(new))
record = open_store(root).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
record.save_candidate("d1", "diff", ((name, new),))
patch = PatchView(1, Status.CERTIFIED, name, "half", "diff", "d1", files=(change,))
record.save_result(Result(Status.CERTIFIED, patches=(patch,)))
record.close()
"""
"""What prepares a run with a patch, within the namespace where its records lie."""


@dataclass(frozen=True)
class Place:
    """A project, its records and its temporary files; one of the three lies on the small disk."""

    disk: SmallDisk
    root: Path
    state: Path
    passing: Path
    accepted: dict[str, str] = field(default_factory=dict)

    def run(self, *argv: str) -> Done:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
        own = {"XDG_STATE_HOME": str(self.state), "TMPDIR": str(self.passing), "NO_COLOR": "1"}
        env = {**kept, **BARE, "REPAIR_PASS_ENV": " ".join(BARE), **self.accepted, **own}
        return self.disk.run(*argv, cwd=Path("/"), env=env)

    def repair(self, *words: str) -> Done:
        done = self.run(str(Path(sys.executable).with_name("repair")), *words, "--root", str(self.root))
        assert "Traceback" not in done.err, done.err
        assert "defect of repair" not in done.err, done.err
        return done

    def read(self, name: str) -> str:
        done = self.run("cat", str(self.root / name))
        assert done.status == 0, done.err
        return done.out

    def listed(self, folder: Path) -> set[str]:
        return set(self.run("ls", "-A", str(folder)).out.split())

    def prepare(self) -> None:
        """A run that mends ``halves.py`` is recorded."""
        new = self.root.parent / "new-text"
        new.write_text(LONG + MENDED)
        done = self.run(sys.executable, "-c", RECORD, str(self.root), "halves.py", str(new))
        assert done.status == 0, done.err


@contextmanager
def place(tmp_path: Path, small: str, size: int, accepted: dict[str, str] | None = None) -> Iterator[Place]:
    """A place of which ``small`` (project, state or tmp) lies on a disk of so many bytes."""
    names = {name: tmp_path / name for name in ("project", "state", "tmp")}
    with SmallDisk(names[small], size) as disk:
        found = Place(disk, names["project"], names["state"], names["tmp"], accepted or {})
        for each in names.values():
            each.mkdir(exist_ok=True)
        made = tmp_path / "made"
        made.mkdir()
        for name, text in (("halves.py", LONG + FAULTY), ("test_halves.py", TEST), ("pyproject.toml", "")):
            (made / name).write_text(text)
        (tmp_path / "fix.diff").write_text(DIFF.replace("@@ -1,2 +1,2 @@", "@@ -401,2 +401,2 @@"))
        done = found.run("cp", "-r", f"{made}/.", str(found.root))
        assert done.status == 0, done.err
        yield found


def writes_nothing_by_halves(at: Place, words: tuple[str, ...], before: str, after: str, leave: int) -> None:
    """The command on the disk with so little room, the commands that only read, and all once there is room."""
    usual = at.listed(at.root)
    at.disk.fill(leave)
    done = at.repair(*words)
    assert done.status in (0, 3), done
    assert done.status == 0 or "No space left on device" in done.err, done
    assert at.read("halves.py") == LONG + (before if done.status else after), done
    assert at.listed(at.root) - {"filling"} == usual, done
    rows = at.repair("runs", "--json")
    assert rows.status == 0, rows
    assert json.loads(rows.out)["runs"][0]["applied"] == (at.read("halves.py") == LONG + MENDED)
    assert at.repair("show", "latest").status == 0
    at.disk.free()
    assert at.repair(*words if done.status else ("undo",) if words == ("apply",) else ("apply",)).status == 0
    assert at.read("halves.py") == LONG + (after if done.status else before)


LEFT = (0, 4096, 12 << 10, 20 << 10, 28 << 10, 48 << 10, 128 << 10)
"""From no room at all to more than enough."""

USUAL = (0, 20 << 10)
"""Those that are tried each time."""


@needs_a_mount
@pytest.mark.parametrize("leave", [pytest.param(n, marks=() if n in USUAL else pytest.mark.lab) for n in LEFT])
@pytest.mark.parametrize("small", ["state", "project"])
def test_an_apply_and_an_undo_on_a_full_disk(tmp_path, small, leave):
    with place(tmp_path, small, 1 << 20) as at:
        at.prepare()
        at.repair("runs")
        writes_nothing_by_halves(at, ("apply",), FAULTY, MENDED, leave)
        if at.read("halves.py") == LONG + FAULTY:
            assert at.repair("apply").status == 0
        writes_nothing_by_halves(at, ("undo",), MENDED, FAULTY, leave)


@needs_a_mount
def test_a_state_directory_that_was_full_from_the_start_is_said(tmp_path):
    with place(tmp_path, "state", 64 << 10) as at:
        at.disk.fill(0)
        for words in (("runs",), ("apply",), ("undo",), ("show", "latest")):
            done = at.repair(*words)
            assert done.status in (2, 3), done
            assert done.err.startswith("repair: "), done


JUDGING = {
    "fix": ("fix", "test_halves.py::test_half", "--json"),
    "check": ("check", "fix.diff", "test_halves.py::test_half", "--json"),
}


def judge(at: Place, command: str) -> tuple[Done, Result]:
    words = [str(at.root.parent / word) if word == "fix.diff" else word for word in JUDGING[command]]
    done = at.repair(*words)
    return done, Result.from_json(json.loads(done.out))


@needs_a_mount
@pytest.mark.parametrize("command", JUDGING)
def test_full_records_lose_the_record_and_not_the_answer(tmp_path, command, accepted_risk):
    with place(tmp_path, "state", 256 << 10, accepted_risk) as at:
        at.disk.fill(0)
        done, result = judge(at, command)
        assert result.status in (Status.CERTIFIED, Status.PLAUSIBLE), done.err
        assert result.patches
        assert any("not kept" in said or "could not be recorded" in said for said in result.warnings), result.warnings
        assert at.read("halves.py") == LONG + FAULTY
        assert at.listed(at.passing) == set()


@needs_a_mount
@pytest.mark.parametrize(
    "leave", [0, pytest.param(64 << 10, marks=pytest.mark.lab), pytest.param(400 << 10, marks=pytest.mark.lab)]
)
@pytest.mark.parametrize("command", JUDGING)
def test_no_room_for_temporary_files_is_said(tmp_path, command, leave, accepted_risk):
    with place(tmp_path, "tmp", 1 << 20, accepted_risk) as at:
        at.disk.fill(leave)
        done, result = judge(at, command)
        assert done.status == 3 or result.patches, (done, result.messages)
        assert done.status != 3 or "No space left on device" in " ".join(result.messages), done
        assert at.read("halves.py") == LONG + FAULTY
        assert at.listed(at.passing) == {"filling"}
        assert at.repair("runs").status == 0


def limited(bytes_: int, *words: str, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """No file larger than that may be written. Python would cut byte code short unseen, so it is made before."""
    for package in ("analysis", "repair", "sandbox", "transforms"):
        compileall.compile_dir(Path(__file__).parents[2] / package, quiet=2)
    return subprocess.run(
        [str(Path(sys.executable).with_name("repair")), *words],
        cwd=cwd,
        env=env,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("bytes_", [0, 100, 1000, 10_000])
def test_files_that_may_not_grow_are_not_half_written(tmp_path, bytes_):
    root, env = tmp_path / "project", {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    (root / "halves.py").write_text(LONG + FAULTY)
    (tmp_path / "new-text").write_text(LONG + MENDED)
    prepared = [sys.executable, "-c", RECORD, str(root), "halves.py", str(tmp_path / "new-text")]
    subprocess.run(prepared, env=env, check=True)
    usual = sorted(os.listdir(root))
    for word, text in (("apply", FAULTY), ("undo", MENDED)):
        done = limited(bytes_, word, cwd=root, env=env)
        assert done.returncode == 3, done
        assert "File too large" in done.stderr, done
        assert "Traceback" not in done.stderr
        assert (root / "halves.py").read_text() == LONG + text
        assert sorted(os.listdir(root)) == usual
        listed = limited(bytes_, "runs", cwd=root, env=env)
        assert listed.returncode == 0 or (listed.returncode, "Free some space." in listed.stderr) == (3, True), listed
        assert limited(1 << 20, word, cwd=root, env=env).returncode == 0
    assert (root / "halves.py").read_text() == LONG + FAULTY
