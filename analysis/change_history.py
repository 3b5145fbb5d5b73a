"""How often functions were changed, from the differences between the versions of their files.

Commits are gone back through one after the other, the newest first. Each difference says which lines of the newer file
were changed. It also says where every other line stood before. So lines keep their function however far they moved.
Whoever changed a line of a function changed the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@")
_FIX = re.compile(
    r"\b(fix(e[sd]|ing)?|bug(fix|s)?|hotfix|regressions?|crash(es)?|wrong(ly)?|broken|repairs?|correct(s|ed)?)\b", re.I
)

Owned = tuple[str, int, int]
"""The qualified name of a function with its first and last line."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """So many lines from ``old`` on were replaced by so many from ``new`` on, as in a diff without context."""

    old: int
    old_count: int
    new: int
    new_count: int


@dataclass(frozen=True, slots=True)
class FileDifference:
    """What a commit did to one file; the paths differ where it was renamed. ``""`` for a file that was not there."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class CommittedChange:
    """One commit: the first line of what its author said, and the files."""

    subject: str
    files: tuple[FileDifference, ...]

    @property
    def is_fix(self) -> bool:
        """Whether its subject speaks of a fault: ``Fix the rounding of 0.5``. It is the author's word and no more."""
        return bool(_FIX.search(self.subject))


@dataclass(frozen=True, slots=True)
class History:
    """How many commits changed a function, and how many of those call themselves fixes."""

    changes: int = 0
    fixes: int = 0


def read_commits(text: str, mark: str = "\0") -> tuple[CommittedChange, ...]:
    """The commits of a log with differences without context (``-U0``); ``mark`` begins the line of each subject.

    Elsewhere it is text of a file: each line of one has a sign in front.
    """
    return tuple(_read_commit(part) for part in f"\n{text}".split(f"\n{mark}")[1:])


def _read_commit(text: str) -> CommittedChange:
    subject, *lines = text.split("\n")
    return CommittedChange(subject, tuple(_files(lines)))


def _files(lines: Sequence[str]) -> Iterator[FileDifference]:
    old = new = ""
    hunks: list[Hunk] = []
    left = 0  # lines of a hunk: what they say is no header
    for line in lines:
        if left and line[:1] in ("+", "-"):
            left -= 1
        elif line.startswith("diff --git "):
            if hunks:
                yield FileDifference(old, new, tuple(hunks))
            old, new, hunks = "", "", []
        elif line.startswith("--- "):
            old = _name(line, "a/")
        elif line.startswith("+++ "):
            new = _name(line, "b/")
        elif found := _HUNK.match(line):
            at, count, now, now_count = found.groups()
            hunks.append(Hunk(int(at), int(count or 1), int(now), int(now_count or 1)))
            left = hunks[-1].old_count + hunks[-1].new_count
    if hunks:
        yield FileDifference(old, new, tuple(hunks))


def _name(line: str, prefix: str) -> str:
    name = line[4:].split("\t")[0]
    return name[2:] if name.startswith(prefix) else ""


def count_changes(
    functions: Mapping[str, Sequence[Owned]], commits: Iterable[CommittedChange]
) -> dict[tuple[str, str], History]:
    """How often each function of each file was changed. The first of the commits is the newest.

    A commit without a subject is counted nowhere: it tells what was not committed yet.
    """
    found = {(path, name): History() for path, owned in functions.items() for name, _, _ in owned}
    files = {path: (path, _owners(owned)) for path, owned in functions.items()}
    for commit in commits:
        moved: dict[str, tuple[str, list[str]]] = {}
        for each in commit.files:
            here = files.pop(each.new_path, None)
            if here is None:
                continue
            path, owners = here
            touched = _go_back(owners, each.hunks)
            for name in touched if commit.subject else ():
                before = found[path, name]
                found[path, name] = History(before.changes + 1, before.fixes + commit.is_fix)
            if each.old_path:
                moved[each.old_path] = path, owners
        files |= moved
    return found


def _owners(owned: Sequence[Owned]) -> list[str]:
    """The function that each line belongs to, the innermost last in ``owned``; the first entry is for no line."""
    owners = [""] * (1 + max((last for _, _, last in owned), default=0))
    for name, first, last in sorted(owned, key=lambda each: (each[1], -each[2])):
        owners[first : last + 1] = [name] * (last + 1 - first)
    return owners


def _go_back(owners: list[str], hunks: Sequence[Hunk]) -> frozenset[str]:
    """Turn the owners of lines into those of the file before; the functions that were changed."""
    touched: set[str] = set()
    for hunk in sorted(hunks, key=lambda each: -each.new):
        first = hunk.new if hunk.new_count else hunk.new + 1
        changed = owners[first : first + hunk.new_count]
        around = owners[first - 1 : first] + owners[first : first + 1]
        if not hunk.new_count and len(around) == 2 and around[0] == around[1]:
            changed = around[:1]  # lines were taken out of the middle of it
        names = set(changed) - {""}
        touched |= names
        before = changed[0] if len(set(changed)) == 1 else ""
        if len(changed) == hunk.old_count:
            replaced = list(changed)
        elif len(names) == 1:
            replaced = [before or (*names,)[0]] * hunk.old_count
        else:
            replaced = [""] * hunk.old_count
        if first <= len(owners):
            owners[first : first + hunk.new_count] = replaced
    return frozenset(touched)
