"""Interpreters by version: on the path, and where pyenv and uv keep theirs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

PLACES = ("~/.pyenv/versions/{}*/bin/python", "~/.local/share/uv/python/cpython-{}*/bin/python3")


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
    home = env.get("HOME", "")
    kept = (path for place in PLACES for path in _below(place.format(wanted).replace("~", home)))
    return next((str(path) for path in kept if os.access(path, os.X_OK)), "")


def _below(pattern: str) -> list[Path]:
    """The places of that pattern, of several patch releases the newest first; ``3.1`` is not ``3.11``."""
    found = Path("/").glob(pattern.lstrip("/"))
    return sorted((path for path in found if _is_exact(pattern, path)), key=_numbers, reverse=True)


def _is_exact(pattern: str, path: Path) -> bool:
    start = pattern.split("*", 1)[0]
    return not str(path)[len(start) :][:1].isdecimal()


def _numbers(path: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(path))]
