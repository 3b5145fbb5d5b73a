"""What people said that functions should do, kept with the project's records until the function's text changes.

The file is sealed with the user's key: one that somebody else has written holds nothing. It quotes the program, so it
never leaves the project's own folder of records.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import UnparseableError
from analysis.functions import functions_of
from repair.records.json_records import from_plain, to_plain
from repair.store.atomic import replace_file, sha256

FILE, SET_ASIDE = "answers.json", "answers.set-aside.json"

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
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        held: Any = json.loads((folder / FILE).read_bytes())
        if hmac.compare_digest(str(held["seal"]), _seal(held["answers"], key)):
            return tuple(from_plain(KeptAnswer, each, "answer") for each in held["answers"])
    return ()


def keep_answers(folder: Path, key: bytes, answers: Iterable[KeptAnswer]) -> None:
    """Keep the answers beside those that are kept; a later one on the same call of a function replaces the earlier.

    A file that does not hold under the key is set aside, not written over. Raises ``OSError`` where they cannot be
    written.
    """
    path, kept = folder / FILE, read_answers(folder, key)
    if not kept and path.exists():
        os.replace(path, path.with_name(SET_ASIDE))
    known = {(each.file, each.function, each.call): each for each in (*kept, *answers)}
    plain = [to_plain(each) for each in list(known.values())[-MOST_ANSWERS:]]
    held = {"seal": _seal(plain, key), "answers": plain}
    replace_file(path, json.dumps(held, indent=1).encode() + b"\n")


def forget_answers(folder: Path, key: bytes) -> int:
    """Delete all answers of the project; how many there were."""
    count = len(read_answers(folder, key))
    (folder / FILE).unlink(missing_ok=True)
    return count


def find_answers(kept: Iterable[KeptAnswer], read: ReadFile, tests: Sequence[str], function: str = "") -> AnswersFound:
    """Which of the kept answers a run meets, and which hold for the program's files as ``read`` gives them."""
    met = [each for each in kept if each.is_about(tests, function)]
    holding = tuple(each for each in met if fingerprint_of(read(each.file), each.function) == each.fingerprint)
    return AnswersFound(holding, tuple(each for each in met if each not in holding))


def _seal(answers: Any, key: bytes) -> str:
    plain = json.dumps(answers, sort_keys=True).encode()
    return hashlib.blake2b(plain, key=key, digest_size=32, person=b"repair answers").hexdigest()
