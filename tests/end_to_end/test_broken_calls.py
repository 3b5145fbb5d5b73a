"""Apply and undo, broken off at each of their system calls that change a file: killed, torn, refused, on a full disk.

Whatever happens, the project is wholly as before or wholly as after, nothing lies beside its files, the record says
which, and the next command works. The moments are counted: see ``MOMENTS``. The laboratory breaks off more courses, in
more ways, and a recovery in its turn.
"""

from __future__ import annotations

import datetime
import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from fakes.broken_calls import OBSTACLE, Breaker, Broken

from repair.records.result import CauseView, FileChange, PatchView, Result, StackView, Status
from repair.store.atomic import sha256
from repair.store.journal import APPLIED
from repair.store.store import open_store

pytestmark = pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE)

Files = dict[str, bytes]

BARE: Files = {"a.py": b"\xef\xbb\xbfa = 0\r\nb = 0\r\n", "pkg/c.py": b"# coding: latin-1\n# \xe9\nc = 0"}
FIRST = {**BARE, "a.py": b"\xef\xbb\xbfa = 1\r\nb = 0\r\n"}
SECOND = {**BARE, "a.py": b"\xef\xbb\xbfa = 1\r\nb = 1\r\n"}
BOTH = {**SECOND, "pkg/c.py": b"# coding: latin-1\n# \xe9\nc = 1"}
STATES = {"bare": BARE, "first": FIRST, "both": BOTH}

MOMENTS = {"apply": 60, "undo": 45, "apply of the rest": 60, "undo of one cause": 50}
"""At least so many calls of each are broken off."""


def change(before: Files, after: Files) -> tuple[FileChange, ...]:
    changed = [name for name in after if before[name] != after[name]]
    return tuple(FileChange(name, sha256(before[name]), sha256(after[name])) for name in changed)


def record(root: Path) -> None:
    """A run with two causes: the second patch stands on the first, and goes on in another file."""
    patch = partial(PatchView, 1, Status.CERTIFIED, diff="", digest="d")
    patches = (
        patch(file="a.py", function="f", files=change(BARE, FIRST), cause=1),
        patch(file="a.py", function="g", files=change(FIRST, BOTH), cause=2),
    )
    causes = (
        CauseView(1, ("t::a",), Status.CERTIFIED, patch="d"),
        CauseView(2, ("t::b",), Status.CERTIFIED, patch="d", stands_on=(1,)),
    )
    stacks = (
        StackView((1,), Status.CERTIFIED, "", change(BARE, FIRST)),
        StackView((1, 2), Status.CERTIFIED, "", change(BARE, BOTH)),
    )
    made = open_store(root).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
    for files in STATES.values():
        made.save_candidate("d", "", tuple(files.items()))
    made.save_result(Result(Status.CERTIFIED, patches=patches, causes=causes, stacks=stacks))
    made.close()


@dataclass(frozen=True)
class Scene:
    """A project with its records, all below one folder, and a copy of both to begin again from."""

    folder: Path
    breaker: Breaker

    @property
    def root(self) -> Path:
        return self.folder / "project"

    def command(self, *words: str) -> Broken:
        """The command as it is, which has to work."""
        done = self.breaker.run(self.root, *words)
        assert done.status == 0, (words, done)
        return done

    def broken(self, words: tuple[str, ...], at: int, way: str) -> Broken:
        return self.breaker.run(self.root, *words, at=at, way=way, below=(self.folder,))

    def keep(self) -> None:
        shutil.copytree(self.folder, self.folder.with_name("kept"), symlinks=True)

    def begin_again(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.folder.with_name("kept"), self.folder, symlinks=True)

    def files(self) -> Files:
        return {name: (self.root / name).read_bytes() for name in BARE}

    def state(self) -> str:
        files = self.files()
        return next((name for name, known in STATES.items() if files == known), "mixed")

    def beside(self) -> list[str]:
        """What lies in the project and is not ours to change."""
        found = (str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file())
        return sorted(name for name in found if not name.startswith((".git/", ".repair/")))

    def recorded(self) -> str:
        """The state that the record speaks of, by what the commands say and by what is written."""
        run = open_store(self.root).load_run()
        applied = run.read_json(APPLIED)
        listed = json.loads(self.command("runs", "--json").out)["runs"][0]["applied"]
        assert listed == (applied is not None)
        return {(): "bare", (1,): "first", (1, 2): "both"}[tuple(applied["causes"]) if applied else ()]


