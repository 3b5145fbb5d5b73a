"""Several files changed together: after any crash they are all old or all new.

A journal that names every file with its old and new digest is made durable first, next to the bytes of both. Then all
new files are staged beside the old ones, and the old ones get a second name. Then each new one is renamed into place,
the outcome is recorded, and the journal removed. Taking back is renaming too, so it needs no room on the disk.

What is recorded is done, whatever comes after it. Whoever finds a journal later finishes what was complete and takes
back what was not. A file that holds neither the old nor the new bytes was edited by somebody: it is left alone and
named. The journal carries the user's seal: one that came from elsewhere moves nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from filelock import FileLock, Timeout

from analysis.errors import ConflictError, RepairError, TargetError, UsageError
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import NO_LINKS, WAITING, replace_file, sha256, stage, sync_directory
from repair.store.store import RunStore
from repair.store.stored_run import StoredRun

LOCK_SECONDS = 5.0
"""How long to wait for another process, which needs milliseconds."""

APPLIED = "applied.json"
"""What a run says of its patch while it stands in the project: the journal that put it there."""

Step = Callable[[str], None]
"""Told after each durable step, so that a test can end the process there."""


@dataclass(frozen=True, slots=True)
class Move:
    """One file's change, by digest of its bytes."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Journal:
    """What is under way: ``undo`` tells whether the run's patch is put in or taken out.

    Of several patches some may have been there before, or stay. ``kept`` are the moves from the project without any
    patch to what is in place afterwards. ``causes`` are the numbers of the causes that are mended then. ``at`` is when
    the patch, or the latest of several, was put in: seconds since 1970, 0 where nobody knows.
    """

    run: str
    rank: int
    undo: bool
    moves: tuple[Move, ...]
    causes: tuple[int, ...] = ()
    kept: tuple[Move, ...] = ()
    at: float = 0.0


def carry_out(store: RunStore, root: Path, journal: Journal, step: Step = lambda name: None) -> None:
    """Make all moves or none. The caller holds the lock and has checked the files."""
    run = store.load_run(journal.run)
    if os.path.lexists(_path(store)):  # this one's journal would take its place
        raise ConflictError(
            "An earlier apply or undo is half done and cannot be taken back now",
            where=str(_path(store)),
            remedy="Make its files writable, and run `repair runs`.",
        )
    try:
        values = to_plain(journal)
        sealed = {"journal": values, "seal": store.seals.seal(b"journal", _canonical(values))}
        replace_file(_path(store), json.dumps(sealed).encode())
        step("journal")
        _move_all(run, root, journal, step)
        _finish(store, root, run, journal)
        step("finished")
    except OSError as problem:
        if not _is_recorded(run, journal):
            raise TargetError(
                f"The patch cannot be {'taken out' if journal.undo else 'written'}: {problem.strerror}",
                where=", ".join(str(root / move.path) for move in journal.moves),
                remedy=_report_taking_back(store, root, journal),
            ) from problem
    except BaseException:  # whatever it was, Ctrl-C too: the files are put back first
        _take_back(store, root, journal)
        raise


def recover(store: RunStore, root: Path) -> str:
    """Finish or take back what an earlier process left half done; one sentence on it, ``""`` where nothing was.

    Where that cannot be done now, the sentence says so, and the next command tries again.
    """
    path = _path(store)
    if not os.path.lexists(path):
        return ""
    with hold_lock(store):
        if not os.path.lexists(path):  # it was another process's, which has ended meanwhile
            return ""
        journal = _read(store)
        if journal is None:
            aside = _put_aside(path)
            said = "A journal that was not written by this user's repair was put aside as"
            return f"{said} {aside}; no file was touched."
        # The state directory may have been deleted, whole or in part, and the old bytes with it.
        files = store.directory / "runs" / PurePosixPath(journal.run).name / "files"
        if not all((files / PurePosixPath(move.before).name).is_file() for move in journal.moves):
            _clear_waiting(root, journal)
            path.unlink()
            names = ", ".join(move.path for move in journal.moves)
            return f"An apply was interrupted and its record is deleted: compare {names} with what you expect."
        word = "undo" if journal.undo else "apply"
        try:
            edited = _take_back(store, root, journal)
            done = _is_recorded(store.load_run(journal.run), journal)
        except (OSError, RepairError) as problem:
            return f"An interrupted {word} of run {journal.run} cannot be taken back now: {problem}"
    if done:
        return f"An interrupted {word} of run {journal.run} was found complete and is recorded."
    left = f" Left alone, since edited meanwhile: {', '.join(edited)}." if edited else ""
    return f"An interrupted {word} of run {journal.run} was taken back.{left}"


