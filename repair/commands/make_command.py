"""The command that makes a program from a task: ``make``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, watch
from repair.commands.exit_codes import MAKE_EXIT_CODES, command
from repair.commands.options import model_options, project_command, run_options

MOST_BYTES = 64_000
"""A longer task is not taken."""


@command(
    "Make a program and its tests from the text of a task",
    MAKE_EXIT_CODES,
    "repair make task.md --out slugs --model NAME",
    "repair make - --out slugs --model NAME --base-url http://localhost:8000/v1 < task.md",
    name="make",
)
@click.argument("task_file", metavar="TASK")
@click.option("--out", "out", metavar="DIR", required=True, help="The new folder; it is not there yet, or is empty")
@model_options
@run_options
@project_command
def make(surroundings: CommandContext, /, task_file: str, out: str, **given: Any) -> int:
    """Make a program and its tests: TASK is a file of prose, Markdown or Gherkin, or - for standard input.

    A model writes both, the tests without sight of the program. Failing tests are mended as by fix. Each test says
    which words of the task require it, or that nobody does. Nothing is written but DIR, whole or not at all.
    """
    from repair.records.made import MakeRequest
    from repair.show.made_output import refuse_format, write_made

    options = options_of(surroundings, given, anywhere=True)
    refuse_format(options.output_format)
    name, text = _read_task(surroundings.cwd, task_file)
    asked = MakeRequest(name, text, os.path.abspath(surroundings.cwd / out))
    with watch(surroundings, options) as (listen, timing):
        report = surroundings.engine().make(asked, options, listen, surroundings.env, timing)
    write_made(report, options)
    return int(report.exit_code)


def _read_task(cwd: Path, named: str) -> tuple[str, str]:
    """The name that the task gets in the new folder, and its text. Raises ``UsageError`` for one that is no text."""
    where = "standard input" if named == "-" else named
    try:
        if named == "-":
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with (cwd / named).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"The task cannot be read: {problem}",
            where=where,
            remedy="Name a UTF-8 text file, or - for standard input.",
        ) from problem
    if len(content) > MOST_BYTES:
        raise UsageError(
            f"The task has more than {MOST_BYTES} bytes", where=where, remedy="Take what does not belong to it out."
        )
    text = "\n".join(text.replace("\r\n", "\n").splitlines())
    if not text.strip() or not all(letter.isprintable() or letter in "\n\t" for letter in text):
        raise UsageError(
            "The task is empty, or holds control characters", where=where, remedy="Write it as plain text."
        )
    return ("TASK.feature" if named.endswith(".feature") else "TASK.md"), text + "\n"
