"""Whose tests run, in which interpreter, with which environment and options."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from sandbox.installation import hidden_from
from sandbox.interpreter import Interpreter, describe, find_python, lies_within
from sandbox.jail_protocol import NO_JAIL, Jail
from sandbox.options import TargetOptions, read_options

KEYS = ("REPAIR_API_KEY", "OPENAI_API_KEY")
"""Variables whose values are never shown, whoever prints them."""

SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True)
class Target:
    """One project to test. ``root`` is absolute with links resolved; ``python`` is not resolved: its
    environment is found through the link. ``path_entries`` are those of the user's ``PYTHONPATH`` and of editable
    installs, absolute; those within the root are mapped into each copy."""

    root: str
    interpreter: Interpreter
    options: TargetOptions
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
    foreign: bool = False,
    private: Sequence[str] = (),
) -> Target:
    """The target at ``root``; raises ``TargetError`` where there is no project, no interpreter or no pytest.

    An interpreter that lies in the project, or is ``foreign`` for another reason, is asked behind ``jail``. What it
    says opens nothing of the user's, ``private`` folders among it. Where ``jail`` has an image, the interpreter is the
    one in there, whatever ``python`` says.
    """
    if not os.path.isdir(root):
        raise TargetError("There is no such project directory", where=root, remedy="Name an existing one with --root.")
    real = os.path.realpath(root)
    if jail.image:
        interpreter = describe(jail.image.python, jail)
    else:
        found = find_python(real, python, environ)
        hidden = hidden_from(real, private) if foreign or lies_within(found, real) else None
        interpreter = describe(found, jail, hidden)
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
    # Our own settings never reach a target, whatever is asked; other secrets only by name.
    passed = tuple((name, environ[name]) for name in pass_env if name in environ and not name.startswith("REPAIR_"))
    secrets = _secret_values((*passed, *((name, environ[name]) for name in KEYS if name in environ)))
    return Target(real, interpreter, options, _path_entries(real, interpreter, environ), passed, secrets)


def version_tuple(version: str) -> tuple[int, ...]:
    """Leading numbers of a version: ``8.4.0rc1`` gives ``(8, 4, 0)``."""
    found = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def _path_entries(root: str, interpreter: Interpreter, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The user's ``PYTHONPATH``, then the folders of the project that editable installs name."""
    user = [os.path.abspath(entry) for entry in environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if interpreter.image:  # what this machine has installed elsewhere is not for the image's interpreter
        user = [entry for entry in user if os.path.realpath(entry).startswith(root + "/")]
    real = [os.path.realpath(entry) for entry in (*interpreter.path, *interpreter.mapped)]
    editable = [p for p in real if p == root or (p.startswith(root + "/") and "site-packages" not in p)]
    environment = tuple(f for f in interpreter.readable if f.startswith(root) and f != root)
    return tuple(dict.fromkeys([*user, *(p for p in editable if not p.startswith(environment))]))


def _secret_values(variables: Sequence[tuple[str, str]]) -> tuple[bytes, ...]:
    """Values long enough to be secrets, the longest first; a short one would blot out ordinary words."""
    found = {value.encode("utf-8", "surrogateescape") for _, value in variables if len(value) >= SHORTEST_SECRET}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))
