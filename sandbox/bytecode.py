"""Byte code of a large project, made once outside every run, so that cold runs need not compile it again.

The target's interpreter compiles the snapshot's own text, alone and behind the walls of a run; no code of the project
runs there. Copies lead to the result by links, and walls show it read-only: what one run does cannot reach the next.
Each file carries the hash of its text, which the interpreter compares: a text that was laid over the copy is compiled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Limits
from sandbox.jail_protocol import Jail, confine
from sandbox.process import Command, channel, run
from sandbox.workspace import Snapshot

LEAST = 2 << 20
"""Bytes of source from which on it pays after a few runs."""

CACHE = "__pycache__"
_LIMITS = Limits(wall_seconds=120.0, cpu_seconds=120.0, disk_bytes=0)

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


def is_large(snapshot: Snapshot) -> bool:
    """Whether byte code would be worth its making."""
    return sum(os.path.getsize(f"{snapshot.master}/{path}") for path, _ in snapshot.digests) >= LEAST


def compile_snapshot(
    snapshot: Snapshot, python: str, readable: Sequence[str], jail: Jail, into: Path
) -> Bytecode | None:
    """The byte code below ``into``, which must not exist yet; ``None`` where the interpreter does not get through."""
    made, asked = into / "made", into / "asked"
    made.mkdir(parents=True)
    asked.write_text(json.dumps([snapshot.master, str(made), [path for path, _ in snapshot.digests]]))
    argv = (python, "-I", "-S", "-B", "-c", _COMPILE, str(asked))
    command = Command(argv, str(into), (("LANG", "C.UTF-8"),))
    with channel() as ends:
        shown = (snapshot.master, *readable)
        done = run(confine(command, jail, _LIMITS, ends, writable=str(into), readable=shown), _LIMITS, ends)
    if done.returncode != 0 or not done.output.rstrip().endswith(b"done"):
        return None
    found = (os.path.relpath(place, made) for place, folders, _ in os.walk(made) if CACHE in folders)
    return Bytecode(str(made), tuple(sorted(found)))
