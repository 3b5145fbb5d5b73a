"""The little that we ask of git, through its command, and what the working tree changed since a revision.

A repository may have been unpacked and not cloned, and then a stranger wrote its ``.git``. Its settings may name
programs, hooks, and commands that fetch objects. Questions run none of these. A commit is asked for by its name
(``--commit``) and is what the user's own ``git commit`` is, hooks and filters included.
"""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import ConflictError, UsageError
from analysis.facts import Files
from repair.records.change import Change
from sandbox.programs import find_program
from sandbox.workspace import SKIPPED

MOST_OF_A_VERSION = 1 << 20
"""Bytes of a file's earlier version; a larger one is not read."""

MOST_OF_A_FILE = 32 << 20
"""Bytes of a file in the working tree; a larger one is named, and not read."""

_SECONDS = 60.0

_SET = (
    *("-c", "core.fsmonitor="),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "log.showSignature=false"),  # else the program that checks signatures is asked of each commit
    *("-c", "safe.bareRepository=explicit"),  # a folder of a clone that looks like a repository is none
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "",  # objects that are missing are not fetched: the repository says how
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
}
_PROGRAMS = ("clean", "smudge", "process")


@dataclass(frozen=True, slots=True)
class Reader:
    """Git in one folder, for questions: runs nothing that the repository names. Paths are names and not patterns."""

    root: Path
    program: str
    aside: tuple[str, ...] = ()
    """Settings that put the repository's own filters aside; those that the user's settings name stay."""
    seconds: float = _SECONDS

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """What git says."""
        words = [self.program, "--literal-pathspecs", "--no-pager", *_SET, *self.aside, "-C", str(self.root)]
        try:
            return _run([*words, *arguments], {**os.environ, **_ENVIRONMENT}, self.seconds)
        except subprocess.TimeoutExpired as problem:
            raise UsageError(
                f"git gives no answer within {self.seconds:g} seconds",
                where=str(self.root),
                remedy="See what `git status` says there.",
            ) from problem

    def begin(self, most_bytes: int, *arguments: str, given: bytes = b"") -> bytes:
        """The first bytes of what git says; it is ended then, or when its time is up. Nothing where it cannot start."""
        words = [self.program, "--literal-pathspecs", "--no-pager", *_SET, *self.aside, "-C", str(self.root)]
        with tempfile.TemporaryFile() as asked:
            asked.write(given)
            asked.seek(0)
            pipe, nothing, env = subprocess.PIPE, subprocess.DEVNULL, {**os.environ, **_ENVIRONMENT}
            with subprocess.Popen([*words, *arguments], stdin=asked, stdout=pipe, stderr=nothing, env=env) as child:
                end = threading.Timer(self.seconds, child.kill)
                end.start()
                try:
                    assert child.stdout is not None, "it was asked for"
                    return child.stdout.read(most_bytes)
                finally:
                    end.cancel()
                    child.kill()


def reader(root: Path) -> Reader:
    """Git for questions about the folder; raises ``UsageError`` where there is no git."""
    plain = Reader(root, _program(root), seconds=_SECONDS)
    return Reader(root, plain.program, tuple(_empty_filters(plain)), _SECONDS)


def work_tree(root: str) -> str:
    """The nearest folder, here or above, that git keeps, without links; the root itself where there is none.

    A home that is kept as a whole is no project, and neither is what lies above it.
    """
    real, home = Path(os.path.realpath(root)), Path(os.path.realpath(os.path.expanduser("~")))
    around = (folder for folder in (real, *real.parents) if folder not in (home, *home.parents))
    return str(next((folder for folder in around if os.path.lexists(folder / ".git")), real))


def list_tracked(top: str, paths: Sequence[str]) -> tuple[str, ...] | None:
    """What git tracks of these paths below the work tree's top folder; ``None`` where it cannot say."""
    if not os.path.lexists(os.path.join(top, ".git")):
        return ()
    try:
        listed = Reader(Path(top), _program(Path(top)))("ls-files", "-z", "--cached", "--", *paths)
    except UsageError:
        return None
    return None if listed.returncode else tuple(_split(listed.stdout))


