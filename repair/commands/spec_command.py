"""The commands about what a project states of itself: ``spec scan``, ``spec check``, ``spec trace``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import SCAN_EXIT_CODES, SPEC_EXIT_CODES, TRACE_EXIT_CODES, command
from repair.commands.options import model_options, project_command, suite_options
from repair.commands.page_file import place_page, refuse_one_file, write_page
from repair.commands.paths import read_words_or_names

if TYPE_CHECKING:
    from repair.records.specified import PersonSays

FIRST = "# Facts that repair spec scan read"
"""How a file of facts begins: only such a one is replaced."""

MOST_MUTANTS = 10
MUTANTS_HELP = f"Mutants of a function for each test at most [default: {MOST_MUTANTS}]"


@command(
    "Read what the project states of itself",
    SCAN_EXIT_CODES,
    "repair spec scan",
    "repair spec scan src/shop docs/requirements.md --out facts.toml",
    "repair spec scan --model NAME",
    name="spec scan",
)
@click.argument("targets", nargs=-1)
@click.option("--out", "out", metavar="FILE", help="Write the facts as TOML too")
@click.option("--seen", is_flag=True, help="Run the suite, and record what calls were given and came to")
@click.option("--accept", "accepted", multiple=True, metavar="ID", help="A fact that a model read is meant so")
@click.option("--dispute", "disputed", multiple=True, nargs=2, metavar="ID REASON", help="It is not, and why")
@click.option("--as", "who", metavar="NAME", help="Who says so [default: your login]")
@model_options
@suite_options
@project_command
def scan(
    surroundings: CommandContext,
    /,
    targets: tuple[str, ...],
    out: str | None,
    seen: bool,
    accepted: tuple[str, ...],
    disputed: tuple[tuple[str, str], ...],
    who: str | None,
    **given: Any,
) -> int:
    """Read facts: what types, docstrings, requirements, interfaces and tests say, each with its words and their place.

    TARGETS are files, folders, functions as PATH:NAME, or ids of requirements; without any, all is listed. None of the
    project's code runs, unless --seen asks for it. Only with --model on the command line is a model asked. It is shown
    sentences that no extractor reads. What it reads in them counts once somebody accepts it.
    """
    from repair.records.specified import PersonSays, SpecRequest
    from repair.show.spec_output import facts_toml, refuse_format, write_facts
    from repair.show.terminal import tell

    options = options_of(surroundings, given)
    refuse_format(options.output_format)
    paths, names, _ = read_words_or_names(surroundings.cwd, options.root, targets)
    target = place_page(surroundings.cwd / out, Path(options.root), FIRST, "--out", inside=True) if out else None
    words: list[tuple[str, PersonSays, str]] = [
        *((name, PersonSays.ACCEPTED, "") for name in accepted),
        *((name, PersonSays.DISPUTED, text) for name, text in disputed),
    ]
    _refuse_empty(words)
    asked = SpecRequest(
        paths=(*paths, *names),
        seen=seen,
        by_model=bool(given.get("model")),
        words=tuple(words),
        who=who or _login(surroundings.env),
    )
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().scan_facts(asked, options, listen, surroundings.env, timing)
    if target is not None:
        write_page(target, facts_toml(report, FIRST), "--out")
        tell(f"repair: facts: {target}")
    write_facts(report, options)
    return int(report.exit_code)


@command(
    "Say where what the project states is contradicted",
    SPEC_EXIT_CODES,
    "repair spec check",
    "repair spec check --dispute C-1a2b3c4d 'the docstring means gross prices'",
    name="spec check",
)
@click.argument("targets", nargs=-1)
@click.option("--mutants", type=int, metavar="N", help=MUTANTS_HELP)
@click.option("--answer", "answered", multiple=True, nargs=2, metavar="ID TEXT", help="What is right, in your words")
@click.option("--accept", "accepted", multiple=True, metavar="ID", help="The finding is right, and is known")
@click.option("--dispute", "disputed", multiple=True, nargs=2, metavar="ID REASON", help="It is wrong, and why")
@click.option("--as", "who", metavar="NAME", help="Who says so [default: your login]")
@suite_options
@project_command
def check(
    surroundings: CommandContext,
    /,
    targets: tuple[str, ...],
    answered: tuple[tuple[str, str], ...],
    accepted: tuple[str, ...],
    disputed: tuple[tuple[str, str], ...],
    who: str | None,
    **given: Any,
) -> int:
    """Say where facts contradict each other, the program (facts are run behind walls) or the tests, and what is stale.

    TARGETS are files, folders, functions as PATH:NAME, or ids; without any, all is told. A finding that somebody has
    answered, accepted or disputed stays listed, with who and when, and does not count any more.
    """
    from repair.records.specified import PersonSays, SpecRequest
    from repair.show.spec_output import refuse_format, write_findings

    given["mutants"] = given.get("mutants") or MOST_MUTANTS
    options = options_of(surroundings, given)
    refuse_format(options.output_format)
    paths, names, _ = read_words_or_names(surroundings.cwd, options.root, targets)
    words: list[tuple[str, PersonSays, str]] = [
        *((name, PersonSays.ANSWERED, text) for name, text in answered),
        *((name, PersonSays.ACCEPTED, "") for name in accepted),
        *((name, PersonSays.DISPUTED, text) for name, text in disputed),
    ]
    _refuse_empty(words)
    asked = SpecRequest(paths=(*paths, *names), words=tuple(words), who=who or _login(surroundings.env))
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().check_facts(asked, options, listen, surroundings.env, timing)
    write_findings(report, options)
    return int(report.exit_code)


def _refuse_empty(words: list[tuple[str, PersonSays, str]]) -> None:
    for name, says, text in words:
        if says.value != "accepted" and not text.strip():
            raise UsageError(
                f"It is not said why {name} is {says.value}", remedy="Write the reason behind the id, in quotes."
            )


def _login(env: Mapping[str, str]) -> str:
    return next((env[name] for name in ("LOGNAME", "USER", "LNAME", "USERNAME") if env.get(name)), "somebody")


@command(
    "Say which tests prove which requirements",
    TRACE_EXIT_CODES,
    "repair spec trace",
    "repair spec trace REQ-7 --json",
    "repair spec trace --html trace.html --doorstop DIR --sphinx-needs needs.json",
    name="spec trace",
)
@click.argument("targets", nargs=-1)
@click.option("--mutants", type=int, metavar="N", help=MUTANTS_HELP)
@click.option("--html", metavar="FILE", help="Write the links as a page of HTML too, outside of the project")
@click.option("--doorstop", metavar="DIR", help="Write the requirements as Doorstop items too, into a new folder")
@click.option("--sphinx-needs", metavar="FILE", help="Write them as a needs.json of Sphinx-Needs too")
@suite_options
@project_command
def trace(
    surroundings: CommandContext,
    /,
    targets: tuple[str, ...],
    html: str | None,
    doorstop: str | None,
    sphinx_needs: str | None,
    **given: Any,
) -> int:
    """Say which tests are for which requirements, and which of these links a killed mutant proves.

    TARGETS are ids of requirements, or their files and folders; without any, all are told.
    """
    from repair.records.specified import SpecRequest
    from repair.show.report.trace_page import FIRST_LINE, make_trace_page
    from repair.show.spec_output import refuse_format, write_trace
    from repair.show.terminal import tell
    from repair.show.trace_forms import NEEDS_FIRST, doorstop_items, needs_json, write_items

    given["mutants"] = given.get("mutants") or MOST_MUTANTS
    options = options_of(surroundings, given)
    refuse_format(options.output_format)
    paths, names, _ = read_words_or_names(surroundings.cwd, options.root, targets)
    root = Path(options.root)
    page = place_page(surroundings.cwd / html, root, FIRST_LINE, "--html") if html else None
    needs = place_page(surroundings.cwd / sphinx_needs, root, NEEDS_FIRST, "--sphinx-needs") if sphinx_needs else None
    named = ((page, "--html"), (needs, "--sphinx-needs"))
    refuse_one_file((target, option) for target, option in named if target is not None)
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().trace_requirements(
            SpecRequest(paths=(*paths, *names)), options, listen, surroundings.env, timing
        )
    if page is not None:
        write_page(page, make_trace_page(report), "--html")
        tell(f"repair: html: {page}")
    if needs is not None:
        write_page(needs, needs_json(report), "--sphinx-needs")
        tell(f"repair: sphinx-needs: {needs}")
    if doorstop:
        write_items(surroundings.cwd / doorstop, doorstop_items(report))
        tell(f"repair: doorstop: {doorstop}")
    write_trace(report, options)
    return int(report.exit_code)
