"""Put a run's patch into the project, and take it out again exactly."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import ConflictError, TargetError, UsageError
from repair.records.json_records import from_plain
from repair.records.result import FileChange, PatchView, Result, StackView, Status, pick_stack
from repair.store import git
from repair.store.decisions import needs_approval, refuse_unapproved
from repair.store.journal import APPLIED, Journal, Move, Step, carry_out, current_digest, hold_lock, safe_path
from repair.store.store import RunStore
from repair.store.stored_run import UNDONE, StoredRun


@dataclass(frozen=True, slots=True)
class Applied:
    """What was changed. ``commit`` is the new commit's id, ``""`` without one.

    ``causes`` are the numbers of the causes whose patches were put in, or taken out, where a run has several.
    """

    run: str
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    commit: str = ""
    causes: tuple[int, ...] = ()


def apply_run(
    store: RunStore,
    run: StoredRun,
    root: Path,
    rank: int = 1,
    *,
    cause: int = 0,
    stack: StackView | None = None,
    commit: bool = False,
    require_approval: bool = False,
    step: Step = lambda name: None,
    clock: Callable[[], float] = time.time,
) -> Applied:
    """Apply the run's patch of that rank: all its files or none.

    With ``require_approval``, or where the run or the project's file say so, a person has to have approved it.

    Of a run with several causes all are applied that go together. With a ``cause`` its patch is, and those that it
    stands on; a ``stack`` of the run says which ones. What is applied already stays, where the patch lies on it.

    Raises ``ConflictError`` when a file

    - is not byte for byte what the run read, or what an applied patch below left there;
    - lies outside the project or behind a link;
    - has a change that git already sees, with ``commit``;

    and where the approval of a person is missing.
    """
    _refuse_foreign(run)
    result = run.ended_result()
    chosen = _choose(result, run, rank, cause, stack)
    with hold_lock(store):
        if needs_approval(result, root, is_set=require_approval):
            refuse_unapproved(run, chosen.patches)
        before = _find_standing(run, root)
        if before is not None and not {*before.causes} < {*chosen.causes}:
            raise ConflictError(f"Run {run.id} is applied already", remedy=f"`repair undo {run.id}` takes it out.")
        moves = _moves_between(before.moves if before is not None else (), chosen.moves)
        _refuse_changed_files(root, moves, chosen)
        if commit:
            git.refuse_dirty(root, [move.path for move in moves])
        paths = {move.path: safe_path(root, move.path) for move in moves}
        linked = [path for path, file in paths.items() if file.stat().st_nlink > 1]
        warnings = [f"{path} has other hard links, which keep the old text." for path in linked]
        warnings += [*_warn_of_plausible(chosen), *_warn_of_beside(chosen, run)]
        journal = Journal(run.id, rank, undo=False, moves=moves, causes=chosen.causes, kept=chosen.moves, at=clock())
        _keep_bytes(run, paths, journal)
        carry_out(store, root, journal, step)
        made = _commit(store, root, journal, before, chosen.patches) if commit else ""
    return Applied(run.id, tuple(paths), tuple(warnings), made, chosen.causes)


def undo_run(
    store: RunStore,
    run: StoredRun,
    root: Path,
    *,
    cause: int = 0,
    step: Step = lambda name: None,
    clock: Callable[[], float] = time.time,
) -> Applied:
    """Take the run's patch out again; ``ConflictError`` when a file was edited since, and nothing is changed then.

    With a ``cause`` its patch alone goes, and those that stand on it. Where somebody has taken all of it out by other
    means, byte for byte, only the mark that it is applied goes.
    """
    _refuse_foreign(run)
    with hold_lock(store):
        applied = _read_applied(run)
        if _is_taken_out(applied, root):
            (run.path / APPLIED).unlink()
            _note_undone(run, applied, applied.causes, clock())
            said = "The files are as they were before the patch already; nothing was written."
            return Applied(run.id, tuple(move.path for move in applied.moves), (said,), causes=applied.causes)
        left = _find_rest(run, applied, cause) if cause else None
        kept = _moves_of(left.files, run) if left is not None else ()
        moves = _moves_between(applied.moves, kept)
        for move in moves:
            _refuse_other_bytes(root, move.path, move.before, "since it was patched", "Undo by hand, or with git.")
        staying = left.causes if left is not None else ()
        journal = Journal(run.id, 0, undo=True, moves=moves, causes=staying, kept=kept, at=applied.at)
        carry_out(store, root, journal, step)
        gone = tuple(number for number in applied.causes if number not in staying)
        _note_undone(run, applied, gone, clock(), whole=not kept)
    return Applied(run.id, tuple(move.path for move in moves), causes=gone)


def _find_rest(run: StoredRun, applied: Journal, cause: int) -> StackView | None:
    """The largest program of patches that stays without that of the cause; ``None`` where none does."""
    if cause not in applied.causes:
        has = ", ".join(map(str, applied.causes)) or "none by its number"
        raise UsageError(f"Cause {cause} of run {run.id} is not applied: {has}", remedy="`repair show` lists them.")
    result = run.result()
    staying = {*applied.causes} - {cause}
    known = result.stacks if result is not None else ()
    stacks = [stack for stack in known if stack.files and {*stack.causes} <= staying]
    return max(stacks, key=lambda stack: len(stack.causes), default=None)


def _note_undone(run: StoredRun, applied: Journal, causes: Sequence[int], now: float, *, whole: bool = True) -> None:
    """Leave a note for the memory and ``repair runs --stats``; the patch is out even where the disk refuses it.

    It names the causes whose patches were ever taken out, and whether the last time it was all of the run. ``seconds``
    says how long each had stood, by its number (0 where the run numbers none), as far as that is known.
    """
    with contextlib.suppress(OSError, UsageError):
        before = run.read_json(UNDONE) or {}
        stood = {str(cause): round(now - applied.at) for cause in causes or (0,)} if applied.at else {}
        note = {
            "run": run.id,
            "causes": sorted({*before.get("causes", ()), *causes}),
            "whole": whole,
            "ranks": sorted({*before.get("ranks", ()), applied.rank}),
            "seconds": {**before.get("seconds", {}), **stood},
        }
        run.save_json(UNDONE, note)


def _refuse_foreign(run: StoredRun) -> None:
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign: your repair did not record it, so nothing in it is known to be true",
            where=str(run.path),
            remedy=f"`repair replay {run.id}` proves it again; `repair show {run.id} --output-format diff` prints it.",
        )


def _find_standing(run: StoredRun, root: Path) -> Journal | None:
    """What of the run is applied; where it was taken out by other means, the mark that it is goes."""
    before = _read_applied(run) if run.is_applied else None
    if before is not None and _is_taken_out(before, root):
        (run.path / APPLIED).unlink()
        return None
    return before


def _is_taken_out(applied: Journal, root: Path) -> bool:
    """Whether all files of an applied patch are byte for byte as before it."""
    return all(current_digest(root, move.path) == move.before for move in applied.moves)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is applied: from the project without any patch, with the patches themselves and their causes' numbers."""

    moves: tuple[Move, ...]
    patches: tuple[PatchView, ...]
    causes: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()
    """Causes with patches that are not among these, where nobody named a cause."""
    with_these: tuple[int, ...] = ()
    """Those of them whose patches go with these, and are less than accepted."""


