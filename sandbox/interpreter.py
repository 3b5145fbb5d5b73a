"""The interpreter of a target: which one it is, and what it says of itself."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from analysis.facts import Limits
from sandbox.installation import CONFIGURATION, Hidden, installation, packages
from sandbox.jail_protocol import NO_JAIL, Jail, confine
from sandbox.process import Command, channel, run
from sandbox.programs import find_program
from sandbox.request import OLDEST
from sandbox.scratch import passing_folder
from sandbox.visible_paths import is_within

_ASK = Limits(wall_seconds=30.0, cpu_seconds=30.0, disk_bytes=16 << 20)
_MOST_FOLDERS, _MOST_SHOWN = 1000, 2000
_VERSION = re.compile(r"[0-9A-Za-z.+!_-]{0,64}")

# Run by the target's interpreter, away from the project. Prints one JSON object.
_DESCRIBE = """
import json, os, sys
def version(name):
    # The name of the folder tells it; the library that is made for the question takes longer than all else here.
    end = ".dist-info"
    for entry in sys.path:
        try:
            found = [each for each in os.listdir(entry or ".") if each.startswith(name + "-") and each.endswith(end)]
        except OSError:
            continue
        if found:
            if len(found) == 1 and os.path.isfile(os.path.join(entry, found[0], "METADATA")):
                return found[0][len(name) + 1:-len(end)]
            break
    try:
        from importlib.metadata import version
        return version(name) or ""
    except Exception:  # metadata that is missing, or that some tool has damaged
        return ""
mapped, named = [], []
for name, module in list(sys.modules.items()):
    if name.startswith("__editable___"):
        mapped += [os.path.dirname(path) for path in getattr(module, "MAPPING", {}).values()]
prefixes = [getattr(sys, name, sys.prefix) for name in ("prefix", "base_prefix", "exec_prefix", "base_exec_prefix")]
prefixes.append(os.path.dirname(os.__file__))
for folder in sys.path:  # folders that are named although they cannot be seen from behind walls
    if os.path.basename(folder) not in ("site-packages", "dist-packages") or not os.path.isdir(folder):
        continue
    for name in sorted(os.listdir(folder)):
        place = os.path.join(folder, name)
        if name.endswith(".pth") and not name.startswith(".") and os.path.isfile(place):
            with open(place, encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file]
            lines = [line for line in lines if line and not line.startswith(("#", "import ", "import\\t"))]
            named += [os.path.abspath(os.path.join(folder, line)) for line in lines]
