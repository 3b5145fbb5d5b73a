"""What a project's own commits and own patches teach: words that were put into functions, and templates of fixes.

Old texts are a stranger's, and so may be the files of a patch. All are parsed in a child process under limits, one
after the other. Where it is lost, what it has told so far counts, and the rest of that part is passed over.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.change_history import CommittedChange
from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError, UsageError
from analysis.functions import functions_of
from repair.memory.kept_answers import MOST_RUNS
from repair.memory.run_memory import words_of_people
from repair.memory.sealed_file import hold_file, read_sealed, write_sealed
from repair.records.json_records import from_plain, to_plain
from repair.records.result import Status
from repair.store.git_history import CommittedText
from repair.store.stored_run import StoredRun
from transforms.ingredients.edit_templates import EditTemplate, PieceEdit, learn_templates, piece_edit
from transforms.ingredients.history_words import HistoryWord, merge_words, words_added

FILE = "history.json"
_KIND = b"repair history"

MOST_WORDS, MOST_TEMPLATES, MOST_EDITS = 5_000, 200, 1_000
"""What is kept of a project."""

MOST_CHANGED = 10
"""Functions that a file's change may touch; one that touches more is no fix and brings no words of its own."""

_MEMORY = 2 << 30
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class ProjectHistory:
    """What is kept of a project's history. ``files`` counts the texts that were read, ``fixes`` those of fixes.

    ``unread`` are changed files that could not be read.
    """

    words: tuple[HistoryWord, ...] = ()
    templates: tuple[EditTemplate, ...] = ()
    files: int = 0
    fixes: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class _ChangedText:
    """One file before and after a change, and whether that change was a fix."""

    path: str
    before: bytes
    after: bytes
    is_fix: bool


@dataclass(frozen=True, slots=True)
class TaughtByChange:
    """What one changed file teaches; ``edit`` is its fix, where it is one of one small piece."""

    words: tuple[str, ...] = ()
    edit: PieceEdit | None = None


def read_history(folder: Path, key: bytes) -> ProjectHistory:
    """What was learned of the project; nothing where the file is missing, damaged or not sealed by the user."""
    held = read_sealed(folder / FILE, key, _KIND)
    with contextlib.suppress(ValueError, TypeError):
        return from_plain(ProjectHistory, held, "history") if held is not None else ProjectHistory()
    return ProjectHistory()


def keep_history(folder: Path, key: bytes, history: ProjectHistory) -> None:
    """Keep it in place of what was learned before. Raises ``OSError`` where it cannot be written."""
    with hold_file(folder / FILE):
        write_sealed(folder / FILE, key, _KIND, to_plain(history))


def forget_history(folder: Path) -> bool:
    """Delete what was learned of the project; whether there was anything. Raises ``OSError`` where it cannot be."""
    with hold_file(folder / FILE):
        was_there = (folder / FILE).exists()
        (folder / FILE).unlink(missing_ok=True)
        return was_there


def learn_history(parts: Iterable[Sequence[CommittedText]], own: Sequence[PieceEdit] = ()) -> ProjectHistory:
    """What the changed files teach, given the newest first, some at a time; ``own`` are edits that people took."""
    words: list[HistoryWord] = []
    edits = list(own)
    files = unread = 0
    for part in parts:
        told = [each for each in part if not is_test_path(each.path)]
        taught = list(_ask_child([_ChangedText(e.path, e.before, e.after, _is_fix(e)) for e in told]))
        files, unread = files + len(taught), unread + len(told) - len(taught)
        for changed, each in zip(told, taught, strict=False):
            words += [HistoryWord(word, changed.path, changed.day) for word in each.words]
            edits += [each.edit] if each.edit is not None else []
    kept = edits[:MOST_EDITS]
    return ProjectHistory(
        merge_words(words, MOST_WORDS), learn_templates(kept, MOST_TEMPLATES), files, len(edits), unread
    )


def own_edits(runs: Iterable[StoredRun]) -> Iterator[PieceEdit]:
    """The small edits of this user's runs, given newest first, that were certified and that a person took."""
    taken = list(itertools.islice(_taken_changes(itertools.islice(runs, MOST_RUNS)), MOST_EDITS))
    for taught in _ask_child(taken):
        if taught.edit is not None:
            yield taught.edit


def _taken_changes(runs: Iterable[StoredRun]) -> Iterator[_ChangedText]:
    for run in runs:
        with contextlib.suppress(UsageError, OSError):
            result = None if run.is_foreign else run.result()
            for patch in result.patches if result is not None else ():
                cause = patch.cause or 1
                is_taken = words_of_people(run, [cause]).get(cause) == "applied"
                change = next((each for each in patch.files if each.path == patch.file), None)
                if change is None or not is_taken or patch.rank != 1 or patch.status is not Status.CERTIFIED:
                    continue
                yield _ChangedText(change.path, run.content(change.before), run.content(change.after), is_fix=True)


def taught_by(path: str, before: bytes, after: bytes, *, is_fix: bool) -> TaughtByChange:
    """What one change of a file teaches."""
    try:
        old, new = ({each.function.qualname: each for each in functions_of(path, text)} for text in (before, after))
    except UnparseableError:
        return TaughtByChange()
    pairs = [
        (_text(before, old[name].start, old[name].end), _text(after, span.start, span.end))
        for name, span in new.items()
        if name in old and before[old[name].start : old[name].end] != after[span.start : span.end]
    ]
    if len(pairs) > MOST_CHANGED:
        return TaughtByChange()
    words = tuple(dict.fromkeys(word for pair in pairs for word in words_added(*pair)))
    inner = min(pairs, key=lambda pair: len(pair[0]), default=None)
    return TaughtByChange(words, piece_edit(*inner) if inner is not None and is_fix else None)


def _text(source: bytes, start: int, end: int) -> str:
    line = source.rfind(b"\n", 0, start) + 1
    return source[line if not source[line:start].strip() else start : end].decode("utf-8", "replace")


def _is_fix(committed: CommittedText) -> bool:
    return committed.alone and CommittedChange(committed.subject, ()).is_fix


def _ask_child(texts: Sequence[_ChangedText]) -> Iterator[TaughtByChange]:
    """What each of the texts teaches, in their order, as far as the child came."""
    if not texts:
        return
    asked = [
        (each.path, *(base64.b64encode(text).decode("ascii") for text in (each.before, each.after)), each.is_fix)
        for each in texts
    ]
    command = [sys.executable, "-E", "-P", "-X", "utf8", "-W", "ignore", "-m", "repair.memory.learning"]
    try:
        done = subprocess.run(
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=_SECONDS, check=False
        )
        output = done.stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    for line in output.split(b"\n")[:-1]:
        try:
            yield from_plain(TaughtByChange, json.loads(line), "what a change teaches")
        except ValueError:
            return


def _main() -> None:
    """The child: a line for each text, written before the next one is touched."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    asked: Any = json.load(sys.stdin)
    for path, before, after, is_fix in asked:
        taught = taught_by(path, base64.b64decode(before), base64.b64decode(after), is_fix=is_fix)
        sys.stdout.write(json.dumps(to_plain(taught)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