def _choose(result: Result, run: StoredRun, rank: int, cause: int, stack: StackView | None) -> _Chosen:
    """What the user means, of what the run has."""
    if not result.stacks:
        numbers = [each.number for each in result.causes]
        if cause and (cause not in numbers or len(numbers) > 1):
            raise _no_such_cause(result, run, cause)
        patches = _patches(result.patches, result, run, rank)
        if len(numbers) > 1 or any(each.stands_on for each in result.causes):
            raise _not_judged_here(run)
        return _Chosen(_moves_of([change for patch in patches for change in patch.files], run), tuple(patches))
    if rank > 1 and not cause:
        raise UsageError(f"Run {run.id} has several causes, each with ranks of its own", remedy="Give --cause too.")
    view = next((each for each in result.causes if each.number == cause), None)
    if cause and (view is None or not view.patch):
        raise _no_such_cause(result, run, cause)
    if view is not None:
        _patches([patch for patch in result.patches if patch.cause == cause], result, run, rank)
        stack = next((each for each in result.stacks if each.causes == (*view.stands_on, cause)), None)
        if stack is None:
            raise _not_judged_here(run)
    stack = stack or pick_stack(result.stacks)
    if stack is None or not stack.files:
        raise _not_judged_here(run)
    patches = [patch for patch in result.patches if patch.cause in stack.causes and patch.rank == 1]
    files = stack.files
    if rank > 1:
        files, patches = _exchange(stack, patches, result, cause, rank)
    beside = () if cause else _find_beside(result, stack)
    most = pick_stack(result.stacks)
    larger = most.causes if most is not None and {*stack.causes} <= {*most.causes} else ()
    with_these = tuple(number for number in beside if number in larger)
    return _Chosen(_moves_of(files, run), tuple(patches), stack.causes, beside, with_these)


