"""Which interpreter runs a bug's tests: the one that the corpus asks for, with the packages that it pins.

Interpreters are found by version: on the path, and where pyenv and uv keep theirs.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from analysis.errors import TargetError
from corpora.bug import Environment
from corpora.environment import environment

PLACES = (".pyenv/versions/{}*/bin/python", ".local/share/uv/python/cpython-{}*/bin/python3")
"""Below the home."""


def interpreter_of(needs: Environment, python: str, cache: Path, env: Mapping[str, str]) -> str:
    """Path of the interpreter for a bug that needs this. ``python`` is the one to use where the bug names none.

    Pinned requirements get an environment of their own in the cache. Raises ``TargetError`` where there is no such
    Python or no such package.
    """
    base = find_interpreter(needs.python, env) if needs.python else python or sys.executable
    if not base:
        raise TargetError(f"There is no Python {needs.python} here", remedy="Install it, or put it on PATH.")
    return environment(needs.requirements, cache, base) if needs.requirements else base


def find_interpreter(wanted: str, env: Mapping[str, str]) -> str:
    """The path of an interpreter of that version (``3.9``, ``3.9.18``); empty where there is none.

    No path is taken: corpora come from strangers, who do not choose which program is started.
    """
    if not re.fullmatch(r"3\.\d+(\.\d+)?", wanted):
        return ""
    minor = ".".join(wanted.split(".")[:2])
    found = shutil.which(f"python{minor}", path=env.get("PATH")) if wanted == minor else None
    if found and Path(found).parent.name != "shims":  # pyenv's shims run only versions that are switched on
        return found
    kept = (path for place in PLACES for path in _newest_first(place.format(wanted), env.get("HOME", "")))
    return next((str(path) for path in kept if os.access(path, os.X_OK)), "")


def _newest_first(pattern: str, home: str) -> list[Path]:
    """The places of that pattern, of several patch releases the newest first; ``3.1`` is not ``3.11``."""
    whole = f"{home}/{pattern}"
    start = len(whole.split("*", 1)[0])
    found = [path for path in Path("/").glob(whole.lstrip("/")) if not str(path)[start:][:1].isdecimal()]
    return sorted(found, key=lambda path: [int(number) for number in re.findall(r"\d+", str(path))], reverse=True)
