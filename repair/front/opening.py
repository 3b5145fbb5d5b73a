"""From options to a target and a sandbox: what every command that runs tests begins with."""

from __future__ import annotations

import ast
import functools
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import platformdirs

from repair.front.interpreter import choose_python
from repair.front.trust import is_weak
from repair.records.config import Options
from repair.store.state import user_folder
from sandbox.bytecode import find_probe
from sandbox.jail import choose, choose_image
from sandbox.jail_protocol import Jail
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import scratch_folder
from sandbox.target import Target, open_target

ENGINE_PACKAGES = ("repair-engine", "libcst", "hypothesis", "mutmut", "pytest")


@dataclass(frozen=True, slots=True)
class Place:
    """A target that is ready to be run: behind which walls, in which sandbox, with which folder for what is passing."""

    target: Target
    jail: Jail
    sandbox: LocalSandbox
    scratch: Path


class _Turn:
    """Whose turn it is. A forked child has one of its own: nobody in it would end what a thread of its parent began."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        os.register_at_fork(after_in_child=self.begin_anew)

    def begin_anew(self) -> None:
        """Nobody parses."""
        self.lock = threading.RLock()


@functools.cache
def take_turns() -> None:
    """From now on the threads of this process wait for each other in ``ast.parse``, and in whatever calls it.

    Where two take turns in Python's own parser, it may fail in either (python/cpython#106905, seen in 3.11.7):
    ``SystemError: AST constructor recursion depth mismatch``. A run would end with that, whatever it had found.
    """
    turn, parse = _Turn(), ast.parse

    @functools.wraps(parse)
    def parse_alone(*args: Any, **kwargs: Any) -> Any:
        with turn.lock:
            return parse(*args, **kwargs)

    ast.parse = parse_alone


@contextmanager
def open_place(options: Options, env: Mapping[str, str]) -> Iterator[Place]:
    """The target with a copy of the project; all of it is gone at the end."""
    take_turns()
    target, jail = target_of(options, env)
    with scratch_folder() as scratch, sandbox_of(options, target, jail, scratch) as sandbox:
        yield Place(target, jail, sandbox, scratch)


def target_of(options: Options, env: Mapping[str, str]) -> tuple[Target, Jail]:
    """The target, and the jail that it runs in: the walls stand before anything of the project is asked."""
    jail = jail_of(options)
    chosen = None if jail.image else choose_python(options, env, walled=has_walls(jail))
    target = open_target(
        options.root,
        python=chosen.python if chosen else "",
        pass_env=options.pass_env,
        pytest_args=options.pytest_args,
        environ=env,
        jail=jail,
        foreign=chosen is not None and chosen.foreign,
        private=private_folders(options),
    )
    return target, jail


def jail_of(options: Options) -> Jail:
    """The jail of the image that is named, else the one that the options choose."""
    image = options.isolation_image
    return choose_image(options.isolation, image, options.python) if image else choose(options.isolation)


def has_walls(jail: Jail) -> bool:
    """Whether the jail keeps what runs in it from the user's files."""
    return "private-file" in jail.stops


def private_folders(options: Options) -> tuple[str, ...]:
    """Folders of ours that no interpreter of a project's opens."""
    named = (Path(options.root, options.state_dir),) if options.state_dir else ()
    return tuple(map(str, (user_folder(), *named)))


def sandbox_of(options: Options, target: Target, jail: Jail, scratch: Path) -> LocalSandbox:
    """The target's sandbox in the jail; close it in the end."""
    probe = find_probe(target.interpreter, jail, platformdirs.user_cache_path("repair").absolute() / "probe")
    return LocalSandbox(target, jail=jail, scratch=str(scratch), selection=options.tests, probe=probe)


def versions_of(target: Target) -> dict[str, str]:
    """Versions of the engine, its libraries and the target."""
    found = {name: version(name) for name in ENGINE_PACKAGES}
    said = target.interpreter
    return {**found, "target-python": ".".join(map(str, said.version)), "target-pytest": said.pytest}


def limitations(jail: Jail, sandbox: LocalSandbox) -> Iterator[str]:
    """What is less than it could be, in sentences."""
    if is_weak(jail):
        yield f"isolation is limited: {jail.detail}; so suites run one after the other"
    for said, paths in (
        ("not shown to the tests, since only the project's environment names it", sandbox.target.interpreter.withheld),
        ("left out, since it is a link to a private file of yours", sandbox.snapshot.private),
        ("left out, since you may not read it", sandbox.snapshot.unreadable),
    ):
        if paths:
            yield f"{said}: {', '.join(paths[:5])}"
