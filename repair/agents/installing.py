"""``repair init``: which hosts are in use in a project, what each would have to read, and that written where asked."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UsageError
from repair.agents.hosts import HOSTS, Host, calls_us, joined, text_of
from repair.front.doctor import MachineCheck, State
from repair.store.atomic import replace_file

LARGEST_FILE = 1 << 20
"""Bytes of a settings file that are read."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What one host's file is to hold. ``text`` is empty where it calls our hooks already."""

    host: Host
    text: str
    is_new: bool


def hosts_in_use(root: Path) -> tuple[Host, ...]:
    """Those of which the project has a folder."""
    return tuple(host for host in HOSTS if (root / host.sign).is_dir())


def plan_installation(root: Path, hosts: Sequence[Host]) -> tuple[Installation, ...]:
    """What each host's file is to hold, beside what stands there.

    Raises ``UsageError`` where a file cannot be read as settings, or lies outside of the project by a link.
    """
    return tuple(_plan(root, host) for host in hosts)


def install(root: Path, planned: Sequence[Installation]) -> tuple[str, ...]:
    """Write what is to be written; the paths of those files."""
    written = []
    for each in planned:
        if each.text:
            path = root / each.host.file
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, each.text.encode())
            written.append(each.host.file)
    return tuple(written)


def find_installed(root: Path, home: Path) -> tuple[tuple[Host, Path], ...]:
    """The hosts that call our hooks here, each with the file that says so; what cannot be read says nothing."""
    found = []
    for host in HOSTS:
        for path in (root / host.file, home / host.own):
            with contextlib.suppress(OSError, ValueError, RecursionError):
                if path.stat().st_size <= LARGEST_FILE and calls_us(json.loads(path.read_bytes())):
                    found.append((host, path))
                    break
    return tuple(found)


def check_hooks(root: Path, home: Path) -> MachineCheck:
    """Whether the hosts that are in use here call our hooks, for the doctor."""
    installed = find_installed(root, home)
    names = {host.name for host, _ in installed}
    without = [host for host in hosts_in_use(root) if host.name not in names]
    said = [f"{host.title} calls them ({path})" for host, path in installed]
    said += [f"{host.title} does not" for host in without]
    minded = [host.mind for host, _ in installed if host.mind]
    detail = "; ".join(said) or "no host of agents is in use here"
    if without:
        return MachineCheck("hooks", State.LIMITED, detail, "`repair init` shows what to write, `--write` writes it.")
    return MachineCheck("hooks", State.OK, f"{detail}. {' '.join(minded)}" if minded else detail)


def _plan(root: Path, host: Host) -> Installation:
    path = root / host.file
    if os.path.realpath(path) != os.path.join(os.path.realpath(root), host.file):
        raise UsageError(
            "A link leads elsewhere", where=host.file, remedy="Write it yourself: `repair agent hooks` prints it."
        )
    try:
        raw = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except FileNotFoundError:
        return Installation(host, text_of(host.settings), is_new=True)
    try:
        if raw is None:
            raise ValueError("it is too large")
        present = json.loads(raw)
        if not isinstance(present, dict):
            raise ValueError("it holds no table")
        text = "" if calls_us(present) else text_of(joined(present, host.settings))
    except (ValueError, RecursionError) as problem:
        raise UsageError(
            f"The settings of {host.title} cannot be read: {problem}",
            where=host.file,
            remedy=f"Mend them, or add what `repair agent hooks --target {host.name}` prints.",
        ) from problem
    return Installation(host, text, is_new=False)
