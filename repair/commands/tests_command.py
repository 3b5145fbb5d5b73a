"""The command about the tests themselves: tests."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import OutOfTimeError, UsageError
from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import TESTS_EXIT_CODES, command
from repair.commands.options import project_command, split_names, suite_options
from repair.commands.page_file import place_page, refuse_one_file, write_page
from repair.commands.paths import read_words

if TYPE_CHECKING:
    from repair.records.tests_report import TestsReport

LARGEST = 1 << 20
"""Bytes of a file whose source is shown."""


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
@click.option("--html", metavar="FILE", help="Write the report as a page of HTML too, outside of the project")
@click.option(
    "--stryker", metavar="FILE", help="Write the mutants as Stryker's mutation JSON too, outside of the project"
)
@suite_options
@project_command
def tests(
    surroundings: CommandContext, /, paths: tuple[str, ...], html: str | None, stryker: str | None, **given: Any
) -> int:
    """Say how good the tests are: who vouches for each public function, and what no test would notice.

    PATHS are files or folders, of the program or of its tests; without any the whole project is looked at. The suite
    runs twice, and mutants of the public functions run as long as there is time. No file is written. What follows --
    goes to pytest.
    """
    from repair.show.report.mutation_report import FIRST, write_mutation_report
    from repair.show.terminal import tell
    from repair.show.tests_output import write_report

    options = options_of(surroundings, given)
    chosen, pytest_args = read_words(surroundings.cwd, options.root, paths)
    options = dataclasses.replace(
        options,
        pytest_args=(*options.pytest_args, *pytest_args),
        coverage_data=options.coverage_data and str(surroundings.cwd / options.coverage_data),
    )
    root, pages = Path(options.root), []
    if html is not None:  # what a page needs reads all checks
        from repair.show.report.markup import FIRST_LINE
        from repair.show.report.tests_page import make_tests_page

        pages.append((place_page(surroundings.cwd / html, root, FIRST_LINE, "--html"), "--html", make_tests_page))
    if stryker is not None:
        place = place_page(surroundings.cwd / stryker, root, FIRST, "--stryker")
        pages.append((place, "--stryker", write_mutation_report))
    refuse_one_file((target, option) for target, option, _ in pages)
    if options.output_format == "diff":
        raise UsageError("Tests are looked at and not changed, so there is no diff", remedy="Choose another format.")
    try:
        with watch(surroundings, options) as (listen, timing):
            report = surroundings.engine().tests(chosen, options, listen, surroundings.env, timing)
    except OutOfTimeError as late:
        from sandbox.deadline import too_slow_error

        raise too_slow_error() from late
    write_report(report, options)
    if pages:
        sources = read_sources(root, report)
        for target, option, make in pages:
            write_page(target, make(report, sources), option)
            tell(f"repair: {option[2:]}: {target}")
    return int(report.exit_code)


def read_sources(root: Path, report: TestsReport) -> dict[str, list[str]]:
    """The lines of the files whose mutants are told, as they are now; without those that cannot be read."""
    from analysis.functions import source_encoding

    found = {}
    for path in {view.file for view in report.functions if view.mutants_by_line}:
        with contextlib.suppress(OSError, ValueError, LookupError):
            file = root / path
            content = file.read_bytes() if file.is_file() and file.stat().st_size <= LARGEST else b""
            text = content.decode(source_encoding(content), "replace").replace("\r\n", "\n")
            found[path] = text.removesuffix("\n").split("\n")
    return found
