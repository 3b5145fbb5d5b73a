"""Engines and searches with a clock that ticks, over any sandbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from analysis.facts import Limits
from repair.compare.patched_server import PatchedServer
from repair.engine.engine import Engine
from repair.engine.judging import Judging
from repair.engine.reached import Reached
from repair.front.gates import WITHOUT_FAILURE
from repair.gates.callers import Callers
from repair.hunt.search_parts import SearchParts
from repair.observe.patched import PatchedRun
from repair.records.events import Event
from repair.records.ports import Gate, Proposer, Sandbox
from repair.records.verdict import CORE_GATES

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


def engine_of(
    sandbox: Sandbox,
    proposers: Sequence[Proposer] = (),
    gates: Sequence[Gate] = (),
    *,
    clock: Callable[[], float] | None = None,
    listen: Callable[[Event], None] = lambda event: None,
    required: tuple[str, ...] = CORE_GATES,
    release: Callable[[], None] = lambda: None,
    **given: Any,
) -> Engine:
    """An engine over the sandbox. It takes every file for one that can be parsed, unless told otherwise."""
    clock, reached = clock or ticking(), Reached()
    sources, limits = sandbox.sources(), Limits()
    search = search_parts(sandbox, *proposers, clock=clock, listen=listen)
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
        stop=given.get("stop", lambda: None),
    )
    usual = {"parse_problems": lambda sources: ()}
    return Engine(search, judging, sandbox, sources, limits, clock, listen, **{**usual, **given})
