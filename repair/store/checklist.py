"""The checklist of a project: each test that failed in some run, what its failure comes from, and what became of it.

It lies with the records of the project, in two files: ``checklist.json`` is read by the next run, and ``checklist.md``
is for people. Nothing is decided by it. A file that cannot be read is begun anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import TestId
from repair.records.json_records import from_plain, to_plain
from repair.records.result import CauseView, FailureView, Result, Status
from repair.store.atomic import replace_file

DATA, PAGE = "checklist.json", "checklist.md"

MOST_ENTRIES = 2000
"""Tests that are kept; the oldest that are not open go first."""

MOST_MODEL = 20
"""Attempts of models that are kept for a test, the newest last."""

MOST_TRIES = 10
"""What became of a test in so many runs is kept, the newest last."""

BOXES = {"open": "[ ]", "aside": "[-]", "mended": "[x]", "passes": "[x]", "doubtful": "[~]"}
"""How the states look. A patch that is plausible alone leaves a doubt."""

MENDED = (Status.CERTIFIED, Status.PLAUSIBLE)
ASIDE = (Status.ENVIRONMENT, Status.TEST_DEFECT, Status.FLAKY, Status.UNPARSEABLE)


@dataclass(frozen=True, slots=True)
class TestState:
    """One test: ``state`` is open, mended, passes or aside, and ``note`` says in which run, or why.

    ``tries`` has a line for each run that tried to mend it, and ``attempts`` counts them.
    """

    test: str
    state: str
    note: str = ""
    category: str = ""
    error: str = ""
    cause: str = ""
    scope: str = ""
    edit: str = ""
    attempts: int = 0
    tries: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    """What models tried, with their explanations, a line each."""
    is_doubtful: bool = False
    """Whether it is mended by a patch that is plausible, and no more."""


@dataclass(frozen=True, slots=True)
class Checklist:
    """The entries by test, in the order in which they were first seen."""

    entries: tuple[TestState, ...] = ()

    def take_in(self, result: Result, passing: Collection[str] = ()) -> Checklist:
        """The list after a run, in which these tests passed without any patch."""
        known = {entry.test: entry for entry in self.entries}
        for test, entry in known.items():
            if test in passing and entry.state != "passes":
                known[test] = replace(entry, state="passes", note=f"without a patch, seen by run {result.run}")
        for failure in (*result.failures, *result.set_aside):
            known[failure.test] = _after(known.get(failure.test), failure, result)
        while len(known) > MOST_ENTRIES:
            closed = (test for test, entry in known.items() if entry.state != "open")
            del known[next(closed, next(iter(known)))]
        return Checklist(tuple(known.values()))

    def to_text(self) -> str:
        """The list for people: a box for each test, what is open first."""
        open_ = sum(entry.state == "open" for entry in self.entries)
        lines = [
            "# Failing tests",
            "",
            f"{open_} open of {len(self.entries)}. Written by `repair`; read it, or delete it.",
        ]
        for entry in sorted(self.entries, key=lambda each: each.state != "open"):
            box = BOXES["doubtful" if entry.is_doubtful else entry.state]
            lines += ["", f"- {box} `{entry.test}`: {entry.state}{f' ({entry.note})' if entry.note else ''}"]
            first = [("category", entry.category), ("fails with", entry.error), ("cause", entry.cause)]
            told = [*first, ("scope", entry.scope), ("kind of edit", entry.edit)]
            lines += [f"  - {name}: {text}" for name, text in told if text]
            lines += [f"  - tried {entry.attempts} times"] if entry.attempts > 1 else []
            lines += [f"    - {each}" for each in entry.tries]
            lines += ["  - a model tried"] if entry.model else []
            lines += [f"    - {each}" for each in entry.model]
        return "\n".join(lines) + "\n"


def _after(known: TestState | None, failure: FailureView, result: Result) -> TestState:
    """The entry of a test that fails without a patch, after this run."""
    cause = next((each for each in result.causes if failure.test in each.tests), None)
    status = cause.status if cause else result.status
    state, note = _state(failure, status, cause, result)
    before = known or TestState(failure.test, state)
    doubtful, tried = state == "mended" and status is Status.PLAUSIBLE, result.status is not Status.DIAGNOSED
    if not tried and before.state == "mended":
        state, note, doubtful = before.state, before.note, before.is_doubtful
    why = failure.analysis
    kind = f"{failure.failure_class}/{failure.subclass}".rstrip("/")
    line = f"{result.run}: {state}{f', {note}' if note else ''}"
    return TestState(
        failure.test,
        state,
        note,
        kind,
        one_line(f"{failure.exception}: {failure.message}"),
        why.root_cause if why else "",
        why.scope if why else "",
        f"{why.edit or 'none'}: {why.reason}" if why else "",
        before.attempts + tried,
        (*before.tries, *((line,) if tried else ()))[-MOST_TRIES:],
        (*before.model, *_model_lines(failure.test, result))[-MOST_MODEL:],
        doubtful,
    )


def _model_lines(test: str, result: Result) -> tuple[str, ...]:
    """What a model tried for the test in this run: the function, the edit, its explanation, and how it ended."""
    own = (each for each in result.attempts if test in each.tests)
    return tuple(
        one_line(
            f"{a.function}, {a.kind or 'no edit'}{f' of {a.category}' if a.category else ''}"
            f" ({a.explanation[:80]}): {a.outcome} {a.reason}"
        )
        for a in own
    )


def _state(failure: FailureView, status: Status, cause: CauseView | None, result: Result) -> tuple[str, str]:
    if failure.failure_class in (Status.ENVIRONMENT, Status.TEST_DEFECT):
        return "aside", f"{failure.failure_class}: no patch of a function helps"
    if status in MENDED:
        return "mended", f"in run {result.run}, {status}; `repair apply` writes it"
    if status in ASIDE:
        return "aside", f"{status}: {_reason(cause, result)}"
    return "open", "" if status is Status.DIAGNOSED else f"{status}: {_reason(cause, result)}"


def _reason(cause: CauseView | None, result: Result) -> str:
    return one_line(next(iter((cause.messages if cause else ()) or result.messages), "no more is known"))


def one_line(text: str) -> str:
    """The text on one bounded line of printable characters."""
    shown = (letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return "".join(shown)[:200]


def read_checklist(folder: Path) -> Checklist:
    """What was kept; an empty list where there is none, or none that can be read."""
    try:
        values: object = json.loads((folder / DATA).read_bytes())
        found: Checklist = from_plain(Checklist, values, "checklist")
        return found
    except (OSError, ValueError, RecursionError):
        return Checklist()


def read_open_tests(folder: Path) -> tuple[TestId, ...]:
    """The tests that are open. Raises ``UsageError`` where there is none."""
    found = tuple(TestId(entry.test) for entry in read_checklist(folder).entries if entry.state == "open")
    if not found:
        raise UsageError(
            "The checklist has no open test", where=str(folder / PAGE), remedy="Give node ids, or none for all."
        )
    return found


def read_earlier_attempts(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """What models tried in earlier runs for each test that is open."""
    return {entry.test: entry.model for entry in read_checklist(folder).entries if entry.state == "open"}


def keep_checklist(folder: Path, result: Result, passing: Collection[str] = ()) -> Path | None:
    """Take the run in. The page for people, or nothing where there is none or the disk refuses it."""
    before = read_checklist(folder)
    now = before.take_in(result, passing)
    if not now.entries:
        return None
    with contextlib.suppress(OSError):  # a full disk: the run's own result says the same
        if now != before:
            plain: Mapping[str, object] = to_plain(now)
            replace_file(folder / DATA, json.dumps(plain, indent=1, ensure_ascii=False).encode() + b"\n")
            replace_file(folder / PAGE, now.to_text().encode("utf-8", "replace"))
        return folder / PAGE
    return None
