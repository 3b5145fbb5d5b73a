"""The gates and the proposers of a run, each with the parts that it works with.

`repair/records/verdict.py` lists the names of gates, `Options.proposers` those of proposers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from analysis.checkers import SETTINGS
from analysis.errors import UsageError
from analysis.facts import Limits
from analysis.specified.business_rules import FILE as RULES_FILE
from analysis.specified.business_rules import BusinessRule, read_rules
from repair.compare.examples import ExampleRun
from repair.compare.patched_server import PatchedServer
from repair.front.opening import Place
from repair.front.ruff import Ruff, find_ruff
from repair.front.run_inputs import order_named, read_script
from repair.front.run_memories import make_memory_proposer
from repair.gates.behaviour import Behaviour
from repair.gates.callers import Callers
from repair.gates.capability import Capability
from repair.gates.controls import Controls
from repair.gates.cost import Costs
from repair.gates.coverage import Coverage
from repair.gates.fixes import Fixes
from repair.gates.mutation import Mutation
from repair.gates.outside_gate import OutsideGate, make_outside_gate
from repair.gates.regressions import Regressions
from repair.gates.rules import Rules
from repair.gates.shape import Shape
from repair.gates.stability import Stability
from repair.gates.static import Static
from repair.gates.test_quality import TestQuality
from repair.gates.types import Types
from repair.model.agent import AgentProposer
from repair.model.agent_command import AgentCommand
from repair.model.agent_copy import copy_for_agent
from repair.observe.branches import BranchesOfPatch
from repair.observe.patched import PatchedRun
from repair.observe.statements import Measure, measure_statements
from repair.proposers.outside_proposer import make_outside_proposer
from repair.proposers.scripted import ScriptedProposer
from repair.proposers.search import EarlierFind, Reorder, SearchProposer
from repair.proposers.synthesis import SynthesisProposer
from repair.records.config import GATES, OWN_PROPOSERS, PROPOSERS, Options, refuse_uninstalled
from repair.records.events import Listener
from repair.records.ports import Gate, History, Proposer, Sandbox
from repair.records.verdict import CORE_GATES, EXTRA_GATES
from repair.records.wording import words_of_failure
from sandbox.target import Target
from sandbox.workspace import Snapshot

WITHOUT_FAILURE = ("capability", "static", "rules", "fixes", "regressions", "stability", "types", "cost")
"""The gates that have something to say of a change although no failing test asks for it."""

STRICT_EFFORT = 3
"""So many times the runs, mutants and inputs are asked for where more is asked than of every patch."""


def required_gates(*, strict: bool, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """The gates without whose acceptance nothing is certified, those of third parties among them."""
    return (*CORE_GATES, *(EXTRA_GATES if strict else ()), *dict.fromkeys(extra))


def make_gates(
    sandbox: Sandbox,
    server: PatchedServer,
    limits: Limits,
    seed: int,
    target: Target,
    snapshot: Snapshot,
    env: Mapping[str, str],
    *,
    strict: bool,
    proposer: Proposer | None = None,
    history: History | None = None,
    measure: Measure = measure_statements,
    branches: BranchesOfPatch | None = None,
    left: Callable[[], float] = lambda: math.inf,
    extra: Sequence[str] = (),
) -> tuple[Gate, ...]:
    """All gates in order of cost; ``strict`` asks for more of them, and for more runs, mutants and inputs.

    ``snapshot`` has the settings of type checkers, ``env`` the search path on which Ruff may lie. ``proposer`` finds
    programs next to a patch, ``history`` earlier versions of a file. ``measure`` says what the statements of files are,
    ``branches`` which of a patch's branches are taken, ``left`` how many seconds the run has left. ``extra``
    names gates of third parties.
    """
    effort = STRICT_EFFORT if strict else 1
    patched, documented = PatchedRun(sandbox, limits), ExampleRun(sandbox, limits)
    ruff = find_ruff(target.root, env.get("PATH", ""))
    static = Static(Ruff(ruff, target.interpreter.version))
    own = project_rules(snapshot)
    core: tuple[Gate, ...] = (
        Shape(),
        Capability(),
        TestQuality(patched),
        *((static,) if ruff or strict else ()),
        *((Rules(sandbox, own, limits),) if own or strict else ()),
        Fixes(sandbox, limits, patched),
        Regressions(sandbox, limits, documented, patched),
        Controls(sandbox, limits, server, documented),
        Coverage(patched, measure, branches),
        Stability(sandbox, limits, seed, effort, None if strict else server, documented),
        Mutation(server, seed, effort, patched, documented),
        Behaviour(sandbox, limits, server, seed, effort, documented, proposer, history, left),
    )
    types = (Types(sandbox, snapshot.read(SETTINGS), limits),) if strict else ()
    return (*core, *types, Costs(server, effort), *outside_gates(extra, sandbox, limits))


def project_rules(snapshot: Snapshot) -> tuple[BusinessRule, ...]:
    """The rules that the project gave itself; raises ``UsageError`` where its file cannot be read."""
    content = snapshot.read([RULES_FILE]).get(RULES_FILE)
    try:
        return read_rules(content) if content is not None else ()
    except ValueError as problem:
        raise UsageError(
            f"The rules of the project cannot be read: {problem}",
            where=RULES_FILE,
            remedy="Mend that file; docs/specifications.md says what a rule holds.",
        ) from problem


def make_unasked_gates(
    gates: Sequence[Gate], sandbox: Sandbox, server: PatchedServer, limits: Limits, seed: int, *, strict: bool
) -> tuple[Gate, ...]:
    """Those of the gates that ask no failing test, and what a change does to callers."""
    callers = Callers(sandbox, limits, server, PatchedRun(sandbox, limits), seed, STRICT_EFFORT if strict else 1)
    asked = (gate for gate in gates if gate.name in WITHOUT_FAILURE or isinstance(gate, OutsideGate))
    return (*asked, callers)


def make_proposers(
    names: Sequence[str],
    options: Options,
    listen: Listener,
    agent: AgentCommand | None,
    place: Place,
    ask_model: Callable[[], Proposer],
    reorder: Reorder,
    again: Sequence[EarlierFind] = (),
) -> tuple[Proposer, ...]:
    """The proposers of these names, in their order. ``agent`` is the command that the user named, if any.

    ``ask_model`` makes the one that asks a model; ``reorder`` is what earlier runs make of the search's order.
    ``again`` are their finds, which the search tries first.
    """

    def make_agent() -> tuple[Proposer, ...]:
        assert agent is not None, "its command was found before the run was opened"
        copy = partial(copy_for_agent, place.sandbox.snapshot)
        waits = "search" in names
        return (AgentProposer(agent, copy, place.scratch, options.agent_seconds, listen, waits=waits),)

    order = order_named(options.order, Path(options.root))
    made: dict[str, Callable[[], tuple[Proposer, ...]]] = {
        "search": lambda: (SearchProposer(order, reorder, again), SynthesisProposer()),
        "model": lambda: (ask_model(),),
        "agent": make_agent,
        "memory": lambda: (make_memory_proposer(options),),
        "scripted": lambda: (ScriptedProposer(read_script(Path(options.script))),),
    }
    return tuple(
        proposer for name in names for proposer in (made[name]() if name in made else (outside_proposer(name, listen),))
    )


def outside_gates(names: Sequence[str], sandbox: Sandbox, limits: Limits) -> tuple[Gate, ...]:
    """The gates of these names, in their order; raises ``UsageError`` for a name that nobody has."""
    loaded = {name: _load_named(GATES, name) for name in names}
    return tuple(make_outside_gate(name, partial(make, sandbox, limits)) for name, make in loaded.items())


def outside_proposer(name: str, listen: Listener) -> Proposer:
    """The proposer of that name; raises ``UsageError`` where nobody has it."""
    return make_outside_proposer(name, _load_named(PROPOSERS, name), listen)


def _load_named(group: str, name: str) -> Callable[..., Any]:
    """What the entry point leads to; raises ``UsageError`` where there is none, or its code cannot be imported."""
    refuse_uninstalled(group, [name], (*CORE_GATES, *EXTRA_GATES) if group == GATES else OWN_PROPOSERS)
    found = {point.name: point for point in entry_points(group=group)}
    try:
        loaded: Callable[..., Any] = found[name].load()
    except (Exception, SystemExit) as problem:  # whatever a stranger's module does when it is imported
        said = words_of_failure(problem)
        raise UsageError(f"{name!r} cannot be loaded: {said}", where=group, remedy="Ask its authors.") from problem
    return loaded