@contextlib.contextmanager
def hold_lock(store: RunStore) -> Iterator[None]:
    """One apply or undo at a time."""
    lock = FileLock(store.directory / "apply.lock", timeout=LOCK_SECONDS)
    try:
        lock.acquire()
    except Timeout as problem:
        raise ConflictError(
            "Another repair process is applying or undoing a patch", where=str(store.directory), remedy="Try again."
        ) from problem
    except OSError as problem:
        raise TargetError(
            f"The state directory cannot be locked: {problem.strerror}",
            where=lock.lock_file,
            remedy="Delete that file, or name another folder with --state-dir.",
        ) from problem
    try:
        yield
    finally:
        lock.release()


def safe_path(root: Path, relative: str) -> Path:
    """The file in the project; refuses what lies outside, what a link leads to, and our and git's own at any depth."""
    parts = PurePosixPath(relative).parts
    inner = {".git", ".repair"} & {part.lower() for part in parts}  # some file systems take .GIT for it
    if not parts or relative.startswith("/") or ".." in parts or "\0" in relative or inner:
        raise ConflictError(f"{relative!r} does not lie in the project", where=str(root), remedy="Nothing was written.")
    path = root
    for part in parts:
        path = path / part
        if path.is_symlink():
            raise ConflictError(
                f"{relative} is reached through a symbolic link", where=str(path), remedy="Patch its target."
            )
    return path


def current_digest(root: Path, relative: str) -> str:
    """Digest of the file as it is now, ``""`` where there is no such file."""
    path = safe_path(root, relative)
    return sha256(path.read_bytes()) if path.is_file() else ""


def _move_all(run: StoredRun, root: Path, journal: Journal, step: Step) -> None:
    paths = {move: safe_path(root, move.path) for move in journal.moves}
    for move, path in paths.items():
        stage(_waiting_path(path, move.after), run.content(move.after), path.stat())
        step("staged")
    for move, path in paths.items():
        _keep_old(path, _waiting_path(path, move.before))
    for move, path in paths.items():
        if current_digest(root, move.path) != move.before:
            raise ConflictError(f"{move.path} changed while it was patched", remedy="Nothing was changed; run again.")
        os.replace(_waiting_path(path, move.after), path)
        step("replaced")
    for folder in {path.parent for path in paths.values()}:
        sync_directory(folder)
    step("synced")


def _keep_old(path: Path, kept: Path) -> None:
    """The old file itself under another name, so that it comes back as it was even where the disk is full by then."""
    kept.unlink(missing_ok=True)
    try:
        os.link(path, kept, follow_symlinks=False)
    except OSError as problem:
        if problem.errno not in NO_LINKS:
            raise
        stage(kept, path.read_bytes(), path.stat())


def _put_back(run: StoredRun, path: Path, move: Move) -> None:
    kept = _waiting_path(path, move.before)
    if not _holds(kept, move.before):
        stage(kept, run.content(move.before), path.stat())
    os.replace(kept, path)
    sync_directory(path.parent)


def _finish(store: RunStore, root: Path, run: StoredRun, journal: Journal) -> None:
    record = _record_of(journal)
    if record is not None:
        run.save_json(APPLIED, record)
    else:
        (run.path / APPLIED).unlink(missing_ok=True)
        sync_directory(run.path)
    _remove(store, root, journal)
    store.touch(run)


