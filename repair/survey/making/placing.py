"""The new folder: what may not be there before, which files of ours go with a program, and how all come there at once.

The files are written beside the folder, under a name that says so, and that folder is renamed. So whoever is killed
leaves the folder whole, or not at all; what lies beside it is removed by the next run.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import Files
from repair.store.atomic import WAITING, sha256, stage, sync_directory
from sandbox.workspace import remove

PROJECT = "pyproject.toml"
_SETTINGS = b"""\
[tool.pytest.ini_options]
addopts = "--import-mode=importlib"
pythonpath = ["."]
testpaths = ["tests"]
"""


def own_files(name: str, text: str) -> Files:
    """What is written beside a program: the task, which its tests quote, and how pytest finds both."""
    return ((PROJECT, _SETTINGS), (name, text.encode()))


def refuse_folder(out: Path) -> None:
    """Raise ``UsageError`` where the folder is a link, a file, or holds anything; or where none can be made there."""
    try:
        _refuse_place(out)
        probe = _temporary(out)
        probe.mkdir()
        probe.rmdir()
        if len(out.name.encode()) > os.pathconf(out.parent, "PC_NAME_MAX"):
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    except OSError as problem:
        raise UsageError(
            f"{out} cannot be made: {problem.strerror}", where="--out", remedy="Name another folder."
        ) from problem


def _temporary(out: Path) -> Path:
    """Where the files wait beside the folder: a name of a few letters, whatever the length of the other."""
    return out.with_name(f"{_waiting(out)}{os.getpid()}{WAITING}")


def _waiting(out: Path) -> str:
    return f".{sha256(os.fsencode(out.name))[:12]}."


def _refuse_place(out: Path) -> None:
    if out.is_symlink():
        raise UsageError(f"{out} is a link", where="--out", remedy="Name a folder that is not there, or an empty one.")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file", where="--out", remedy="Name a folder that is not there, or an empty one.")
    if out.is_dir() and any(out.iterdir()):
        raise UsageError(
            f"{out} is not empty", where="--out", remedy="Name a folder that is not there, or an empty one."
        )
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent} is no folder", where="--out", remedy="Make it first, or name another one.")
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise UsageError(f"Nothing can be written in {out.parent}", where="--out", remedy="Name another folder.")


def place_folder(out: Path, files: Files) -> None:
    """Put the files into the folder, all at once. Raises ``UsageError`` where somebody else was quicker."""
    remove_left(out)
    refuse_folder(out)
    temporary = _temporary(out)
    try:
        write_tree(temporary, files)
        os.rename(temporary, out)  # onto nothing, or an empty folder: the system refuses all else
    except OSError as problem:
        raise UsageError(
            f"{out} cannot be written: {problem.strerror}",
            where="--out",
            remedy="Name a folder that is not there, or an empty one.",
        ) from problem
    finally:
        remove(temporary)
    sync_directory(out.parent)


def remove_left(out: Path) -> None:
    """Delete what killed runs have left beside the folder: those whose process is gone."""
    for left in out.parent.glob(f"{_waiting(out)}*{WAITING}"):
        number = left.name.removesuffix(WAITING).rpartition(".")[2]
        if left.is_dir() and not left.is_symlink() and number.isdigit() and not _is_alive(int(number)):
            remove(left)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def write_tree(folder: Path, files: Files) -> None:
    """Write the files durably into a new folder; their paths have been found to lie in it."""
    folder.mkdir()
    for path, content in files:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        stage(place, content)
    for each in sorted({(folder / path).parent for path, _ in files} | {folder}):
        sync_directory(each)