print("\\n" + json.dumps({
    "version": list(sys.version_info[:3]), "pytest": version("pytest"), "coverage": version("coverage"),
    "prefixes": prefixes, "path": [os.path.abspath(p) for p in sys.path if p], "mapped": mapped, "named": named,
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What the target's interpreter says of itself.

    ``readable`` are the folders that it needs. ``path`` and ``mapped`` are its import path and the folders that
    editable installs point to. ``packages`` is what of these a jail shows.
    """

    python: str
    version: tuple[int, ...]
    pytest: str
    coverage: str
    readable: tuple[str, ...]
    path: tuple[str, ...]
    mapped: tuple[str, ...]
    packages: tuple[str, ...] = ()
    image: str = ""
    """The digest of the image that it lies in; empty on this machine itself. Its own folders are then not named."""
    withheld: tuple[str, ...] = ()
    """Folders that it names and that no jail shows, since a stranger may have named them."""


def find_python(root: str, override: str, environ: Mapping[str, str]) -> str:
    """The interpreter: as told, else the project's environment, else the active one, else our own."""
    if override:
        return _find_named(override, environ)
    folders = [os.path.join(root, name) for name in (".venv", "venv")]
    if environ.get("VIRTUAL_ENV"):
        folders.append(environ["VIRTUAL_ENV"])
    for folder in folders:
        python = os.path.join(folder, "bin", "python")
        if os.path.exists(os.path.join(folder, CONFIGURATION)) and _is_program(python):
            return python
    return sys.executable


def lies_within(python: str, folder: str) -> bool:
    """Whether the interpreter, or a folder through which it is reached, lies in the folder."""
    real, path = os.path.realpath(folder), os.path.abspath(python)
    around = (path, *(str(parent) for parent in Path(path).parents))
    return any(is_within(os.path.realpath(each), real) for each in around)


def describe(python: str, jail: Jail = NO_JAIL, hidden: Hidden | None = None) -> Interpreter:
    """What the interpreter says of itself; raises ``TargetError`` when it does not run or is too old.

    Where ``hidden`` is given, a stranger may have written it. It is then asked behind ``jail``. It needs what was found
    by reading and not what it says, and names no folder that stays hidden. Where ``jail`` has an image, it is asked in
    there, and its folders, which are not this machine's, are left out.
    """
    needed = installation(python, hidden) if hidden else ()
    said = _ask(python, jail if jail.image or hidden else None, needed)
    further = _path_elsewhere(said["named"], needed, hidden) if hidden else ()
    if further:  # there may be more in folders that it named and could not see
        said = _ask(python, jail, (*needed, *further))
    version = tuple(said["version"])
    if version < OLDEST:
        raise TargetError(
            f"The target's Python {'.'.join(map(str, version))} is older than 3.8",
            where=python,
            remedy="Pass a newer one with --python.",
        )
    mapped, path, prefixes = tuple(said["mapped"]), tuple(said["path"]), said["prefixes"]
    plain = Interpreter(python, version, said["pytest"], said["coverage"], (), (), ())
    if jail.image:
        return replace(plain, image=jail.image.digest)
    if hidden:
        return _reduce_path(plain, needed, (*path, *said["named"]), mapped, hidden)
    readable = tuple(sorted({os.path.realpath(p) for p in prefixes} | set(prefixes)))
    return replace(plain, readable=readable, path=path, mapped=mapped, packages=(*path, *mapped))


def _path_elsewhere(named: Sequence[str], needed: tuple[str, ...], hidden: Hidden) -> tuple[str, ...]:
    """What is shown of the folders outside the project that the environment's files name."""
    outside = [
        folder for folder in named if os.path.exists(folder) and not is_within(os.path.realpath(folder), hidden.root)
    ]
    return tuple(path for folder in outside for path in packages(folder, needed, hidden) or () if path not in needed)


def _reduce_path(
    plain: Interpreter, needed: tuple[str, ...], path: tuple[str, ...], mapped: tuple[str, ...], hidden: Hidden
) -> Interpreter:
    """The interpreter with as much of its import path as may be shown; what lies in the project is shown by a copy."""
    known: dict[str, str] = {}
    shown: list[str] = []
    withheld: list[str] = []
    for folder in dict.fromkeys((*path, *mapped)):
        real = os.path.realpath(folder)
        if is_within(real, hidden.root):
            known[folder] = real
        elif os.path.exists(real):
            found = packages(folder, needed, hidden)
            if found is None or len(shown) > _MOST_SHOWN:
                withheld.append(folder)
            else:
                known[folder] = folder
                shown += found
    return replace(
        plain,
        readable=needed,
        path=tuple(dict.fromkeys(known[folder] for folder in path if folder in known)),
        mapped=tuple(dict.fromkeys(known[folder] for folder in mapped if folder in known)),
        packages=tuple(dict.fromkeys(shown)),
        withheld=tuple(withheld),
    )


def _find_named(name: str, environ: Mapping[str, str]) -> str:
    if os.sep in name:
        found = os.path.abspath(name) if _is_program(os.path.abspath(name)) else ""
    else:
        found = find_program(name, environ.get("PATH", ""))
    if not found:
        where = name.replace("\0", "\\0")
        raise TargetError("There is no such interpreter", where=where, remedy="Pass an existing one with --python.")
    return found


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _ask(python: str, jail: Jail | None, readable: tuple[str, ...]) -> dict[str, Any]:
    """The checked answer, from behind the jail where there is one; raises ``TargetError`` where none comes."""
    env = (("PATH", os.defpath), ("LANG", "C.UTF-8"), ("PYTHONDONTWRITEBYTECODE", "1"))
    command = Command((python, "-B", "-c", _DESCRIBE), "/", env)
    try:
        with channel() as ends, passing_folder() as passing:
            if jail is not None:
                folder = str(passing / "w")
                os.mkdir(folder)
                command = replace(command, cwd=folder)
                command = confine(command, jail, _ASK, ends, writable=folder, readable=readable)
            finished = run(command, _ASK, ends)
        last = finished.output.decode("utf-8", "replace").strip().rpartition("\n")[2]
        said = json.loads(last) if last.startswith("{") else None
        if finished.returncode == 0 and isinstance(said, dict) and _is_description(said):
            return said
        problem = f"it does not describe itself as Python would (exit status {finished.returncode})"
        if finished.stopped is not None:
            problem = f"it gives no answer within {_ASK.wall_seconds:g} seconds"
    except (ValueError, RecursionError) as error:
        problem = f"its answer is no JSON: {error}"
    except OSError as error:
        problem = error.strerror or str(error)
    raise TargetError(
        f"The target's interpreter does not run: {problem}",
        where=python,
        remedy="Pass a working Python with --python.",
    )


def _is_description(said: dict[str, Any]) -> bool:
    """Whether the answer has what is asked for, in kind. A stranger may have made it up."""
    version = said.get("version")
    folders = [said.setdefault(name, []) for name in ("prefixes", "path", "mapped", "named")]
    names = [said.setdefault(name, "") for name in ("pytest", "coverage")]
    return (
        isinstance(version, list)
        and len(version) == 3
        and all(type(number) is int for number in version)
        and all(isinstance(name, str) and _VERSION.fullmatch(name) for name in names)
        and all(isinstance(each, list) and len(each) <= _MOST_FOLDERS and all(map(_is_path, each)) for each in folders)
    )


def _is_path(said: Any) -> bool:
    return isinstance(said, str) and os.path.isabs(said) and "\0" not in said
