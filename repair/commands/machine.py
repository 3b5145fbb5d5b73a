"""The commands about this machine, our own formats and words: doctor, schema, help."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of
from repair.commands.exit_codes import DOCTOR_EXIT_CODES, PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.show.terminal import write_text


@command(
    "Say what this machine can do",
    DOCTOR_EXIT_CODES,
    "repair doctor --probes",
    "repair doctor --model NAME --base-url http://localhost:8000/v1 --json",
)
@click.option("--python", metavar="PATH", help="The target's interpreter [default: the project's .venv]")
@click.option("--base-url", metavar="URL", help="The endpoint of the model, or of which it is asked whether it answers")
@click.option("--model", metavar="NAME", help="Ask this model whether it answers, and whether it keeps to a schema")
@click.option("--probes", is_flag=True, help="Try every forbidden act on every kind of isolation; takes seconds")
@project_command
def doctor(surroundings: CommandContext, /, probes: bool, **given: Any) -> int:
    """Say what this machine can do: interpreter, pytest, coverage, isolation (by probes), git, model endpoint."""
    from repair.agents.installing import check_hooks
    from repair.front.doctor import checks_json, checks_text, examine, is_able
    from repair.show.terminal import write_json

    options = options_of(surroundings, given, anywhere=True)
    checks = examine(options, surroundings.env, probes=probes)
    checks += (check_hooks(Path(options.root), Path.home()),)
    if options.output_format == "json":
        write_json(checks_json(checks))
    else:
        write_text(checks_text(checks))
    return 0 if is_able(checks) else 3


OWN_SCHEMAS = (
    *("result", "tests", "grown", "healed", "made", "facts", "spec", "trace", "memory", "siblings", "events"),
)


@command(
    "Print the JSON Schema of what a command prints",
    PLAIN_EXIT_CODES,
    "repair schema result",
    "repair schema tests > repair-tests.schema.json",
    "repair schema tune-plan",
)
@click.argument("name")
@click.pass_context
def schema(context: click.Context, /, name: str) -> int:
    """Print the JSON Schema of a format of ours: of what fix, explain and check print (result), of tests, or of events.

    Tests that are grown have one of their own (grown), and so have those that are healed (healed). So has what a
    project states (facts), where that is contradicted (spec), and which tests prove it (trace). What earlier runs have
    shown is memory, and other places with a flaw are siblings. Events are the lines of --output-format jsonl, and of
    the record of a run. The records of tune begin with its name: tune-plan, tune-step, tune-attempt and others.
    """
    from repair.show.output import record_schema, schema_named
    from repair.show.terminal import write_json

    if name in OWN_SCHEMAS:
        write_json(schema_named(name))
        return 0
    group = context.parent.command if context.parent is not None else None
    owner = group.get_command(context, name.partition("-")[0]) if isinstance(group, click.Group) else None
    joined: dict[str, tuple[type, str]] = getattr(owner, "records", dict)()
    if name not in joined:
        near = ", ".join(joined or OWN_SCHEMAS)
        raise UsageError(f"No format of ours is called {name!r}", remedy=f"Name one of these: {near}.")
    write_json(record_schema(*joined[name]))
    return 0


@command(
    "Explain a word of an answer",
    PLAIN_EXIT_CODES,
    "repair help plausible",
    "repair help behaviour",
    name="help",
)
@click.argument("word", required=False)
@click.pass_context
def help_word(context: click.Context, /, word: str | None) -> int:
    """Explain a word of an answer: a verdict, a gate, a class of failures, a kind of doubt, an exit status.

    Without WORD all words are listed. The name of a command gives that command's --help.
    """
    from repair.show.help_words import find_words, list_text, nearest_words, word_text

    if word is None:
        write_text(list_text(_width()))
        return 0
    found = find_words(word)
    group = context.parent.command if context.parent is not None else None
    known = group.get_command(context, word) if isinstance(group, click.Group) and not found else None
    if known is not None:
        inner = click.Context(known, info_name=word, parent=context.parent)
        write_text(known.get_help(inner) + "\n")
        return 0
    if not found:
        near = nearest_words(word)
        advice = f"Did you mean {' or '.join(near)}?" if near else "`repair help` lists all words."
        raise UsageError(f"No answer uses the word {word!r}", remedy=advice)
    write_text("\n".join(word_text(each, _width()) for each in found))
    return 0


def _width() -> int:
    return min(100, shutil.get_terminal_size((100, 24)).columns)
