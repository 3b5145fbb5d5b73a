"""What published corpora ask of local clones: files of a commit, and what patches make of them."""

from __future__ import annotations

import datetime
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.loaders.layout import lay_out
from corpora.mining.repository import HARMLESS, Repository, harmless_environment


def needed_clone(names: Sequence[str], folder: Path, url: str) -> Repository:
    """The first of the names below the folder that is a clone, bare or not; raises ``TargetError`` where none is."""
    for path in (folder / ending for name in names for ending in (name, f"{name}.git")):
        if (path / ".git").exists() or (path / "HEAD").is_file():
            return Repository(path)
    raise TargetError(
        f"There is no clone of {url}", where=str(folder), remedy=f"Run: git clone {url} {folder / names[0]}"
    )


def needed_day(clone: Repository, commit: str) -> str:
    """The day of the commit; raises ``TargetError`` with the command that gets it where the clone lacks it."""
    try:
        record = clone.blob(f"{commit}^{{commit}}")
    except TargetError as problem:
        raise TargetError(
            f"The clone has no commit {commit}",
            where=str(clone.path),
            remedy=f"Run: git -C {clone.path} fetch origin {commit}",
        ) from problem
    stamp = re.search(rb"^committer .* (\d+) [+-]\d{4}$", record, re.MULTILINE)
    return datetime.datetime.fromtimestamp(int(stamp[1]), datetime.UTC).date().isoformat() if stamp else ""


def text_of(clone: Repository, commit: str, path: str) -> bytes | None:
    """The file as the commit has it, if it has it."""
    if "\n" in path:
        return None  # the question to git is one line
    try:
        return clone.blob(f"{commit}:{path}")
    except TargetError:
        return None


def files_at(clone: Repository, commit: str, paths: Iterable[str]) -> Files:
    """Those of the files that the commit has."""
    known = ((path, text_of(clone, commit, path)) for path in paths)
    return tuple((path, text) for path, text in known if text is not None)


def apply_patch(patch: str, root: Path) -> None:
    """Apply a unified diff to the files below ``root``; raises ``TargetError`` where it does not fit."""
    # Without the ceiling, a repository around ``root`` would make git pass over every file, and say nothing.
    done = _git_apply("--whitespace=nowarn", patch, {"GIT_CEILING_DIRECTORIES": str(root.absolute().parent)}, root)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise TargetError(f"A patch does not apply: {said[-1] if said else 'git apply failed'}")


def touched_files(patch: str) -> tuple[str, ...]:
    """The files that a unified diff names as changed, new or deleted; raises ``TargetError`` for another text."""
    done = _git_apply("--numstat", patch, {}, Path("/"))
    if done.returncode:
        raise TargetError("A patch is no unified diff")
    entries = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(entry.split("\t", 2)[2] for entry in entries if entry.count("\t") == 2)


def files_of_patch(clone: Repository, commit: str, patch: str) -> tuple[Files, Files]:
    """The files that the patch touches, as the commit has them and as the patch leaves them."""
    paths = touched_files(patch)
    moved = re.findall(r"^(?:rename|copy) from (.+)$", patch, re.MULTILINE)
    before = files_at(clone, commit, dict.fromkeys((*paths, *moved)))
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "files")
        lay_out(before, root)
        apply_patch(patch, root)
        after = tuple((path, (root / path).read_bytes()) for path in paths if (root / path).is_file())
    return before, after


def _git_apply(how: str, patch: str, more: Mapping[str, str], root: Path) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["git", *HARMLESS, "apply", "-z", how, "-"],
            input=patch.encode(),
            capture_output=True,
            env={**harmless_environment(), **more},
            cwd=root,
            check=False,
        )
    except FileNotFoundError as problem:
        raise TargetError("git is not installed", remedy="Install it: this corpus needs its clones read.") from problem
