"""The command that writes a run as a page: report."""

from __future__ import annotations

import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, store_of
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.commands.page_file import place_page, write_page
from repair.show.terminal import tell, write_text

if TYPE_CHECKING:
    from repair.records.result import Result
    from repair.records.run_details import RunDetails
    from repair.show.report.page import Recorded
    from repair.store.store import RunStore
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
    from repair.show.report.markup import FIRST_LINE
    from repair.show.report.page import make_page
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    store = store_of(options)
    stored = store.load_run(run)
    named = out is not None and place_page(surroundings.cwd / out, Path(options.root), FIRST_LINE, "--out")
    target = named or stored.path / NAME
    write_page(target, make_page(_read(stored, store, surroundings.engine())), "--out")
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


def _read(stored: StoredRun, store: RunStore, engine: Any) -> Recorded:
    """What the run's record holds, and what the project tells of its functions."""
    from repair.show.report.page import Recorded

    result = _result_of(stored, store)
    try:
        started = datetime.datetime.strptime(stored.id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=datetime.UTC)
    except ValueError:
        started = None
    now = datetime.datetime.now(datetime.UTC)
    found, gap = engine.priorities(stored, store, result)
    return Recorded(
        stored.id,
        result,
        stored.events(),
        stored.certificate_digests(),
        _read_details(stored),
        found,
        gap,
        partial(_read_text, stored),
        started,
        now,
    )


def _result_of(stored: StoredRun, store: RunStore) -> Result:
    """The run's result; of a run that was killed what can be said without one, so that its events have a page."""
    from repair.records.result import Result, Seconds, Status
    from repair.store.run_lock import is_under_way

    if stored.result() is not None or is_under_way(stored.path):
        return stored.ended_result()
    times = (happened.get("at", 0.0) for happened in stored.events())
    last = max((float(each) for each in times if isinstance(each, (int, float))), default=0.0)
    said = f"The run was ended before it had a result; `repair resume {stored.id}` goes on."
    return Result(
        Status.INTERRUPTED, run=stored.id, root=str(store.root), seconds=Seconds(total=last), messages=(said,)
    )


def _read_text(stored: StoredRun, digest: str) -> str:
    """A text that somebody made in the run; ``""`` where it is not kept, or not what its digest says."""
    try:
        return stored.text(digest) if digest else ""
    except UsageError:
        return ""


def _read_details(stored: StoredRun) -> RunDetails:
    """The details of the run; none of a run that was recorded without them, or where they are misshapen."""
    from repair.records.run_details import DETAILS, RunDetails

    try:
        values = stored.read_json(DETAILS)
        return RunDetails() if values is None else RunDetails.from_json(values)
    except (ValueError, UsageError) as problem:
        tell(f"repair: warning: the details of run {stored.id} cannot be read: {problem}")
        return RunDetails()
