"""A check of a third party: it is shown one patch in texts, and says in a sentence why it doubts it, or nothing.

What it says is told with its name, and weighs nothing: no judged patch has taught a weight. So it never certifies,
rejects or withholds. It runs in a process of its own, of bounded time, memory and output. It has the rights of the
user: whoever installs one beside the engine trusts its code. Whatever it does there ends nothing here.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import entry_points
from typing import IO, Any

from repair.records.config import CHECKS
from repair.records.json_records import from_plain, to_plain
from repair.records.ports import ChangedCall, PatchInTexts, Submission
from repair.records.verdict import Decision, Evidence
from repair.records.witness_text import describe_both
from repair.records.wording import words_of_failure

SECONDS = 5.0
"""What a check may take for one patch, the start of its process included."""

LEAST_SECONDS = 0.5
"""With less time than this left for the run no check is asked."""

MEMORY = 1 << 30
"""Bytes of memory that a check may have."""

MOST_OUTPUT = 1 << 20
"""Bytes that it may write into a file, its answer among them."""

LONGEST_CLAIM = 300
"""Characters of what it says that are kept."""

FEATURE = "outside"
"""A doubt of the check ``house`` is the feature ``outside.house``: no weight of ours has such a name."""


def add_outside_checks(
    names: Sequence[str], left: Callable[[], float], submission: Submission, evidence: tuple[Evidence, ...]
) -> tuple[Evidence, ...]:
    """The evidence with what these checks say of the patch, told by their names; no decision and no claim changes.

    A patch that is rejected is shown to none of them. ``left`` gives the seconds that the run has left.
    """
    if not names or not evidence or any(each.decision is Decision.REJECT for each in evidence):
        return evidence
    shown = in_texts(submission, evidence)
    said = [(name, *ask_check(name, shown, min(SECONDS, left()))) for name in dict.fromkeys(names)]
    place = next((n for n, each in enumerate(evidence) if each.gate == "behaviour"), len(evidence) - 1)
    told = tuple(words for _, words, _ in said if words)
    features = tuple((f"{FEATURE}.{name}", 1.0) for name, _, doubts in said if doubts)
    one = evidence[place]
    added = replace(one, others_say=told, features=(*one.features, *features))
    return (*evidence[:place], added, *evidence[place + 1 :])


def in_texts(submission: Submission, evidence: Sequence[Evidence]) -> PatchInTexts:
    """The patch as a check is shown it, with the calls that the evidence says to change."""
    candidate = submission.candidate
    before, after = (text.decode(candidate.encoding, "replace") for text in (candidate.before, candidate.text))
    calls = []
    for change in (change for each in evidence for change in each.changes):
        mine, other = describe_both(change)
        calls.append(ChangedCall(change.call.source, other, mine))
    return PatchInTexts(
        candidate.function.path,
        candidate.function.qualname,
        before,
        after,
        candidate.diff,
        tuple(map(str, submission.baseline.failing)),
        tuple(calls),
    )


def ask_check(name: str, shown: PatchInTexts, seconds: float) -> tuple[str, bool]:
    """What is to be told of the check, and whether that is a doubt of its own; ``""`` where it has none."""
    if seconds < LEAST_SECONDS:
        return _failed(name, "was not asked: the time of the run was up"), False
    command = [sys.executable, "-E", "-P", "-X", "utf8", "-m", "repair.gates.outside_check", name]
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answer:
        asked.write(json.dumps(to_plain(shown)).encode())
        asked.seek(0)
        try:
            ended = _run(command, asked, answer, seconds)
        except OSError as problem:
            return _failed(name, f"could not be started: {problem.strerror}"), False
        answer.seek(0)
        said = answer.read(MOST_OUTPUT)
    return _read(name, said) if ended else (_failed(name, f"took more than {seconds:.1f} seconds"), False)


def _run(command: Sequence[str], asked: IO[bytes], answer: IO[bytes], seconds: float) -> bool:
    """Whether it ended in its time; what it started ends with it. It has files, since a pipe would be waited for."""
    child = subprocess.Popen(command, stdin=asked, stdout=answer, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    return True


def _read(name: str, said: bytes) -> tuple[str, bool]:
    try:
        answer: Any = json.loads(said)
    except (ValueError, RecursionError):
        return _failed(name, "ended without an answer that can be read"), False
    match answer:
        case {"doubt": str(doubt)}:
            told = _brief(doubt)
            return f"{name} doubts it, which weighs nothing: {told}", True
        case {"trouble": str(trouble)}:
            return _failed(name, trouble), False
        case {"doubt": None}:
            return "", False
    return _failed(name, "ended without an answer that can be read"), False


def _failed(name: str, why: str) -> str:
    return f"{name} {_brief(why)}"


def _brief(text: str) -> str:
    """The text in one line that any file can hold, as far as it is kept."""
    line = " ".join(text[: 4 * LONGEST_CLAIM].split()).encode("utf-8", "replace").decode()
    return line if len(line) <= LONGEST_CLAIM else f"{line[:LONGEST_CLAIM]}…"


def _answer_of(name: str, asked: IO[str]) -> Iterator[tuple[str, str | None]]:
    """The child: what the check says, under the name of what that is."""
    try:
        shown = from_plain(PatchInTexts, json.load(asked), "what is shown")
        said = next(point for point in entry_points(group=CHECKS) if point.name == name).load()(shown)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - a stranger's defect is told, and costs nothing
        yield "trouble", f"failed: {words_of_failure(problem)}"[:LONGEST_CLAIM]
        return
    if said is not None and not isinstance(said, str):
        yield "trouble", f"gave no text but {type(said).__name__}"
        return
    yield "doubt", said[: 4 * LONGEST_CLAIM] if said and said.strip() else None


def _main(name: str) -> None:
    """Bound this process, ask the check, and leave at once; what it prints itself goes nowhere."""
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, MOST_OUTPUT), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (most, most))
    answer = os.dup(1)
    os.dup2(2, 1)
    os.write(answer, json.dumps(dict(_answer_of(name, sys.stdin))).encode())
    os._exit(0)  # their threads and whatever they want to do at the end are not waited for


if __name__ == "__main__":
    _main(sys.argv[1])
