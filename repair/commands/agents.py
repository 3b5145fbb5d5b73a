"""The commands that bring the judge to where others work: agent hooks, agent instructions, init, mcp, lsp."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import UsageError
from repair.agents.hosts import HOSTS, INSTRUCTIONS, NAMES, host_named, text_of
from repair.commands.context import CommandContext
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.paths import find_root
from repair.show.terminal import tell, write_text


@click.group(
    "agent",
    short_help="Print what a coding agent's host, or pytest, has to read",
    epilog="""\b
Examples:
  repair agent hooks --target claude-code
  repair agent instructions >> AGENTS.md
  repair agent pytest-plugin > pytest_repair.py

\b
Exit codes:
  0    done
  2    usage""",
)
def agent() -> None:
    """Print what the host of a coding agent, or pytest, has to read so that it calls us. No file is written."""


@agent.command("hooks", short_help="Print the settings that call our hooks")
@click.option("--target", type=click.Choice(NAMES), required=True, help="The host")
def hooks(target: str) -> int:
    """Print the settings that make a host call `repair hook start` and `repair hook stop`."""
    host = host_named(target)
    tell(f"repair: {host.file} of a project, or your own settings of {host.title}{f'. {host.mind}' * bool(host.mind)}")
    write_text(text_of(host.settings))
    return 0


@agent.command("instructions", short_help="Print what an agent is told of repair")
def instructions() -> int:
    """Print a paragraph for the file of instructions that agents read (AGENTS.md, CLAUDE.md, GEMINI.md)."""
    write_text(INSTRUCTIONS)
    return 0


@agent.command("pytest-plugin", short_help="Print the plugin of pytest")
def pytest_plugin() -> int:
    """Print the plugin behind `pytest --repair`, for a project whose environment does not have the engine.

    It is one file of the standard library. `pytest -p NAME` loads it, or `pytest_plugins` in the topmost conftest.py.
    """
    import _repair_pytest

    write_text(Path(_repair_pytest.__file__).read_text("utf-8"))
    return 0


@command(
    "Set a project up for the agents that work in it",
    PLAIN_EXIT_CODES,
    "repair init",
    "repair init --target codex --write",
)
@click.option("--target", "targets", type=click.Choice(NAMES), multiple=True, help="A host [default: those in use]")
@click.option("--write", is_flag=True, help="Write the files; without it they are printed")
@click.option("--root", type=click.Path(), help="The project [default: the nearest folder with a pyproject.toml]")
@click.pass_obj
def init(surroundings: CommandContext, /, targets: tuple[str, ...], write: bool, root: str | None) -> int:
    """Set a project up for the coding agents that work in it: their hosts call our hooks.

    A host is in use where the project has its folder. What stands in a file stays; our entries are added. Nothing is
    written without --write.
    """
    from repair.agents.installing import hosts_in_use, install, plan_installation

    folder = Path(find_root(surroundings.cwd, root))
    chosen = tuple(host_named(name) for name in dict.fromkeys(targets)) or hosts_in_use(folder)
    if not chosen:
        signs = ", ".join(host.sign for host in HOSTS)
        tell(f"repair: no host is in use here ({signs}); name one with --target")
        return 0
    planned = plan_installation(folder, chosen)
    for each in planned:
        if not each.text:
            tell(f"repair: {each.host.file} calls our hooks already")
        elif not write:
            word = "new" if each.is_new else "with what stands there"
            write_text(f"# {each.host.file} ({word})\n{each.text}")
        if each.host.mind:
            tell(f"repair: {each.host.mind}")
    if write:
        for name in install(folder, planned):
            write_text(f"Wrote {name}\n")
    elif any(each.text for each in planned):
        tell("repair: nothing was written; --write does so")
    return 0


@command(
    "Serve the judge to agents by the Model Context Protocol",
    PLAIN_EXIT_CODES,
    "repair mcp",
    "repair mcp --root ../shop --allow-apply",
    name="mcp",
)
@click.option("--root", "roots", type=click.Path(), multiple=True, help="A project; others are refused [default: here]")
@click.option("--allow-apply", is_flag=True, help="Serve a tool that writes a patch into the project")
@click.option("--max-seconds", type=float, default=120.0, show_default=True, metavar="N", help="Time for each run")
@click.pass_obj
def mcp(surroundings: CommandContext, /, roots: tuple[str, ...], allow_apply: bool, max_seconds: float) -> int:
    """Serve the judge to agents by the Model Context Protocol, on stdin and stdout.

    No call takes longer than 45 s: what is not done by then is asked for again by its job.
    """
    from repair.agents.jobs import Jobs

    try:
        from repair.agents.server import make_server
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError(
            "The mcp library is not installed", remedy="Beside the engine: pip install 'mcp>=2.3,<3'."
        ) from problem
    folders = [Path(find_root(surroundings.cwd, root)) for root in roots or (None,)]
    jobs = Jobs(folders, surroundings.env)
    try:
        make_server(jobs, may_apply=allow_apply, max_seconds=max_seconds).run()
    finally:
        jobs.close()
    return 0


@command(
    "Serve open questions to editors by the Language Server Protocol",
    PLAIN_EXIT_CODES,
    "repair lsp",
    "repair lsp --state-dir ~/records",
)
@click.option("--state-dir", metavar="DIR", help="Where runs are recorded [default: your own state directory]")
@click.pass_obj
def lsp(surroundings: CommandContext, /, state_dir: str | None) -> int:
    """Serve the open question of the last verdict to an editor, on stdin and stdout. Nothing is judged on save.

    The question is a diagnostic at the changed lines; each of its answers is a code action that adds a test.
    """
    try:
        from repair.commands.editor_server import serve
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            "The pygls library is not installed", remedy="Beside the engine: pip install 'pygls>=2.1,<3'."
        ) from problem
    named = state_dir or surroundings.env.get("REPAIR_STATE_DIR", "")
    serve(str(surroundings.cwd / named) if named else "")
    return 0
