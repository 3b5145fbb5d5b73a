"""Small projects written to disk, sandboxes over them, and other interpreters where this machine has them."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import platformdirs
import pytest
from fakes.bare import BARE
from fakes.shelf import Shelf

from analysis.errors import RepairError
from analysis.facts import Limits
from corpora.environment import environment
from sandbox.jail_protocol import NO_JAIL, Jail
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer

_PINS = """
    3.8: pytest==8.3.5 pluggy==1.5.0 iniconfig==2.1.0 packaging==26.2 exceptiongroup==1.3.1 tomli==2.5.0
        typing_extensions==4.13.2 coverage==7.6.1
    3.13: pytest==8.4.2 pluggy==1.7.0 iniconfig==2.3.1 packaging==26.3 Pygments==2.21.0 coverage==7.17.3
"""
PINS = {v: tuple(names.split()) for v, names in re.findall(r"(3\.\d+): ((?:[^:])+)(?:\n|$)", _PINS)}


def write_project(root: Path, files: Mapping[str, str]) -> Path:
    """The files, dedented, below ``root``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    return root


@pytest.fixture(scope="session")
def write() -> Callable[[Path, Mapping[str, str]], Path]:
    """Writes files, dedented, below a folder."""
    return write_project


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Writes a project and gives its root."""
    return lambda files: write_project(tmp_path / "demo", files)


OpenSandbox = Callable[..., LocalSandbox]


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where sandboxes keep their copies; short, for the sake of socket paths."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture
def open_sandbox(scratch: Path) -> Iterator[OpenSandbox]:
    """Opens sandboxes with small limits, and closes them; ``plugins`` as they are installed, or none."""
    opened: list[LocalSandbox] = []

    def open_one(
        root: Path,
        *,
        python: str = sys.executable,
        jail: Jail = NO_JAIL,
        env: Mapping[str, str] | None = None,
        pass_env: tuple[str, ...] = (),
        pytest_args: tuple[str, ...] = (),
        limits: Limits | None = None,
        plugins: bool = False,
    ) -> LocalSandbox:
        environ = {"PATH": os.environ.get("PATH", os.defpath), **({} if plugins else BARE), **(env or {})}
        passed = (*pass_env, *(() if plugins else BARE))
        target = open_target(str(root), python=python, environ=environ, pass_env=passed, pytest_args=pytest_args)
        bounds = limits or Limits(wall_seconds=60.0, test_seconds=20.0)
        opened.append(LocalSandbox(target, limits=bounds, jail=jail, scratch=str(scratch)))
        return opened[-1]

    yield open_one
    for sandbox in opened:
        sandbox.close()


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """The toy library of this process."""
    shelf = Shelf(tmp_path_factory.mktemp("library"))
    yield shelf
    shelf.close()


@pytest.fixture
def server(shelf: Shelf) -> Iterator[WarmServer]:
    """The warm server over the toy library, for questions; looked after when the test has ended."""
    yield shelf.server()
    shelf.returned()


@pytest.fixture
def seconds() -> str:
    """A number to sleep for that no other process of the machine sleeps for."""
    return f"6{secrets.randbelow(10**9):09d}"


@pytest.fixture
def add_environment() -> Callable[[Path, Mapping[str, str]], None]:
    """Puts an environment with pytest and some more files in its ``site-packages`` into a project's ``.venv``."""

    def add(root: Path, more: Mapping[str, str]) -> None:
        folder = root / ".venv"
        packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        packages.mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "bin/python").symlink_to(Path(sys.executable).resolve())
        shutil.copy(Path(sys.prefix) / "pyvenv.cfg", folder)
        write_project(packages, {"all_of_ours.pth": f"{Path(pytest.__file__).parent.parent}\n", **more})

    return add


@pytest.fixture(scope="session", params=sorted(PINS))
def other_python(request: pytest.FixtureRequest) -> str:
    """An interpreter of another version with pytest, kept in the user's cache; skipped where there is none."""
    version: str = request.param
    python = _interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    try:
        return environment(PINS[version], platformdirs.user_cache_path("repair-engine-tests"), python)
    except RepairError as problem:
        pytest.skip(f"no environment for Python {version}: {problem}")


def _interpreter(version: str) -> str | None:
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    if installed:
        return str(installed[-1])
    found = shutil.which(f"python{version}")
    return found if found and "shims" not in found else None
