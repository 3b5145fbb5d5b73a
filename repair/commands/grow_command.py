"""The commands about generated tests: ``tests grow``, ``tests heal``."""

from __future__ import annotations

import re
from typing import Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import GROW_EXIT_CODES, HEAL_EXIT_CODES, command
from repair.commands.options import model_options, project_command, suite_options
from repair.commands.paths import read_words_or_names

MOST_MUTANTS = 100
RUN = re.compile(r"latest|\d{8}-\d{6}(-\w*)?")
"""What names a recorded run, and no function."""


@command(
    "Grow tests that close what the suite leaves open",
    GROW_EXIT_CODES,
    "repair tests grow shop.total",
    "repair tests grow src/shop --write tests/grown",
    name="tests grow",
)
@click.argument("targets", nargs=-1)
@click.option("--mutants", type=int, metavar="N", help=f"Mutants of each function at most [default: {MOST_MUTANTS}]")
@click.option("--write", "folder", metavar="DIR", help="Put the tests into new files in DIR [default: print them]")
@click.option(
    "--failing", is_flag=True, help="Write tests that the program fails, too: where a sentence says otherwise"
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="'CALL == VALUE'",
    help="What the program should do, as a person says: becomes a test (also 'CALL raises EXCEPTION')",
)
@model_options
@suite_options
@project_command
def grow(
    surroundings: CommandContext, /, targets: tuple[str, ...], folder: str | None, failing: bool, **given: Any
) -> int:
    """Grow tests for mutants that no test notices. Each says who says so: a sentence that it quotes, or nobody.

    TARGETS are paths of the program, or functions as NAME or PATH:NAME; without any, all public functions. A run (its
    id, or latest) stands for what people answered in it. Nothing is written but new files in DIR. A model that is named
    proposes calls: it sees signatures, docstrings and callers, and no body. What follows -- goes to pytest.
    """
    import dataclasses

    from repair.records.grown import GrowRequest
    from repair.show.grown_output import refuse_format, write_grown

    mutants = given.pop("mutants", None) or MOST_MUTANTS
    if failing and not folder:
        raise UsageError("--failing writes files", where="--failing", remedy="Name a folder for them with --write DIR.")
    options = dataclasses.replace(options_of(surroundings, given), mutants=mutants)
    refuse_format(options.output_format)
    paths, names, pytest_args = read_words_or_names(surroundings.cwd, options.root, targets)
    options = dataclasses.replace(options, pytest_args=(*options.pytest_args, *pytest_args))
    runs = tuple(name for name in names if RUN.fullmatch(name))
    asked = GrowRequest(
        paths=paths,
        functions=tuple(name for name in names if name not in runs),
        runs=runs,
        folder=folder or "",
        failing=failing,
        cwd=str(surroundings.cwd),
    )
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().grow(asked, options, listen, surroundings.env, timing)
    write_grown(report, options)
    return int(report.exit_code)


@command(
    "Mend generated tests that the program has outgrown",
    HEAL_EXIT_CODES,
    "repair tests heal",
    "repair tests heal tests/grown --write",
    name="tests heal",
)
@click.argument("targets", nargs=-1)
@click.option("--write", is_flag=True, help="Write the healed files [default: print the difference]")
@suite_options
@project_command
def heal(surroundings: CommandContext, /, targets: tuple[str, ...], write: bool, **given: Any) -> int:
    """Mend generated tests: names and signatures that git shows to have changed, and words that they quote.

    TARGETS are files that tests grow made, or their folders; without any, all. What a test expects follows changed
    words alone. Where these are unchanged and the program does otherwise, that is told, and nothing is mended. Files
    that a person edited stay as they are.
    """
    import dataclasses

    from repair.records.healed import HealRequest
    from repair.show.grown_output import refuse_format, write_healed

    options = options_of(surroundings, given)
    refuse_format(options.output_format)
    paths, names, pytest_args = read_words_or_names(surroundings.cwd, options.root, targets)
    options = dataclasses.replace(options, pytest_args=(*options.pytest_args, *pytest_args))
    asked = HealRequest(paths=(*paths, *names), write=write)
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().heal(asked, options, listen, surroundings.env, timing)
    write_healed(report, options)
    return int(report.exit_code)
