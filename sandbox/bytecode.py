"""Byte code that is made once outside every run: of a large project, and of the probe.

The target's interpreter compiles the snapshot's own text, alone and behind the walls of a run; no code of the project
runs there. Copies lead to the result by links, and walls show it read-only: what one run does cannot reach the next.
Each file carries the hash of its text, which the interpreter compares: a text that was laid over the copy is compiled.

The probe of a checkout has none, and the target's interpreter writes none. A compiled copy of the probe lies in the
user's cache, under the digest of its text. Walls show it read-only. Without walls the target has the user's rights, and
gets the probe as it was installed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode, PyCompileError
from py_compile import compile as compile_file

from analysis.facts import Limits
from sandbox.interpreter import Interpreter
from sandbox.jail_protocol import Jail, confine
from sandbox.process import Command, channel, run
from sandbox.request import PROBE
from sandbox.workspace import Snapshot

LEAST = 2 << 20
"""Bytes of source from which on it pays after a few runs."""

CACHE = "__pycache__"
_LIMITS = Limits(wall_seconds=120.0, cpu_seconds=120.0, disk_bytes=0)
_STALE_SECONDS = 3600.0

# What warns is left out: a run without byte code would warn too. So is what the interpreter refuses, however it does.
_COMPILE = """
import json, os, sys, warnings
from importlib.util import cache_from_source
from py_compile import PycInvalidationMode, compile
warnings.simplefilter("error")
source, into, paths = json.load(open(sys.argv[1]))
for path in paths:
    to = cache_from_source(os.path.join(into, path))
    try:
        os.makedirs(os.path.dirname(to), exist_ok=True)
        compile(os.path.join(source, path), to, path, True, -1, PycInvalidationMode.CHECKED_HASH)
    except Exception:  # whatever is no program is left to the run
        pass
print("done")
"""


@dataclass(frozen=True, slots=True)
class Bytecode:
    """``folder`` holds the byte code of the project's ``packages``, which are folders relative to the root."""

    folder: str
    packages: tuple[str, ...]

    def link(self, root: str) -> None:
        """Lead the copy at ``root`` to it."""
        for package in self.packages:
            os.symlink(f"{self.folder}/{package}/{CACHE}", f"{root}/{package}/{CACHE}")


class LateBytecode:
    """Byte code of a large project from the second place on: a single run would not get its price back.

    Without walls there is none, since a run could change it for the next.
    """

    def __init__(self, snapshot: Snapshot, interpreter: Interpreter, jail: Jail, into: Path) -> None:
        """``into`` must not exist yet."""
        size = sum(os.path.getsize(f"{snapshot.master}/{path}") for path, _ in snapshot.digests)
        self.made: Bytecode | None = None
        self._is_worth_it = "write-outside" in jail.stops and size >= LEAST
        self._snapshot, self._interpreter, self._jail, self._into = snapshot, interpreter, jail, into
        self._places = 0
        self._lock = threading.Lock()

    def for_next_place(self) -> Bytecode | None:
        """What there is for one more place."""
        with self._lock:
            self._places += 1
            if self._is_worth_it and self._places == 2:
                self.made = self._compile()
            return self.made

    def _compile(self) -> Bytecode | None:
        """The byte code; ``None`` where the interpreter does not get through."""
        made, asked = self._into / "made", self._into / "asked"
        made.mkdir(parents=True)
        paths = [path for path, _ in self._snapshot.digests]
        asked.write_text(json.dumps([self._snapshot.master, str(made), paths]))
        argv = (self._interpreter.python, "-I", "-S", "-B", "-c", _COMPILE, str(asked))
        command = Command(argv, str(self._into), (("LANG", "C.UTF-8"),))
        shown = (self._snapshot.master, *self._interpreter.readable)
        with channel() as ends:
            command = confine(command, self._jail, _LIMITS, ends, writable=str(self._into), readable=shown)
            done = run(command, _LIMITS, ends)
        if done.returncode != 0 or not done.output.rstrip().endswith(b"done"):
            return None
        found = (os.path.relpath(place, made) for place, folders, _ in os.walk(made) if CACHE in folders)
        return Bytecode(str(made), tuple(sorted(found)))


def find_probe(interpreter: Interpreter, jail: Jail, cache: Path, installed: Path = PROBE) -> str:
    """The folder that the probe is imported from: a compiled copy in ``cache`` where there can be one.

    Byte code is made by our own Python, so there is some for targets of the same version.
    """
    same = interpreter.version[:2] == sys.version_info[:2] and not interpreter.image
    if not same or "write-outside" not in jail.stops:
        return str(installed)
    try:
        return str(_compiled(installed, cache))
    except (OSError, PyCompileError):
        return str(installed)


def _compiled(installed: Path, cache: Path) -> Path:
    """The copy, made where it is missing; raises ``OSError`` where it cannot be, or is not the user's own."""
    found = hashlib.sha256(sys.version.encode())
    for path in _sources(installed):
        content = path.read_bytes()
        found.update(f"{path.relative_to(installed)} {len(content)} ".encode() + content)
    place = cache / found.hexdigest()[:32]
    if not place.is_dir():
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in cache.glob(".*"):  # of a process that was killed at this
            if left.lstat().st_mtime < time.time() - _STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix=".", dir=cache))
        try:
            _compile_into(installed, fresh, place)
            with contextlib.suppress(FileExistsError, OSError):  # another process was first
                fresh.rename(place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    for folder in (cache, place):
        said = folder.lstat()
        if not folder.is_dir() or folder.is_symlink() or said.st_uid != os.geteuid() or said.st_mode & 0o022:
            raise OSError(0, "it is not the user's own", str(folder))
    return place


def _compile_into(installed: Path, fresh: Path, place: Path) -> None:
    """Copy and compile each file; ``place`` is where the copies will lie."""
    for path in _sources(installed):
        copy = fresh / path.relative_to(installed)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        shown = str(place / path.relative_to(installed))
        compile_file(str(copy), dfile=shown, doraise=True, invalidation_mode=PycInvalidationMode.CHECKED_HASH)


def _sources(installed: Path) -> Iterator[Path]:
    yield from sorted(installed.rglob("*.py"))
