"""Small changes of one function in a history, found by their text before anything is parsed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError
from analysis.functions import FunctionSpan, functions_of
from corpora.bench.matching import does_the_same
from corpora.mining.history import program_of
from corpora.mining.repository import Commit, Repository

MOST_LINES = 12
"""Lines from the first to the last changed one: no single edit of ours reaches further."""

MOST_BYTES = 300_000

MOST_TEST_LINES = 400
"""Lines that a commit adds to tests of which more say nothing of one failure."""

FIXES = re.compile(
    r"\b(fix\w*|bug\w*|regress\w*|crash\w*|wrong\w*|incorrect\w*|broken|(?:close|resolve)[sd]?\s+#\d+|issue\s*#?\d+"
    r"|[A-Z]\w+(?:Error|Exception)|infinite|handle\w*|correct(?:s|ed|ly)?)\b",
    re.IGNORECASE,
)
"""Words by which a message says that something is mended."""

MENDING_WORDS = "fix|bug|regress|crash|wrong|correct|broken|close[sd]? |resolve|issue|error|exception|infinite|handle"
"""What git looks for before anything is read: every message that ``FIXES`` finds has one of them."""

WORDING = re.compile(
    r"\b(typo\w*|docstring\w*|docs?|documentation|spelling|lint\w*|flake8|mypy|pyflakes|type hints?|annotation\w*|style"
    r"|formatting|deprecat\w*|py3k?|python ?3|pylint|comments?)\b",
    re.IGNORECASE,
)
"""Words of what is mended for readers and tools, not for those who run it."""


@dataclass(frozen=True, slots=True, eq=False)
class SmallChange:
    """The file before a commit, the function that it changes there, and that function's text afterwards."""

    commit: Commit
    before: bytes
    span: FunctionSpan
    after: bytes

    @property
    def is_fix(self) -> bool:
        """Whether its message says so."""
        return says_fix(self.commit.subject)

    @property
    def old(self) -> bytes:
        """The function's text before the commit."""
        return self.before[self.span.start : self.span.end]


def says_fix(subject: str) -> bool:
    """Whether a message's first line speaks of something that is mended in the program."""
    return FIXES.search(subject) is not None and WORDING.search(subject) is None


def may_be_small(commit: Commit, *, others: bool) -> bool:
    """Whether the commit changes one file of the program and says that it mends something, or, with ``others``, not."""
    return len(program_of(commit)) == 1 and (others or says_fix(commit.subject))


def added_to_tests(repository: Repository, commit: Commit) -> str:
    """The lines of test files that were not there before the commit."""
    added = []
    for change in commit.files:
        if change.path.endswith(".py") and is_test_path(change.path) and change.kind in "AM":
            old = set(repository.blob(change.old).splitlines()) if change.kind == "M" else set()
            added += [line for line in repository.blob(change.new).splitlines() if line not in old]
    return b"\n".join(added[:MOST_TEST_LINES]).decode("utf-8", "replace")


def small_change(repository: Repository, commit: Commit) -> SmallChange | None:
    """What the commit changes where that is a few lines of one function and no other line of the program."""
    (change,) = program_of(commit)
    before, after = repository.blob(change.old), repository.blob(change.new)
    if max(len(before), len(after)) > MOST_BYTES:
        return None
    lines = _changed_lines(before.split(b"\n"), after.split(b"\n"))
    if lines is None:
        return None
    try:
        old, new = _function_around(change.path, before, lines[0]), _function_around(change.path, after, lines[1])
    except UnparseableError:
        return None  # an old dialect: nothing can be said of it
    if old is None or new is None or old.function.qualname != new.function.qualname:
        return None
    text = after[new.start : new.end]
    if does_the_same(before[old.start : old.end], text):
        return None
    return SmallChange(commit, before, old, text)


def _changed_lines(before: list[bytes], after: list[bytes]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First and last changed line of either text, from 1; ``None`` where nothing or too much is changed."""
    most = min(len(before), len(after))
    above = next((n for n in range(most) if before[n] != after[n]), most)
    below = next((n for n in range(most - above) if before[-1 - n] != after[-1 - n]), most - above)
    old, new = (above + 1, len(before) - below), (above + 1, len(after) - below)
    spread = max(old[1] - old[0], new[1] - new[0]) + 1
    return (old, new) if 0 < spread <= MOST_LINES else None


def _function_around(path: str, source: bytes, lines: tuple[int, int]) -> FunctionSpan | None:
    """The innermost function that holds all the lines; where the other text only adds some, the line above the gap."""
    first, last = min(lines), lines[1]
    around = [f for f in functions_of(path, source) if f.contains(first) and f.contains(last)]
    return min(around, key=lambda f: f.end_line - f.function.first_line, default=None)
