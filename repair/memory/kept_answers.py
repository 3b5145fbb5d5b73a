"""What people said that functions should do, kept with the project's records until the function's text changes.

The file is sealed with the user's key: one that somebody else has written holds nothing. It quotes the program, so it
never leaves the project's own folder of records.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UnparseableError
from analysis.functions import functions_of
from repair.memory.sealed_file import hold_file, read_sealed, write_sealed
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import sha256

FILE, SET_ASIDE = "answers.json", "answers.set-aside.json"

_KIND = b"repair answers"

MOST_ANSWERS = 1000
"""Answers that are kept of one project, the newest."""

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
