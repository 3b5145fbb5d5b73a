"""What people said, kept with the project's records: what functions should do, and why patches were rejected.

An answer holds until its function's text changes. A rejection is kept when the run that it is about is deleted.

The file is sealed with the user's key: one that somebody else has written holds nothing. It quotes the program, so it
never leaves the project's own folder of records.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UnparseableError, UsageError
from analysis.functions import functions_of
from repair.memory.sealed_file import hold_file, read_sealed, write_sealed
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import sha256
from repair.store.checklist import one_line
from repair.store.decisions import REJECTED, decisions_of, last_word
from repair.store.stored_run import REVIEW, StoredRun

MOST_RUNS = 50
"""So many of the newest runs are looked at: a patch is judged by people soon, or never."""

FILE, SET_ASIDE, REJECTIONS = "answers.json", "answers.set-aside.json", "rejections.json"

_KIND, _KIND_OF_REJECTIONS = b"repair answers", b"repair rejected"

MOST_ANSWERS = 1000
"""Answers that are kept of one project, the newest."""

MOST_REJECTIONS = 200
"""Rejections that are kept of one project, the newest."""

ReadFile = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer: its ``call`` and whole ``text``, the function that it is about, and the SHA-256 of its text then.

    ``tests`` failed in the run that it was given in, and ``by`` is the way by which it came, if that was said.
    """

    call: str
    text: str
    file: str
    function: str
    fingerprint: str
    tests: tuple[str, ...] = ()
    by: str = ""
    run: str = ""

    def is_about(self, tests: Sequence[str], function: str) -> bool:
        """Whether a run over these tests, or over the one function, meets it; a run that names none meets all."""
        if function:
            return function.rpartition(":")[2] == self.function
        return not tests or any(
            each == test or each.startswith((f"{test}::", f"{test}/", f"{test}["))
            for test in tests
            for each in self.tests
        )


@dataclass(frozen=True, slots=True)
class AnswersFound:
    """The answers that hold for the functions as they are, and those whose function has another text by now."""

    holding: tuple[KeptAnswer, ...] = ()
    outdated: tuple[KeptAnswer, ...] = ()


def fingerprint_of(source: bytes | None, function: str) -> str:
    """SHA-256 of the function's text, of all that have its name (overloads, a setter); empty where there is none."""
    if source is None:
        return ""
    with contextlib.suppress(UnparseableError):
        own = [span for span in functions_of("", source) if span.function.qualname == function]
        return sha256(b"\0".join(source[span.start : span.end] for span in own)) if own else ""
    return ""


def read_answers(folder: Path, key: bytes) -> tuple[KeptAnswer, ...]:
    """The answers that are kept; none where the file is missing, damaged or not sealed by the user."""
    with contextlib.suppress(ValueError, TypeError):
        return tuple(from_plain(KeptAnswer, each, "answer") for each in read_sealed(folder / FILE, key, _KIND) or ())
    return ()


def keep_answers(folder: Path, key: bytes, answers: Iterable[KeptAnswer]) -> None:
    """Keep the answers beside those that are kept; a later one on the same call of a function replaces the earlier.

    One engine does so at a time, so that none loses what another has kept. A file that does not hold under the key is
    set aside, not written over. Raises ``OSError`` where they cannot be written.
    """
    with hold_file(folder / FILE):
        known = {(each.file, each.function, each.call): each for each in (*read_answers(folder, key), *answers)}
        write_sealed(folder / FILE, key, _KIND, [to_plain(each) for each in list(known.values())[-MOST_ANSWERS:]])


def forget_answers(folder: Path, key: bytes) -> int:
    """Delete all answers of the project; how many there were. Raises ``OSError`` where that cannot be done."""
    with hold_file(folder / FILE):
        count = len(read_answers(folder, key))
        (folder / FILE).unlink(missing_ok=True)
        return count


