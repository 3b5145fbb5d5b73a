"""The little that we ask of git, through its command.

A repository may have been unpacked and not cloned, and then a stranger wrote its ``.git``. Its settings may name
programs, hooks, and commands that fetch objects. Questions run none of these. A commit is asked for by its name
(``--commit``) and is what the user's own ``git commit`` is, hooks and filters included.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import ConflictError, UsageError
from sandbox.programs import find_program

_SECONDS = 60.0

_SET = (
    *("-c", "core.fsmonitor="),
    *("-c", "core.hooksPath=/dev/null"),
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

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """What git says."""
        words = [self.program, "--literal-pathspecs", "--no-pager", *_SET, *self.aside, "-C", str(self.root)]
        try:
            return _run([*words, *arguments], {**os.environ, **_ENVIRONMENT}, _SECONDS)
        except subprocess.TimeoutExpired as problem:
            raise UsageError(
                f"git gives no answer within {_SECONDS:g} seconds",
                where=str(self.root),
                remedy="See what `git status` says there.",
            ) from problem


def reader(root: Path) -> Reader:
    """Git for questions about the folder; raises ``UsageError`` where there is no git."""
    plain = Reader(root, _program(root))
    return Reader(root, plain.program, tuple(_empty_filters(plain)))


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
    return None if listed.returncode else tuple(os.fsdecode(name) for name in listed.stdout.split(b"\0") if name)


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


def commit(root: Path, paths: Sequence[str], message: str) -> str:
    """Commit exactly these files and return the commit's id; what else is staged stays staged."""
    words = [_program(root), "--literal-pathspecs", "-C", str(root), "commit", "--quiet", "--only"]
    done = _run([*words, "--message", message, "--", *paths], os.environ, None)
    if done.returncode:
        raise ConflictError(
            f"git did not commit: {_last_line(done)}; the files are as they were",
            where=str(root),
            remedy="Use --apply alone.",
        )
    return reader(root)("rev-parse", "HEAD").stdout.decode("ascii", "replace").strip()


def version(root: str) -> str:
    """Git's version, ``""`` where there is no git outside the project."""
    try:
        said = Reader(Path("/"), _program(Path(root)))("--version").stdout
    except UsageError:
        return ""
    return said.decode("utf-8", "replace").strip().removeprefix("git version ")


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
    said = [part.decode("utf-8", "surrogateescape") for part in listed.stdout.split(b"\0")]
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
        words += [word for key in _PROGRAMS for word in ("-c", f"{each}.{key}=")] + ["-c", f"{each}.required=false"]
    return words


def _run(command: Sequence[str], env: Mapping[str, str], seconds: float | None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=env, timeout=seconds, check=False)


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"
