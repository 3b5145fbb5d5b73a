"""Private folders: gone at the end, whoever ended; those of others in use stay."""

import subprocess
import sys
import tempfile

import pytest

from sandbox.scratch import MARK, scratch_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_gone_at_the_end_even_where_its_owner_made_it_unwritable(temporary):
    with scratch_folder() as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("x")
        (folder / "deep").chmod(0o500)
    assert list(temporary.iterdir()) == []


def test_folders_in_use_stay(temporary):
    with scratch_folder() as one, scratch_folder() as other:
        assert one != other
        assert (one / MARK).exists()


def test_what_a_killed_process_left_goes_with_the_next(temporary):
    code = "import os, sandbox.scratch as s; c = s.scratch_folder(); c.__enter__(); os._exit(9)"
    env = {"TMPDIR": str(temporary)}
    subprocess.run([sys.executable, "-E", "-P", "-c", code], env=env, check=False)
    assert len(list(temporary.iterdir())) == 1
    with scratch_folder() as folder:
        assert list(temporary.iterdir()) == [folder]


def test_folders_of_others_with_the_same_prefix_stay(temporary):
    (temporary / "repair-notes").mkdir()
    (temporary / "repair-link").mkdir()
    (temporary / "repair-link" / MARK).symlink_to(temporary / "repair-notes")
    with scratch_folder():
        assert (temporary / "repair-notes").exists()
        assert (temporary / "repair-link").exists()


def test_a_link_to_a_folder_of_ours_is_not_followed(temporary, tmp_path_factory):
    ours = tmp_path_factory.mktemp("ours")
    (ours / MARK).write_text("")
    (ours / "notes.txt").write_text("precious")
    (temporary / "repair-link").symlink_to(ours)
    with scratch_folder():
        assert (ours / "notes.txt").read_text() == "precious"
        assert (ours / MARK).exists()
