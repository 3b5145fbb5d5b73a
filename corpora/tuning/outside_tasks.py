"""Any command whose prompt is tuned: one run of a task in copies, and the hard facts of its end.

The command and the tests run with the user's rights, outside of all walls, as they do without us. They work in copies:
the prompt's folder with the prompt that is tried, the task's tree, and the files that it names. Whatever they do to
those ends an attempt, and no campaign.
"""

from __future__ import annotations

import ast
import errno
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import TargetError, UsageError
from analysis.facts import RunFault
from corpora.bench.external import LITTER, tree_patch
from corpora.os_errors import explained
from corpora.tuning.campaign import OutcomeWord, TaskOutcome
from corpora.tuning.task_table import MOST_MATERIAL, TaskRow, TaskTable
from repair.model.agent_command import OURS, agent_command, fill_places, run_outside
from sandbox.process import Finished
from sandbox.scratch import PREFIX, passing_folder, scratch_folder

MOST_SAID, MOST_CHANGE, MOST_ERRORS = 1_500, 3_000, 8
BEFORE, HIDDEN = "before", "hidden"
"""What is set aside of a task while its command runs."""
GONE, UNREADABLE, FLOOD = "removed its folder", "left what cannot be read", "printed too much"
"""How a command may end besides, as a reflector is told."""
MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Faults of the machine, which are nobody's outcome."""

_COUNTS = re.compile(r"(?<!\d)(\d{1,9}) (passed|failed|errors?)\b")
_ERRORS = re.compile(r"^(?:E +)?([A-Z]\w*(?:Error|Exception))\b", re.MULTILINE)
_FINDING = re.compile(r"^\S+:\d+:", re.MULTILINE)
_TOKENS = re.compile(r"(?i)\btokens?\b\D{0,12}(\d[\d,]*)|(\d[\d,]*) tokens\b")
_USD = re.compile(r"(?i)\bcosts?\b[^\d\n]{0,12}(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) USD\b")
_CALLS = re.compile(r"(?i)\btool calls?\b\D{0,8}(\d+)|(\d+) tool calls?\b")


class _FolderGone(Exception):
    """A program of a task has taken away the folder that it works in."""


