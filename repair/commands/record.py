"""The commands over what was recorded: runs, show, apply, undo."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, store_of
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.commands.reachable import find_reach, make_reachable
from repair.commands.signals import hold_signals
from repair.show.terminal import make_visible, tell, write_out, write_text

if TYPE_CHECKING:
    from repair.store.apply import Applied
    from repair.store.store import RunStore
    from repair.store.stored_run import StoredRun

MOST_LISTED = 20
"""So many runs, or reports, are listed unless more are wanted."""

_OF_RUNS = """\
Runs are recorded in your own state directory (`repair doctor` says where), sealed with a key of
yours. A run without your seal is listed as foreign: it can be shown and replayed, and is never
the latest. The directory may be deleted at any time, and so may trials.sqlite in it: outcomes
of candidates on the very same program and tests, which a search does not run again."""


@command(
    "List the recorded runs, newest first",
    PLAIN_EXIT_CODES,
    "repair runs",
    'repair runs --where \'exception = "KeyError" and status = "unrepaired"\'',
    "repair runs --errors --where 'message ~ \"timeout\"' --json",
    more=_OF_RUNS,
)
@click.option(
    "--where", metavar="QUERY", help="Only runs, or reports, with this: fields, = != < <= > >= ~, and, or, not"
)
@click.option(
    "--errors", is_flag=True, help="List error reports instead: what failed, why, what was tried, how it ended"
)
@click.option("--most", type=click.IntRange(1), metavar="N", help="List so many [default: 20]")
@click.option("--all", "everything", is_flag=True, help="List all that there are")
@click.option("--take-over", is_flag=True, help="Take over the runs that an earlier version left in the project")
@click.option("--yes", is_flag=True, help="With --take-over: do not ask")
@click.option("--stats", is_flag=True, help="Per word: how often people applied, answered, rejected or undid")
@project_command
def runs(
    surroundings: CommandContext,
    /,
    where: str | None,
    errors: bool,
    most: int | None,
    everything: bool,
    take_over: bool,
    yes: bool,
    stats: bool,
    **given: Any,
) -> int:
    """List the recorded runs, newest first, or with --errors the reports on their failures.

    QUERY compares fields, such as status, exception, class, function and attempts; a wrong one is answered with all of
    them. A run is listed if QUERY holds for one of its reports. With --stats it counts what people did with their
    patches, word by word: `repair review` says what no command shows.
    """
    from repair.show.recorded_text import listed_json, reports_text, runs_text, stats_text
    from repair.show.terminal import write_json
    from repair.store.run_query import read_query
    from repair.store.run_stats import count_runs, stats_json

    if everything and most is not None:
        raise UsageError(
            "--all and --most are two answers to one question", where="--most", remedy="Give one of the two."
        )
    query = read_query(where) if where is not None else None

    options = options_of(surroundings, given)
    store = store_of(options)
    if take_over:
        _take_over(store, sure=yes)
    if stats:
        counted = count_runs(store.stored_runs())
        if options.output_format == "json":
            write_json(stats_json(counted))
        else:
            write_text(stats_text(counted))
        return 0
    store.tell = lambda said: tell(f"repair: {said}")
    bound = None if everything else most or MOST_LISTED
    found = store.list_reports(query, bound) if errors else store.list_runs(query, bound)
    if options.output_format == "json":
        write_json(listed_json(found, errors=errors))
    else:
        write_text(reports_text(found) if errors else runs_text(found, is_asked=query is not None))
    return 0


def _take_over(store: RunStore, *, sure: bool) -> None:
    """Take over the project's earlier runs, once the user has said that they are his."""
    from repair.store.takeover import find_earlier_runs, take_over

    found = find_earlier_runs(store.root)
    if found.ids and not sure:
        if not sys.stdin.isatty():
            raise UsageError("Nobody is there to ask whether the runs are yours", remedy="Give --yes if they are.")
        asked = f"{len(found.ids)} runs, the newest {found.ids[-1]}. Did your repair record them here? Take them over?"
        if not click.confirm(make_visible(asked), default=False, err=True):
            return
    tell(f"repair: took over {len(take_over(store))} runs")


@command("Show one recorded run again", PLAIN_EXIT_CODES, "repair show latest", "repair show latest --certificate")
@click.argument("run")
@click.option("--certificate", is_flag=True, help="Print the certificate (JSON)")
@click.option("--cause", type=click.IntRange(1), metavar="N", help="With --certificate: that of this cause")
@click.option("--events", is_flag=True, help="Print what happened (JSON lines)")
@click.option("--model", "with_model", is_flag=True, help="Print what the model was asked and said (text, or --json)")
@project_command
def show(
    surroundings: CommandContext,
    /,
    run: str,
    certificate: bool,
    cause: int | None,
    events: bool,
    with_model: bool,
    **given: Any,
) -> int:
    """Show one run again: RUN is its id, the start of it, or the word latest."""
    from repair.show.output import write_result
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    stored = store_of(options).load_run(run)
    if events:
        write_out("".join(json.dumps(happened) + "\n" for happened in stored.events()))
        return 0
    if with_model:
        _show_model(stored, as_json=options.output_format == "json")
        return 0
    if certificate:
        values = stored.certificate(cause or 0)
        if values is None:
            raise UsageError(
                f"Run {stored.id} has no certificate", remedy=f"`repair show {stored.id}` says how it ended."
            )
        if stored.is_foreign:
            tell(f"repair: run {stored.id} is foreign: your repair did not record it; `repair replay` proves it again")
        write_json(values)
        return 0
    result, reach = stored.ended_result(), find_reach(surroundings, options)
    result = dataclasses.replace(result, next_action=make_reachable(result.next_action, reach))
    write_result(result, options, reach)
    if options.output_format == "diff" and result.patches and not result.accepted(options.accept):
        tell(
            f"repair: no patch of run {stored.id} is certified, so there is no diff; `repair show {stored.id}` shows it"
        )
    return 0