def refuse_dirty(root: Path, paths: Sequence[str]) -> None:
    """Raise when git does not track one of the files as it stands: a commit would then hold more than the patch."""
    git = reader(root)
    inside = git("rev-parse", "--is-inside-work-tree")
    if inside.returncode or inside.stdout.strip() != b"true":
        raise UsageError("--commit needs a git repository", where=str(root), remedy="Use --apply alone.")
    untracked = git("ls-files", "--error-unmatch", "--", *paths)
    changed = git("status", "--porcelain=v1", "-z", "--ignore-submodules=all", "--", *paths)
    if untracked.returncode or changed.returncode or changed.stdout:
        raise ConflictError(
            f"{', '.join(paths)} has changes that are not committed",
            where=str(root),
            remedy="Commit or stash them first.",
        )


def commit(root: Path, paths: Sequence[str], message: str) -> tuple[str, str]:
    """Commit exactly these files; what else is staged stays staged.

    Gives the commit's id, and why there is none where git refuses.
    """
    words = [_program(root), "--literal-pathspecs", "-C", str(root), "commit", "--quiet", "--only"]
    done = _run([*words, "--message", message, "--", *paths], os.environ, None)
    if done.returncode:
        return "", _last_line(done)
    return reader(root)("rev-parse", "HEAD").stdout.decode("ascii", "replace").strip(), ""


def version(root: str) -> str:
    """Git's version, ``""`` where there is no git outside the project."""
    try:
        said = Reader(Path("/"), _program(Path(root)))("--version").stdout
    except UsageError:
        return ""
    return said.decode("utf-8", "replace").strip().removeprefix("git version ")


def head(root: str) -> str:
    """What is checked out, and whether its history is cut off; ``""`` where git cannot say."""
    try:
        said = reader(Path(root))("rev-parse", "HEAD", "--is-shallow-repository")
    except UsageError:
        return ""
    return said.stdout.decode("ascii", "replace") if said.returncode == 0 else ""


def _program(root: Path) -> str:
    found = find_program("git", os.environ.get("PATH", os.defpath), outside=work_tree(str(root)))
    if not found:
        raise UsageError("git is not installed", remedy="Install it, or do without --since and --commit.")
    return found


def _empty_filters(git: Reader) -> list[str]:
    """Words that empty the filters of the repository's own settings, those that these include among them."""
    listed = git("config", "--list", "--show-scope", "--name-only", "-z")
    if listed.returncode:
        raise UsageError(
            f"git does not say what the repository's settings are: {_last_line(listed)}",
            where=str(git.root),
            remedy="Git 2.26 or newer can; mend its settings.",
        )
    said = listed.stdout.decode("utf-8", "surrogateescape").split("\0")  # an empty name would keep its place
    names = {name for scope, name in zip(said[::2], said[1::2], strict=False) if scope in ("local", "worktree")}
    filters = {name.rpartition(".")[0] for name in names if name.startswith("filter.") and name.count(".") > 1}
    words = []
    for each in sorted(filters):
        if "=" in each or not each.isprintable():  # git would take it for another name
            raise UsageError(
                "The repository's settings name a filter that cannot be put aside",
                where=str(git.root),
                remedy="Take it out of its .git/config.",
            )
        words += [word for key in _PROGRAMS for word in ("-c", f"{each}.{key}=")] + [
            "-c",
            f"{each}.required=false",
        ]
    return words


def _run(command: Sequence[str], env: Mapping[str, str], seconds: float | None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=env, timeout=seconds, check=False)


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"


def change_since(root: Path, revision: str) -> Change:
    """As ``differences_since``, for somebody who asks for a change to be judged.

    Raises ``UsageError`` too where nothing but links and modes differ.
    """
    change = differences_since(root, revision)
    if change.others and not change.before and not change.after:
        raise UsageError(
            f"What differs from {revision} is the content of no file",
            where=change.others[0],
            remedy="Look at it yourself.",
        )
    return change


