"""A private folder for the copies of one run, and the removal of what killed runs have left behind.

Whoever uses a folder holds a lock on a file in it, which the system lets go when the process is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sandbox.workspace import remove

PREFIX = "repair-"
MARK = "in-use"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A fresh folder in the temporary directory, deleted at the end; those that nobody uses any more go first."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{MARK}"):
        with contextlib.suppress(OSError):
            if left.lstat().st_uid == os.geteuid() and _is_left(left):
                remove(left.parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / f".{MARK}").open("w") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            (folder / f".{MARK}").rename(folder / MARK)  # only now it can be seen, and it is locked
            yield folder
    finally:
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
