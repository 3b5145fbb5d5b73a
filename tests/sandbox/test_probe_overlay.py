"""Temporary files of a test come back to it whole, whatever became of the disk meanwhile."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from fakes.small_disk import OBSTACLE, SmallDisk

from sandbox.request import PROBE

SCRIPT = """
import os, sys
from _repair_probe.fork.overlay import Overlay

folder, what = sys.argv[1:]
own = os.path.join(folder, "pytest-0", "test_a0")
os.makedirs(own)
shared = os.path.join(folder, "shared")
overlay = Overlay(folder, shared)
overlay.begin()
for name, text in (("one.txt", "one" * 3000), ("two.txt", "two" * 3000)):
    with open(os.path.join(own, name), "w") as file:
        file.write(text)
os.mkdir(os.path.join(own, "deep"))
os.symlink("one.txt", os.path.join(own, "link"))
before = {name: os.lstat(os.path.join(own, name)) for name in os.listdir(own)}

def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            pass

if what == "before":
    fill(os.path.join(own, "fill"))
    before["fill"] = os.lstat(os.path.join(own, "fill"))
try:
    overlay.lay()
    laid = True
except OSError:
    laid = False
if what == "meanwhile":
    assert laid
    with open(os.path.join(own, "one.txt"), "w"):
        pass
    os.unlink(os.path.join(own, "two.txt"))
    fill(os.path.join(own, "fill"))
    try:
        for number in range(3000):  # no file, and no folder, can be made any more
            os.mkdir(os.path.join(own, str(number)))
    except OSError:
        pass
if laid:
    overlay.lift()
print("laid" if laid else "refused")
assert {name: os.lstat(os.path.join(own, name)).st_ino for name in os.listdir(own)} == {
    name: found.st_ino for name, found in before.items()
}, os.listdir(own)
for name, text in (("one.txt", "one" * 3000), ("two.txt", "two" * 3000)):
    with open(os.path.join(own, name)) as file:
        assert file.read() == text
assert sorted(os.listdir(folder)) == ["pytest-0"], os.listdir(folder)
"""


@pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE)
@pytest.mark.parametrize(("what", "said"), [("", "laid"), ("before", "refused"), ("meanwhile", "laid")])
def test_files_come_back_on_a_disk_that_is_full(tmp_path, what, said):
    with SmallDisk(tmp_path / "disk", 128 << 10) as disk:
        done = disk.run(
            sys.executable,
            "-c",
            SCRIPT,
            str(disk.folder / "."),
            what,
            cwd=Path("/"),
            env={**os.environ, "PYTHONPATH": str(PROBE)},
        )
    assert (done.status, done.out.strip()) == (0, said), done.err


def test_a_move_that_fails_leaves_what_was_not_moved(tmp_path):
    """What could not be moved aside is the test's own, and no copy that may go."""
    script = SCRIPT.replace(
        "try:\n    overlay.lay()",
        "rename = os.rename\n"
        "def once(source, to):\n"
        "    if source.endswith('two.txt') or source.endswith('deep'):\n"
        "        raise OSError(28, 'No space left on device')\n"
        "    rename(source, to)\n"
        "os.rename = once\n"
        "try:\n    overlay.lay()",
    )
    assert script != SCRIPT
    env = {**os.environ, "PYTHONPATH": str(PROBE)}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), ""], env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "refused"), done.stderr


def test_folders_that_nobody_may_write_come_back_and_their_copies_go():
    script = SCRIPT.replace(
        'os.mkdir(os.path.join(own, "deep"))\n',
        'os.mkdir(os.path.join(own, "deep"))\n'
        'os.mkdir(os.path.join(own, "deep", "sealed"))\n'
        'open(os.path.join(own, "deep", "sealed", "file"), "w").close()\n'
        'os.chmod(os.path.join(own, "deep", "sealed"), 0o555)\n',
    )
    script = script.replace("\nfolder, what", "\nos.getuid() or os.setuid(65534)\nfolder, what", 1)
    script += 'assert os.stat(os.path.join(own, "deep", "sealed")).st_mode & 0o777 == 0o555\n'
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are shut to another user
        os.chmod(folder, 0o777)
        env = {**os.environ, "PYTHONPATH": str(PROBE)}
        done = subprocess.run(
            [sys.executable, "-B", "-c", script, folder, ""], env=env, capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stdout.strip()) == (0, "laid"), done.stderr
