"""One HTML file with everything in it: tables, a filter, a page for each cell with its patch, evidence and times.

The data stand in the file as JSON and are put on the page as text nodes, never as markup: patches and messages come
from the programs under test. No other file, font or host is asked for anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from typing import Any

from corpora.bench.reports.figures import row_values
from corpora.bench.reports.survival import survival_svg
from corpora.bench.reports.tables import comparison_text, text_table
from corpora.bench.score import answer
from corpora.bench.summary import Comparison, Row, Summary
from repair.records.plain import to_plain

MOST_DIFF = 20_000
"""Characters of a patch that are shown."""


def page(title: str, every: Sequence[Row], told: Sequence[Summary], pairs: Sequence[Comparison]) -> Iterator[str]:
    """The file in pieces, so that ten thousand cells need not be in memory twice."""
    shown = escape(title)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{shown}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield f"<style>{_part('page.css')}</style></head><body><h1>{shown}</h1>\n"
    yield f"<pre>{escape(text_table(told))}</pre>\n"
    if pairs:
        yield f"<h2>In pairs</h2><pre>{escape(''.join(map(comparison_text, pairs)))}</pre>\n"
    yield f"<h2>Answers against time</h2>{survival_svg(every)}\n"
    yield _BROWSER
    yield '<script type="application/json" id="cells">[\n'
    for number, row in enumerate(every):
        yield (",\n" if number else "") + _embedded(cell_values(row))
    yield f"\n]</script><script>{_part('page.js')}</script></body></html>\n"


def cell_values(row: Row) -> dict[str, Any]:
    """One cell with its patch, evidence, questions, messages and times."""
    result = row.record.result
    best = [patch for patch in result.patches if patch.rank == 1] if result is not None else []
    return {
        **row_values(row),
        "diff": answer(row.record).decode("utf-8", "replace")[:MOST_DIFF] or "".join(p.diff for p in best)[:MOST_DIFF],
        "evidence": [to_plain(evidence) for patch in best for evidence in patch.evidence],
        "questions": [question for patch in best for question in patch.questions],
        "messages": list(result.messages) if result is not None else [],
        "suspects": [f"{s.file}: {s.function} ({s.suspiciousness:.2f})" for s in result.suspects[:5]] if result else [],
        "times": to_plain(result.seconds) if result is not None else {},
    }


def _part(name: str) -> str:
    return resources.files("corpora.bench.reports").joinpath(name).read_text("utf-8")


def _embedded(values: dict[str, Any]) -> str:
    """JSON that cannot end the script element that it stands in."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c").replace("\u2028", "\\u2028")


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_BROWSER = """<h2>Cells</h2><p><input id="filter" placeholder="filter: words of any column" size="40"
aria-label="Filter"> <span id="shown"></span></p><table><thead><tr><th>bug</th><th>configuration</th><th>status</th>
<th>reference</th><th>by</th><th>seconds</th><th>executed</th></tr></thead><tbody id="rows"></tbody></table>
<section id="cell" tabindex="-1"></section>
"""
