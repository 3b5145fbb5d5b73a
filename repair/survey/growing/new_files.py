"""Files of grown tests: where they lie, what marks them as grown, and how they come to a folder of the user's."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from analysis.errors import UsageError
from repair.store.atomic import NO_LINKS, replace_file, stage, sync_directory

MARK = "# Grown by repair tests grow: "
"""What the first line begins with; a digest of the rest follows, so that an edit is seen."""


def marked(text: str) -> str:
    """The text under a first line that says who wrote it."""
    return f"{MARK}{_digest(text)}\n{text}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def free_path(folder: str, module: str, taken: Collection[str], *, failing: bool = False) -> str:
    """A path for the tests of a module that no file has: ``tests/test_grown_shop.py``."""
    name = f"test_{'findings' if failing else 'grown'}_{module.replace('.', '_') or 'module'}"
    paths = (str(PurePosixPath(folder, f"{name}{end}.py")) for end in ("", *(f"_{n}" for n in range(2, 10_000))))
    return next(path for path in paths if path not in taken)


def folder_below(root: str, named: str, cwd: Path) -> str:
    """The folder as a path below the root; raises ``UsageError`` for one that lies elsewhere, links followed."""
    place = os.path.realpath(cwd / named)
    relative = os.path.relpath(place, os.path.realpath(root))
    if relative.startswith("..") or os.path.isabs(relative):
        raise UsageError(
            f"{named} lies outside the project",
            where="--write",
            remedy="Name a folder in the project: tests are run where they will lie.",
        )
    nearest = next(each for each in (Path(place), *Path(place).parents) if os.path.lexists(each))
    if not nearest.is_dir():
        raise UsageError(f"{named} is no folder", where="--write", remedy="Name a folder for the new files.")
    return Path(relative).as_posix()


def write_new(root: str, path: str, text: str) -> None:
    """Put a new file there, whole or not at all. Raises ``UsageError`` where one lies there, whoever wrote it.

    A file system without second names gets an empty file first, which takes the name: whoever is killed then leaves it.
    """
    place = Path(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if os.path.realpath(place.parent) != os.path.join(os.path.realpath(root), *PurePosixPath(path).parent.parts):
        raise UsageError(f"{place.parent} became a link", where="--write", remedy="Look who changed it, and run again.")
    temporary = place.with_name(f".{place.name}.{os.getpid()}.repair-tmp")
    stage(temporary, text.encode())
    try:
        _take_name(temporary, place)
    except FileExistsError as problem:
        raise UsageError(
            f"{path} lies there already", where="--write", remedy="Move it, or name another folder."
        ) from problem
    finally:
        temporary.unlink(missing_ok=True)
    sync_directory(place.parent)


def replace_grown(root: str, path: str, before: bytes, text: str) -> None:
    """Put the marked text in the place of a file of grown tests. Raises ``UsageError`` where it is another one by now.

    Any crash leaves the old or the new file.
    """
    place = Path(root, path)
    if os.path.realpath(place) != os.path.join(os.path.realpath(root), *PurePosixPath(path).parts):
        raise UsageError(f"{path} is a link, or lies behind one", where="--write", remedy="Heal the file itself.")
    if not place.is_file() or place.read_bytes() != before:
        raise UsageError(f"{path} changed meanwhile", where="--write", remedy="Look who changed it, and run again.")
    replace_file(place, marked(text).encode())


def _take_name(temporary: Path, place: Path) -> None:
    """Give the file its name; raises ``FileExistsError`` where another one has it."""
    try:
        os.link(temporary, place)
    except OSError as problem:
        if problem.errno not in NO_LINKS:
            raise
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        os.replace(temporary, place)
