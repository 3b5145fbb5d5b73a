"""The folder of a campaign: what is written when, so that a kill at any moment loses one attempt at most.

    tasks.json        what edits must not give away of the tasks
    plan.json         written before anything is run, never changed
    attempts.jsonl    each attempt as it ended
    proposals.jsonl   each proposal as it came
    log.jsonl         each decision
    diffs/NNN.diff    each edit
    baselines/DIGEST  each accepted file, whole
    reverts.jsonl     what a person took back

Decisions follow from the plan, the attempts and the proposals alone. So a campaign goes on by making all of them again
from what is kept, and a replay is the same without a model.
"""

from __future__ import annotations

import contextlib
import glob
import json
import math
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

from analysis.errors import ConflictError, TargetError, UsageError
from corpora.json_lines import JsonLines, append_lines, records_of
from corpora.os_errors import explained
from corpora.tuning.campaign import (
    ATTEMPT,
    PLAN,
    PROPOSAL,
    REVERT,
    STEP,
    KeptProposal,
    KeptRevert,
    TuneAttempt,
    TunePlan,
    TuneStep,
)
from corpora.tuning.leaks import TaskText
from repair.store.atomic import WAITING, remove_stale, replace_file, sha256
from repair.store.run_lock import hold_run

TASKS = "tasks.json"
PLAN_FILE, ATTEMPTS, PROPOSALS, LOG = "plan.json", "attempts.jsonl", "proposals.jsonl", "log.jsonl"
DIFFS, BASELINES, REVERTS = "diffs", "baselines", "reverts.jsonl"


def digest_of(text: str) -> str:
    """The digest of a prompt's file, by which it is kept."""
    return sha256(text.encode())


