"""Temporary files of a test, of which a child that goes on with it has a copy for itself, under the same paths.

No privilege is needed, and no call is redirected, so that code in C meets the copy too. While the child runs, its
parent stands still. What the test has made is moved aside and a copy takes its place. Afterwards the copy goes and what
was there comes back: the very files, with their times, and with whatever is open of them. What lay in the folder when
the test began stays where it is: the child may read it.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile

from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_ENTRIES, _MOST_BYTES = 500, 4 << 20
"""Files and folders of which a copy is made, and their bytes."""

_LEVELS, _MOST_SEEN = 3, 5000
"""Levels of folders in which a test may have made something (pytest's own are two), and entries of them."""


class Overlay:
    """A copy over what a test made in the folder, from ``lay`` to ``lift``; ``shared`` is a path in it for others.

    ``aside`` is where its things lie meanwhile.
    """

    def __init__(self, folder: str, shared: str) -> None:
        self._folder, self._shared = os.path.realpath(folder) if folder else "", os.path.realpath(shared)
        self.aside = ""
        self._old: dict[str, bool] | None = None
        self._moved: list[tuple[str, str]] = []

    def begin(self) -> None:
        """A test begins: what lies there now is none of its own."""
        self._old = self._entries() if self._folder else None

    def obstacle(self) -> str:
        """Why no copy is made, in words; ``""`` where one can be."""
        if not self._folder or not is_within(self._shared, self._folder):
            return "its temporary files lie among those of others"
        if self._old is None:
            return "there are too many temporary files"
        entries = size = 0
        waiting = list(self._own(self._folder))
        while waiting:
            path = waiting.pop()
            seen = os.lstat(path)
            entries, size = entries + 1, size + seen.st_size
            if stat.S_ISDIR(seen.st_mode):
                waiting.extend(each.path for each in os.scandir(path))
            elif not (stat.S_ISREG(seen.st_mode) or stat.S_ISLNK(seen.st_mode)):
                return "a temporary file is a pipe or a socket"
            if entries > _MOST_ENTRIES or size > _MOST_BYTES:
                return "its temporary files are too many or too large for a copy"
        return ""

    def lay(self) -> None:
        """Move aside what the test made, and copy it to where it was. Raises ``OSError``, with nothing changed."""
        own = list(self._own(self._folder))
        self.aside = tempfile.mkdtemp(prefix="aside-", dir=self._folder)
        try:
            os.mkdir(self._gone())  # now, since there may be no room for it afterwards
            for number, path in enumerate(own):
                place = os.path.join(self.aside, str(number))
                os.rename(path, place)
                self._moved.append((path, place))
            for path, place in self._moved:
                _copy(place, path)
        except OSError:
            self._bring_back([path for path, _ in self._moved if os.path.lexists(path)])
            raise

    def lift(self) -> None:
        """Take away what was made there meanwhile, and bring back what the test had made. It needs no room."""
        self._bring_back([path for path in self._own(self._folder) if path != self.aside])

    def _bring_back(self, made: list[str]) -> None:
        """Put what was moved in the place of what was made. Raises ``OSError`` where some of it has to stay aside."""
        for number, path in enumerate(made):
            try:
                os.rename(path, os.path.join(self._gone(), str(number)))
            except OSError:
                _delete(path)
        moved, self._moved, refused = self._moved, [], None
        for path, place in moved:
            try:
                os.rename(place, path)
            except OSError as problem:
                refused = problem
        _delete(self._gone())
        if refused is not None:
            raise refused
        _delete(self.aside)
        self.aside = ""

    def _gone(self) -> str:
        return os.path.join(self.aside, "gone")

    def copy_of(self, descriptor: int) -> str:
        """The path of the copy of what is open there; ``""`` where it has none."""
        try:
            return self._at_its_place(os.readlink("/proc/self/fd/%d" % descriptor))
        except OSError:
            return ""

    def enter(self) -> None:
        """In the child: let the current folder be in the copy, where it was in what the test made."""
        path = self._at_its_place(os.getcwd())
        if path:
            os.chdir(path)

    def may_write(self, path: str) -> bool:
        """Whether the child may write there: it lies in the folder, and was not there when the test began."""
        if not is_within(path, self._folder) or is_within(path, self.aside):
            return False
        inner = os.path.relpath(path, self._folder).split(os.sep)[:_LEVELS]
        place = os.path.join(self._folder, *inner)
        return path != self._folder and place not in (self._old or ())

    def _at_its_place(self, path: str) -> str:
        for own, place in self._moved:
            if is_within(path, place):
                copied = os.path.normpath(os.path.join(own, os.path.relpath(path, place)))
                return copied if os.path.exists(copied) else ""
        return ""

    def _entries(self) -> dict[str, bool] | None:
        """The paths in the upper levels, and whether each is a folder; ``None`` where they are too many."""
        found: dict[str, bool] = {}
        level = [self._folder]
        for _ in range(_LEVELS):
            inner = [each for folder in level for each in _listed(folder) if each.path != self._shared]
            found.update((each.path, each.is_dir(follow_symlinks=False)) for each in inner)
            if len(found) > _MOST_SEEN:
                return None
            level = [each.path for each in inner if each.is_dir(follow_symlinks=False)]
        return found

    def _own(self, folder: str) -> Iterator[str]:
        """What was not there when the test began: the uppermost paths."""
        known = self._old or {}
        for each in _listed(folder):
            if each.path != self._shared and each.path not in known:
                yield each.path
            elif known.get(each.path) and folder.count(os.sep) < self._folder.count(os.sep) + _LEVELS - 1:
                yield from self._own(each.path)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:  # it may not be read
        return []


def _delete(path: str) -> None:
    """Delete whatever is there, as far as it can be. A folder that nobody may write is made writable first."""
    if os.path.isdir(path) and not os.path.islink(path):
        _open_folders(path)
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.unlink(path)
    except OSError:
        pass


def _open_folders(path: str) -> None:
    try:
        os.chmod(path, 0o700)
        inner = [each.path for each in os.scandir(path) if each.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for folder in inner:
        _open_folders(folder)


def _copy(source: str, path: str) -> None:
    if os.path.islink(source):
        os.symlink(os.readlink(source), path)
    elif os.path.isdir(source):
        try:
            shutil.copytree(source, path, symlinks=True)
        except shutil.Error as problem:  # what it says of each file
            raise OSError(str(problem)[:200]) from problem
    else:
        shutil.copy2(source, path)
