"""A local git clone as a source of trees and texts. It is only read, and no network is used."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.loaders.layout import lay_out

_NEUTRAL = ("-c", "core.autocrlf=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone, bare or not."""

    folder: Path

    def has(self, commit: str) -> bool:
        """Whether the commit is there."""
        return self._git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0

    def day(self, commit: str) -> str:
        """The day of the commit."""
        return self._asked("show", "-s", "--format=%cs", commit).decode().strip()

    def text(self, commit: str, path: str) -> bytes | None:
        """The file as the commit has it, if it has it."""
        shown = self._git("cat-file", "blob", f"{commit}:{path}")
        return None if shown.returncode else shown.stdout

    def write(self, commit: str, root: Path) -> None:
        """Lay out the files of the commit as ``root``, which must not exist, without any history."""
        root.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
            self._asked("read-tree", commit, env=index)
            self._asked("--work-tree", str(root.absolute()), "checkout-index", "--all", "--quiet", env=index, cwd=root)

    def _asked(self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> bytes:
        done = self._git(*arguments, env=env, cwd=cwd)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise TargetError(f"git cannot read the clone: {said}", where=str(self.folder))
        return done.stdout

    def _git(
        self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        inner = self.folder / ".git"
        place = inner if inner.exists() else self.folder
        return run_git("--git-dir", str(place.absolute()), *arguments, env=env, cwd=cwd)


def find_clone(names: Sequence[str], folder: Path) -> Clone | None:
    """The first of the names below the folder that is a clone."""
    for name in names:
        for path in (folder / name, folder / f"{name}.git"):
            if (path / ".git").exists() or (path / "HEAD").is_file():
                return Clone(path)
    return None


def apply_patch(patch: str, root: Path) -> None:
    """Apply a unified diff to the files below ``root``; raises ``TargetError`` where it does not fit."""
    # Without the ceiling, a repository around ``root`` would make git pass over every file, and say nothing.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(root.absolute().parent)}
    done = run_git("apply", "--whitespace=nowarn", "-", env=ceiling, cwd=root, given=patch.encode())
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise TargetError(f"A patch does not apply: {said[-1] if said else 'git apply failed'}")


def touched(patch: str) -> tuple[str, ...]:
    """The files that a unified diff leaves changed or new; raises ``TargetError`` for another text."""
    done = run_git("apply", "--numstat", "-z", "-", given=patch.encode(), cwd=Path("/"))
    if done.returncode:
        raise TargetError("A patch is no unified diff")
    entries = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(entry.split("\t", 2)[2] for entry in entries if entry.count("\t") == 2)


def patched(clone: Clone, commit: str, patch: str) -> tuple[Files, Files]:
    """The files that the patch touches, as the commit has them and as the patch leaves them."""
    paths = touched(patch)
    moved = re.findall(r"^(?:rename|copy) from (.+)$", patch, re.MULTILINE)
    known = ((path, clone.text(commit, path)) for path in dict.fromkeys((*paths, *moved)))
    before = tuple((path, text) for path, text in known if text is not None)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "files")
        lay_out(before, root)
        apply_patch(patch, root)
        after = tuple((path, (root / path).read_bytes()) for path in paths if (root / path).is_file())
    return before, after


def run_git(
    *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """One git command with none of the settings around us that would point it elsewhere or let it fetch."""
    around = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    neutral = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            ["git", *_NEUTRAL, *arguments],
            input=given,
            capture_output=True,
            env={**around, **neutral, **(env or {})},
            cwd=cwd,
            check=False,
        )
    except FileNotFoundError as problem:
        raise TargetError("git is not installed", remedy="Install it: this corpus needs its clones read.") from problem
