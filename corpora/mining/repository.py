"""A git repository read by its plumbing: many objects through one process, and nothing in it ever changed.

A repository may come from anywhere. No hook runs, its own configuration does not choose programs, and no work tree but
a fresh folder of ours is written.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UsageError

HARMLESS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.autocrlf=false")


@dataclass(frozen=True, slots=True)
class CommittedFile:
    """One file of a commit by its blobs; ``kind`` is git's letter (A, M, D, T)."""

    kind: str
    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit against its only parent. ``date`` is the committer's ISO day, ``body`` what follows the subject."""

    id: str
    date: str
    subject: str
    files: tuple[CommittedFile, ...]
    body: str = ""


_LOG = ("log", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%x01%H%x02%P%x02%cs%x02%s%x02%b")


class Repository:
    """One repository; use it as a context: the process that reads objects ends with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        top = self._git("rev-parse", "--absolute-git-dir", check=False)
        if top.returncode:
            raise TargetError("This is no git repository", where=str(path), remedy="Name a clone: git clone URL.")
        self._reader: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.communicate()
            self._reader = None

    def commits(self, revision: str, most: int | None, since: str, saying: str = "") -> tuple[Commit, ...]:
        """Commits that are no merges, newest first, with the files that they touch.

        ``saying`` is an extended regular expression, in small letters or large, that something in the message matches.
        """
        words = [*_LOG, "--no-merges"]
        words += [f"--max-count={most}"] if most is not None else []
        words += ["--extended-regexp", "--regexp-ignore-case", f"--grep={saying}"] if saying else []
        words += [f"--since={since}T00:00:00Z"] if since else []  # of a day alone, git would take the present hour
        done = self._git(*words, revision, "--", check=False)
        if done.returncode:
            raise UsageError(
                f"git log failed: {_last_line(done.stderr)}", where=str(self.path), remedy="Check the revision."
            )
        return tuple(_commits(done.stdout))

    def commits_named(self, names: Sequence[str]) -> tuple[Commit, ...]:
        """These commits, in this order; names that are none, and merges, are left out."""
        found = [self._git(*_LOG, "--no-walk", name, "--", check=False).stdout for name in names]
        return tuple(commit for printed in found for commit in _commits(printed))

    def blob(self, name: str) -> bytes:
        """One object's content, through a process that stays."""
        if "\n" in name:  # it would be two questions
            raise TargetError("No object has a name of several lines", where=str(self.path))
        if self._reader is None:
            self._reader = subprocess.Popen(
                self._command("cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=harmless_environment(),
            )
        assert self._reader.stdin is not None, "opened with a pipe"
        assert self._reader.stdout is not None, "opened with a pipe"
        self._reader.stdin.write(name.encode() + b"\n")
        self._reader.stdin.flush()
        heading = self._reader.stdout.readline().split()
        if len(heading) != 3:
            raise TargetError(
                f"The repository lacks the object {name}", where=str(self.path), remedy="Fetch it whole, not shallow."
            )
        content = self._reader.stdout.read(int(heading[2]))
        self._reader.stdout.read(1)
        return content

    def write_tree(self, commit: str, root: Path) -> None:
        """Write a commit's files as ``root``, which must not exist; files that an archive would leave out are there."""
        root.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=root.parent) as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            self._git("read-tree", commit, extra=index)
            # Files are written as they are kept: no filter of the configuration runs a program.
            keys = self._git("config", "--null", "--name-only", "--get-regexp", r"^filter\.", check=False).stdout
            drivers = {key.rpartition(".")[0] for key in keys.decode("utf-8", "replace").split("\0") if key}
            off = [f"{driver}.{end}" for driver in sorted(drivers) for end in ("smudge=", "process=", "required=false")]
            words = [word for setting in off for word in ("-c", setting)]
            self._git(*words, f"--work-tree={root}", "checkout-index", "--all", "--force", extra=index)

    def origin(self) -> str:
        """Where it was cloned from, without credentials; ``""`` where nothing is said."""
        url = self._git("config", "--get", "remote.origin.url", check=False).stdout.decode("utf-8", "replace").strip()
        scheme, mark, rest = url.partition("://")
        return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else url

    def _git(
        self, *words: str, check: bool = True, extra: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            done = subprocess.run(
                self._command(*words),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                env={**harmless_environment(), **(extra or {})},
            )
        except FileNotFoundError as problem:
            raise UsageError("git is not installed", remedy="Install it.") from problem
        if check and done.returncode:
            raise TargetError(f"git {words[0]} failed: {_last_line(done.stderr)}", where=str(self.path))
        return done

    def _command(self, *words: str) -> list[str]:
        return ["git", *HARMLESS, "-C", str(self.path), *words]


def harmless_environment() -> dict[str, str]:
    """Ours, without what would point git elsewhere, ask somebody, or fetch what is missing."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def _commits(printed: bytes) -> Iterator[Commit]:
    for part in printed.split(b"\1")[1:]:
        heading, *rest = part.split(b"\0")
        name, parents, date, subject, body = (*heading.decode("utf-8", "replace").split("\2", 4), *[""] * 4)[:5]
        if len(parents.split()) == 1:
            yield Commit(name, date, subject.strip(), tuple(_files(rest)), body.strip())


def _files(words: Sequence[bytes]) -> Iterator[CommittedFile]:
    """Pairs of ``:mode mode old new LETTER`` and a path."""
    entries = [word for word in words if word.strip()]
    for heading, path in zip(entries[::2], entries[1::2], strict=False):
        fields = heading.decode().strip().lstrip(":").split()
        if len(fields) == 5:
            yield CommittedFile(fields[4][:1], path.decode("utf-8", "surrogateescape"), fields[2], fields[3])


def _last_line(text: bytes) -> str:
    lines = text.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
