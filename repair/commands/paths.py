"""Where a command works: the root of the project, and what was typed as paths below it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import UsageError

MARKERS = ("pyproject.toml", "repair.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini")
"""Files that make a folder a project. No ``.git``: a home under version control is not one."""

PROGRAMS = ("*.py", "*/*.py", "src/*/*.py")
"""What a folder holds that is a project without such a file."""


def find_root(cwd: Path, named: str | None, *, anywhere: bool = False) -> Path:
    """The project: the folder named, else the nearest one around with a project file, else the current one."""
    if named is not None:
        root = Path(os.path.abspath(cwd / named))
        if not root.is_dir():
            raise UsageError(
                "The root is not a directory", where=str(root), remedy="Name the project's folder with --root."
            )
        return root
    around = (folder for folder in (cwd, *cwd.parents) if any((folder / name).is_file() for name in MARKERS))
    nearest = next(around, None)
    if nearest is None and not anywhere and not any(next(cwd.glob(pattern), None) for pattern in PROGRAMS):
        raise UsageError("No Python project here", where=str(cwd), remedy="Go to its folder, or name it with --root.")
    return nearest or cwd


def read_words(
    cwd: Path, root: str, given: Sequence[str], *, as_tests: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and folders relative to the root, or node ids in them, and what follows ``--``, which is pytest's.

    Raises ``UsageError`` for a file that does not exist; whether a test exists, only its collection tells.
    """
    first = next((n for n, word in enumerate(given) if word.startswith("-")), len(given))
    found = []
    for word in given[:first]:
        file, separator, rest = word.partition("::") if as_tests else (word, "", "")
        place = _find_below(cwd, root, file)
        if place is None and as_tests:
            raise UsageError(
                f"No file {file!r}, so no test {word!r}", where=root, remedy="Give node ids as pytest prints them."
            )
        if place is None:
            raise UsageError(
                f"There is no {word!r}", where=root, remedy="Name files or folders of the program or of its tests."
            )
        found.append(place + separator + rest)
    return tuple(found), tuple(given[first:])


def read_words_or_names(
    cwd: Path, root: str, given: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The files and folders, the words that are none (they name functions), and what follows ``--``.

    A word with a slash in it that names nothing is a ``UsageError``.
    """
    first = next((n for n, word in enumerate(given) if word.startswith("-")), len(given))
    places = {word: _find_below(cwd, root, word) for word in given[:first]}
    missing = [word for word, place in places.items() if place is None and ":" not in word and "/" in word]
    if missing:
        read_words(cwd, root, missing)
    names = tuple(word for word, place in places.items() if place is None)
    return tuple(place for place in places.values() if place is not None), names, tuple(given[first:])


def _find_below(cwd: Path, root: str, file: str) -> str | None:
    """The path relative to the root, as seen from where the command was typed; ``None`` where nothing is there."""
    folders = (cwd, Path(root))
    if Path(root) not in (cwd, *cwd.parents):
        folders = (Path(root), cwd)  # a root that was named from elsewhere
    found = next((folder / file for folder in folders if (folder / file).exists()), None)
    if found is None:
        return None
    relative = os.path.relpath(os.path.realpath(found), os.path.realpath(root))
    if relative.startswith(".."):
        raise UsageError(f"{file} lies outside the project", where=root, remedy="Name its project with --root.")
    return relative
