"""A result, and lists of runs, as text for people."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.table import Table

from repair.records.result import Accept, Result, Status
from repair.records.wording import count_noun
from repair.show.lines import clean, diff_lines, plain_console, print_lines
from repair.show.screen import quiet_lines, screen_lines
from repair.show.terminal import make_visible
from repair.show.whole import whole_lines
from repair.store.run_index import RunRow
from repair.store.run_stats import RunStats, WordStats

STATS_HEADINGS = ("word", "runs", "applied", "undone", "answered", "approved", "rejected", "precision")


def result_text(
    result: Result,
    accept: Accept = "certified",
    verbosity: int = 0,
    alternatives: int = 0,
    reach: str = "",
    *,
    colour: bool = False,
    width: int = 100,
) -> str:
    """The answer as text, with so many runners-up: one screen of it.

    With a positive verbosity everything; with -1 the verdict, the diff and the question, and below that the accepted
    diff alone.
    """
    shown = Result.from_json(clean(result.to_json()))
    if verbosity < -1:
        lines = diff_lines(shown.accepted_diff(accept))
    elif verbosity < 0:
        lines = quiet_lines(shown, width)
    elif verbosity > 0 or shown.status is Status.DIAGNOSED:
        lines = whole_lines(shown, verbosity, alternatives)
    else:
        lines = screen_lines(shown, alternatives, width, reach)
    return print_lines(lines, colour=colour, width=width)


def runs_text(rows: Sequence[RunRow]) -> str:
    """Runs as a table."""
    if not rows:
        return "No runs yet.\n"
    table = Table(box=None, pad_edge=False)
    for heading in ("run", "started", "status", "function", "seconds", ""):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        mark = "applied" if row.applied else ""
        table.add_row(row.id, row.started, row.status, make_visible(row.function), f"{row.seconds:.1f}", mark)
    stream = io.StringIO()
    plain_console(stream, 200, colour=False, terminal=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def stats_text(stats: RunStats) -> str:
    """One row a word, and below it the runs that say nothing of any."""
    table = Table(box=None, pad_edge=False)
    for heading in STATS_HEADINGS:
        table.add_column(heading, no_wrap=True, justify="left" if heading == "word" else "right")
    for word in stats.words:
        counts = (word.runs, word.applied, word.undone, word.answered, word.approved, word.refused)
        table.add_row(word.word, *map(str, counts), _describe_precision(word))
    stream = io.StringIO()
    plain_console(stream, 200, colour=False, terminal=False).print(table)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    left = [count_noun(stats.others, "run") + " without such a word"] if stats.others else []
    left += [count_noun(stats.damaged, "damaged record")] if stats.damaged else []
    left += [count_noun(stats.foreign, "foreign run")] if stats.foreign else []
    if left:
        lines.append(f"not counted: {', '.join(left)}")
    if any(word.runs and word.precision is None for word in stats.words):
        lines.append(
            "Where nobody applied a patch nothing is known: `repair review RUN --approve` or `--reject` says it."
        )
    return "".join(f"{line}\n" for line in lines)


def _describe_precision(word: WordStats) -> str:
    """``75 % of 4``: the share of the runs that people are known to have agreed with."""
    if word.precision is None:
        return "unknown" if word.runs else "–"
    return f"{word.precision:.0%} of {word.right + word.wrong}".replace("%", " %")
