"""Lists of what is recorded, as text for people and as JSON values: runs, error reports, what became of words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from unicodedata import east_asian_width

from repair.records.json_records import to_plain
from repair.records.wording import count_noun
from repair.show.terminal import make_visible
from repair.store.recorded_rounds import RecordedRound
from repair.store.run_index import Found
from repair.store.run_stats import RunStats, WordStats

RUN_HEADINGS = ("run", "started", "status", "function", "seconds", "")
REPORT_HEADINGS = ("run", "outcome", "exception", "class", "function", "tries", "test")
ROUND_HEADINGS = ("round", "by", "how", "function", "state", "left", "text", "reason")
MOST_OF_REASON = 60
"""Characters of a reason that are listed; JSON has all."""

STATS_HEADINGS = ("word", "runs", "applied", "undone", "answered", "approved", "rejected", "precision")


def runs_text(found: Found, *, is_asked: bool = False) -> str:
    """Runs as a table. Where something was asked for, none found is another sentence than none there."""
    if not found.runs:
        return "No run is like that.\n" if is_asked else "No runs yet.\n"
    rows = (
        (row.id, row.started, row.status, row.function, f"{row.seconds:.1f}", "applied" if row.applied else "")
        for row in found.runs
    )
    return _text(_table(RUN_HEADINGS, rows), found.count - len(found.runs))


def reports_text(found: Found) -> str:
    """Error reports as a table; what models said of them stands in JSON."""
    if not found.reports:
        return "No error report is like that.\n"
    rows = (
        (
            each.run,
            each.outcome,
            each.exception,
            "/".join(filter(None, (each.failure_class, each.subclass))),
            each.function,
            str(each.attempts),
            each.test,
        )
        for each in found.reports
    )
    return _text(_table(REPORT_HEADINGS, rows), found.count - len(found.reports))


def rounds_text(run: str, rounds: Sequence[RecordedRound]) -> str:
    """The rounds of a run as a table: how many failing tests each leaves, where that is known."""
    if not rounds:
        return f"Run {run} has no rounds: nobody made a text in it.\n"
    rows = [
        (
            str(each.number),
            each.made_by,
            each.how,
            each.function,
            each.state,
            "" if each.left is None else f"{each.left}{'' if each.failing is None else f' of {each.failing}'}",
            each.sha256[:8],
            each.reason.partition("\n")[0][:MOST_OF_REASON],
        )
        for each in rounds
    ]
    return "".join(f"{line}\n" for line in _table(ROUND_HEADINGS, rows))


def rounds_json(run: str, rounds: Sequence[RecordedRound]) -> dict[str, Any]:
    """The rounds as JSON values; ``left`` and ``failing`` over ``at`` are how the run came nearer."""
    return {"schema": "repair.rounds/1", "run": run, "rounds": to_plain(tuple(rounds))}


def listed_json(found: Found, *, errors: bool) -> dict[str, Any]:
    """Runs or error reports as JSON values; ``more`` are those that are not listed."""
    if errors:
        return {
            "schema": "repair.errors/1",
            "errors": to_plain(found.reports),
            "more": found.count - len(found.reports),
        }
    return {"schema": "repair.runs/1", "runs": to_plain(found.runs), "more": found.count - len(found.runs)}


def _text(lines: Sequence[str], more: int) -> str:
    told = [*lines, f"{more} more: --all lists them, --most N so many"] if more else lines
    return "".join(f"{line}\n" for line in told)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> list[str]:
    """The lines of a table; columns named in ``right`` stand at their right side.

    Made here, since whoever lists runs would wait longer for the library of tables than for the runs.
    """
    lines = [headings, *(tuple(map(make_visible, row)) for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(_cells(headings, line, widths, right)).rstrip() for line in lines]


def _cells(
    headings: Sequence[str], line: Sequence[str], widths: Sequence[int], right: Collection[str]
) -> Iterator[str]:
    for heading, cell, width in zip(headings, line, widths, strict=True):
        blank = " " * (width - _width(cell))
        yield f"{blank}{cell}" if heading in right else f"{cell}{blank}"


def _width(text: str) -> int:
    """The columns that the text takes on a terminal."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def stats_text(stats: RunStats) -> str:
    """One row a word, and below it the runs that say nothing of any."""
    rows = []
    for word in stats.words:
        counts = (word.runs, word.applied, word.undone, word.answered, word.approved, word.refused)
        rows.append((word.word, *map(str, counts), _describe_precision(word)))
    lines = _table(STATS_HEADINGS, rows, right=STATS_HEADINGS[1:])
    left = [count_noun(stats.others, "run") + " without such a word"] if stats.others else []
    left += [count_noun(stats.damaged, "damaged record")] if stats.damaged else []
    left += [count_noun(stats.foreign, "foreign run")] if stats.foreign else []
    if left:
        lines.append(f"not counted: {', '.join(left)}")
    beside = [
        f"{count_noun(sum(getattr(word, name) for word in stats.words), 'patch', 'patches')} {said}"
        for name, said in (("edited", "edited"), ("another", "sent back for another"), ("handed_on", "handed on"))
        if any(getattr(word, name) for word in stats.words)
    ]
    if beside:
        lines.append(f"in review: {', '.join(beside)}")
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
