"""What people decided about a run's patches: who, when, by which way and why. All is kept, and the last word counts.

They lie in one sealed file of the run, which is written whole or not at all: a process that is killed tears nothing.
"""

from __future__ import annotations

import datetime
import getpass
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import ConflictError, UsageError
from repair.records.config import file_needs_approval
from repair.records.json_records import from_plain, to_plain
from repair.records.result import PatchView, Result, Status
from repair.store.journal import hold_lock
from repair.store.store import RunStore
from repair.store.stored_run import REVIEW, StoredRun

WORDS = (Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED)
"""The words that people can agree with or not."""

APPROVED, REJECTED, EDITED, ANOTHER, HANDED_ON = "approved", "rejected", "edited", "another", "handed_on"
"""What a person says of a patch. Edited: it was changed by hand. Another: another one was asked for."""

TERMINAL, COMMAND = "terminal", "command"
"""By which way: somebody sat at a terminal, or a program may have called us."""


@dataclass(frozen=True, slots=True)
class PersonsDecision:
    """One of them: ``patches`` are digests, ``by`` is the user's name, ``at`` the time in UTC, ``note`` the reason.

    Of a patch that was edited, the ``note`` names the run in which the edited one was judged.
    """

    said: str
    patches: tuple[str, ...] = ()
    note: str = ""
    by: str = ""
    at: str = ""
    way: str = COMMAND


def decide(store: RunStore, run: StoredRun, decision: PersonsDecision) -> PersonsDecision:
    """Keep the decision, with the user's name and the time.

    Raises ``UsageError`` where the run is foreign, or has no patch that anything could be said of.
    """
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign: your repair did not record it", remedy=f"`repair replay {run.id}` proves it."
        )
    result = run.result()
    if decision.said != HANDED_ON and (result is None or result.status not in WORDS):
        ended = "has no result" if result is None else f"ended as {result.status}"
        raise UsageError(f"Run {run.id} {ended}: there is no patch to review", remedy="`repair runs` lists the runs.")
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    made = replace(decision, by=user_name(), at=now)
    with hold_lock(store):
        values = [to_plain(each) for each in (*decisions_of(run), made)]
        run.save_json(REVIEW, {"said": made.said, "note": made.note, "decisions": values})
    return made


def decisions_of(run: StoredRun) -> tuple[PersonsDecision, ...]:
    """All that was decided, in order; raises ``UsageError`` where the record is damaged."""
    values = run.read_json(REVIEW)
    if values is None:
        return ()
    try:
        if "decisions" in values:
            return tuple(from_plain(PersonsDecision, each, "decision") for each in values["decisions"])
        return (PersonsDecision(str(values["said"]), note=str(values.get("note", ""))),)  # as it was written at first
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UsageError(
            f"The record is damaged: {problem}", where=str(run.path / REVIEW), remedy="Delete that file."
        ) from problem


def last_word(decisions: Iterable[PersonsDecision]) -> str:
    """What a person said last of the patches: approved, rejected, or nothing."""
    return next((each.said for each in reversed([*decisions]) if each.said in (APPROVED, REJECTED)), "")


def needs_approval(result: Result, root: Path, *, is_set: bool) -> bool:
    """Whether the patches of this result are written only after a person approved them.

    So it is where the run's settings said so, where the project's file says so now, or where the caller's settings do.
    Whoever takes it out in one place does not take it away.
    """
    return is_set or result.needs_approval or file_needs_approval(root)


def refuse_unapproved(run: StoredRun, patches: Iterable[PatchView]) -> None:
    """Raise ``ConflictError`` where a person at a terminal has not approved one of the patches, or took that back."""
    told = [each for each in decisions_of(run) if each.said in (APPROVED, REJECTED)]
    for patch in patches:
        of_it = [each for each in told if patch.digest in each.patches]
        if not of_it or of_it[-1].said != APPROVED or of_it[-1].way != TERMINAL:
            cause = f" of cause {patch.cause}" if patch.cause else ""
            raise ConflictError(
                f"The patch{cause} of run {run.id} waits for the approval of a person, which is required here",
                remedy=f"`repair review {run.id}`, at a terminal.",
            )


def user_name() -> str:
    """Who uses this machine's account; its number where it has no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
