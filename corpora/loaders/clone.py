"""What published corpora ask of local clones: files of a commit, and what patches make of them."""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.loaders.layout import lay_out
from corpora.mining.repository import HARMLESS, Repository


def find_clone(names: Sequence[str], folder: Path) -> Repository | None:
    """The first of the names below the folder that is a clone, bare or not."""
    for name in names:
        for path in (folder / name, folder / f"{name}.git"):
            if (path / ".git").exists() or (path / "HEAD").is_file():
                return Repository(path)
    return None


def needed_clone(names: Sequence[str], folder: Path, url: str) -> Repository:
    """The first of the names below the folder that is a clone; raises ``TargetError`` with the command that gets it."""
    found = find_clone(names, folder)
    if found is None:
        raise TargetError(
            f"There is no clone of {url}",
            where=str(folder),
            remedy=f"Run: git clone {url} {folder / names[0]}",
        )
    return found


def needed_day(clone: Repository, commit: str) -> str:
    """The day of the commit; raises ``TargetError`` with the command that gets it where the clone lacks it."""
    day = day_of(clone, commit)
    if day is None:
        raise TargetError(
            f"The clone has no commit {commit}",
            where=str(clone.path),
            remedy=f"Run: git -C {clone.path} fetch origin {commit}",
        )
    return day


def text_of(clone: Repository, commit: str, path: str) -> bytes | None:
    """The file as the commit has it, if it has it."""
    if "\n" in path:
        return None  # the question to git is one line
    try:
        return clone.blob(f"{commit}:{path}")
    except TargetError:
        return None


def day_of(clone: Repository, commit: str) -> str | None:
    """The day of the commit, ``None`` where the clone lacks it."""
    try:
        record = clone.blob(f"{commit}^{{commit}}")
    except TargetError:
        return None
    stamp = re.search(rb"^committer .* (\d+) [+-]\d{4}$", record, re.MULTILINE)
    return datetime.datetime.fromtimestamp(int(stamp[1]), datetime.UTC).date().isoformat() if stamp else ""


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
    known = ((path, text_of(clone, commit, path)) for path in dict.fromkeys((*paths, *moved)))
    before = tuple((path, text) for path, text in known if text is not None)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "files")
        lay_out(before, root)
        apply_patch(patch, root)
        after = tuple((path, (root / path).read_bytes()) for path in paths if (root / path).is_file())
    return before, after


def _git_apply(how: str, patch: str, more: Mapping[str, str], root: Path) -> subprocess.CompletedProcess[bytes]:
    around = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(
            ["git", *HARMLESS, "apply", "-z", how, "-"],
            input=patch.encode(),
            capture_output=True,
            env={**around, "LC_ALL": "C", **more},
            cwd=root,
            check=False,
        )
    except FileNotFoundError as problem:
        raise TargetError("git is not installed", remedy="Install it: this corpus needs its clones read.") from problem
