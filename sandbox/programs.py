"""Programs of the machine's that we start ourselves: never one that lies where a stranger may have put it."""

from __future__ import annotations

import os
import shutil

from sandbox.visible_paths import is_within

_SYSTEM = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")


def find_program(name: str, path: str, *, outside: str = "", first: tuple[str, ...] = ()) -> str:
    """The program of that name in one of the ``first`` folders or on the path, ``""`` for none.

    Relative folders of the path mean the project as often as not, and are left out; so is what lies in ``outside``.
    """
    folders = [folder for folder in (*first, *path.split(os.pathsep)) if os.path.isabs(folder)]
    real = os.path.realpath(outside) if outside else ""
    kept = [folder for folder in folders if not real or not is_within(os.path.realpath(folder), real)]
    return shutil.which(name, path=os.pathsep.join(kept)) or "" if kept else ""


def find_tool(name: str) -> str:
    """A tool that builds walls: the system's own before any that the path names."""
    return find_program(name, os.environ.get("PATH", ""), first=_SYSTEM)
