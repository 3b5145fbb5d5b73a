"""What lies in the files that forks can write to, as a digest: two that are equal say that nothing was left there."""

from __future__ import annotations

import hashlib
import os

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FORK = "fork-"


class Left:
    """The copy, the home and temporary folders of this run, and ``private`` ones that a jail has for itself."""

    def __init__(self, root: str, private: Iterable[str], environ: Mapping[str, str] = os.environ) -> None:
        self._tmp = os.path.realpath(environ["TMPDIR"])
        self._own = [os.path.realpath(root), os.path.realpath(environ["HOME"]), self._tmp]
        self._folders = [*self._own, *(folder for folder in private if os.path.isdir(folder))]

    def digest(self) -> str:
        """Names, kinds, sizes and times of all of it; what forks have for themselves, and mounts, are left out."""
        found = hashlib.sha256()
        for folder in self._folders:
            self._walk(folder, found)
        return found.hexdigest()

    def _walk(self, folder: str, found: hashlib._Hash) -> None:
        device = os.stat(folder).st_dev
        pending = [folder]
        while pending:
            here = pending.pop()
            try:
                with os.scandir(here) as entries:
                    children = sorted(entries, key=lambda child: child.name)
            except OSError as problem:  # a trial may have closed it, which shows in the folder itself
                found.update(repr((here, problem.errno)).encode())
                continue
            for child in children:
                if self._is_passed_over(here, child):
                    continue
                seen = child.stat(follow_symlinks=False)
                told = child.path, seen.st_mode, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
                found.update(os.fsencode(repr(told)))
                if child.is_dir(follow_symlinks=False) and seen.st_dev == device:
                    pending.append(child.path)

    def _is_passed_over(self, here: str, child: os.DirEntry[str]) -> bool:
        """A fork's own folder, and what leads to our folders and so changes with those."""
        if here == self._tmp and child.name.startswith(_FORK):
            return True
        return any(own == child.path or own.startswith(child.path + os.sep) for own in self._own)
