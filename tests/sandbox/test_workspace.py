"""Copies are whole, private and disposable; nothing is written through a link or outside."""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
import time
from pathlib import Path

import pytest

from analysis.errors import TargetError, UsageError
from sandbox.workspace import copy_snapshot, overlay, remove, take_snapshot


@pytest.fixture
def original(tmp_path, write) -> Path:
    root = write(
        tmp_path / "p",
        {
            "pkg/mod.py": "X = 1\n",
            "pkg/__pycache__/mod.pyc": "stale",
            ".git/HEAD": "ref",
            ".repair/runs/x": "",
            "env/pyvenv.cfg": "",
            "env/lib/python/site.py": "",
            "node_modules/a.js": "",
            ".hypothesis/examples/x": "kept",
            "a b/näme.txt": "kept",
        },
    )
    (root / "empty").mkdir()
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o555)
    return root


def tree(root: Path) -> set[str]:
    return {str(p.relative_to(root)) for p in root.rglob("*")}


def test_a_copy_has_the_project_and_not_its_leavings(original, tmp_path):
    snapshot = take_snapshot(str(original), tmp_path / "m")
    copy_snapshot(snapshot, tmp_path / "c")
    expected = {"pkg", "pkg/mod.py", ".hypothesis", ".hypothesis/examples", ".hypothesis/examples/x"}
    assert tree(tmp_path / "c") == expected | {"a b", "a b/näme.txt", "empty", "run.sh"}
    assert stat.S_IMODE((tmp_path / "c/run.sh").stat().st_mode) & 0o711 == 0o711
    assert snapshot.sources() == (("pkg/mod.py", b"X = 1\n"),)


def test_two_copies_share_nothing(original, tmp_path):
    snapshot = take_snapshot(str(original), tmp_path / "m")
    copy_snapshot(snapshot, tmp_path / "c1", (("pkg/mod.py", b"X = 2\n"),))
    (tmp_path / "c1/run.sh").write_text("changed")
    copy_snapshot(snapshot, tmp_path / "c2")
    assert (tmp_path / "c2/pkg/mod.py").read_bytes() == b"X = 1\n"
    assert (tmp_path / "c2/run.sh").read_text() == "#!/bin/sh\n"
    assert (original / "run.sh").read_text() == "#!/bin/sh\n"


def test_links_stay_inside_or_lose_their_way_out(original, tmp_path):
    outside = tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "file").write_text("theirs")
    (original / "inside").symlink_to(original / "pkg/mod.py")
    (original / "pkg/up").symlink_to("../run.sh")
    (original / "file").symlink_to(outside / "file")
    (original / "folder").symlink_to(outside / "folder")
    (original / "gone").symlink_to("nowhere")
    (original / "self").symlink_to(".")
    copy_snapshot(take_snapshot(str(original), tmp_path / "m"), tmp_path / "c")
    copy = tmp_path / "c"
    assert (copy / "inside").resolve() == copy / "pkg/mod.py"
    assert (copy / "pkg/up").resolve() == copy / "run.sh"
    (copy / "file").write_text("ours")
    assert (outside / "file").read_text() == "theirs"
    assert (copy / "folder").resolve() == outside / "folder"
    assert os.readlink(copy / "gone") == "nowhere"
    assert (copy / "self").resolve() == copy


