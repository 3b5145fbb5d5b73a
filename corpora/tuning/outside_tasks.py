"""Any command whose prompt is tuned: its table of tasks, one run of a task in copies, and the hard facts of its end.

The command and the tests run with the user's rights, outside of all walls, as they do without us. They work in copies:
the prompt's folder with the prompt that is tried, and the task's tree.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analysis.errors import TargetError, UsageError
from corpora.bench.external import LITTER, tree_patch
from corpora.os_errors import explained
from corpora.tuning.campaign import TaskOutcome
from repair.model.agent_command import OURS, agent_command, fill_places, run_outside
from sandbox.process import Finished

MOST_SAID, MOST_CHANGE, MOST_ERRORS = 1_500, 3_000, 8
MOST_MATERIAL = 1 << 20

_COUNTS = re.compile(r"(?<!\d)(\d{1,9}) (passed|failed|errors?)\b")
_ERRORS = re.compile(r"^(?:E +)?([A-Z]\w*(?:Error|Exception))\b", re.MULTILINE)
_FINDING = re.compile(r"^\S+:\d+:", re.MULTILINE)
_TOKENS = re.compile(r"(?i)\btokens?\b\D{0,12}(\d[\d,]*)|(\d[\d,]*) tokens\b")
_USD = re.compile(r"(?i)\bcosts?\b[^\d\n]{0,12}(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) USD\b")
_CALLS = re.compile(r"(?i)\btool calls?\b\D{0,8}(\d+)|(\d+) tool calls?\b")


class _Row(BaseModel):
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
    rows: tuple[_Row, ...]

    @property
    def projects(self) -> dict[str, str]:
        """The project of each task; one that names none is its own."""
        return {row.id: row.project or row.id for row in self.rows}

    def row(self, task: str) -> _Row:
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

    def _rows_of_projects(self) -> Iterator[list[_Row]]:
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
        rows = tuple(_Row.model_validate({**values.get("defaults", {}), **row}) for row in values.get("task", []))
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


class OutsideAttempter:
    """Runs a command of the user's on tasks of a table. ``prompt`` is the file whose text is tried."""

    def __init__(self, command: str, table: TaskTable, prompt: Path, env: Mapping[str, str]) -> None:
        """Raises ``UsageError`` where the command is not there, or never sees the prompt."""
        self._table, self._prompt = table, prompt.absolute()
        self._root, self._here = self._prompt.parent, Path.cwd()
        self._known = agent_command(command, env)
        if not any(map(self._own_file, self._known.words)) and not any(
            "{prompt}" in word for word in self._known.words
        ):
            raise UsageError(
                "The command never sees the prompt that is tried",
                where=command,
                remedy=f"Name a program in {self._root} as one word, or write {{prompt}} where its path belongs.",
            )
        if not any("{task}" in word for word in self._known.words):
            raise UsageError(
                "The command has no {task}", where=command, remedy="Write {task} where a task's argv belongs."
            )
        self._env = {name: value for name, value in env.items() if not name.startswith(OURS)}

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """One run of one task, judged by exit status, output, required files and functions, and tests."""
        row = self._table.row(task)
        with tempfile.TemporaryDirectory(prefix="repair-tune-") as scratch:
            tool, work = Path(scratch, "tool"), Path(scratch, "work")
            shutil.copytree(self._root, tool, symlinks=True, ignore=shutil.ignore_patterns(*LITTER))
            (tool / self._prompt.name).unlink(missing_ok=True)  # it may be a link
            (tool / self._prompt.name).write_bytes(prompt.encode())
            shutil.copymode(self._prompt, tool / self._prompt.name)  # it may be the program itself
            before = self._table.folder / row.tree if row.tree else Path(scratch, "empty")
            before.mkdir(exist_ok=True)
            shutil.copytree(before, work, symlinks=True)
            ended = self._run(self._words(row, tool, seed), work, row.seconds, tool, seed)
            return self._judge(row, ended, before, work)

    def _words(self, row: _Row, tool: Path, seed: int) -> list[str]:
        places = {"prompt": str(tool / self._prompt.name), "seed": str(seed), "python": sys.executable}
        argv = [str(self._table.folder / word) if (self._table.folder / word).is_file() else word for word in row.argv]
        words: list[str] = []
        for word in self._known.words:
            filled = fill_places(self._in_copy(word, tool), places)
            words += argv if filled == "{task}" else [filled.replace("{task}", " ".join(argv))]
        return words

    def _in_copy(self, word: str, tool: Path) -> str:
        """The word, where it names a file of the prompt's folder, as the same file in the copy."""
        return str(tool / self._own_file(word)) if self._own_file(word) else word

    def _own_file(self, word: str) -> str:
        """The path in the prompt's folder of a word that names a file there; else empty."""
        places = (Path(os.path.normpath(folder / word)) for folder in (self._root, self._here) if "{" not in word)
        own = (place for place in places if place.is_relative_to(self._root) and place.is_file())
        return next((str(place.relative_to(self._root)) for place in own), "")

    def _run(self, words: Sequence[str], folder: Path, seconds: float, tool: Path, seed: int) -> Finished:
        env = {**self._env, "TUNE_SEED": str(seed), "TUNE_PROMPT": str(tool / self._prompt.name)}
        try:
            return run_outside(words, folder, env, seconds, hidden=self._known.secrets)
        except OSError as problem:
            raise TargetError(
                f"A command of a task cannot be started: {problem.strerror}", where=words[0], remedy="Install it."
            ) from problem

    def _test(self, words: Sequence[str], work: Path, seconds: float) -> tuple[Finished, str]:
        filled = [fill_places(word, {"python": sys.executable}) for word in words]
        ended = self._run(filled, work, seconds, work, 0)
        return ended, _text(ended)

    def _judge(self, row: _Row, ended: Finished, before: Path, work: Path) -> TaskOutcome:
        said = _text(ended)
        facts: dict[str, Any] = {
            "status": None if ended.stopped is not None else ended.returncode,
            "late": ended.stopped is not None,
            "missing": missing(work, row.files, row.functions),
            "seconds": round(ended.seconds, 3),
            "tokens": _printed(_TOKENS, said),
            "usd": _number(_USD, said),
            "calls": _printed(_CALLS, said),
            "change": tree_patch(before, work).decode("utf-8", "replace")[:MOST_CHANGE],
        }
        solved = facts["status"] == row.status and not facts["missing"] and row.output in said
        if row.lint:
            facts["findings"] = len(_FINDING.findall(self._test(row.lint, work, row.seconds)[1]))
        if row.test:
            tested, text = self._test(row.test, work, row.seconds)
            said = f"{said[-MOST_SAID // 2 :]}\n{text}"
            counts = {word.rstrip("s"): int(number) for number, word in _COUNTS.findall(text)}
            facts["passed"] = counts.get("passed", 0)
            facts["failed"] = counts.get("failed", 0) + counts.get("error", 0)
            solved &= tested.returncode == 0 and tested.stopped is None
        right = True
        if solved and row.hidden_test:
            if row.hidden:
                lay_over(self._table.folder / row.hidden, work)
            hidden, _ = self._test(row.hidden_test, work, row.seconds)
            right = hidden.returncode == 0 and hidden.stopped is None
        errors = tuple(dict.fromkeys(_ERRORS.findall(said)))[:MOST_ERRORS]
        word = "none" if not solved else "solved" if right else "wrong"
        return TaskOutcome(word, errors=errors, said=said[-MOST_SAID:], **facts)  # type: ignore[arg-type]


