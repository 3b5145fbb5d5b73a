"""What every part of a benchmark works with, and on what machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click

from corpora.lab.benchmarks.work import Work
from repair.front.opening import ENGINE_PACKAGES
from sandbox.jail_protocol import Jail


@dataclass(frozen=True, slots=True)
class Setup:
    """What all parts work with."""

    directory: Path
    cache: Path
    jail: Jail
    candidates: int
    rounds: int
    cold_runs: int
    say: Callable[[str], None]
    until: float = float("inf")
    """On the monotonic clock: when the comparison of verdicts makes no more cold runs."""
    works: tuple[Work, ...] = ()
    """Libraries that the user named, to compare verdicts on instead of ours."""
    python312: str = ""
    """An interpreter of that version; empty to look for one."""


def say(words: str) -> None:
    """Progress, on the side of the result."""
    click.echo(words, err=True)


def versions() -> dict[str, str]:
    """Versions of the engine and of what it works with."""
    return {**{name: version(name) for name in ENGINE_PACKAGES}, "python": platform.python_version()}


def machine_of() -> dict[str, object]:
    """What it ran on."""
    return {"cores": os.cpu_count(), "processor": _processor(), "system": platform.platform()}


def _processor(lines: Sequence[str] = ()) -> str:
    """The processor's name, as Linux gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
