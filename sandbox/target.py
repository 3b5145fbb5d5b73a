"""Whose tests run, in which interpreter, with which environment and options."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from analysis.facts import Limits
from sandbox.options import Options, read_options
from sandbox.process import Command, channel, run
from sandbox.request import OLDEST
from sandbox.walls import NO_JAIL, Jail

KEYS = ("REPAIR_API_KEY", "OPENAI_API_KEY")
"""Variables whose values are never shown, whoever prints them."""

SHORTEST_SECRET = 8
_ASK_SECONDS = 30.0

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
mapped = []
for name, module in list(sys.modules.items()):
    if name.startswith("__editable___"):
        mapped += [os.path.dirname(path) for path in getattr(module, "MAPPING", {}).values()]
prefixes = [getattr(sys, name, sys.prefix) for name in ("prefix", "base_prefix", "exec_prefix", "base_exec_prefix")]
prefixes.append(os.path.dirname(os.__file__))
print("\\n" + json.dumps({
    "version": list(sys.version_info[:3]), "pytest": version("pytest"), "coverage": version("coverage"),
    "prefixes": prefixes, "path": [p for p in sys.path if p], "mapped": mapped,
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What the target's interpreter says of itself.

    ``readable`` are the folders that it needs; ``path`` and ``mapped`` are its import path and the
    folders that editable installs point to.
    """

    python: str
    version: tuple[int, ...]
    pytest: str
    coverage: str
    readable: tuple[str, ...]
    path: tuple[str, ...]
    mapped: tuple[str, ...]
    image: str = ""
    """The digest of the image that it lies in; empty on this machine itself. Its own folders are then not named."""


@dataclass(frozen=True, slots=True)
class Target:
    """One project to test. ``root`` is absolute with links resolved; ``python`` is not resolved: its
    environment is found through the link. ``path_entries`` are those of the user's ``PYTHONPATH`` and of editable
    installs, absolute; those within the root are mapped into each copy."""

    root: str
    interpreter: Interpreter
    options: Options
    path_entries: tuple[str, ...] = ()
    passed: tuple[tuple[str, str], ...] = ()
    """Environment variables that the user wants the tests to see, with their values."""
    secrets: tuple[bytes, ...] = ()
    """Values that are blotted out of whatever the target says: it may find them, and nobody shall read them here."""


def open_target(
    root: str,
    *,
    python: str = "",
    pass_env: Sequence[str] = (),
    pytest_args: Sequence[str] = (),
    environ: Mapping[str, str],
    jail: Jail = NO_JAIL,
) -> Target:
    """The target at ``root``; raises ``TargetError`` where there is no project, no interpreter or no pytest.

    Where ``jail`` has an image, the interpreter is the one in there, whatever ``python`` says.
    """
    if not os.path.isdir(root):
        raise TargetError("There is no such project directory", where=root, remedy="Name an existing one with --root.")
    real = os.path.realpath(root)
    interpreter = describe(jail.image.python if jail.image else find_python(real, python, environ), jail)
    if not interpreter.pytest:
        within = f" in the image {jail.image.name}" if jail.image else ""
        raise TargetError(
            "The target's interpreter has no pytest",
            where=interpreter.python + within,
            remedy=f"Install it: {interpreter.python} -m pip install pytest, or name another with --python.",
        )
    options = read_options(
        Path(real),
        extra=pytest_args,
        environment=environ.get("PYTEST_ADDOPTS", ""),
        pytest_version=version_tuple(interpreter.pytest),
    )
    passed = _passed(pass_env, environ)
    hidden = _secret_values((*passed, *((name, environ[name]) for name in KEYS if name in environ)))
    return Target(real, interpreter, options, _path_entries(real, interpreter, environ), passed, hidden)


def find_python(root: str, override: str, environ: Mapping[str, str]) -> str:
    """The interpreter: as told, else the project's environment, else the active one, else our own."""
    if override:
        return _named(override, environ)
    folders = [os.path.join(root, name) for name in (".venv", "venv")]
    if environ.get("VIRTUAL_ENV"):
        folders.append(environ["VIRTUAL_ENV"])
    for folder in folders:
        python = os.path.join(folder, "bin", "python")
        if os.path.exists(os.path.join(folder, "pyvenv.cfg")) and os.access(python, os.X_OK):
            return python
    return sys.executable