class KeptCampaign:
    """The records of one campaign in their folder. One process writes them at a time: see ``hold``."""

    def __init__(self, folder: Path, plan: TunePlan) -> None:
        self.folder, self.plan = folder, plan

    @classmethod
    def begin(cls, folder: Path, plan: TunePlan, first: str, text: TaskText) -> KeptCampaign:
        """A new campaign with its plan and the first prompt. Raises ``UsageError`` where the folder holds one."""
        if (folder / PLAN_FILE).exists():
            raise UsageError(
                "The folder holds a campaign", where=str(folder), remedy="Go on with --resume, or name another --out."
            )
        with explained("The folder cannot be made", folder, "Name another with --out."):
            for place in (folder, folder / DIFFS, folder / BASELINES):
                place.mkdir(parents=True, exist_ok=True)
            made = cls(folder, plan)
            made.keep_baseline(first)
            replace_file(folder / TASKS, json.dumps(text.to_json()).encode() + b"\n")
            replace_file(folder / PLAN_FILE, json.dumps(plan.to_json(), indent=1, ensure_ascii=False).encode() + b"\n")
        return made

    @classmethod
    def open(cls, folder: Path) -> KeptCampaign:
        """The campaign of that folder. Raises ``UsageError`` where there is none, or its plan cannot be read."""
        try:
            values = json.loads((folder / PLAN_FILE).read_bytes())
            if not isinstance(values, dict) or values.get("schema") != PLAN:
                raise ValueError(f"its schema is not {PLAN}")
            return cls(folder, TunePlan.from_json(values))
        except (OSError, ValueError, RecursionError) as problem:
            raise UsageError(
                f"There is no campaign: {problem}", where=str(folder), remedy="Name the folder of `tune run --out`."
            ) from problem

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Nobody else writes meanwhile. What a kill has left is taken away: lines cut in two, files begun."""
        with hold_run(self.folder):
            for place in (self.folder, self.folder / DIFFS, self.folder / BASELINES):
                remove_stale(place, math.inf)
            for name in (ATTEMPTS, PROPOSALS, LOG, REVERTS):
                with JsonLines(self.folder / name):
                    pass
            yield

    def task_text(self) -> TaskText:
        """What edits must not give away. Raises ``TargetError`` where it cannot be read."""
        try:
            return TaskText.from_json(json.loads((self.folder / TASKS).read_bytes()))
        except (OSError, ValueError, RecursionError) as problem:
            raise TargetError(
                f"The text of the tasks cannot be read: {problem}",
                where=str(self.folder / TASKS),
                remedy="Restore it, or begin a new campaign.",
            ) from problem

    def attempts(self) -> Iterator[TuneAttempt]:
        """Every attempt that is kept."""
        return self._read(ATTEMPTS, TuneAttempt, ATTEMPT)

    def proposals(self) -> dict[int, KeptProposal]:
        """Every proposal by its iteration."""
        return {kept.iteration: kept for kept in self._read(PROPOSALS, KeptProposal, PROPOSAL)}

    def steps(self) -> tuple[TuneStep, ...]:
        """Every decision in its order."""
        return tuple(self._read(LOG, TuneStep, STEP))

    def keep_attempt(self, attempt: TuneAttempt) -> None:
        """Append an attempt."""
        append_lines(self.folder / ATTEMPTS, attempt.to_json())

    def keep_proposal(self, proposal: KeptProposal) -> None:
        """Append a proposal."""
        append_lines(self.folder / PROPOSALS, proposal.to_json())

    def keep_step(self, step: TuneStep, texts: Sequence[str]) -> None:
        """Append a decision: first the prompts before it, as it was tried, and after it; then the line."""
        before, tried, after = texts
        self.keep_baseline(after)
        if step.edit is not None:
            replace_file(self.diff_file(step.number), diff_of(before, tried).encode())
        append_lines(self.folder / LOG, step.to_json())

    def diff_file(self, number: int) -> Path:
        """Where the diff of an iteration lies."""
        return self.folder / DIFFS / f"{number:03}.diff"

    def keep_baseline(self, text: str) -> None:
        """Keep a prompt by its digest."""
        place = self.folder / BASELINES / digest_of(text)
        if not place.exists():
            replace_file(place, text.encode())

    def baseline(self, digest: str) -> str:
        """The prompt of that digest. Raises ``TargetError`` where it is gone or is no longer itself."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = (self.folder / BASELINES / digest).read_bytes().decode()
            if digest_of(text) == digest:
                return text
        raise TargetError(
            "A kept prompt is gone or was changed", where=f"{BASELINES}/{digest}", remedy="Begin a new campaign."
        )

    def write_prompt(self, file: Path, digest: str) -> bool:
        """Put the prompt of that digest in the user's file, and say whether it changed.

        Raises ``ConflictError`` where the file holds what the campaign never accepted: somebody else has edited it.
        """
        if self.is_written(file, digest):
            return False
        with explained("The prompt cannot be written", file):
            for left in file.parent.glob(f".{glob.escape(file.name)}.*{WAITING}"):  # by a kill; we hold the campaign
                left.unlink()
            replace_file(file, self.baseline(digest).encode(), file.stat())
        return True

    def is_written(self, file: Path, digest: str) -> bool:
        """Whether the user's file holds the prompt of that digest; ``False`` where it holds another one of ours.

        Raises ``ConflictError`` where it holds none of ours.
        """
        with explained("The prompt cannot be read", file):
            now = sha256(file.read_bytes())
        if now != digest and not (self.folder / BASELINES / now).exists():
            raise ConflictError(
                "The prompt was edited by somebody else while it was tuned",
                where=str(file),
                remedy=f"Keep your edit in a new campaign, or restore one of {self.folder / BASELINES}.",
            )
        return now == digest

    def keep_revert(self, digest: str, number: int) -> None:
        """Append that a person went back to the prompt before that step.

        It is kept before the prompt's file changes. Where a kill comes between, the file follows with the next command.
        """
        append_lines(self.folder / REVERTS, KeptRevert(REVERT, number, digest).to_json())

    @property
    def reverted_to(self) -> str:
        """The digest to which a person went back, which ends a campaign; empty where nobody did."""
        found: list[KeptRevert] = list(self._read(REVERTS, KeptRevert, REVERT))
        return found[-1].digest if found else ""

    def refuse_torn(self) -> None:
        """Raise ``TargetError`` for the first file of records whose last line a kill has cut in two, and say which."""
        for name in (ATTEMPTS, PROPOSALS, LOG):
            content = (self.folder / name).read_bytes() if (self.folder / name).exists() else b""
            if content and not content.endswith(b"\n"):
                number = content.count(b"\n") + 1
                raise TargetError(
                    f"Line {number} of {name} is torn: it has no end",
                    where=str(self.folder),
                    remedy="A kill does that: `repair tune run --resume` takes it away and goes on.",
                )

    def _read(self, name: str, kind: Any, schema: str) -> Iterator[Any]:
        place = self.folder / name
        known = list(records_of(place, kind, schema)) if place.exists() else []
        if known and isinstance(known[-1], str) and not place.read_bytes().endswith(b"\n"):
            known.pop()  # a kill has cut it in two
        for found in known:
            if isinstance(found, str):
                raise TargetError(
                    f"A record cannot be read: {found}", where=str(place), remedy="Restore it, or begin a new campaign."
                )
            yield found


def diff_of(before: str, after: str) -> str:
    """The change of a prompt as a diff."""
    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), "prompt", "prompt", n=1)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
