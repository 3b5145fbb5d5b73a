import errno
import hashlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from analysis.errors import UsageError
from repair.survey.making.placing import own_files, place_folder, refuse_folder, remove_left

FILES = (("a.py", b"x = 1\n"), ("tests/test_a.py", b"import a\n"), *own_files("TASK.md", "A task.\n"))
ROOT = Path(__file__).parents[4]


def found_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("is_there", [False, True])
def test_all_files_come_into_a_new_or_an_empty_folder(tmp_path, is_there):
    out = tmp_path / "made"
    if is_there:
        out.mkdir()
    place_folder(out, FILES)
    assert found_in(out) == dict(FILES)
    assert os.listdir(tmp_path) == ["made"]


def test_a_folder_that_holds_something_is_refused_and_kept(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        place_folder(tmp_path, FILES)
    assert found_in(tmp_path) == {"mine.txt": b"mine"}


def test_links_files_and_missing_places_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    for name, said in (("file", "is a file"), ("link", "is a link"), ("dead", "is a link"), ("no/where", "no folder")):
        with pytest.raises(UsageError, match=said):
            refuse_folder(tmp_path / name)


def test_who_was_quicker_is_not_overwritten(tmp_path, monkeypatch):
    out = tmp_path / "made"
    rename = os.rename

    def late(source, target):
        out.mkdir()
        (out / "theirs.txt").write_text("theirs")
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    with pytest.raises(UsageError, match="cannot be written"):
        place_folder(out, FILES)
    assert found_in(tmp_path) == {"made/theirs.txt": b"theirs"}


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from repair.survey.making import placing
steps = iter(range(10_000))
def watch(event, args):
    if event in ("open", "os.mkdir", "os.rename", "os.chmod") and next(steps) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
files = tuple((f"m{n}.py", b"x = 1\\n" * 50) for n in range(4))
out = Path(sys.argv[2])
sys.addaudithook(watch)
placing.place_folder(out, files)
"""


def test_a_run_that_is_killed_at_any_step_leaves_the_folder_whole_or_not_at_all(tmp_path):
    script = tmp_path / "place.py"
    script.write_text(textwrap.dedent(KILLED))
    ends, number = [], 0
    while not ends or ends[-1] != 0:
        place = tmp_path / str(number)
        place.mkdir()
        out = place / "made"
        run = subprocess.run([sys.executable, script, ROOT, out, str(number)], check=False, timeout=60)
        ends.append(run.returncode)
        assert not out.exists() or len(found_in(out)) == 4
        remove_left(out)
        assert os.listdir(place) in ([], ["made"])
        number += 1
    assert set(ends[:-1]) == {-signal.SIGKILL}
    assert len(ends) > 8


def test_what_a_run_under_way_has_written_stays(tmp_path):
    name = f".{hashlib.sha256(b'made').hexdigest()[:12]}"
    other, left = (tmp_path / f"{name}.{number}.repair-tmp" for number in (os.getppid(), 99_999_999))
    other.mkdir()
    left.mkdir()
    remove_left(tmp_path / "made")
    assert (other.is_dir(), left.exists()) == (True, False)


def test_a_long_name_is_placed_and_one_that_is_too_long_is_refused_before_anything_is_asked(tmp_path):
    out = tmp_path / ("a" * 255)
    place_folder(out, FILES)
    assert found_in(out) == dict(FILES)
    for length in (256, 300, 5000):
        with pytest.raises(UsageError, match="cannot be made: File name too long"):
            refuse_folder(tmp_path / ("a" * length))
    assert os.listdir(tmp_path) == ["a" * 255]


def test_a_place_in_which_nothing_can_be_made_is_refused_at_once(tmp_path, monkeypatch):
    def full(path, mode=0o777):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(UsageError, match="cannot be made: No space left"):
        refuse_folder(tmp_path / "made")
