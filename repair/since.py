"""What the working tree changed since a revision, read through git."""

from __future__ import annotations

import subprocess
from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import Files
from repair.change import Change
from sandbox.workspace import SKIPPED


def change_since(root: Path, revision: str) -> Change:
    """Every file that differs from the revision, untracked ones included. Files that are gone have no entry after.

    Raises ``UsageError`` where there is no repository, no such revision or no change.
    """
    found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        said = found.stderr.decode("utf-8", "replace").strip().splitlines()[:1]
        why = f": {said[0].removeprefix('fatal: ')}" if said else ""
        raise UsageError(
            f"git knows no revision {revision!r} here{why}", where=str(root), remedy="Name a commit, tag or branch."
        )
    commit = found.stdout.decode().strip()
    before: list[tuple[str, bytes]] = []
    after: list[tuple[str, bytes]] = []
    for name in _names(root, commit):
        # With the filters of a checkout, so that line ends are those of the working tree.
        old = _git(root, "cat-file", "--filters", f"{commit}:./{name}")
        now = _content(root / name)
        if old.returncode == 0 and old.stdout != now:
            before.append((name, old.stdout))
        if now is not None and (old.returncode or old.stdout != now):
            after.append((name, now))
    if not before and not after:
        raise UsageError(f"Nothing differs from {revision}", where=str(root), remedy="There is no change to judge.")
    return Change(tuple(before), tuple(after))


def is_known(root: Path, files: Files) -> bool:
    """Whether git holds each of these files just as it is here, in the last commit or staged."""
    return all(any(_held(root, where, name) == content for where in ("HEAD", "")) for name, content in files)


def is_ancestor(root: Path, revision: str) -> bool:
    """Whether the last commit comes after the revision, or is it: its program was the user's own."""
    commit = f"{revision}^{{commit}}"
    return _git(root, "merge-base", "--is-ancestor", "--end-of-options", commit, "HEAD").returncode == 0


def _held(root: Path, where: str, name: str) -> bytes | None:
    try:
        found = _git(root, "cat-file", "--filters", f"{where}:./{name}")
    except UsageError:
        return None
    return found.stdout if found.returncode == 0 else None


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _names(root: Path, commit: str) -> list[str]:
    """Files below the root that differ; of those that git does not know, no caches and environments."""
    listed = _git(root, "diff", "--name-only", "--no-renames", "--no-ext-diff", "--relative", "-z", commit, "--", ".")
    others = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    unknown = [name for name in _split(others.stdout) if not _is_left_out(root, name)]
    return sorted({*_split(listed.stdout), *unknown})


def _split(output: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]


def _is_left_out(root: Path, name: str) -> bool:
    """Whether a file lies where no copy of the project looks either."""
    path = Path(name)
    return not SKIPPED.isdisjoint(path.parts) or any(
        (root / folder / "pyvenv.cfg").exists() for folder in path.parents[:-1]
    )


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except FileNotFoundError as problem:
        raise UsageError("git is not installed", remedy="Give the change as a patch instead of --since.") from problem
