"""Which interpreter runs a bug's tests: the one that the corpus asks for, with the packages that it pins.

Interpreters are found by version: on the path, and where pyenv and uv keep theirs. Each set of requirements gets a
virtual environment of its own, which is kept in the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock

from analysis.errors import TargetError
from corpora.bug import Environment
from corpora.source_package import run_pip

PLACES = (".pyenv/versions/{}*/bin/python", ".local/share/uv/python/cpython-{}*/bin/python3")
"""Below the home."""

_ABOUT = "import sys, platform; print(sys.version, sys.base_prefix, platform.machine())"
_INSTALLED = """
import sys
from importlib.metadata import distributions
print("%d.%d" % sys.version_info[:2])
for each in distributions():
    name = (each.metadata["Name"] or "").lower()
    if name and name not in ("pip", "setuptools", "wheel") and not each.read_text("direct_url.json"):
        print("%s==%s" % (name, each.version))
"""


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


def environment(requirements: Sequence[str], cache: Path, python: str = sys.executable) -> str:
    """Path of an interpreter that has exactly these distributions, all named with ``==`` and installed without more.

    The package under test is not among them: the code that is tested is the tree's. Made once, then found again;
    an interrupted making leaves nothing that would be found.
    """
    loose = [r for r in requirements if "==" not in r]
    if loose:
        raise TargetError(f"Not pinned to one version: {', '.join(loose)}", remedy="Write NAME==VERSION.")
    state = hashlib.sha256(_run(python, _ABOUT))
    for requirement in sorted(requirements):
        state.update(os.fsencode(requirement) + b"\n")
    home = cache / "environments" / state.hexdigest()[:20]
    home.parent.mkdir(parents=True, exist_ok=True)
    interpreter = home / "bin" / "python"
    complete = home / "complete"
    with FileLock(str(home) + ".lock"):
        if not (complete.is_file() and interpreter.exists()):
            _make(home, requirements, python)
            complete.touch()
    return str(interpreter)


def installed_distributions(python: str) -> tuple[str, tuple[str, ...]]:
    """The interpreter's version (``3.11``), and what it has from an index as pinned requirements.

    What was installed from a folder or an address cannot be had again by name, and is left out like the installers.
    """
    version, *found = _run(python, _INSTALLED).decode().split()
    return version, tuple(sorted(found))


def _run(python: str, text: str) -> bytes:
    """What the interpreter prints for this program."""
    with contextlib.suppress(OSError, ValueError):
        run = subprocess.run([python, "-I", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if run.returncode == 0 and run.stdout:
            return run.stdout
    raise TargetError("The interpreter does not run", where=python)


def _make(home: Path, requirements: Sequence[str], python: str) -> None:
    shutil.rmtree(home, ignore_errors=True)
    made = subprocess.run(
        [python, "-m", "venv", str(home)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise TargetError(
            f"{python} cannot create a virtual environment: {(made.stderr or made.stdout).strip()[-300:]}",
            remedy="On Debian and Ubuntu: apt install python3-venv.",
        )
    if requirements:
        run_pip("install", "--no-deps", "--retries", "2", *sorted(requirements), python=str(home / "bin" / "python"))
