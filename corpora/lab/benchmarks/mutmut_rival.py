"""The rival in mutation: what mutmut needs for one more mutant of the same function."""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import version

from analysis.errors import TargetError
from corpora.lab.benchmarks.figures import Measured
from corpora.lab.benchmarks.mutmut_tree import Subject, run_mutmut, settle
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.work import BOLTONS
from corpora.lab.pinned import fetch
from corpora.source_package import unpack

SUBJECT = Subject("boltons/strutils.py", "format_int_list", ("tests/test_strutils.py",))


def bench_mutmut(setup: Setup) -> Measured:
    """CPU milliseconds of mutmut for each further mutant of boltons' ``format_int_list``, one child at a time.

    Two runs in fresh trees, over one mutant and over all, so that what it does once for the file cancels out.
    """
    archive = fetch(BOLTONS, setup.cache)
    root = (setup.directory / "mutmut").absolute()

    def run(number: str) -> tuple[int, float]:
        shutil.rmtree(root, ignore_errors=True)
        unpack(archive, root)
        settle(root, SUBJECT)
        done = run_mutmut(root, sys.executable, SUBJECT.names + number, workers=1)
        if done is None:
            raise TargetError("mutmut makes no mutant", where=SUBJECT.names)
        return done.tried, done.cost.cpu

    return rival_figures(run("1"), run("*"))


def rival_figures(one: tuple[int, float], every: tuple[int, float]) -> Measured:
    """The cost of a further mutant, from (mutants, CPU seconds) of both runs."""
    (few, least), (many, most) = one, every
    if many <= few or most <= least:
        raise TargetError(f"mutmut ran {few} and then {many} mutants in {least:.1f} and {most:.1f} s of CPU time")
    each = 1000 * (most - least) / (many - few)
    note = f"mutmut {version('mutmut')} takes {each:.0f} ms of CPU time for each of {many} mutants of format_int_list"
    numbers = (("mutmut_cpu_ms_boltons", each), ("mutmut_once_cpu_ms_boltons", 1000 * least - few * each))
    return Measured(numbers=numbers, notes=(f"{note}, beside {least - few * each / 1000:.1f} s once for the file.",))
