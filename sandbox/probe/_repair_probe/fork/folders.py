"""Where forked children keep their temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile

_used: list[str] = []


def own_folder() -> str:
    """The folder that this process was given for its temporary files; ``""`` for none."""
    return _used[-1] if _used else ""


class Folder:
    """A folder for one child's temporary files, made once and emptied only after those who used it."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="fork-")
        self._mark()

    def use(self) -> None:
        """Let temporary files of this process lie here."""
        os.environ["TMPDIR"] = tempfile.tempdir = self.path
        _used[:] = [self.path]

    def clear(self) -> None:
        """Empty it, if it was used."""
        try:
            if os.stat(self.path).st_mtime_ns == 0:
                return
        except OSError:
            pass
        shutil.rmtree(self.path, ignore_errors=True)
        os.makedirs(self.path, 0o700, exist_ok=True)
        self._mark()

    def _mark(self) -> None:
        """A time that no change gives: the clock of files may stand still for some milliseconds."""
        os.utime(self.path, (0, 0))