def find_answers(kept: Iterable[KeptAnswer], read: ReadFile, tests: Sequence[str], function: str = "") -> AnswersFound:
    """Which of the kept answers a run meets, and which hold for the program's files as ``read`` gives them."""
    met = [each for each in kept if each.is_about(tests, function)]
    holding = tuple(each for each in met if fingerprint_of(read(each.file), each.function) == each.fingerprint)
    return AnswersFound(holding, tuple(each for each in met if each not in holding))


@dataclass(frozen=True, slots=True)
class KeptRejection:
    """A patch that a person rejected last: its ``digest``, what it puts in as one line, and why, if that was said."""

    run: str
    file: str
    function: str
    digest: str
    change: str = ""
    note: str = ""
    by: str = ""
    tests: tuple[str, ...] = ()

    @property
    def claim(self) -> str:
        """As a sentence for a reader, or for a model."""
        why = f": {self.note}" if self.note else ""
        return f"a person rejected this change of {self.function} in run {self.run}{why}; it puts in: {self.change}"


def rejections_of(run: StoredRun) -> tuple[KeptRejection, ...]:
    """The patches of the run of which a person's last word is that they are wrong; raises ``UsageError`` if damaged."""
    result, decided = run.result(), decisions_of(run)
    if result is None or not decided:
        return ()
    found = []
    for patch in result.patches:
        own = [each for each in decided if not each.patches or patch.digest in each.patches]
        if last_word(own) == REJECTED:
            said = next(each for each in reversed(own) if each.said == REJECTED)
            tests = next((cause.tests for cause in result.causes if cause.number == patch.cause), ())
            tests = tests or tuple(failure.test for failure in result.failures)
            told = (one_line(_put_in(patch.diff)), one_line(said.note), said.by, tests)
            found.append(KeptRejection(run.id, patch.file, patch.function, patch.digest, *told))
    return tuple(found)


def read_rejections(folder: Path, key: bytes) -> tuple[KeptRejection, ...]:
    """The rejections that are kept, the newest last; none where the file holds nothing under the key."""
    with contextlib.suppress(ValueError, TypeError):
        held = read_sealed(folder / REJECTIONS, key, _KIND_OF_REJECTIONS)
        return tuple(from_plain(KeptRejection, each, "rejection") for each in held or ())
    return ()


def known_rejections(folder: Path, key: bytes, runs: Iterable[StoredRun]) -> tuple[KeptRejection, ...]:
    """Those that are kept, with what people said of these runs since; the newest run last. Nothing is written."""
    found = read_rejections(folder, key)
    for run in runs:
        if (run.path / REVIEW).exists() and not run.is_foreign:
            with contextlib.suppress(UsageError):  # a damaged record takes nothing back
                told = rejections_of(run)
                found = (*(each for each in found if each.run != run.id), *told)
    return tuple(sorted(found, key=lambda each: each.run))[-MOST_REJECTIONS:]


def keep_rejections(folder: Path, key: bytes, runs: Sequence[StoredRun]) -> tuple[KeptRejection, ...]:
    """Keep what people rejected of these runs, so that it outlives them; all that is kept then.

    Raises ``OSError`` where it cannot be written.
    """
    found = known_rejections(folder, key, runs)
    if found != read_rejections(folder, key):
        with hold_file(folder / REJECTIONS):
            found = known_rejections(folder, key, runs)
            write_sealed(folder / REJECTIONS, key, _KIND_OF_REJECTIONS, [to_plain(each) for each in found])
    return found


def forget_rejections(folder: Path, key: bytes) -> int:
    """Delete all that is kept of rejections; how many there were. Raises ``OSError`` where that cannot be done."""
    with hold_file(folder / REJECTIONS):
        count = len(read_rejections(folder, key))
        (folder / REJECTIONS).unlink(missing_ok=True)
        return count


def _put_in(diff: str) -> str:
    return "; ".join(line[1:].strip() for line in diff.splitlines() if line.startswith("+") and line[:3] != "+++")
