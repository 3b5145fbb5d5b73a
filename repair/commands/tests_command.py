"""The command about the tests themselves: tests."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from analysis.errors import OutOfTimeError, UsageError
from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import TESTS_EXIT_CODES, command
from repair.commands.options import project_command, split_names, suite_options
from repair.commands.paths import read_words


@command(
    "Say how good the tests are",
    TESTS_EXIT_CODES,
    "repair tests src/shop --require-each --mutants 50",
    "repair tests --generated 'tests/generated/*.py' --output-format github",
)
@click.argument("paths", nargs=-1)
@click.option(
    "--coverage-threshold",
    type=float,
    metavar="PERCENT",
    help="So much of all statements in functions has to be run [default: 85]",
)
@click.option(
    "--coverage-data",
    metavar="FILE",
    help="Take the lines that ran from this .coverage file, or from what `coverage json` wrote [default: measured]",
)
@click.option("--mutants", type=int, metavar="N", help="Mutants of each public function at most; 0: none [default: 20]")
@click.option("--require-each", is_flag=True, help="A public function without a vouching test is a finding that counts")
@click.option(
    "--generated",
    multiple=True,
    callback=split_names,
    metavar="GLOB",
    help="Files of tests that no person wrote: more is asked of them",
)
@click.option(
    "--least-cases", type=int, metavar="N", help="Cases that a file of generated tests has at least [default: 3]"
)
@suite_options
@project_command
def tests(surroundings: CommandContext, /, paths: tuple[str, ...], **given: Any) -> int:
    """Say how good the tests are: who vouches for each public function, and what no test would notice.

    PATHS are files or folders, of the program or of its tests; without any the whole project is looked at. The suite
    runs twice, and mutants of the public functions run as long as there is time. No file is written. What follows --
    goes to pytest.
    """
    from repair.show.tests_output import write_report

    options = options_of(surroundings, given)
    chosen, pytest_args = read_words(surroundings.cwd, options.root, paths)
    options = dataclasses.replace(
        options,
        pytest_args=(*options.pytest_args, *pytest_args),
        coverage_data=options.coverage_data and str(surroundings.cwd / options.coverage_data),
    )
    if options.output_format == "diff":
        raise UsageError("Tests are looked at and not changed, so there is no diff", remedy="Choose another format.")
    try:
        with watch(surroundings, options) as (listen, timing):
            report = surroundings.engine().tests(chosen, options, listen, surroundings.env, timing)
    except OutOfTimeError as late:
        from sandbox.deadline import too_slow_error

        raise too_slow_error() from late
    write_report(report, options)
    return int(report.exit_code)
