"""One HTML file with everything in it: tables, a filter, a page for each cell with its patch, evidence and times.

The data stand in the file as JSON and are put on the page as text nodes, never as markup. Patches and messages come
from the programs under test. No other file, font or host is asked for anything. A small SVG picture has the survival
curve: which share of the bugs is mended within how many seconds.

This form, and the others that go to one file or to stdout, come in pieces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from typing import Any

from corpora.bench.reports.exports import predictions
from corpora.bench.reports.figures import figures, row_values
from corpora.bench.reports.tables import comparison_text, csv_table, latex_table, markdown_table, text_table
from corpora.bench.score import answer
from corpora.bench.summary import (
    ArmComparison,
    ScoredCell,
    Summary,
    by_corpus,
    by_group,
    comparisons,
    label,
    sides,
    summaries,
)
from repair.records.json_records import to_plain

WIDTH, HEIGHT, MARGIN = 640, 260, 44
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Told apart also by people who do not see all colours (Okabe and Ito, 2008)."""

Curve = tuple[tuple[float, float], ...]


def curves(every: Sequence[ScoredCell]) -> Iterator[tuple[str, Curve]]:
    """Per configuration, points of (seconds, share of cells with an answer by then); answers that differ count not."""
    for side, rows in sides(every).items():
        done = [row for row in rows if not row.failed]
        times = sorted(row.record.seconds for row in done if row.answered and not row.differs)
        yield label(*side), ((0.0, 0.0), *((seconds, place / len(done)) for place, seconds in enumerate(times, 1)))


def survival_svg(every: Sequence[ScoredCell]) -> str:
    """The curves in one picture, with axes and a legend."""
    longest = max((row.record.seconds for row in every if not row.failed), default=1.0) or 1.0
    parts = [_axes(longest)]
    for number, (name, curve) in enumerate(curves(every)):
        colour = COLOURS[number % len(COLOURS)]
        # a path that stays level until the next answer, and to the right edge at last
        steps = "".join(f"H{_x(seconds, longest):.1f}V{_y(share):.1f}" for seconds, share in curve[1:])
        path = f"M{_x(0, longest):.1f} {_y(0):.1f}{steps}H{_x(longest, longest):.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = MARGIN + 14 * number
        parts.append(f'<text x="{MARGIN + 10}" y="{at}" fill="{colour}">{escape(name)}</text>')
    inside = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="11" '
        f'aria-label="Share of bugs with an answer against seconds" font-family="sans-serif">{inside}</svg>'
    )


def _axes(longest: float) -> str:
    lines = [
        f'<path d="M{MARGIN} {MARGIN / 2}V{HEIGHT - MARGIN}H{WIDTH - MARGIN / 2}" fill="none" stroke="#888"/>',
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">seconds</text>',
    ]
    for part in (0, 0.5, 1):
        label, at = f"{part * longest:.3g}", _x(part * longest, longest)
        lines.append(f'<text x="{MARGIN - 6}" y="{_y(part) + 4:.1f}" text-anchor="end">{100 * part:.0f} %</text>')
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - 26}" text-anchor="middle">{label}</text>')
    return "".join(lines)


def _x(seconds: float, longest: float) -> float:
    return MARGIN + (WIDTH - 1.5 * MARGIN) * seconds / longest


def _y(share: float) -> float:
    return HEIGHT - MARGIN - (HEIGHT - 1.5 * MARGIN) * share


MOST_DIFF = 20_000
"""Characters of a patch that are shown."""


def page(
    title: str, every: Sequence[ScoredCell], found: Sequence[Summary], pairs: Sequence[ArmComparison]
) -> Iterator[str]:
    """The file in pieces, so that ten thousand cells need not be in memory twice."""
    shown = escape(title)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{shown}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield f"<style>{_part('page.css')}</style></head><body><h1>{shown}</h1>\n"
    yield f"<pre>{escape(text_table(found))}</pre>\n"
    if pairs:
        yield f"<h2>In pairs</h2><pre>{escape(''.join(map(comparison_text, pairs)))}</pre>\n"
    yield f"<h2>Answers against time</h2>{survival_svg(every)}\n"
    yield _BROWSER
    yield '<script type="application/json" id="cells">[\n'
    for number, row in enumerate(every):
        values = json.dumps(cell_values(row), separators=(",", ":"))
        # nothing in it may end the script element that it stands in
        yield (",\n" if number else "") + values.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    yield f"\n]</script><script>{_part('page.js')}</script></body></html>\n"


def cell_values(row: ScoredCell) -> dict[str, Any]:
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


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_BROWSER = """<h2>Cells</h2><p><input id="filter" placeholder="filter: words of any column" size="40"
aria-label="Filter"> <span id="shown"></span></p><table><thead><tr><th>bug</th><th>configuration</th><th>status</th>
<th>reference</th><th>by</th><th>seconds</th><th>executed</th></tr></thead><tbody id="rows"></tbody></table>
<section id="cell" tabindex="-1"></section>
"""


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