def lay_over(source: Path, target: Path) -> None:
    """Put a folder's files into another one. What stands in their way there goes: no link is written through."""
    for here, folders, files in os.walk(source):
        place = target / os.path.relpath(here, source)
        if place.is_symlink() or not place.is_dir():
            place.unlink(missing_ok=True)
            place.mkdir()
        for name in (*files, *(each for each in folders if Path(here, each).is_symlink())):
            found = place / name
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            found.unlink(missing_ok=True)
            shutil.copy2(Path(here, name), found, follow_symlinks=False)


def missing(work: Path, files: Sequence[str], functions: Sequence[str]) -> tuple[str, ...]:
    """Which of the required files, and functions named ``FILE:NAME``, are not there."""
    found = [name for name in files if not (work / name).is_file()]
    for required in functions:
        path, _, name = required.rpartition(":")
        try:
            tree = ast.parse((work / path).read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            found.append(required)
            continue
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        if not any(isinstance(node, kinds) and node.name == name for node in ast.walk(tree)):
            found.append(required)
    return tuple(found)


def _text(ended: Finished) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in ended.output.decode("utf-8", "replace"))


def _printed(pattern: re.Pattern[str], text: str) -> int:
    return int(_number(pattern, text))


def _number(pattern: re.Pattern[str], text: str) -> float:
    """The last number that is told in such words; 0 where there is none."""
    found = pattern.findall(text)
    return float(next(filter(None, found[-1])).replace(",", "")[:12]) if found else 0.0
