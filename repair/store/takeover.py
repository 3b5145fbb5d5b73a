"""Runs of an earlier version, which lie in the project's ``.repair``: taken over once, where the user says so.

They may have come with the project, and nothing in them tells. So they are never read by themselves; who takes them
over vouches for them, and they are sealed as the user's own. Those that git tracks came with the repository.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from repair.store import git
from repair.store.atomic import replace_file
from repair.store.journal import hold_lock
from repair.store.state import POINTER
from repair.store.store import RUN_ID, RunStore
from repair.store.stored_run import DIGEST, StoredRun

SEALED = ("result.json", "certificate.json", "applied.json")
LARGEST_FILE = 32 << 20
MARK = "earlier-runs-told"
"""In the store: that the earlier runs were spoken of."""


@dataclass(frozen=True, slots=True)
class EarlierRuns:
    """Ids of runs that lie in the project, oldest first, and whether an apply of theirs is half done."""

    ids: tuple[str, ...]
    is_half_done: bool


def find_earlier_runs(root: Path) -> EarlierRuns:
    """What lies in the project's ``.repair``; nothing of it is opened."""
    folder = root / POINTER
    try:
        names = [] if folder.is_symlink() or (folder / "runs").is_symlink() else os.listdir(folder / "runs")
    except OSError:
        names = []
    return EarlierRuns(tuple(sorted(filter(RUN_ID.fullmatch, names))), os.path.lexists(folder / "journal.json"))


def announce_earlier_runs(store: RunStore) -> str:
    """A sentence on runs that lie in the project, the first time that they are seen; then ``""``."""
    found = find_earlier_runs(store.root)
    if not found.ids or (store.directory / MARK).exists():
        return ""
    with contextlib.suppress(OSError):  # on a full disk it is said again the next time
        replace_file(store.directory / MARK, b"")
    half = " An apply of theirs was interrupted: compare the files it names." if found.is_half_done else ""
    return (
        f"{POINTER} holds {len(found.ids)} runs of an earlier version, or of somebody else; they are not read."
        f" If they are yours, `repair runs --take-over` takes them over.{half}"
    )


def take_over(store: RunStore) -> tuple[str, ...]:
    """Copy the project's earlier runs into the store, sealed as the user's own; their ids.

    Raises ``UsageError`` where there are none, and where git tracks any of them.
    """
    found, place = find_earlier_runs(store.root), store.root / POINTER
    if not found.ids:
        raise UsageError("There are no runs to take over", where=str(place), remedy="`repair runs` lists yours.")
    top = git.work_tree(str(store.root))
    if git.list_tracked(top, [os.path.relpath(os.path.realpath(place), top)]) != ():  # or it cannot say
        raise UsageError(
            "git tracks the runs: they came with the repository",
            where=str(place),
            remedy="`repair check` judges a patch of theirs.",
        )
    with hold_lock(store):
        taken = tuple(run for run in found.ids if not (store.directory / "runs" / run).exists())
        for run in taken:
            _copy(store, run)
    replace_file(store.directory / MARK, b"")
    return taken


def _copy(store: RunStore, name: str) -> None:
    """Copy one run, whole or not at all."""
    source = store.root / POINTER / "runs" / name
    waiting = store.directory / "runs" / f".taking-{name}"
    shutil.rmtree(waiting, ignore_errors=True)  # of a take-over that was broken off
    run = store.make_folder(StoredRun(name, waiting, store.seals))
    for path in _plain_files(source):
        relative = path.relative_to(source)
        (run.path / relative).parent.mkdir(exist_ok=True)
        replace_file(run.path / relative, path.read_bytes())
    for each in SEALED:
        values = _read_values(source / each)
        if values is not None:
            run.save_json(each, values)
    waiting.rename(store.directory / "runs" / name)


def _plain_files(source: Path) -> Iterator[Path]:
    """What a run is made of besides the files that are sealed; no links, nothing else."""
    wanted = [source / "events.jsonl", *(source / "candidates").glob("*.diff")]
    wanted += [path for path in (source / "files").glob("*") if DIGEST.fullmatch(path.name)]
    for path in wanted:
        linked = any(part.is_symlink() for part in (source, path.parent, path))
        if not linked and path.is_file() and path.stat().st_size <= LARGEST_FILE:
            yield path


def _read_values(path: Path) -> Any:
    """The file's JSON values, ``None`` where it has none: then the run is as one that was broken off."""
    try:
        plain = path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_FILE
        return json.loads(path.read_bytes()) if plain else None
    except (OSError, ValueError, RecursionError):
        return None