def differences_since(root: Path, revision: str) -> Change:
    """Every file that differs from the revision, untracked ones included. Files that are gone have no entry after.

    What cannot be read, or is larger than ``MOST_OF_A_FILE``, is among the others by its name. The change is empty
    where git sees no difference. Raises ``UsageError`` where there is no repository or no such revision.
    """
    git, commit = reader(root), commit_named(root, revision)
    before: list[tuple[str, bytes]] = []
    after: list[tuple[str, bytes]] = []
    differing, unknown = _list_names(git, commit)
    listed = sorted({*differing, *unknown})
    for name in listed:
        try:
            now = content_of(root / name)
        except OSError:
            continue
        # With the filters of a checkout, so that line ends are those of the working tree.
        old = _read_committed(git, commit, name) if name in differing else None
        if old is not None and old != now:
            before.append((name, old))
        if now is not None and old != now:
            after.append((name, now))
    seen = {path for path, _ in (*before, *after)}
    return Change(tuple(before), tuple(after), tuple(name for name in listed if name not in seen))


def content_of(path: Path) -> bytes | None:
    """What the file holds; ``None`` where there is none, or a link. Raises ``OSError`` where it cannot be told."""
    if path.is_symlink() or not path.is_file():
        return None
    if path.stat().st_size > MOST_OF_A_FILE:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return path.read_bytes()


def commit_named(root: Path, revision: str) -> str:
    """The id of a revision's commit; raises ``UsageError`` where git knows none of that name."""
    found = reader(root)("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        said = found.stderr.decode("utf-8", "replace").strip().splitlines()[:1]
        why = f": {said[0].removeprefix('fatal: ')}" if said else ""
        raise UsageError(
            f"git knows no revision {revision!r} here{why}", where=str(root), remedy="Name a commit, tag or branch."
        )
    return found.stdout.decode().strip()


def is_known(root: Path, files: Files) -> bool:
    """Whether git holds each of these files just as it is here, in the last commit or staged."""
    try:
        git = reader(root)
    except UsageError:
        return not files
    return all(any(_read_object(git, where, name) == content for where in ("HEAD", "")) for name, content in files)


def is_ancestor(root: Path, revision: str) -> bool:
    """Whether the last commit comes after the revision, or is it: its program was the user's own."""
    commit = f"{revision}^{{commit}}"
    return reader(root)("merge-base", "--is-ancestor", "--end-of-options", commit, "HEAD").returncode == 0


def earlier_versions(root: Path, path: str, most: int) -> tuple[tuple[tuple[str, bytes], ...], bool]:
    """A file's contents in the latest commits that changed it, the newest first, by short names of the commits.

    It also says whether these are all. Where git cannot say, there are none.
    """
    try:
        git = reader(root)
        listed = git("rev-list", f"--max-count={most + 1}", "HEAD", "--", path)
        names = listed.stdout.decode("ascii", "replace").split() if listed.returncode == 0 else []
        small = [name for name in names[:most] if _size_of(git, name, path) <= MOST_OF_A_VERSION]
        read = [(name, _read_object(git, name, path)) for name in small]
    except UsageError:
        return (), False
    known = tuple((name[:7], content) for name, content in read if content is not None)
    return known, len(names) <= most and len(small) == len(names)


def _read_committed(git: Reader, commit: str, name: str) -> bytes | None:
    """A file of the commit, ``None`` where it has none of that name; raises where git has not got its content."""
    found = _read_object(git, commit, name)
    if found is None and git("ls-tree", commit, "--", name).stdout.startswith((b"1006", b"1007")):
        raise UsageError(
            f"git has not got {name} as it was",
            where=str(git.root),
            remedy="Fetch it first: `git diff` with that revision does so.",
        )
    return found


def _size_of(git: Reader, where: str, name: str) -> int:
    """Bytes of a file in a commit, none where it has no such file."""
    said = git("cat-file", "-s", f"{where}:./{name}").stdout
    return int(said) if said.strip().isdigit() else 0


def _read_object(git: Reader, where: str, name: str) -> bytes | None:
    found = git("cat-file", "--filters", f"{where}:./{name}")
    return found.stdout if found.returncode == 0 else None


def _list_names(git: Reader, commit: str) -> tuple[set[str], list[str]]:
    """Files below the root that differ, and those that git does not know, none where no copy of the project looks."""
    plain = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative")
    listed = git("diff", "--name-only", *plain, "-z", commit, "--", ".")
    others = git("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    unknown = []
    for name in _split(others.stdout):
        path = Path(name)
        environment = any((git.root / folder / "pyvenv.cfg").exists() for folder in path.parents[:-1])
        if SKIPPED.isdisjoint(path.parts) and not environment:
            unknown.append(name)
    return set(_split(listed.stdout)), unknown


def _split(output: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]
