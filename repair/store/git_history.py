"""What git's latest commits changed, how often functions were, and earlier files: bounded in number, size and time.

A history may be a stranger's. So no program runs that it names, and what is huge, odd or missing is passed over.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.change_history import CommittedChange, History, Owned, count_changes, read_commits
from analysis.errors import UsageError
from analysis.facts import Files
from analysis.users import Place
from repair.store.git import MOST_OF_A_VERSION, Reader, commit_named, reader

MOST_COMMITS = 300
"""The latest commits that are looked at."""

MOST_SECONDS = 5.0

_LARGEST_FILE = "256k"
"""Files above it are not compared."""

_MOST_NAMED = 500
"""Paths that are named to git; of more, their topmost folders."""

_PLAIN = ("-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative", "-M")
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")


def latest_commits(root: Path, paths: Collection[str], most: int = MOST_COMMITS) -> tuple[CommittedChange, ...] | None:
    """The latest commits that changed these files, the newest first, as the first parents of merges have them.

    In front stands what is not committed, without a subject. ``None`` where git cannot say, or not in time.
    """
    named = sorted(paths) if len(paths) <= _MOST_NAMED else sorted({path.split("/")[0] for path in paths})
    try:
        git = replace(reader(root), seconds=MOST_SECONDS)
        settings = ("-c", f"core.bigFileThreshold={_LARGEST_FILE}", "-c", "core.quotePath=false")
        git = replace(git, aside=(*git.aside, *settings))
        now = git("diff", *_PLAIN, *_PREFIXES, "HEAD", "--", *named)
        listed = git(
            "log", f"--max-count={most}", "--first-parent", "-m", "--format=%x00%s", *_PLAIN, *_PREFIXES, "--", *named
        )
    except UsageError:
        return None
    if now.returncode or listed.returncode:
        return None
    log = listed.stdout.decode("utf-8", "replace")
    return (*read_commits("\0\n" + now.stdout.decode("utf-8", "replace")), *read_commits(log))


MOST_LISTED = 32 << 20
"""Bytes of the list of changed files."""

MOST_IN_A_COMMIT = 20
"""Python files of a commit; one that changes more moves or formats code."""

MOST_OF_A_BLOB, MOST_AT_ONCE = 256 << 10, 16 << 20
"""Bytes of a file, and of all files that are held at once."""

_LISTED = re.compile(r":100(?:644|755) 100(?:644|755) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) M\t(.+\.py)")


@dataclass(frozen=True, slots=True)
class CommittedText:
    """One Python file before and after a commit of that ``day`` (from 1970) with that subject.

    ``alone`` says that the commit changes no other Python file.
    """

    day: int
    subject: str
    path: str
    before: bytes
    after: bytes
    alone: bool


def committed_texts(root: Path, most: int, seconds: float) -> Iterator[tuple[CommittedText, ...]]:
    """The Python files that the latest commits changed, the newest first, some at a time. Merges are left out.

    It ends early when its time is up. Raises ``UsageError`` where git knows no commit here.
    """
    end = time.monotonic() + seconds
    commit_named(root, "HEAD")
    git = replace(reader(root), seconds=seconds)
    what = ("--no-merges", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=M", "--relative", "--encoding=UTF-8")
    said = git.begin(MOST_LISTED, "log", f"--max-count={most}", *what, "--format=%x01%ct%x02%s")
    listed = list(_listed(said.decode("utf-8", "replace")))
    ids = dict.fromkeys(blob for each in listed for blob in (each.old, each.new))
    sizes = dict(_sizes(git.begin(MOST_LISTED, "cat-file", "--batch-check", given="\n".join(ids).encode() + b"\n")))
    batch: list[_Listed] = []
    held = 0
    for each in (each for each in listed if {each.old, each.new} <= sizes.keys()):
        batch.append(each)
        held += sizes[each.old] + sizes[each.new]
        if held > MOST_AT_ONCE:
            yield _texts_of(git, batch, held)
            batch, held = [], 0
            if time.monotonic() > end:
                return
    yield _texts_of(git, batch, held)


@dataclass(frozen=True, slots=True)
class _Listed:
    """One changed file, as git lists it, by the names of both blobs."""

    day: int
    subject: str
    path: str
    old: str
    new: str
    alone: bool


def _listed(said: str) -> Iterator[_Listed]:
    # A subject may hold the same sign, and ends of lines of other kinds.
    for commit in f"\n{said}".split("\n\x01")[1:]:
        when, _, rest = commit.partition("\x02")
        subject, *lines = rest.split("\n")
        found = [match for line in lines if (match := _LISTED.fullmatch(line))]
        if when.isascii() and when.isdigit() and len(when) < 12 and len(found) <= MOST_IN_A_COMMIT:
            day = int(when) // 86_400
            yield from (_Listed(day, subject[:200], each[3], each[1], each[2], len(found) == 1) for each in found)


def _sizes(said: bytes) -> Iterator[tuple[str, int]]:
    """The blobs that are there and small enough, with their sizes."""
    for line in said.decode("ascii", "replace").splitlines():
        blob, kind, size = (*line.split(), "", "")[:3]
        if kind == "blob" and size.isdigit() and int(size) <= MOST_OF_A_BLOB:
            yield blob, int(size)


def _texts_of(git: Reader, batch: Sequence[_Listed], most_bytes: int) -> tuple[CommittedText, ...]:
    ids = dict.fromkeys(blob for each in batch for blob in (each.old, each.new))
    said = git.begin(most_bytes + 100 * len(ids), "cat-file", "--batch", given="\n".join(ids).encode() + b"\n")
    found: dict[str, bytes] = {}
    at = 0
    while (line := said.find(b"\n", at)) >= 0:
        blob, _, size = (*said[at:line].decode("ascii", "replace").split(), "", "", "")[:3]
        at = line + 1
        if size.isdigit():  # else it is missing
            found[blob], at = said[at : at + int(size)], at + int(size) + 1
    return tuple(
        CommittedText(each.day, each.subject, each.path, found[each.old], found[each.new], each.alone)
        for each in batch
        if each.old in found and each.new in found
    )


def histories(root: Path, functions: Mapping[str, Sequence[Owned]]) -> dict[Place, History] | None:
    """How often each function of these files was changed; ``None`` where git cannot say."""
    commits = latest_commits(root, functions.keys()) if functions else ()
    return None if commits is None else count_changes(functions, commits)


MOST_VERSIONS = 30
"""The latest commits that changed a Python file, of which the program is read."""

_BLOB = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class ProgramVersion:
    """The Python files of one commit below the root, with its short name."""

    commit: str
    files: Files


def program_versions(root: Path, now: Files, most: int = MOST_VERSIONS) -> Iterator[ProgramVersion]:
    """The program as the latest commits had it, the newest first; nothing where git cannot say.

    A commit with the same Python files as the one after it is left out. Files that are ``now`` as they were then are
    not read anew.
    """
    try:
        git = reader(root)
        listed = git("rev-list", f"--max-count={most * 4}", "--first-parent", "HEAD", "--", ".")
        if listed.returncode:
            return
        known = {_blob_id(content): content for _, content in now}
        before: dict[str, str] = {}
        count = 0
        for commit in listed.stdout.decode("ascii", "replace").split():
            tree = _python_files(git, commit)
            if tree == before:
                continue
            before, count = tree, count + 1
            yield ProgramVersion(commit[:7], tuple(_read(git, tree, known)))
            if count >= most:
                return
    except UsageError:
        return


def _python_files(git: Reader, commit: str) -> dict[str, str]:
    """The blobs of a commit's Python files below the root."""
    listed = git("ls-tree", "-r", "-z", commit)
    found = {}
    for entry in listed.stdout.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = entry.partition("\t")
        words = head.split()
        if path.endswith(".py") and len(words) == 3 and words[0] in _BLOB:
            found[path] = words[2]
    return found


def _read(git: Reader, tree: dict[str, str], known: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for path, blob in tree.items():
        if blob not in known:
            said = git("cat-file", "-s", blob).stdout.strip()
            if not said.isdigit() or int(said) > MOST_OF_A_VERSION:
                continue
            known[blob] = git("cat-file", "blob", blob).stdout
        yield path, known[blob]


def _blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()
