"""The command that writes a run as a page: report."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import TargetError, UsageError
from repair.commands.context import CommandContext, options_of, store_of
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.show.terminal import tell, write_text

if TYPE_CHECKING:
    from repair.show.report.page import Recorded
    from repair.store.stored_run import StoredRun

NAME = "report.html"
"""What the page is called beside the record of its run."""


@command(
    "Write a run as a page of HTML",
    PLAIN_EXIT_CODES,
    "repair report latest --open",
    "repair report 20250102-120000-ab12cd --out /tmp/report.html",
)
@click.argument("run")
@click.option("--open", "shown", is_flag=True, help="Open the page in your browser")
@click.option("--out", metavar="FILE", help="Where to write it, outside of the project [default: beside the record]")
@project_command
def report(surroundings: CommandContext, /, run: str, shown: bool, out: str | None, **given: Any) -> int:
    """Write one run as a page of HTML, and print where it lies: RUN is its id, the start of it, or the word latest.

    It is one file that needs no script and fetches nothing. It is made from the record alone.
    """
    from repair.show.report.page import make_page
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    stored = store_of(options).load_run(run)
    target = _place(surroundings.cwd / out, Path(options.root)) if out is not None else stored.path / NAME
    page = make_page(_read(stored))
    _write(target, page)
    if stored.is_foreign:
        tell(f"repair: run {stored.id} is foreign: your repair did not record it; its page is not to be believed")
    if options.output_format == "json":
        write_json({"schema": "repair.report/1", "run": stored.id, "file": str(target)})
    else:
        write_text(f"{target}\n")
    if shown:
        import webbrowser

        if not webbrowser.open(target.as_uri()):
            tell("repair: warning: no browser could be started; open the file yourself")
    return 0


def _read(stored: StoredRun) -> Recorded:
    """What the run's record holds."""
    from repair.show.report.page import Recorded

    result = stored.result()
    if result is None:
        raise UsageError(
            f"Run {stored.id} ended before it had a result",
            remedy=f"`repair show {stored.id} --events` says how far it came.",
        )
    try:
        started = datetime.datetime.strptime(stored.id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=datetime.UTC)
    except ValueError:
        started = None
    now = datetime.datetime.now(datetime.UTC)
    return Recorded(stored.id, result, stored.events(), stored.certificate_digests(), started, now)


def _place(target: Path, root: Path) -> Path:
    """The file that a person named; ``UsageError`` where we write nothing."""
    from repair.show.report.page import FIRST_LINE

    target = target.resolve()
    if target.is_relative_to(root.resolve()):
        raise UsageError(
            "The page would lie in the project, where nothing but `repair apply` writes",
            where=str(target),
            remedy="Name a file outside of it; without --out it lies beside the record of the run.",
        )
    if target.exists() and (not target.is_file() or not _begins(target, FIRST_LINE.encode())):
        raise UsageError(
            "The file for the page is there already, and is something else",
            where=str(target),
            remedy="Name another file with --out, or move that one away.",
        )
    return target


def _begins(target: Path, first: bytes) -> bool:
    try:
        with target.open("rb") as opened:
            return opened.read(len(first)) == first
    except OSError:
        return False


def _write(target: Path, page: str) -> None:
    from repair.store.atomic import replace_file

    try:
        replace_file(target, page.encode())
    except OSError as problem:
        raise TargetError(
            f"The page cannot be written: {problem.strerror}", where=str(target), remedy="Name another file with --out."
        ) from problem