@pytest.mark.parametrize("private", [".ssh/key", ".netrc", "passwords.txt", ".config/gh/hosts.yml"])
def test_links_to_private_files_are_left_out(original, tmp_path, monkeypatch, private):
    """A stranger's link would carry them into the copy, where every test can read them."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in (private, "code/shared/data.txt"):
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_text("theirs")
    (original / "stolen").symlink_to(tmp_path / "home" / private)
    (original / "shared").symlink_to(tmp_path / "home/code/shared/data.txt")
    (original / "machine").symlink_to("/etc/passwd")
    snapshot = take_snapshot(str(original), tmp_path / "m")
    copy_snapshot(snapshot, tmp_path / "c")
    assert snapshot.private == ("machine", "stolen")
    assert not os.path.lexists(tmp_path / "c/stolen")
    assert (tmp_path / "c/shared").read_text() == "theirs"
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))  # the control: so it was, whatever the link led to
    assert "stolen" in [entry.path for entry in take_snapshot(str(original), tmp_path / "n").entries]


def test_special_and_unreadable_files_are_left_out(original, tmp_path, monkeypatch):
    os.mkfifo(original / "pipe")
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path) and allowed(path, mode))
    (original / "locked").mkdir()
    (original / "locked.py").touch()
    snapshot = take_snapshot(str(original), tmp_path / "m")
    copy_snapshot(snapshot, tmp_path / "c")
    assert not any((tmp_path / "c" / name).exists() for name in ("pipe", "locked", "locked.py"))
    assert snapshot.unreadable == ("locked", "locked.py")


def test_a_copy_inside_the_project_is_not_copied_into_itself(original):
    snapshot = take_snapshot(str(original), original / "scratch/m")
    assert not [e for e in snapshot.entries if e.path.startswith("scratch/m")]


def test_stale_names_what_changed_or_vanished(original, tmp_path, write):
    write(original, {"pkg/other.py": "Y = 1\n"})
    snapshot = take_snapshot(str(original), tmp_path / "m")
    os.utime(original / "pkg/mod.py", (1, 1))
    assert snapshot.stale_files() == ()
    (original / "pkg/mod.py").write_text("X = 9\n")
    (original / "pkg/other.py").unlink()
    assert snapshot.stale_files() == ("pkg/mod.py", "pkg/other.py")


@pytest.mark.parametrize("path", ["../x.py", "/etc/x.py", "a/../../x.py", "", "link/x.py", "pkg/\0.py"])
def test_an_overlay_cannot_leave_the_copy(original, tmp_path, path):
    (tmp_path / "elsewhere").mkdir()
    (original / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        overlay(original, path, b"")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_files_that_have_no_place_in_the_project_of_today_are_told_apart(original, tmp_path):
    (original / "link").symlink_to(tmp_path / "p" / "pkg")
    (original / "folder.py").mkdir()
    (original / "link.py").symlink_to("run.sh")
    snapshot = take_snapshot(str(original), tmp_path / "m")
    good = ("pkg/mod.py", "new/deep/file.py", "pkg/new.py", "link.py", "top.py")
    bad = ("../x.py", "/etc/x.py", "a/../../x.py", "link/x.py", "run.sh/x.py", "pkg/mod.py/x.py", "folder.py")
    bad = (*bad, "top.py/x.py", f"{'n' * 300}.py")
    kept = snapshot.that_fit(tuple((path, b"X = 1\n") for path in (*bad, *good)))
    assert tuple(path for path, _ in kept) == good
    copy_snapshot(snapshot, tmp_path / "c", kept)
    for path in bad:
        with pytest.raises((UsageError, OSError)):
            overlay(tmp_path / "c", path, b"")


def test_an_overlay_replaces_a_link_and_keeps_the_mode(original, tmp_path):
    (tmp_path / "theirs").write_text("theirs")
    (original / "link.py").symlink_to(tmp_path / "theirs")
    overlay(original, "link.py", b"ours")
    overlay(original, "run.sh", b"new")
    overlay(original, "new/deep/file.py", b"new")
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert (original / "link.py").read_text() == "ours"
    assert stat.S_IMODE((original / "run.sh").stat().st_mode) == 0o555


def test_removing_copes_with_locked_folders(tmp_path):
    locked = tmp_path / "c/a/b"
    locked.mkdir(parents=True)
    (locked / "f").write_text("")
    locked.chmod(0)
    remove(tmp_path / "c")
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("name", ["nothing", "file"])
def test_no_project_is_a_clear_error(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(TargetError, match="no such project directory"):
        take_snapshot(str(tmp_path / name), tmp_path / "m")


def test_a_real_library_is_copied_quickly(tmp_path):
    """The source tree of pytest: some two hundred files."""
    found = importlib.util.find_spec("_pytest")
    shutil.copytree(Path(found.origin).parent, tmp_path / "p", ignore=shutil.ignore_patterns("__pycache__"))
    snapshot = take_snapshot(str(tmp_path / "p"), tmp_path / "m")
    assert len(snapshot.digests) > 60
    best = min(_timed_copy(snapshot, tmp_path / f"c{n}") for n in range(5))
    assert best < 2.0


def _timed_copy(snapshot, to: Path) -> float:
    began = time.perf_counter()
    copy_snapshot(snapshot, to)
    return time.perf_counter() - began


@pytest.mark.parametrize("there", [False, True])
def test_removing_leaves_what_is_round_the_copy(tmp_path, there):
    around = tmp_path / "around"
    around.mkdir()
    around.chmod(0o1777)
    if there:
        (around / "copy" / "closed").mkdir(parents=True)
        (around / "copy" / "closed").chmod(0)
    remove(around / "copy")
    assert stat.S_IMODE(around.stat().st_mode) == 0o1777
    assert list(around.iterdir()) == []
