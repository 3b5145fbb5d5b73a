"""The commands about this machine and our own formats: doctor, schema."""

from __future__ import annotations

from typing import Any

import click

from repair.commands.context import CommandContext, options_of
from repair.commands.exit_codes import DOCTOR_EXIT_CODES, PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.show.terminal import write_text


@command(
    "Say what this machine can do",
    DOCTOR_EXIT_CODES,
    "repair doctor --probes",
    "repair doctor --base-url http://localhost:8000/v1 --json",
)
@click.option("--python", metavar="PATH", help="The target's interpreter [default: the project's .venv]")
@click.option("--base-url", metavar="URL", help="Ask this model endpoint whether it answers")
@click.option("--model", metavar="NAME", help="The model that would be asked")
@click.option("--probes", is_flag=True, help="Try every forbidden act on every kind of isolation; takes seconds")
@project_command
def doctor(surroundings: CommandContext, /, probes: bool, **given: Any) -> int:
    """Say what this machine can do: interpreter, pytest, coverage, isolation (by probes), git, model endpoint."""
    from repair.front.doctor import checks_json, checks_text, examine, is_able
    from repair.show.output import write_json

    options = options_of(surroundings, given, anywhere=True)
    checks = examine(options, surroundings.env, probes=probes)
    if options.output_format == "json":
        write_json(checks_json(checks))
    else:
        write_text(checks_text(checks))
    return 0 if is_able(checks) else 3


@command(
    "Print the JSON Schema of what a command prints",
    PLAIN_EXIT_CODES,
    "repair schema result",
    "repair schema tests > repair-tests.schema.json",
)
@click.argument("name", type=click.Choice(("result", "tests")))
def schema(name: str) -> int:
    """Print the JSON Schema of a format of ours: of what fix, explain and check print (result), or tests."""
    from repair.show.output import schema_named, write_json

    write_json(schema_named(name))
    return 0