@command(
    "Show what two rounds of a run made of a function",
    PLAIN_EXIT_CODES,
    "repair diff latest",
    "repair diff latest --round 0 3",
    "repair diff 20250102-120000-ab12cd --round 2 5f3a --json",
)
@click.argument("run")
@click.option(
    "--round", "rounds", nargs=2, metavar="A B", help="Their numbers or starts of digests; 0: the program before"
)
@project_command
def diff(surroundings: CommandContext, /, run: str, rounds: tuple[str, str] | None, **given: Any) -> int:
    """Show how the texts of two rounds of RUN differ, as a unified diff.

    Without --round all rounds are listed: who made each text, what came of it, and how many failing tests it leaves.
    """
    from repair.show.recorded_text import rounds_json, rounds_text
    from repair.show.terminal import write_json
    from repair.store.recorded_rounds import diff_rounds, rounds_of

    options = options_of(surroundings, given)
    stored = store_of(options).load_run(run)
    as_json = options.output_format == "json"
    if rounds is not None:
        text, one, other = diff_rounds(stored, *rounds)
        if as_json:
            write_json({"schema": "repair.diff/1", "run": stored.id, "from": one, "to": other, "diff": text})
        else:
            write_out(text)
        return 0
    found = rounds_of(stored.events())
    if as_json:
        write_json(rounds_json(stored.id, found))
    else:
        write_text(rounds_text(stored.id, found))
    return 0


def _show_model(stored: StoredRun, *, as_json: bool) -> None:
    """Print the run's questions to models, with all their tries."""
    from repair.model.exchanges import read_exchanges
    from repair.show.conversation_text import exchanges_text
    from repair.show.terminal import write_json

    found = read_exchanges(stored)
    if as_json:
        write_json({"schema": "repair.exchanges/1", "run": stored.id, "exchanges": list(found)})
    elif not found:
        raise UsageError(f"Run {stored.id} asked no model", remedy=f"`repair show {stored.id}` says how it ended.")
    else:
        write_text(exchanges_text(found))


@command(
    "Write a run's patch into the project",
    PLAIN_EXIT_CODES,
    "repair apply",
    "repair apply 20250102-120000-ab12cd --commit",
)
@click.argument("run", required=False)
@click.option("--rank", type=int, default=1, show_default=True, help="Which patch of the run")
@click.option("--cause", type=click.IntRange(1), metavar="N", help="The patch of this cause, with those it stands on")
@click.option("--commit", is_flag=True, help="Commit exactly the patched files")
@project_command
def apply(
    surroundings: CommandContext, /, run: str | None, rank: int, cause: int | None, commit: bool, **given: Any
) -> int:
    """Write a run's patch into the project: all its files or none, and only where they are as the run read them.

    Without RUN, or for the word latest: the latest fix that has a patch. Of several causes all patches that go together
    are written; with --cause that of one, and those that it stands on.
    """
    from repair.store.apply import apply_run

    options = options_of(surroundings, given)
    store = store_of(options)
    stored = store.latest_fix() if run in (None, "latest") else store.load_run(run)
    with hold_signals():
        applied = apply_run(
            store,
            stored,
            Path(options.root),
            rank,
            cause=cause or 0,
            commit=commit,
            require_approval=options.require_approval,
        )
        return _say(applied, "Committed" if commit else "Applied", options.output_format)


@command("Take an applied patch out again", PLAIN_EXIT_CODES, "repair undo", "repair undo 20250102-120000-ab12cd")
@click.argument("run", required=False)
@click.option("--cause", type=click.IntRange(1), metavar="N", help="The patch of this cause, and what stands on it")
@project_command
def undo(surroundings: CommandContext, /, run: str | None, cause: int | None, **given: Any) -> int:
    """Take an applied patch out again, exactly. Without RUN: the one that was applied last.

    Of several causes all patches are taken out; with --cause that of one, and those that stand on it.
    """
    from repair.store.apply import undo_run

    options = options_of(surroundings, given)
    store = store_of(options)
    stored = store.latest_applied() if run is None else store.load_run(run)
    with hold_signals():
        return _say(undo_run(store, stored, Path(options.root), cause=cause or 0), "Undone", options.output_format)


def _say(applied: Applied, word: str, output_format: str) -> int:
    from repair.records.json_records import to_plain
    from repair.show.terminal import write_json

    for warning in applied.warnings:
        tell(f"repair: warning: {warning}")
    if output_format == "json":
        write_json({"schema": "repair.applied/1", "action": word.lower(), **to_plain(applied)})
    else:
        several = f", causes {', '.join(map(str, applied.causes))}" if applied.causes else ""
        write_text(f"{word} (run {applied.run}{several}): {', '.join(applied.files)}\n")
    return 0