@pytest.fixture
def place(tmp_path) -> Iterator[Path]:
    """A folder in memory where there is one: thousands of texts are made durable."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture
def scene(place, monkeypatch) -> Iterator[Scene]:
    folder = place / "all"
    root = folder / "project"
    (root / "pkg").mkdir(parents=True)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    (root / "pyproject.toml").write_text("")
    for name, content in BARE.items():
        (root / name).write_bytes(content)
    (root / "a.py").chmod(0o755)
    record(root)
    with Breaker({**os.environ, "NO_COLOR": "1"}) as breaker:
        yield Scene(folder, breaker)


@dataclass(frozen=True)
class Course:
    """A command, the state that it begins in and the one that it ends in, and how both are come by."""

    name: str
    words: tuple[str, ...]
    before: str
    after: str
    first: tuple[tuple[str, ...], ...] = ()
    back: tuple[str, ...] = ("undo",)


COURSES = (
    Course("apply", ("apply",), "bare", "both"),
    Course("undo", ("undo",), "both", "bare", (("apply",),), ("apply",)),
    Course("apply of the rest", ("apply", "latest"), "first", "both", (("apply", "latest", "--cause", "1"),)),
    Course("undo of one cause", ("undo", "--cause", "2"), "both", "first", (("apply",),), ("apply",)),
)


def courses(usual: int) -> pytest.MarkDecorator:
    """The first few each time, the others in the laboratory."""
    marks = [() if number < usual else pytest.mark.lab for number in range(len(COURSES))]
    named = [pytest.param(c, id=c.name.replace(" ", "-"), marks=m) for c, m in zip(COURSES, marks, strict=True)]
    return pytest.mark.parametrize("course", named)


def ways(usual: str, rare: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("way", [usual, pytest.param(rare, marks=pytest.mark.lab)])


def begin(scene: Scene, course: Course) -> None:
    for words in course.first:
        scene.command(*words)
    scene.command("runs")
    assert scene.state() == course.before
    scene.keep()


def is_whole(scene: Scene, course: Course, done: Broken) -> str:
    """The state after the next command has put right what was left; all that has to hold in it."""
    said = scene.command("runs")
    assert "defect" not in said.err, said
    state = scene.state()
    assert state in (course.before, course.after), (done, said)
    assert scene.recorded() == state, (done, said)
    assert scene.beside() == ["a.py", "pkg/c.py", "pyproject.toml"], done
    assert stat.S_IMODE((scene.root / "a.py").stat().st_mode) == 0o755
    assert "half done" not in scene.command("show", "latest").err
    assert not (open_store(scene.root).directory / "journal.json").exists()
    return state


def goes_on(scene: Scene, course: Course, state: str) -> None:
    """What was not done can be done, and what was done can be taken back."""
    scene.command(*(course.words if state == course.before else course.back))
    assert scene.state() in (course.after, "both" if course.name == "undo" else "bare", "both")
    assert scene.recorded() == scene.state()


@courses(2)
@ways("kill", "tear")
def test_a_command_that_is_killed_at_any_call_leaves_all_old_or_all_new(scene, course, way):
    begin(scene, course)
    seen: set[str] = set()
    at = 0
    while True:
        at += 1
        done = scene.broken(course.words, at, way)
        if done.status != -9:
            break
        state = is_whole(scene, course, done)
        seen.add(state)
        goes_on(scene, course, state)
        scene.begin_again()
    assert done.status == 0, done
    assert at > MOMENTS[course.name]
    assert seen == {course.before, course.after}


@courses(2)
@ways("fill", "refuse")
def test_a_disk_that_refuses_any_call_is_said_and_nothing_is_half_written(scene, course, way):
    begin(scene, course)
    at, refused = 0, 0
    while True:
        at += 1
        done = scene.broken(course.words, at, way)
        if len(done.calls) < at:
            break
        assert "defect" not in done.err, done
        assert done.status in (0, 3), done
        if done.status:
            refused += 1
            assert "No space left" in done.err or "Input/output error" in done.err, done
        state = is_whole(scene, course, done)
        assert state == (course.before if done.status else course.after), done
        goes_on(scene, course, state)
        scene.begin_again()
    assert done.status == 0, done
    assert refused > 10


@pytest.mark.lab
@pytest.mark.parametrize("course", COURSES[:2], ids=lambda course: course.name)
def test_a_recovery_that_is_killed_is_recovered_from(scene, course):
    begin(scene, course)
    calls = scene.broken(course.words, 0, "").calls
    scene.begin_again()
    names = ("journal.json", "a.py", "c.py", APPLIED)
    steps = [number for number, call in enumerate(calls, 1) if call.startswith(("rename", "unlink"))]
    ends = [number for number in steps if calls[number - 1].endswith(tuple(f"/{name}" for name in names))]
    assert len(ends) >= 5, "the steps after which a recovery has something to do"
    twice = 0
    for step in ends:
        at = 0
        while True:
            at += 1
            first = scene.broken(course.words, step + 1, "kill")
            second = scene.broken(("runs",), at, "kill")
            if second.status != -9:
                break
            twice += 1
            goes_on(scene, course, is_whole(scene, course, first))
            scene.begin_again()
        scene.begin_again()
    assert twice > 60


@courses(1)
def test_what_a_user_writes_before_the_recovery_stays(scene, course):
    begin(scene, course)
    at, mine = 0, b"mine\n"
    while True:
        at += 1
        done = scene.broken(course.words, at, "kill")
        if done.status != -9:
            break
        (scene.root / "a.py").write_bytes(mine)
        said = scene.command("runs")
        assert scene.files()["a.py"] == mine
        other = scene.files()["pkg/c.py"]
        recorded = scene.recorded()
        assert recorded in (course.before, course.after)
        assert other == STATES[recorded]["pkg/c.py"], (done, said)
        assert scene.beside() == ["a.py", "pkg/c.py", "pyproject.toml"]
        scene.begin_again()


def git(root: Path, *words: str) -> str:
    own = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", "-C", str(root), *own, *words], check=True, capture_output=True, text=True).stdout


COMMIT = ("apply", "--commit")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    ("way", "stride"),
    [
        ("kill", 9),
        pytest.param("kill", 1, marks=pytest.mark.lab),
        pytest.param("kill all", 1, marks=pytest.mark.lab),
        pytest.param("fill", 1, marks=pytest.mark.lab),
    ],
)
def test_a_commit_that_is_broken_off_leaves_a_patch_that_can_be_undone(scene, way, stride):
    """Git goes on where we alone are killed; what it leaves where it is killed too is for its user to remove."""
    git(scene.root, "init", "-q")
    git(scene.root, "config", "user.name", "A")
    git(scene.root, "config", "user.email", "a@example.org")
    git(scene.root, "add", ".")
    git(scene.root, "commit", "-qm", "one")
    first = git(scene.root, "rev-parse", "HEAD")
    scene.keep()
    calls = len(scene.broken(COMMIT, 0, "").calls)
    assert (scene.state(), git(scene.root, "status", "--porcelain", "-uno")) == ("both", "")
    scene.begin_again()
    assert calls > 80
    for at in range(1, calls, stride):
        done = scene.broken(COMMIT, at, way)
        lock = scene.root / ".git" / "index.lock"
        assert "defect" not in scene.command("runs").err
        state = scene.state()
        assert state in ("bare", "both"), done
        assert scene.recorded() == state, done
        assert [name for name in scene.beside() if "repair" in name] == [], done
        committed = git(scene.root, "rev-parse", "HEAD") != first
        assert state == "both" or not committed, done
        assert done.status or committed, done
        lock.unlink(missing_ok=True)
        scene.command(*(COMMIT if state == "bare" else ("undo",)))
        assert scene.recorded() == scene.state() == ("both" if state == "bare" else "bare")
        scene.begin_again()
