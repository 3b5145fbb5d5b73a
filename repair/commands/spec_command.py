"""The commands about what a project states of itself: ``spec scan``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import SCAN_EXIT_CODES, command
from repair.commands.options import project_command, suite_options
from repair.commands.page_file import place_page, write_page
from repair.commands.paths import read_words_or_names

FIRST = "# Facts that repair spec scan read"
"""How a file of facts begins: only such a one is replaced."""


@command(
    "Read what the project states of itself",
    SCAN_EXIT_CODES,
    "repair spec scan",
    "repair spec scan src/shop docs/requirements.md --out facts.toml",
    name="spec scan",
)
@click.argument("targets", nargs=-1)
@click.option("--out", "out", metavar="FILE", help="Write the facts as TOML too")
@suite_options
@project_command
def scan(surroundings: CommandContext, /, targets: tuple[str, ...], out: str | None, **given: Any) -> int:
    """Read facts: what types, docstrings, requirements, interfaces and tests say, each with its words and their place.

    TARGETS are files, folders, functions as PATH:NAME, or ids of requirements; without any, all is listed. None of the
    project's code runs.
    """
    from repair.records.specified import SpecRequest
    from repair.show.spec_output import facts_toml, refuse_format, write_facts
    from repair.show.terminal import tell

    options = options_of(surroundings, given)
    refuse_format(options.output_format)
    paths, names, _ = read_words_or_names(surroundings.cwd, options.root, targets)
    target = place_page(surroundings.cwd / out, Path(options.root), FIRST, "--out", inside=True) if out else None
    asked = SpecRequest(paths=(*paths, *names))
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().scan_facts(asked, options, listen, surroundings.env, timing)
    if target is not None:
        write_page(target, facts_toml(report, FIRST), "--out")
        tell(f"repair: facts: {target}")
    write_facts(report, options)
    return int(report.exit_code)