def describe(python: str, jail: Jail = NO_JAIL) -> Interpreter:
    """What the interpreter says of itself; raises ``TargetError`` when it does not run or is too old.

    Where ``jail`` has an image, it is asked in there, and its folders, which are not this machine's, are left out.
    """
    said = _ask(python, jail if jail.image else None)
    version = tuple(said["version"])
    if version < OLDEST:
        raise TargetError(
            f"The target's Python {'.'.join(map(str, version))} is older than 3.8",
            where=python,
            remedy="Pass a newer one with --python.",
        )
    if jail.image:
        return Interpreter(python, version, said["pytest"], said["coverage"], (), (), (), jail.image.digest)
    return Interpreter(
        python,
        version,
        said["pytest"],
        said["coverage"],
        tuple(sorted({os.path.realpath(p) for p in said["prefixes"]} | set(said["prefixes"]))),
        tuple(said["path"]),
        tuple(said["mapped"]),
    )


def version_tuple(version: str) -> tuple[int, ...]:
    """Leading numbers of a version: ``8.4.0rc1`` gives ``(8, 4, 0)``."""
    numbers = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)


def _named(name: str, environ: Mapping[str, str]) -> str:
    if os.sep in name:
        found = os.path.abspath(name)
        return found if os.access(found, os.X_OK) and os.path.isfile(found) else _no_interpreter(name)
    for folder in environ.get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    return _no_interpreter(name)


def _no_interpreter(name: str) -> str:
    raise TargetError("There is no such interpreter", where=name, remedy="Pass an existing one with --python.")


def _ask(python: str, jail: Jail | None) -> dict[str, Any]:
    env = (("PATH", os.defpath), ("LANG", "C.UTF-8"), ("PYTHONDONTWRITEBYTECODE", "1"))
    command = Command((python, "-B", "-c", _DESCRIBE), "/", env)
    limits = Limits(wall_seconds=_ASK_SECONDS)
    try:
        with channel() as ends, tempfile.TemporaryDirectory(prefix="repair-") as folder:
            if jail is not None:
                shown = (ends.report_write, ends.control_read)
                command = replace(command, cwd=folder)
                command = jail.wrap(command, writable=folder, readable=(), descriptors=shown, limits=limits)
            finished = run(command, limits, ends)
        last = finished.output.decode("utf-8", "replace").strip().rpartition("\n")[2]
        said = json.loads(last) if last.startswith("{") else None
        if finished.returncode == 0 and isinstance(said, dict):
            return said
        problem = f"it does not describe itself as Python would (exit status {finished.returncode})"
        if finished.stopped is not None:
            problem = f"it gives no answer within {_ASK_SECONDS:g} seconds"
    except json.JSONDecodeError as error:
        problem = f"its answer is no JSON: {error}"
    except OSError as error:
        problem = error.strerror or str(error)
    raise TargetError(
        f"The target's interpreter does not run: {problem}",
        where=python,
        remedy="Pass a working Python with --python.",
    )


def _path_entries(root: str, interpreter: Interpreter, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The user's ``PYTHONPATH``, then the folders of the project that editable installs name."""
    user = [os.path.abspath(entry) for entry in environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if interpreter.image:  # what this machine has installed elsewhere is not for the image's interpreter
        user = [entry for entry in user if os.path.realpath(entry).startswith(root + "/")]
    real = [os.path.realpath(entry) for entry in (*interpreter.path, *interpreter.mapped)]
    editable = [p for p in real if p == root or (p.startswith(root + "/") and "site-packages" not in p)]
    outside_environment = [
        p
        for p in editable
        if not any(p.startswith(f) and f != root for f in interpreter.readable if f.startswith(root))
    ]
    return tuple(dict.fromkeys([*user, *outside_environment]))


def _secret_values(variables: Sequence[tuple[str, str]]) -> tuple[bytes, ...]:
    """Values long enough to be secrets, the longest first; a short one would blot out ordinary words."""
    found = {value.encode("utf-8", "surrogateescape") for _, value in variables if len(value) >= SHORTEST_SECRET}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _passed(names: Sequence[str], environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Our own settings never reach a target, whatever is asked; other secrets only by name."""
    return tuple((name, environ[name]) for name in names if name in environ and not name.startswith("REPAIR_"))