def _find_beside(result: Result, stack: StackView) -> tuple[int, ...]:
    """Causes with patches that could be applied and are not in the stack."""
    rejected = {patch.cause for patch in result.patches if patch.rank == 1 and patch.status is Status.REJECTED}
    left = (each.number for each in result.causes if each.patch and each.number not in stack.causes)
    return tuple(number for number in left if number not in rejected)


def _not_judged_here(run: StoredRun) -> UsageError:
    return UsageError(
        f"Run {run.id} has no program to make of these files: they hold it, or a patch that it was not judged with",
        remedy="Undo the other patches and replay again, or apply the run that found them.",
    )


def _exchange(
    stack: StackView, patches: Sequence[PatchView], result: Result, cause: int, rank: int
) -> tuple[tuple[FileChange, ...], list[PatchView]]:
    """The files and patches of the stack with another patch in place of the cause's answer."""
    own = next(patch for patch in patches if patch.cause == cause)
    other = next(patch for patch in result.patches if (patch.cause, patch.rank) == (cause, rank))
    files = {file.path: file for file in stack.files}
    for file in own.files:
        files[file.path] = replace(files[file.path], after=file.before)
    for file in other.files:
        files[file.path] = replace(files.get(file.path, file), after=file.after)
    kept = tuple(file for file in files.values() if file.before != file.after)
    return kept, [*(patch for patch in patches if patch is not own), other]


def _no_such_cause(result: Result, run: StoredRun, cause: int) -> UsageError:
    numbers = [str(each.number) for each in result.causes if each.patch]
    has = f"causes {', '.join(numbers)} have one" if numbers else f"it ended as {result.status}"
    return UsageError(f"Run {run.id} has no patch for cause {cause}: {has}", remedy=f"`repair show {run.id}` shows it.")


def _patches(patches: Sequence[PatchView], result: Result, run: StoredRun, rank: int) -> list[PatchView]:
    ranks = sorted({patch.rank for patch in patches})
    found = [patch for patch in patches if patch.rank == rank]
    if not found:
        has = f"it has {', '.join(map(str, ranks))}" if ranks else f"it ended as {result.status}"
        raise UsageError(f"Run {run.id} has no patch of rank {rank}: {has}", remedy=f"`repair show {run.id}` shows it.")
    if any(patch.status is Status.REJECTED for patch in found):
        raise UsageError(f"Patch {rank} of run {run.id} was rejected", remedy=f"`repair show {run.id}` says why.")
    return found


def _warn_of_plausible(chosen: _Chosen) -> list[str]:
    doubtful = [patch for patch in chosen.patches if patch.status is not Status.CERTIFIED]
    if not doubtful:
        return []
    if len(chosen.causes) < 2:
        return ["The patch is plausible, not certified: read its open questions."]
    numbers = ", ".join(str(patch.cause) for patch in doubtful)
    return [f"The patch of cause {numbers} is plausible, not certified: read its open questions."]


def _warn_of_beside(chosen: _Chosen, run: StoredRun) -> list[str]:
    said = []
    if chosen.with_these:
        numbers = ", ".join(map(str, chosen.with_these))
        said.append(
            f"Not applied: cause {numbers}, with a patch that is no more than plausible. "
            f"`repair apply {run.id}` takes it along."
        )
    if apart := [number for number in chosen.beside if number not in chosen.with_these]:
        said.append(
            f"Not applied: cause {', '.join(map(str, apart))}, whose patches were not shown to go with these. "
            f"`repair undo {run.id}`, then `repair apply {run.id} --cause {apart[0]}`, takes another one."
        )
    return said


def _moves_of(files: Sequence[FileChange], run: StoredRun) -> tuple[Move, ...]:
    changes = sorted(set(files), key=lambda change: change.path)
    if not changes or len({change.path for change in changes}) < len(changes):
        raise UsageError(f"Run {run.id} holds no whole files to apply", remedy="Apply its diff with `git apply`.")
    for change in changes:
        if not change.before or not change.after:
            raise UsageError(f"{change.path} would be created or deleted", remedy="Apply the diff with `git apply`.")
    return tuple(Move(change.path, change.before, change.after) for change in changes)


