"""The engine's own process: index, memory, candidates a second of a real repair."""

from __future__ import annotations

from functools import partial

from corpora.environment import environment
from corpora.lab.bench_engine import (
    FAILING,
    FAULTY_FUNCTION,
    SEARCHED,
    candidates_per_second,
    engine_mb_100kloc,
    index_seconds_100kloc,
    large_project,
    run_fix,
)
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.steps import Step
from corpora.lab.benchmarks.work import NETWORKX, PLUGINS
from corpora.lab.cases import Case

_SECONDS = 60.0
"""For each repair."""


def engine_steps() -> tuple[Step, ...]:
    """Index and memory on one large library; the rate on real repairs, a step for each."""
    rates = (Step(f"engine/search/{case.name}", partial(_rate, case)) for case in SEARCHED)
    return (Step("engine/index", _index), Step("engine/memory", _memory), *rates)


def _index(setup: Setup) -> Measured:
    tree = large_project(setup.directory, setup.cache)
    return Measured((row("index_seconds_100kloc", {NETWORKX.name: index_seconds_100kloc(tree)}),))


def _memory(setup: Setup) -> Measured:
    tree = large_project(setup.directory, setup.cache)
    python = environment(PLUGINS, setup.cache)
    megabytes = engine_mb_100kloc(tree, python, FAILING, FAULTY_FUNCTION, _SECONDS)
    return Measured((row("engine_mb_100kloc", {NETWORKX.name: megabytes}),))


def _rate(case: Case, setup: Setup) -> Measured:
    rate = candidates_per_second(run_fix(case, setup.directory, setup.cache, _SECONDS))
    return Measured((row("search_candidates_per_second", {case.name: rate}),))
