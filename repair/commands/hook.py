"""The commands that hosts of coding agents call: hook start, hook stop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from repair.agents.dialects import LARGEST_INPUT, NAMES, read_event
from repair.commands.context import CommandContext
from repair.commands.paths import find_root
from repair.show.terminal import tell, write_out

if TYPE_CHECKING:
    from repair.agents.dialects import HookEvent
    from repair.agents.stop_hook import HookAnswer

WAKES = 2
"""The exit status with which a hook in the background wakes its agent; what it says stands on stderr."""

_agent = click.option(
    "--agent",
    type=click.Choice(("auto", *NAMES)),
    default="auto",
    help="In which words the host is answered [default: auto, by what it sends]",
)


@click.group(
    "hook",
    short_help="What hosts of coding agents call",
    epilog="""\b
Examples:
  repair hook start < event.json
  repair hook stop < event.json

\b
Exit codes:
  0    always, but for hook stop --wake
  2    hook stop --wake: the agent has to go on; or a wrong option""",
)
def hook() -> None:
    """What the hosts of coding agents call; it reads one JSON object from stdin and prints one.

    `repair agent hooks --target HOST` prints what to write into the host's settings. The exit status is 0, whatever is
    said. REPAIR_HOOK=off|tell|ask and REPAIR_HOOK_SECONDS=25 set what it may do, and its time.
    """


@hook.command("start", short_help="A session begins: remember the tree")
@_agent
@click.pass_obj
def start(surroundings: CommandContext, /, agent: str) -> int:
    """A session begins: remember the tree as it is, so that only what changes from now on is judged."""
    from repair.agents.stop_hook import begin_session

    return _answer(surroundings, agent, begin_session, wake=False)


@hook.command("stop", short_help="An agent wants to stop: judge what it changed")
@_agent
@click.option("--wake", is_flag=True, help="For hooks in the background: wake the agent by exit status 2 and stderr")
@click.pass_obj
def stop(surroundings: CommandContext, /, agent: str, wake: bool) -> int:
    """An agent wants to stop: judge what it changed, ask its one question, or let it stop.

    A rejected change and an open question send it back, once for each change. All else is told to the person.
    """
    from repair.agents.stop_hook import end_turn

    return _answer(
        surroundings,
        agent,
        lambda event, root: end_turn(event, root, surroundings.env, surroundings.started),
        wake=wake,
    )


def _answer(
    surroundings: CommandContext, agent: str, work: Callable[[HookEvent, Path], HookAnswer], *, wake: bool
) -> int:
    """Print what the host is told; a hook that cannot work lets the agent stop, and says on stderr why."""
    said: HookAnswer | None = None
    try:
        event = read_event(sys.stdin.buffer.read(LARGEST_INPUT + 1), agent)
        if event is not None:
            said = work(event, find_root(surroundings.cwd, event.folder or None))
    except Exception as problem:  # noqa: BLE001 - a hook that fails must not keep an agent from ending its turn
        tell(f"repair: hook: {' '.join(str(problem).split())}")
    if wake:
        if said is None or not said.wakes:
            return 0
        tell(said.wakes)
        return WAKES
    write_out(json.dumps({} if said is None else dict(said.said)) + "\n")
    return 0
