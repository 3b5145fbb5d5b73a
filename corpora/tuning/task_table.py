"""The table of tasks of a command: what is read of a TOML file, and all that its tasks say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analysis.errors import UsageError
from corpora.os_errors import explained

MOST_MATERIAL = 1 << 20


class TaskRow(BaseModel):
    """One task as it stands in the table; what it leaves out is taken from ``[defaults]``."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*$")
    project: str = ""
    argv: list[str]
    tree: str = ""
    files: list[str] = []
    functions: list[str] = []
    status: int = 0
    output: str = ""
    test: list[str] = []
    hidden: str = ""
    hidden_test: list[str] = []
    lint: list[str] = []
    seconds: float = Field(default=60.0, gt=0)


@dataclass(frozen=True, slots=True)
class TaskTable:
    """The tasks of a file. Their paths start at ``folder``."""

    folder: Path
    rows: tuple[TaskRow, ...]

    @property
    def projects(self) -> dict[str, str]:
        """The project of each task; one that names none is its own."""
        return {row.id: row.project or row.id for row in self.rows}

    def row(self, task: str) -> TaskRow:
        """The task of that id."""
        return next(row for row in self.rows if row.id == task)

    def names(self) -> Iterator[str]:
        """Names that the tasks of each project require: functions, files, and outputs of one word."""
        for rows in self._rows_of_projects():
            wanted = (name.rpartition(":")[2] for row in rows for name in (*row.functions, *row.files))
            yield from dict.fromkeys((*wanted, *(row.output for row in rows if len(row.output.split()) == 1)))

    def texts(self) -> Iterator[str]:
        """All that the tasks of each project say, tests, too, hidden or inline: what no edit may give away."""
        for rows in self._rows_of_projects():
            places = dict.fromkeys(place for row in rows for place in (row.tree, row.hidden, *row.argv) if place)
            said = [" ".join(words) for row in rows for words in (row.argv, row.test, row.hidden_test)]
            said += [f'{row.output}\n"{row.output}"' for row in rows if row.output]
            yield "\n\n".join([*said, *(text for place in places for text in _texts(self.folder / place))])

    def _rows_of_projects(self) -> Iterator[list[TaskRow]]:
        projects = self.projects
        for project in sorted(set(projects.values())):
            yield [row for row in self.rows if projects[row.id] == project]


def _texts(place: Path) -> Iterator[str]:
    files = [place] if place.is_file() else sorted(place.rglob("*")) if place.is_dir() else []
    for file in files:
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= MOST_MATERIAL:
            yield file.read_text("utf-8", "replace")


def read_table(path: Path) -> TaskTable:
    """The tasks of a TOML file: ``[[task]]`` tables, and ``[defaults]`` for all of them.

    Raises ``UsageError`` for a file that cannot be read, a wrong key or value, two tasks of one id, a missing folder.
    """
    with explained("The tasks cannot be read", path, "Check their path.", UsageError):
        content = path.read_bytes()
    try:
        values = tomllib.loads(content.decode())
        if unknown := sorted(values.keys() - {"task", "defaults"}):
            raise ValueError(f"unknown table {unknown[0]!r}")
        rows = tuple(TaskRow.model_validate({**values.get("defaults", {}), **row}) for row in values.get("task", []))
    except (ValueError, TypeError, AttributeError, ValidationError) as problem:
        said = " ".join(str(problem).split())[:300]
        raise UsageError(f"The tasks are not valid: {said}", where=str(path), remedy="See docs/tuning.md.") from problem
    ids = [row.id for row in rows]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if not rows or twice:
        found = f"Two tasks are called {twice[0]}" if twice else "There is no task"
        raise UsageError(found, where=str(path), remedy="Write one [[task]] for each, with an id of its own.")
    for row in rows:
        for place in filter(None, (row.tree, row.hidden)):
            if not (path.parent / place).is_dir():
                raise UsageError(
                    f"Task {row.id} names no folder", where=place, remedy="Name it from the file's folder."
                )
    return TaskTable(path.parent.absolute(), rows)