def _moves_between(old: Sequence[Move], new: Sequence[Move]) -> tuple[Move, ...]:
    """From the files with the old moves made to those with the new ones; both begin at the project without a patch."""
    bare = {move.path: move.before for move in (*old, *new)}
    now, then = ({**bare, **{move.path: move.after for move in moves}} for moves in (old, new))
    return tuple(Move(path, now[path], then[path]) for path in sorted(bare) if now[path] != then[path])


def _refuse_changed_files(root: Path, moves: Sequence[Move], chosen: _Chosen) -> None:
    """Raise where a file is not as it was judged: before its move, or after one that was made already."""
    moving = {move.path for move in moves}
    for move in moves:
        _refuse_other_bytes(root, move.path, move.before, "since the run read it", "Run `repair fix` again.")
    for move in chosen.moves:
        if move.path not in moving:
            _refuse_other_bytes(root, move.path, move.after, "since it was patched", "Run `repair fix` again.")


def _keep_bytes(run: StoredRun, paths: Mapping[str, Path], journal: Journal) -> None:
    """Both texts of each file are in the run before anything is begun. Raises ``TargetError`` where they cannot be."""
    try:
        for move in journal.moves:
            run.save_content(paths[move.path].read_bytes())
            run.content(move.after)
    except OSError as problem:
        raise TargetError(
            f"The old text cannot be kept, so nothing was written: {problem.strerror}",
            where=str(run.path),
            remedy="Mend that, and run `repair apply`.",
        ) from problem


def _refuse_other_bytes(root: Path, relative: str, expected: str, since: str, remedy: str) -> None:
    path = safe_path(root, relative)
    state = current_digest(root, relative)
    if not state:
        raise ConflictError(f"{relative} is not there any more", where=str(path), remedy=remedy)
    if state != expected:
        raise ConflictError(f"{relative} changed {since}; nothing was written", where=str(path), remedy=remedy)


def _read_applied(run: StoredRun) -> Journal:
    values = run.read_json(APPLIED)
    if values is None:
        raise UsageError(f"Run {run.id} is not applied", remedy="`repair runs` marks those that are.")
    try:
        journal: Journal = from_plain(Journal, values, "applied")
    except ValueError as problem:
        raise UsageError(
            f"The record is damaged: {problem}",
            where=str(run.path / APPLIED),
            remedy="Undo by hand, or with git.",
        ) from problem
    return journal


def _commit(store: RunStore, root: Path, journal: Journal, before: Journal | None, patches: Sequence[PatchView]) -> str:
    """Commit exactly its files; where git refuses, they are put back first, to what was applied ``before``."""
    said = "\n".join(patch.explanation or patch.file for patch in patches)
    word = max((patch.status for patch in patches), key=(Status.CERTIFIED, Status.PLAUSIBLE).index)
    functions = ", ".join(dict.fromkeys(patch.function for patch in patches if patch.function))
    body = f"{said}\n\nRepair-run: {journal.run} ({word})\n"
    paths = [move.path for move in journal.moves]
    made, refused = git.commit(root, paths, f"Mend {functions or 'a fault'}\n\n{body}")
    if refused:
        _put_back(store, root, journal, before, refused)
        raise ConflictError(
            f"git did not commit: {refused}; the files are as they were",
            where=str(root),
            remedy="Use --apply alone.",
        )
    return made


def _put_back(store: RunStore, root: Path, journal: Journal, before: Journal | None, refused: str) -> None:
    """The files as they were ``before``; raises ``TargetError`` where the patch has to stay."""
    back = tuple(Move(move.path, before=move.after, after=move.before) for move in journal.moves)
    causes, kept, at = (before.causes, before.moves, before.at) if before is not None else ((), (), 0.0)
    try:
        carry_out(store, root, Journal(journal.run, 0, undo=True, moves=back, causes=causes, kept=kept, at=at))
    except TargetError as problem:
        raise TargetError(
            f"git did not commit: {refused}; the patch stands in the project, since it cannot be taken out either",
            where=str(root),
            remedy=f"Mend that, then commit it, or take it out by `repair undo {journal.run}`.",
        ) from problem
