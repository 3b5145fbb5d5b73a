"""What the working tree changed since a revision, read through git."""

from __future__ import annotations

from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import Files
from repair.records.change import Change
from repair.store.git import Reader, reader
from sandbox.workspace import SKIPPED


def change_since(root: Path, revision: str) -> Change:
    """Every file that differs from the revision, untracked ones included. Files that are gone have no entry after.

    Raises ``UsageError`` where there is no repository, no such revision or no change.
    """
    git = reader(root)
    found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        said = found.stderr.decode("utf-8", "replace").strip().splitlines()[:1]
        why = f": {said[0].removeprefix('fatal: ')}" if said else ""
        raise UsageError(
            f"git knows no revision {revision!r} here{why}", where=str(root), remedy="Name a commit, tag or branch."
        )
    commit = found.stdout.decode().strip()
    before: list[tuple[str, bytes]] = []
    after: list[tuple[str, bytes]] = []
    for name in _list_names(git, commit):
        # With the filters of a checkout, so that line ends are those of the working tree.
        old, now = _read_committed(git, commit, name), _read_content(root / name)
        if old is not None and old != now:
            before.append((name, old))
        if now is not None and old != now:
            after.append((name, now))
    if not before and not after:
        raise UsageError(f"Nothing differs from {revision}", where=str(root), remedy="There is no change to judge.")
    return Change(tuple(before), tuple(after))


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


def _read_object(git: Reader, where: str, name: str) -> bytes | None:
    found = git("cat-file", "--filters", f"{where}:./{name}")
    return found.stdout if found.returncode == 0 else None


def _read_content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _list_names(git: Reader, commit: str) -> list[str]:
    """Files below the root that differ; of those that git does not know, no caches and environments."""
    plain = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative")
    listed = git("diff", "--name-only", *plain, "-z", commit, "--", ".")
    others = git("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    unknown = [name for name in _split(others.stdout) if not _is_left_out(git.root, name)]
    return sorted({*_split(listed.stdout), *unknown})


def _split(output: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]


def _is_left_out(root: Path, name: str) -> bool:
    """Whether a file lies where no copy of the project looks either."""
    path = Path(name)
    return not SKIPPED.isdisjoint(path.parts) or any(
        (root / folder / "pyvenv.cfg").exists() for folder in path.parents[:-1]
    )
