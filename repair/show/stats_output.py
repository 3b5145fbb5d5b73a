"""How people used the answers of a project's runs, as a table."""

from __future__ import annotations

import io

from rich.table import Table

from repair.records.wording import count_noun
from repair.show.render import plain_console
from repair.store.run_stats import RunStats, WordStats

_HEADINGS = ("word", "runs", "applied", "undone", "answered", "approved", "rejected", "precision")


def stats_text(stats: RunStats) -> str:
    """One row a word, and below it the runs that say nothing of any."""
    table = Table(box=None, pad_edge=False)
    for heading in _HEADINGS:
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
