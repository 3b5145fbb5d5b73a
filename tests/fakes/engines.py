"""Engines and searches with a clock that ticks, over any sandbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from analysis.facts import Files, Limits
from repair.checks.weights import shipped_weights
from repair.compare.patched_server import PatchedServer
from repair.engine.engine import Engine
from repair.engine.judging import Judging
from repair.engine.reached import Reached
from repair.front.parts import WITHOUT_FAILURE
from repair.gates.behaviour import Behaviour
from repair.gates.callers import Callers
from repair.gates.capability import Capability
from repair.gates.controls import Controls
from repair.gates.coverage import Coverage
from repair.gates.fixes import Fixes
from repair.gates.mutation import Mutation
from repair.gates.regressions import Regressions
from repair.gates.shape import Shape
from repair.gates.stability import Stability
from repair.gates.test_quality import TestQuality
from repair.hunt.search_parts import SearchParts
from repair.observe.patched import PatchedRun
from repair.records.events import Event
from repair.records.ports import Gate, Proposer, Sandbox
from repair.records.verdict import CORE_GATES
from repair.trials.layered import LayeredSandbox

UNLEARNED = 0.05
"""The largest risk of a certificate here: what the shipped weights say of a toy without any doubt is no matter of these
tests, and with a doubt its risk is far higher."""


def ticking() -> Callable[[], float]:
    """A clock that goes on by a millisecond whenever somebody looks."""
    times = count(0, 0.001)
    return lambda: next(times)


def search_parts(sandbox: Sandbox, *proposers: Proposer, **given: Any) -> SearchParts:
    """What a search works with; nobody listens unless told otherwise."""
    usual = {"limits": Limits(), "clock": ticking(), "listen": lambda event: None, "jobs": 1, "seed": 0}
    return SearchParts(sandbox, proposers, **{**usual, **given})


def all_gates(sandbox: Sandbox) -> tuple[Gate, ...]:
    """The core gates, each over this sandbox."""
    limits = Limits()
    patched = PatchedRun(sandbox, limits)
    return (
        Shape(),
        Capability(),
        TestQuality(patched),
        Fixes(sandbox, limits),
        Regressions(sandbox, limits),
        Controls(sandbox, limits),
        Coverage(patched),
        Stability(sandbox, limits, 0),
        Mutation(PatchedServer(sandbox, limits), 0),
        Behaviour(sandbox, limits, PatchedServer(sandbox, limits), 0),
    )


def engine_of(
    sandbox: Sandbox,
    proposers: Sequence[Proposer] = (),
    gates: Sequence[Gate] = (),
    *,
    clock: Callable[[], float] | None = None,
    listen: Callable[[Event], None] = lambda event: None,
    required: tuple[str, ...] = CORE_GATES,
    release: Callable[[], None] = lambda: None,
    gates_over: Callable[[Sandbox], Sequence[Gate]] | None = None,
    **given: Any,
) -> Engine:
    """An engine over the sandbox. It takes every file for one that can be parsed, unless told otherwise.

    ``gates_over`` makes the gates of a program that has patches laid over it; without it they are the same.
    """
    clock, reached = clock or ticking(), Reached()
    sources, limits = sandbox.sources(), Limits()
    search = replace(search_parts(sandbox, *proposers, clock=clock, listen=listen), joins=False)
    callers = Callers(sandbox, limits, PatchedServer(sandbox, limits), PatchedRun(sandbox, limits), 0)
    judging = Judging(
        tuple(gates),
        sources,
        clock,
        listen,
        required=required,
        release=release,
        unasked=(*(gate for gate in gates if gate.name in WITHOUT_FAILURE), callers),
        reached=reached,
        limit=UNLEARNED,
        weights=replace(shipped_weights(), by_people=()),
        stop=given.get("stop", lambda: None),
    )
    remade = {"clock": clock, "listen": listen, "required": required, "release": release, **given}

    def on_top(files: Files) -> Engine:
        laid = LayeredSandbox(sandbox, files)
        return engine_of(laid, proposers, gates_over(laid) if gates_over else gates, gates_over=gates_over, **remade)

    usual = {"parse_problems": lambda sources: (), "on_top": on_top}
    return Engine(search, judging, sandbox, sources, limits, clock, listen, **{**usual, **given})
