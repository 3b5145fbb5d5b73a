"""The forms that go to one file or to stdout, in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from corpora.bench.reports.exports import predictions
from corpora.bench.reports.figures import figures, row_values
from corpora.bench.reports.page import page
from corpora.bench.reports.tables import comparison_text, csv_table, latex_table, markdown_table, text_table
from corpora.bench.summary import ScoredCell, Summary, by_corpus, by_group, comparisons, summaries


def pieces(form: str, title: str, every: Sequence[ScoredCell]) -> Iterator[str]:
    """The report in that form: text, json, jsonl, csv, latex, markdown, html or predictions."""
    match form:
        case "json":
            yield json.dumps(figures(every), indent=1) + "\n"
        case "jsonl":
            yield from (json.dumps(row_values(row)) + "\n" for row in every)
        case "markdown":
            yield markdown_table(_every_summary(every))
        case "csv":
            yield csv_table(every)
        case "latex":
            yield latex_table(_every_summary(every))
        case "html":
            yield from page(title, every, _every_summary(every), comparisons(every))
        case "predictions":
            yield predictions(every)
        case _:
            yield text_table(_every_summary(every))
            yield from ("\n" + comparison_text(pair) for pair in comparisons(every))
            yield from _for_a_person(every)


def _every_summary(every: Sequence[ScoredCell]) -> tuple[Summary, ...]:
    return (*summaries(every), *by_corpus(every), *by_group(every))


def _for_a_person(every: Sequence[ScoredCell]) -> Iterator[str]:
    """Answers that no machine could decide, with what is known of them."""
    found = [row for row in every if row.answered and row.standing == "undecidable"]
    if found:
        yield "\nOnly a person can decide these (`repair bench judge DIR BUG agrees|differs …`):\n"
    for row in found:
        agreement = row.agreement
        assert agreement is not None, "it has a standing"
        said = "; ".join(filter(None, (agreement.detail, agreement.witness)))
        yield f"  {row.cell.bug} under {row.cell.configuration}: {said}\n"
    failed = [row for row in every if row.score is not None and row.score.failed]
    if failed:
        yield "\nNot compared on this machine (`repair bench score DIR` tries again):\n"
    for row in failed:
        assert row.score is not None, "it has failed"
        yield f"  {row.cell.bug} under {row.cell.configuration}: {row.score.failed}\n"
