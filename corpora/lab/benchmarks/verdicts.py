"""What became of a candidate, in words in which the pool's answer and a plain cold run's can be compared."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection
from dataclasses import dataclass
from signal import SIGXCPU

from analysis.trials import TrialOutcome, TrialState

SAYING = ("-x", "--tb=no", "-rfE", "--color=no", "-p", "no:randomly")
"""Options with which pytest names the first failure, in the order of the file, and spends no time on its traceback."""

NOTICED_NOTHING = ("skipped", "xfailed", "xpassed", "missing")
_MEMORY = "MemoryError"
_CLOSING = re.compile(r"(?m)^(?:=+ )?(?:no tests ran|\d+ [\w ]+(?:, \d+ [\w ]+)*) in \d+\.\d+s")
_PASSED = re.compile(r"(\d+) passed")
_SAID = re.compile(r"(?m)^(?:FAILED|ERROR) (.+)$")


class Word(enum.StrEnum):
    """How a run of a candidate ends."""

    PASSED = "passed"
    FAILED = "failed"
    UNDONE = "undone"  # a test that passed before was skipped or expected to fail; none failed
    MEMORY = "memory"  # a test ended for want of memory
    UNCOLLECTED = "uncollected"  # no program, or one whose tests cannot be collected
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    FLOOD = "flood"  # too much output


@dataclass(frozen=True, slots=True)
class Verdict:
    """``test`` is the first that did not pass; empty where no one test is to blame, or none is named."""

    word: Word
    test: str = ""

    def __str__(self) -> str:
        return f"{self.word} ({self.test})" if self.test else str(self.word)

    def agrees(self, other: Verdict) -> bool:
        """Whether both end in the same way, and with the same test where both name one."""
        return self.word is other.word and (not self.test or not other.test or self.test == other.test)


_WORDS = {
    TrialState.PASSED: Word.PASSED,
    TrialState.FAILED: Word.FAILED,
    TrialState.TIMEOUT: Word.TIMEOUT,
    TrialState.CRASHED: Word.CRASHED,
    TrialState.MEMORY: Word.MEMORY,
    TrialState.FLOOD: Word.FLOOD,
    TrialState.INVALID: Word.UNCOLLECTED,
}


def pool_verdict(outcome: TrialOutcome) -> Verdict:
    """What the pool says. A text that is no program there cannot be collected in a cold run either."""
    word = _WORDS[outcome.state]
    if word is Word.FAILED and outcome.failed is None:
        return Verdict(Word.UNCOLLECTED if "could not be collected" in outcome.detail else word)
    if word is Word.FAILED and outcome.detail.startswith(NOTICED_NOTHING):
        return Verdict(Word.UNDONE)
    return Verdict(word, (outcome.failed or "") if word in (Word.FAILED, Word.MEMORY) else "")


def cold_verdict(status: int | None, output: str, tests: Collection[str]) -> Verdict:
    """What a plain pytest with `SAYING` says by exit status and output; ``tests`` are to pass.

    A run without pytest's closing line was not ended by pytest, whatever its status.
    """
    if status in (None, -SIGXCPU):
        return Verdict(Word.TIMEOUT)
    said = [str(words) for words in _SAID.findall(output)]
    if status == 4 or (status == 2 and said):
        return Verdict(Word.UNCOLLECTED)
    if status not in (0, 1, 5) or not _CLOSING.search(output):
        return Verdict(Word.CRASHED)
    if status == 1:
        return _failure(said[0] if said else "", tests)
    passed = _PASSED.search(output)
    return Verdict(Word.PASSED if passed and int(passed[1]) >= len(tests) else Word.UNDONE)


def _failure(said: str, tests: Collection[str]) -> Verdict:
    """The failure that a line of the summary tells of: a test's id, and perhaps `` - `` and a message."""
    test = max((test for test in tests if said == test or said.startswith(f"{test} - ")), key=len, default="")
    message = said[len(test) :].removeprefix(" - ")
    return Verdict(Word.MEMORY if test and message.startswith(_MEMORY) else Word.FAILED, test)
