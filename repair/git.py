"""The little that we ask of git, through its command."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import ConflictError, UsageError


def refuse_dirty(root: Path, paths: Sequence[str]) -> None:
    """Raise when git does not track one of the files as it stands: a commit would then hold more than the patch."""
    inside = _git(root, "rev-parse", "--is-inside-work-tree")
    if inside.returncode:
        raise UsageError("--commit needs a git repository", where=str(root), remedy="Use --apply alone.")
    untracked = _git(root, "ls-files", "--error-unmatch", "--", *paths)
    changed = _git(root, "status", "--porcelain=v1", "-z", "--", *paths)
    if untracked.returncode or changed.stdout:
        raise ConflictError(
            f"{', '.join(paths)} has changes that are not committed",
            where=str(root),
            remedy="Commit or stash them first.",
        )


def commit(root: Path, paths: Sequence[str], message: str) -> str:
    """Commit exactly these files and return the commit's id; what else is staged stays staged."""
    done = _git(root, "commit", "--quiet", "--only", "--message", message, "--", *paths)
    if done.returncode:
        raise ConflictError(
            f"git did not commit: {_last_line(done)}; the files are as they were",
            where=str(root),
            remedy="Use --apply alone.",
        )
    return _git(root, "rev-parse", "HEAD").stdout.strip()


def tracks(root: Path, path: str) -> bool:
    """Whether git tracks the file, or anything below the folder; without git or a repository nothing is tracked."""
    try:
        return bool(_git(root, "ls-files", "-z", "--", path).stdout)
    except UsageError:
        return False


def version() -> str:
    """Git's version, ``""`` where there is no git."""
    try:
        return _git(Path("/"), "--version").stdout.strip().removeprefix("git version ")
    except UsageError:
        return ""


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Paths are names and not patterns: a file may be called "*.py".
    try:
        return subprocess.run(
            ["git", "--literal-pathspecs", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError as problem:
        raise UsageError("git is not installed", remedy="Install it, or use --apply without --commit.") from problem


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"
