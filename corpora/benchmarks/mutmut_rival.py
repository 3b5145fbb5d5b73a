"""The rival in mutation: what mutmut needs for one more mutant of the same function."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from analysis.errors import TargetError
from corpora.benchmarks.figures import Measured
from corpora.benchmarks.setup import Setup
from corpora.benchmarks.work import BOLTONS
from corpora.source_package import fetch, unpack

_SETTINGS = """
[mutmut]
paths_to_mutate=boltons/strutils.py
tests_dir=tests/test_strutils.py
also_copy=
    boltons
    tests
"""
_NAMES = "boltons.strutils.x_format_int_list__mutmut_"
_SECONDS = 600
_DONE = re.compile(r"(\d+)/\d+ ")


def bench_mutmut(setup: Setup) -> Measured:
    """CPU milliseconds of mutmut for each further mutant of boltons' ``format_int_list``, one child at a time.

    Two runs in fresh trees, over one mutant and over all, so that what it does once for the file cancels out.
    """
    archive = fetch(BOLTONS, setup.cache)
    root = (setup.directory / "mutmut").absolute()

    def run(names: str) -> tuple[int, float]:
        shutil.rmtree(root, ignore_errors=True)
        unpack(archive, root)
        with (root / "setup.cfg").open("a", encoding="utf-8") as stream:
            stream.write(_SETTINGS)
        return _run(root, names)

    return rival_figures(run(f"{_NAMES}1"), run(f"{_NAMES}*"))


def rival_figures(one: tuple[int, float], every: tuple[int, float]) -> Measured:
    """The cost of a further mutant, from (mutants, CPU seconds) of both runs."""
    (few, least), (many, most) = one, every
    if many <= few or most <= least:
        raise TargetError(f"mutmut ran {few} and then {many} mutants in {least:.1f} and {most:.1f} s of CPU time")
    each = 1000 * (most - least) / (many - few)
    note = f"mutmut {version('mutmut')} takes {each:.0f} ms of CPU time for each of {many} mutants of format_int_list"
    numbers = (("mutmut_cpu_ms_boltons", each), ("mutmut_once_cpu_ms_boltons", 1000 * least - few * each))
    return Measured(numbers=numbers, notes=(f"{note}, beside {least - few * each / 1000:.1f} s once for the file.",))


def _run(root: Path, names: str) -> tuple[int, float]:
    """How many mutants ran, and the CPU seconds of the whole run."""
    words = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", names]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    before = _reaped()
    run = subprocess.run(
        words,
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    seconds = _reaped() - before
    counts = _DONE.findall(run.stdout)
    if run.returncode != 0 or not counts:
        raise TargetError(f"mutmut does not run: {(run.stderr or run.stdout).strip()[-300:]}")
    return int(counts[-1]), seconds


def _reaped() -> float:
    """CPU seconds of all children that this process has waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
