"""Who proposes edits in a run: the names that a user knows, and the parts that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from repair.front.opening import Place
from repair.front.run_inputs import order_named, read_script
from repair.model.agent import AgentProposer
from repair.model.agent_command import AgentCommand
from repair.model.agent_copy import copy_for_agent
from repair.model.kept_replies import make_model_proposer
from repair.proposers.scripted import ScriptedProposer
from repair.proposers.search import SearchProposer
from repair.proposers.synthesis import SynthesisProposer
from repair.records.config import Options
from repair.records.events import Listener
from repair.records.ports import Proposer


def make_proposers(
    names: Sequence[str],
    options: Options,
    env: Mapping[str, str],
    listen: Listener,
    agent: AgentCommand | None,
    place: Place,
) -> tuple[Proposer, ...]:
    """The proposers of these names, in their order. ``agent`` is the command that the user named, if any."""

    def make_agent() -> tuple[Proposer, ...]:
        assert agent is not None, "its command was found before the run was opened"
        copy = partial(copy_for_agent, place.sandbox.snapshot)
        waits = "search" in names
        return (AgentProposer(agent, copy, place.scratch, options.agent_seconds, listen, waits=waits),)

    made: dict[str, Callable[[], tuple[Proposer, ...]]] = {
        "search": lambda: (SearchProposer(order_named(options.order, Path(options.root))), SynthesisProposer()),
        "model": lambda: (make_model_proposer(options, env, listen),),
        "agent": make_agent,
        "scripted": lambda: (ScriptedProposer(read_script(Path(options.script))),),
    }
    return tuple(proposer for name in names for proposer in made[name]())