def _remove(store: RunStore, root: Path, journal: Journal) -> None:
    """Remove what waits beside the files, and then the journal, durably."""
    for move in journal.moves:
        for digest in (move.before, move.after):
            waiting = _waiting_path(safe_path(root, move.path), digest)
            if os.path.lexists(waiting):  # a read-only disk refuses before it looks for the name
                waiting.unlink()
    _path(store).unlink(missing_ok=True)
    sync_directory(store.directory)


def _clear_waiting(root: Path, journal: Journal) -> None:
    """Put the old file back where it still waits beside the new one, and remove all else that waits; no link is met.

    Their record is gone, so each file is for itself. One that was edited keeps its old text beside it:
    nobody else has it.
    """
    for move in journal.moves:
        with contextlib.suppress(OSError, ConflictError):  # what cannot be put right now is told by name
            path = safe_path(root, move.path)
            old, new = _waiting_path(path, move.before), _waiting_path(path, move.after)
            now = current_digest(root, move.path)
            if now == move.after and _holds(old, move.before):
                os.replace(old, path)
            elif now == move.before:
                old.unlink(missing_ok=True)
            new.unlink(missing_ok=True)


def _holds(path: Path, digest: str) -> bool:
    return path.is_file() and not path.is_symlink() and sha256(path.read_bytes()) == digest


def _record_of(journal: Journal) -> Any:
    """What the run says of itself once the journal is carried out; ``None`` for nothing."""
    if journal.kept:
        return to_plain(replace(journal, undo=False, moves=journal.kept, kept=()))
    return None if journal.undo else to_plain(journal)


def _is_recorded(run: StoredRun, journal: Journal) -> bool:
    """Whether the run says already what it says once the journal is carried out."""
    try:
        return bool(run.read_json(APPLIED) == _record_of(journal))
    except UsageError:  # it is damaged, so that is no record of anything
        return False


def _take_back(store: RunStore, root: Path, journal: Journal, *, finish: bool = True) -> tuple[str, ...]:
    """All old again, unless with ``finish`` all is new already; returns the files that hold neither."""
    run = store.load_run(journal.run)
    states = {move: current_digest(root, move.path) for move in journal.moves}
    if _is_recorded(run, journal):
        _remove(store, root, journal)
        return ()
    if finish and all(state == move.after for move, state in states.items()):
        _finish(store, root, run, journal)
        return ()
    for move, state in states.items():
        if state == move.after:
            _put_back(run, safe_path(root, move.path), move)
    _remove(store, root, journal)
    return tuple(move.path for move, state in states.items() if state not in (move.before, move.after))


def _waiting_path(path: Path, digest: str) -> Path:
    """Where the bytes wait before they replace the file: the same name after a crash, so that it can be removed."""
    return path.with_name(f".{path.name}.{digest[:12]}{WAITING}")


def _report_taking_back(store: RunStore, root: Path, journal: Journal) -> str:
    """Take back what was done, and the sentence that says whether the files are as they were."""
    try:
        edited = _take_back(store, root, journal, finish=False)
    except OSError as problem:
        return f"That cannot be taken back now: {problem.strerror}. Mend it; the next command puts it right."
    if edited:
        return f"Compare {', '.join(edited)}: somebody edited it meanwhile."
    return f"The files are as they were. Mend that, and run `repair {'undo' if journal.undo else 'apply'}`."


def _path(store: RunStore) -> Path:
    return store.directory / "journal.json"


def _read(store: RunStore) -> Journal | None:
    """The journal, ``None`` where it is not ours, or torn."""
    try:
        found = json.loads(_path(store).read_bytes()) if _path(store).is_file() else {}
        values = found["journal"]
        if not store.seals.holds(str(found["seal"]), b"journal", _canonical(values)):
            return None
        journal: Journal = from_plain(Journal, values, "journal")
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return journal


def _canonical(values: Any) -> bytes:
    return json.dumps(values, sort_keys=True).encode()


def _put_aside(path: Path) -> str:
    """Rename what stands in the journal's place, whatever it is; its new name."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.foreign-{number}")):
        number += 1
    path.rename(aside)
    return aside.name
