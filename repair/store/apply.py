"""Put a run's patch into the project, and take it out again exactly."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import ConflictError, UsageError
from repair.records.json_records import from_plain
from repair.records.result import PatchView, Result, Status
from repair.store import git
from repair.store.journal import Journal, Move, Step, carry_out, current_digest, hold_lock, safe_path
from repair.store.store import RunStore
from repair.store.stored_run import UNDONE, StoredRun


@dataclass(frozen=True, slots=True)
class Applied:
    """What was changed. ``commit`` is the new commit's id, ``""`` without one."""

    run: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    commit: str = ""


def apply_run(
    store: RunStore, run: StoredRun, root: Path, rank: int = 1, *, commit: bool = False, step: Step = lambda name: None
) -> Applied:
    """Apply the run's patch of that rank: all its files or none.

    Raises ``ConflictError`` when a file

    - is not byte for byte what the run read;
    - lies outside the project or behind a link;
    - has a change that git already sees, with ``commit``.
    """
    _refuse_foreign(run)
    result = run.result()
    if result is None:
        raise UsageError(f"Run {run.id} has no result", remedy="It was interrupted; run `repair fix` again.")
    if run.is_applied and not _is_taken_out(run, root):
        raise ConflictError(f"Run {run.id} is applied already", remedy=f"`repair undo {run.id}` takes it out.")
    patches = _patches(result, run, rank)
    moves = _moves(patches, run)
    with hold_lock(store):
        for move in moves:
            _refuse_other_bytes(root, move, "since the run read it", "Run `repair fix` again.")
        if commit:
            git.refuse_dirty(root, [move.path for move in moves])
        paths = {move.path: safe_path(root, move.path) for move in moves}
        linked = [path for path, file in paths.items() if file.stat().st_nlink > 1]
        warnings = [f"{path} has other hard links, which keep the old text." for path in linked]
        if any(patch.status is not Status.CERTIFIED for patch in patches):
            warnings.append("The patch is plausible, not certified: read its open questions.")
        for move in moves:
            run.save_content(paths[move.path].read_bytes())
            run.content(move.after)
        carry_out(store, root, Journal(run.id, rank, undo=False, moves=moves), step)
        made = _commit(store, root, run, list(paths), patches[0]) if commit else ""
    return Applied(run.id, tuple(paths), tuple(warnings), made)


def undo_run(store: RunStore, run: StoredRun, root: Path, *, step: Step = lambda name: None) -> Applied:
    """Take the run's patch out again; ``ConflictError`` when a file was edited since, and nothing is changed then.

    Where somebody has taken it out by other means, byte for byte, only the mark that it is applied goes.
    """
    _refuse_foreign(run)
    with hold_lock(store):
        moves = _read_undo_moves(run)
        if _is_taken_out(run, root):
            (run.path / "applied.json").unlink()
            _note_undone(run)
            said = "The files are as they were before the patch already; nothing was written."
            return Applied(run.id, tuple(move.path for move in moves), (said,))
        for move in moves:
            _refuse_other_bytes(root, move, "since it was patched", "Undo by hand, or with git.")
        carry_out(store, root, Journal(run.id, 0, undo=True, moves=moves), step)
        _note_undone(run)
    return Applied(run.id, tuple(move.path for move in moves))


def _note_undone(run: StoredRun) -> None:
    """Leave a note for ``repair runs --stats``; where the disk refuses it, the patch is out all the same."""
    with contextlib.suppress(OSError):
        run.save_json(UNDONE, {"run": run.id})


def _refuse_foreign(run: StoredRun) -> None:
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign: your repair did not record it, so nothing in it is known to be true",
            where=str(run.path),
            remedy=f"`repair replay {run.id}` proves it again; `repair show {run.id} --output-format diff` prints it.",
        )


def _is_taken_out(run: StoredRun, root: Path) -> bool:
    """Whether all files of an applied patch are byte for byte as before it."""
    return all(current_digest(root, move.path) == move.after for move in _read_undo_moves(run))


def _patches(result: Result, run: StoredRun, rank: int) -> list[PatchView]:
    ranks = sorted({patch.rank for patch in result.patches})
    found = [patch for patch in result.patches if patch.rank == rank]
    if not found:
        has = f"it has {', '.join(map(str, ranks))}" if ranks else f"it ended as {result.status}"
        raise UsageError(f"Run {run.id} has no patch of rank {rank}: {has}", remedy=f"`repair show {run.id}` shows it.")
    if any(patch.status is Status.REJECTED for patch in found):
        raise UsageError(f"Patch {rank} of run {run.id} was rejected", remedy=f"`repair show {run.id}` says why.")
    return found


def _moves(patches: list[PatchView], run: StoredRun) -> tuple[Move, ...]:
    changes = sorted({change for patch in patches for change in patch.files}, key=lambda change: change.path)
    if not changes or len({change.path for change in changes}) < len(changes):
        raise UsageError(f"Run {run.id} holds no whole files to apply", remedy="Apply its diff with `git apply`.")
    for change in changes:
        if not change.before or not change.after:
            raise UsageError(f"{change.path} would be created or deleted", remedy="Apply the diff with `git apply`.")
    return tuple(Move(change.path, change.before, change.after) for change in changes)


def _refuse_other_bytes(root: Path, move: Move, since: str, remedy: str) -> None:
    path = safe_path(root, move.path)
    state = current_digest(root, move.path)
    if not state:
        raise ConflictError(f"{move.path} is not there any more", where=str(path), remedy=remedy)
    if state != move.before:
        raise ConflictError(f"{move.path} changed {since}; nothing was written", where=str(path), remedy=remedy)


def _read_undo_moves(run: StoredRun) -> tuple[Move, ...]:
    values = run.read_json("applied.json")
    if values is None:
        raise UsageError(f"Run {run.id} is not applied", remedy="`repair runs` marks those that are.")
    try:
        journal: Journal = from_plain(Journal, values, "applied")
    except ValueError as problem:
        raise UsageError(
            f"The record is damaged: {problem}",
            where=str(run.path / "applied.json"),
            remedy="Undo by hand, or with git.",
        ) from problem
    return tuple(Move(move.path, before=move.after, after=move.before) for move in journal.moves)


def _commit(store: RunStore, root: Path, run: StoredRun, paths: Sequence[str], patch: PatchView) -> str:
    """Commit exactly these files; where git refuses, they are put back first."""
    body = f"{patch.explanation or patch.file}\n\nRepair-run: {run.id} ({patch.status})\n"
    try:
        return git.commit(root, paths, f"Mend {patch.function or 'a fault'}\n\n{body}")
    except ConflictError:
        carry_out(store, root, Journal(run.id, 0, undo=True, moves=_read_undo_moves(run)))
        raise
