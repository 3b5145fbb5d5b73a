"""What a run was asked, written down so that it can be asked again: with recorded replies, or to its end.

The record has the names of variables and never their values, addresses without credentials, and arguments of pytest
without what may be a secret. It has no command of an agent, since a secret may stand in one: the user names it again.
"""

from __future__ import annotations

import contextlib
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.errors import ConflictError, UsageError
from analysis.facts import TestId
from repair.records.addresses import without_credentials
from repair.records.change import Change
from repair.records.config import Options
from repair.records.json_records import from_plain, to_plain
from repair.records.result import Result, Status
from repair.records.secret_names import choose_arguments, hide_secrets
from repair.store.run_lock import is_under_way
from repair.store.stored_run import StoredRun
from sandbox.workspace import Snapshot

QUESTION = "question.json"
"""In a run: the command, the tests that were named, the options, and the change that was to be judged."""

TREE = "tree.json"
"""In a run that may go on: the SHA-256 of each Python file that it began with."""

OF_THE_OUTPUT = ("output_format", "color", "progress", "verbosity", "debug", "apply", "commit")

TIME_SHARE = 0.9
"""A run that took so much of its time, and has no certificate, was ended by it."""

ADDRESS = re.compile(r"\w+://\S+")


@dataclass(frozen=True, slots=True)
class AskedRun:
    """What a run was asked: ``fix`` or ``check``, the tests, the options, and the change that was to be judged.

    ``since`` is the revision that a change was taken against, ``None`` for a diff. ``earlier`` is what was told of
    earlier runs' attempts, by test.
    """

    command: str
    tests: tuple[TestId, ...]
    options: Options
    change: Change | None = None
    since: str | None = None
    earlier: Mapping[str, Sequence[str]] | None = None


def keep_asked(run: StoredRun, asked: AskedRun, snapshot: Snapshot | None = None) -> None:
    """Write down what the run was asked, and of which files."""
    told = {test: list(lines) for test, lines in (asked.earlier or {}).items() if lines}
    options = asked.options
    plain = replace(
        options,
        base_url=without_credentials(options.base_url),
        strong_base_url=without_credentials(options.strong_base_url),
        models=tuple(ADDRESS.sub(lambda found: without_credentials(found[0]), each) for each in options.models),
        agent="",
        pytest_args=hide_secrets(options.pytest_args),
    )
    values: dict[str, Any] = {
        "command": asked.command,
        "tests": list(asked.tests),
        "options": to_plain(plain),
        "earlier": told,
        "since": asked.since,
    }
    if asked.change is not None:
        values["change"] = _plain_change(asked.change)
    if snapshot is not None:
        run.save_json(TREE, {"files": dict(snapshot.digests)})
    run.save_json(QUESTION, values)


def read_asked(run: StoredRun) -> AskedRun | None:
    """What the run was asked, ``None`` where that was not written down.

    Raises ``UsageError`` for a foreign run: its record would choose what is run here.
    """
    found: Any = run.read_json(QUESTION)
    if found is None:
        return None
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign, and its options are not yours",
            remedy="Leave --model out to prove its certificate.",
        )
    try:
        return AskedRun(
            str(found.get("command", "fix" if "change" not in found else "check")),
            tuple(TestId(str(test)) for test in found["tests"]),
            from_plain(Options, found["options"], "options"),
            _change_of(found["change"]) if "change" in found else None,
            found.get("since"),
            {str(test): tuple(map(str, lines)) for test, lines in found.get("earlier", {}).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UsageError(
            f"What run {run.id} was asked cannot be read: {problem}", remedy="Run `repair fix` again."
        ) from problem


def forget_asked(run: StoredRun, options: Options, result: Result) -> None:
    """Delete what only a run needs that goes on, where this one has come to its end."""
    if may_go_on(result, options.max_seconds):
        return
    for name in (TREE, *(() if "model" in options.chosen_proposers else (QUESTION,))):
        for path in (run.path / name, run.path / "seals" / name):
            with contextlib.suppress(OSError):  # it asks for nothing, since the run is at its end
                path.unlink(missing_ok=True)


def may_go_on(result: Result | None, max_seconds: float) -> bool:
    """Whether a run with this result is not at its end: killed or interrupted, its model failed, or its time was up."""
    if result is None or result.status in (Status.INTERRUPTED, Status.MODEL_ERROR):
        return True
    total = result.seconds.total  # 0 where it had no time to say anything
    return result.status in (Status.UNREPAIRED, Status.PLAUSIBLE) and not 0 < total < TIME_SHARE * max_seconds


def asked_to_go_on(run: StoredRun, options: Options, max_seconds: float | None = None) -> AskedRun:
    """What to ask once more so that the run comes to its end, with the options of now for what is printed.

    Raises ``UsageError`` for a run that is foreign, under way, at its end, or of which too little is known.
    """
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign: your repair did not record it, and it does not go on here",
            remedy="Run `repair fix` or `repair check` yourself.",
        )
    if is_under_way(run.path):
        raise UsageError(
            f"Run {run.id} is under way in another process", remedy="Wait for its end, or end that process."
        )
    asked, result = read_asked(run), run.result()
    seconds = asked.options.max_seconds if asked is not None else 0.0
    if result is not None and (asked is None or not may_go_on(result, seconds)):
        raise UsageError(
            f"Run {run.id} has come to its end: {result.status}", remedy=f"`repair show {run.id}` shows it."
        )
    if asked is None or not (run.path / TREE).exists():
        raise UsageError(
            f"Run {run.id} does not say what it was asked: it was no fix or check, or was ended too early",
            remedy="Run the same command again.",
        )
    then = asked.options
    if "agent" in then.chosen_proposers and not options.agent:
        raise UsageError(
            f"Run {run.id} was given an agent, whose command is not recorded", remedy="Name it again with --agent."
        )
    own = {name: getattr(options, name) for name in (*OF_THE_OUTPUT, "root", "state_dir", "agent")}
    own["pytest_args"] = choose_arguments(options.pytest_args, then.pytest_args)
    now = replace(then, **own, lf=False, open_tests=False, max_seconds=max_seconds or then.max_seconds)
    return replace(asked, options=now)


def refuse_other_tree(run: StoredRun, snapshot: Snapshot) -> None:
    """Raise ``ConflictError`` where a Python file of the project is not what the run began with."""
    kept = run.read_json(TREE)
    then = kept.get("files") if isinstance(kept, dict) else None
    now = dict(snapshot.digests)
    if not isinstance(then, dict):
        raise UsageError(f"Run {run.id} does not say what it began with", remedy="Run the same command again.")
    for path in sorted({*then, *now}):
        if then.get(path) != now.get(path):
            what = "is gone" if path not in now else "is new" if path not in then else "has changed"
            raise ConflictError(
                f"{path} {what} since run {run.id} began", remedy="Run `repair fix` or `repair check` again instead."
            )


def _plain_change(change: Change) -> dict[str, Any]:
    """The change as JSON values; files are bytes, so they stand in base64."""
    before, after = (
        [[path, b64encode(text).decode()] for path, text in side] for side in (change.before, change.after)
    )
    return {"before": before, "after": after, "others": list(change.others)}


def _change_of(values: Mapping[str, Any]) -> Change:
    before, after = (
        tuple((str(path), b64decode(text, validate=True)) for path, text in values[side])
        for side in ("before", "after")
    )
    return Change(before, after, tuple(map(str, values["others"])))