class OutsideAttempter:
    """Runs a command of the user's on tasks of a table. ``prompt`` is the file whose text is tried."""

    def __init__(
        self, command: str, table: TaskTable, prompt: Path, env: Mapping[str, str], apart: Sequence[Path] = ()
    ) -> None:
        """The folders ``apart``, such as that of the campaign, are in no copy; nor are hidden tests.

        Raises ``UsageError`` where the command is not there, or never sees the prompt.
        """
        self._table, self._prompt = table, prompt.absolute()
        self._root, self._here = self._prompt.parent, Path.cwd()
        hidden = (table.folder / row.hidden for row in table.rows if row.hidden)
        self._apart = frozenset(os.path.realpath(place) for place in (*apart, *hidden))
        self._known = agent_command(fill_places(command, {"python": shlex.quote(sys.executable)}), env)
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
        with scratch_folder() as scratch, passing_folder() as aside:
            tool, work = scratch / "tool", scratch / "work"
            with explained("The prompt's folder cannot be copied", self._root, "Give the prompt a folder of its own."):
                self._copy_tool(prompt, tool)
            with explained("A task's material cannot be copied", task, "Restore it, then --resume."):
                argv = self._copy_material(row, scratch / "given", aside)
                shutil.copytree(aside / BEFORE, work, symlinks=True)
            ended = self._run(self._words(argv, tool, seed), work, row.seconds, tool, seed)
            return self._judge(row, ended, aside, work)

    def _copy_tool(self, prompt: str, tool: Path) -> None:
        """The prompt's folder with another prompt."""
        shutil.copytree(self._root, tool, symlinks=True, ignore=self._left_out)
        place = tool / self._prompt.name
        place.unlink(missing_ok=True)  # it may be a link
        place.write_bytes(prompt.encode())
        shutil.copymode(self._prompt, place)  # it may be the program itself

    def _left_out(self, folder: str, names: list[str]) -> set[str]:
        """What no copy has: litter, hidden tests, the campaign, and temporary files where they lie in the folder."""
        temporary = os.path.realpath(tempfile.gettempdir())

        def is_apart(name: str) -> bool:
            place = os.path.realpath(os.path.join(folder, name))
            passing = name.startswith(PREFIX) and os.path.dirname(place) == temporary
            return place in self._apart or place == temporary or passing

        return {name for name in names if name in LITTER or is_apart(name)}

    def _copy_material(self, row: TaskRow, given: Path, aside: Path) -> list[str]:
        """Set the tree and the hidden tests aside, as they are before the command; hand back the task's ``argv``.

        A file beside the table is named as a copy of it.
        """
        for name, place in ((BEFORE, row.tree), (HIDDEN, row.hidden)):
            if place:
                shutil.copytree(self._table.folder / place, aside / name, symlinks=True)
            (aside / name).mkdir(exist_ok=True)
        argv: list[str] = []
        for number, word in enumerate(row.argv):
            file = self._table.folder / word
            copied = given / str(number) / file.name
            if word and file.is_file():
                copied.parent.mkdir(parents=True)
                shutil.copy(file, copied)
            argv.append(str(copied) if word and file.is_file() else word)
        return argv

    def _words(self, argv: Sequence[str], tool: Path, seed: int) -> list[str]:
        places = {"prompt": str(tool / self._prompt.name), "seed": str(seed)}
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
        if not is_own_folder(folder):
            raise _FolderGone
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

    def _judge(self, row: TaskRow, ended: Finished, aside: Path, work: Path) -> TaskOutcome:
        said = _text(ended)
        facts: dict[str, Any] = {
            "status": None if ended.stopped is not None else ended.returncode,
            "late": ended.stopped is RunFault.TIMEOUT,
            "seconds": round(ended.seconds, 3),
            "tokens": _printed(_TOKENS, said),
            "usd": _number(_USD, said),
            "calls": _printed(_CALLS, said),
        }
        notes = [FLOOD] if ended.stopped is RunFault.OUTPUT else []
        word: OutcomeWord = "none"
        try:
            if not is_own_folder(work):
                raise _FolderGone
            facts["missing"] = missing(work, row.files, row.functions)
            facts["change"] = tree_patch(aside / BEFORE, work).decode("utf-8", "replace")[:MOST_CHANGE]
            word, said = self._examine(row, said, aside, work, facts)
        except _FolderGone:
            notes.append(GONE)
        except OSError as problem:
            if problem.errno in MACHINE:
                raise TargetError(
                    f"What a command left cannot be read: {problem.strerror}", where=row.id, remedy="See to the disk."
                ) from problem
            notes.append(UNREADABLE)
        errors = tuple(dict.fromkeys((*notes, *_ERRORS.findall(said))))[:MOST_ERRORS]
        return TaskOutcome(word, errors=errors, said=said[-MOST_SAID:], **facts)

    def _examine(
        self, row: TaskRow, said: str, aside: Path, work: Path, facts: dict[str, Any]
    ) -> tuple[OutcomeWord, str]:
        """The outcome by linter and tests, and all that was said. Their counts are put to the facts."""
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
        if solved and row.hidden_test:
            lay_over(aside / HIDDEN, work)
            hidden, _ = self._test(row.hidden_test, work, row.seconds)
            return ("solved" if hidden.returncode == 0 and hidden.stopped is None else "wrong"), said
        return ("solved" if solved else "none"), said


def is_own_folder(place: Path) -> bool:
    """Whether a folder is still itself, and no link to another one."""
    return place.is_dir() and not place.is_symlink()


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
    """What it printed, without control characters; of a flood the end alone, since nothing of it decides."""
    said = ended.output[-MOST_MATERIAL:] if ended.stopped is RunFault.OUTPUT else ended.output
    return "".join(c if c.isprintable() or c == "\n" else " " for c in said.decode("utf-8", "replace"))


def _printed(pattern: re.Pattern[str], text: str) -> int:
    return int(_number(pattern, text))


def _number(pattern: re.Pattern[str], text: str) -> float:
    """The last number that is told in such words; 0 where there is none."""
    found = pattern.findall(text)
    return float(next(filter(None, found[-1])).replace(",", "")[:12]) if found else 0.0
