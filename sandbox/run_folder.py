"""One run's own folder: the copy, a private home, a private temporary folder, and the environment that names them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Files
from sandbox.bytecode import Bytecode
from sandbox.target import Target
from sandbox.workspace import Snapshot, copy_snapshot


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where one run happens. Names are short: socket paths below ``tmp`` have little room."""

    folder: str
    root: str

    @property
    def home(self) -> str:
        """The private home folder."""
        return f"{self.folder}/h"

    @property
    def tmp(self) -> str:
        """The private temporary folder."""
        return f"{self.folder}/t"

    @property
    def request(self) -> str:
        """Where the probe's request is written."""
        return f"{self.folder}/request.json"


def open_place(folder: Path, snapshot: Snapshot, files: Files = (), bytecode: Bytecode | None = None) -> RunFolder:
    """A fresh place in ``folder``: the copy keeps the project's own folder name, which some tests look at."""
    name = os.path.basename(os.path.realpath(snapshot.root)) or "project"
    place = RunFolder(str(folder), str(folder / "w" / name))
    for own in (place.home, place.tmp):
        os.makedirs(own)
    copy_snapshot(snapshot, Path(place.root), files)
    if bytecode is not None:
        bytecode.link(place.root)
    return place


def environment(target: Target, place: RunFolder) -> tuple[tuple[str, str], ...]:
    """The whole environment of a run. What the user did not name does not get in."""
    folder = os.path.dirname(target.interpreter.python)
    programs = os.defpath if target.interpreter.image else os.environ.get("PATH", os.defpath)
    entries = {
        "PATH": os.pathsep.join([folder, programs]),
        "HOME": place.home,
        "TMPDIR": place.tmp,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(python_path(target, place)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        **dict(target.passed),
    }
    if "TZ" in os.environ:
        entries.setdefault("TZ", os.environ["TZ"])
    if os.path.exists(os.path.join(os.path.dirname(folder), "pyvenv.cfg")):
        entries["VIRTUAL_ENV"] = os.path.dirname(folder)
    return tuple(sorted((name, value) for name, value in entries.items() if value))


def python_path(target: Target, place: RunFolder) -> tuple[str, ...]:
    """``src`` of the copy where that holds the code, then the target's own entries; those of the project mapped."""
    source = os.path.join(place.root, "src")
    first = [source] if _holds_code(source) else []
    mapped = [_map_path(entry, target.root, place.root) for entry in target.path_entries]
    return tuple(dict.fromkeys([*first, *mapped]))


def _map_path(entry: str, original: str, copy: str) -> str:
    real = os.path.realpath(entry)
    if real == original:
        return copy
    return os.path.join(copy, os.path.relpath(real, original)) if real.startswith(original + "/") else entry


def _holds_code(folder: str) -> bool:
    """Whether modules or packages lie in the folder, which is none itself."""
    if not os.path.isdir(folder) or os.path.exists(os.path.join(folder, "__init__.py")):
        return False
    names = os.listdir(folder)
    return any(n.endswith(".py") or (os.path.isdir(os.path.join(folder, n)) and n.isidentifier()) for n in names)
