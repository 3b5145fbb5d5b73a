"""Private folders for what is passing, and the removal of what killed processes have left behind.

Whoever uses a folder holds a lock on a file in it, which the system lets go when the process is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sandbox.workspace import remove

PREFIX = "repair-"
MARK = "in-use"

MARKING_SECONDS = 60.0
"""A folder whose mark was begun so long ago, and not ended, was left by a process that was killed at that."""


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A fresh folder for a whole run, deleted at the end; those that nobody uses any more go first."""
    _remove_left()
    with passing_folder() as folder:
        yield folder


@contextlib.contextmanager
def passing_folder() -> Iterator[Path]:
    """A fresh folder in the temporary directory, deleted at the end; after a kill the next run deletes it."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / f".{MARK}").open("w") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            (folder / f".{MARK}").rename(folder / MARK)  # only now it can be seen, and it is locked
            yield folder
    finally:
        _remove(folder)


def _remove_left() -> None:
    place, begun = Path(tempfile.gettempdir()), time.time() - MARKING_SECONDS
    for left in (*place.glob(f"{PREFIX}*/{MARK}"), *place.glob(f"{PREFIX}*/.{MARK}")):
        with contextlib.suppress(OSError):  # another process takes it away
            seen = left.lstat()
            young = left.name != MARK and seen.st_mtime > begun
            linked = left.parent.is_symlink()  # somebody else's, to a folder of ours
            if seen.st_uid == os.geteuid() and not young and not linked and _is_left(left):
                _remove(left.parent)


def _remove(folder: Path) -> None:
    """Delete the folder, its mark last: where that is broken off, the rest is found again."""
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                remove(Path(entry))
            elif entry.name != MARK:
                os.unlink(entry)
    remove(folder)


def _is_left(mark: Path) -> bool:
    """Whether nobody holds the lock any more, as after a process that was killed."""
    descriptor = os.open(mark, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
