"""Lines that coverage.py has recorded, from a ``.coverage`` file or from what ``coverage json`` writes."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from coverage import CoverageData
from coverage.exceptions import CoverageException

from analysis.errors import UsageError
from analysis.lines import Lines

_MOST_LINE = 1_000_000


def read_coverage(file: Path, root: Path, paths: Iterable[str]) -> dict[str, Lines]:
    """The recorded lines of those of the project's files that the data knows.

    The data may be from another checkout: a file is found by the longest end that its path has in common with one of
    ours. Raises ``UsageError`` for what cannot be read, and where none of the files is known.
    """
    try:
        content = file.read_bytes() if not file.exists() or file.is_file() else b""
    except OSError as problem:
        raise UsageError(
            f"The coverage data cannot be read: {problem.strerror}",
            where=str(file),
            remedy="Name a .coverage file, or what `coverage json` writes.",
        ) from problem
    recorded = _from_json(file, content) if content.lstrip()[:1] == b"{" else _from_database(file)
    found = _placed(recorded, root, tuple(paths))
    if not found:
        raise UsageError(
            "The coverage data knows none of the program's files",
            where=str(file),
            remedy="Make it with the sources of this project.",
        )
    return found


def _from_json(file: Path, content: bytes) -> dict[str, Lines]:
    try:
        files: Any = json.loads(content)["files"]
        return {str(path): _lines(said["executed_lines"]) for path, said in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise _unreadable(file, f"{type(problem).__name__}: {problem}") from problem


def _from_database(file: Path) -> dict[str, Lines]:
    """From a copy: whoever opens such a file may write to it."""
    try:
        with tempfile.TemporaryDirectory(prefix="repair-coverage-") as folder:
            copy = shutil.copyfile(file, Path(folder, "data"))
            _refuse_programs(copy)
            data = CoverageData(basename=str(copy))
            data.read()
            found = {path: _lines(data.lines(path) or ()) for path in data.measured_files()}
            data.close()
            return found
    except (CoverageException, sqlite3.Error, OSError, ValueError) as problem:
        raise _unreadable(file, str(problem).rpartition(": ")[2]) from problem


def _refuse_programs(copy: Path) -> None:
    """Raise where the database holds more than tables: a view may be a program that never ends."""
    with contextlib.closing(sqlite3.connect(copy)) as database:
        kinds = {kind for (kind,) in database.execute("SELECT type FROM sqlite_master")}
    if not kinds <= {"table", "index"}:
        raise ValueError(f"it holds a {min(kinds - {'table', 'index'})}")


def _unreadable(file: Path, why: str) -> UsageError:
    return UsageError(
        f"This is no coverage data: {why}",
        where=str(file),
        remedy="Name a .coverage file, or what `coverage json` writes.",
    )


def _lines(numbers: Iterable[Any]) -> Lines:
    return Lines(number for number in numbers if isinstance(number, int) and 0 < number < _MOST_LINE)


def _placed(recorded: Mapping[str, Lines], root: Path, paths: tuple[str, ...]) -> dict[str, Lines]:
    """The lines by our own paths."""
    found = {}
    for path in paths:
        known = [name for name in recorded if _is_same(name, path, root)]
        if known:
            found[path] = recorded[max(known, key=lambda name: (name == str(root / path), -len(name)))]
    return found


def _is_same(recorded: str, path: str, root: Path) -> bool:
    name = recorded.replace("\\", "/")
    return name == path or name == str(root / path) or name.endswith(f"/{path}")
