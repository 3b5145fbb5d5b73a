"""From options to a target and a sandbox: what every command that runs tests begins with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from repair.config import Options
from repair.trust import is_weak
from sandbox.jail import choose, choose_image
from sandbox.sandbox import LocalSandbox
from sandbox.target import Target, open_target
from sandbox.walls import NO_JAIL, Jail

ENGINE_PACKAGES = ("repair-engine", "libcst", "hypothesis", "mutmut", "pytest")


def target_of(options: Options, env: Mapping[str, str]) -> tuple[Target, Jail | None]:
    """The target, and the jail of the image that it lies in, where one is named: its interpreter is in there."""
    image = options.isolation_image
    own = choose_image(options.isolation, image, options.python) if image else None
    target = open_target(
        options.root,
        python=options.python,
        pass_env=options.pass_env,
        pytest_args=options.pytest_args,
        environ=env,
        jail=own or NO_JAIL,
    )
    return target, own


@contextlib.contextmanager
def sandbox_of(options: Options, target: Target, own: Jail | None, scratch: Path) -> Iterator[LocalSandbox]:
    """The target's sandbox, in the jail given or else in the one that the options choose."""
    jail = own or choose(options.isolation)
    with LocalSandbox(target, jail=jail, scratch=str(scratch), selection=options.tests) as sandbox:
        yield sandbox


def versions_of(target: Target) -> dict[str, str]:
    """Versions of the engine, its libraries and the target."""
    found = {name: version(name) for name in ENGINE_PACKAGES}
    said = target.interpreter
    return {**found, "target-python": ".".join(map(str, said.version)), "target-pytest": said.pytest}


def limitations(jail: Jail, sandbox: LocalSandbox) -> Iterator[str]:
    """What is less than it could be, in sentences."""
    if is_weak(jail):
        yield f"isolation is limited: {jail.detail}"
    if sandbox.snapshot.unreadable:
        yield f"left out, since you may not read it: {', '.join(sandbox.snapshot.unreadable[:5])}"
