"""Tables: plain text for a terminal, CSV for a spreadsheet, LaTeX for a paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from corpora.bench.reports.figures import row_values
from corpora.bench.statistics import Rate
from corpora.bench.summary import ArmComparison, ScoredCell, Summary

HEADINGS = (
    "configuration",
    "bugs",
    "certified",
    "plausible",
    "agree",
    "false certified",
    "overfitting",
    "abstained",
    "infra",
    "median s",
)


def text_table(found: Sequence[Summary]) -> str:
    """One line a configuration; what rests on too few bugs carries a ``*``."""
    lines = [HEADINGS, *(_cells(summary) for summary in found)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    text = ""
    for name, *others in lines:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        text += "  ".join([name.ljust(widths[0]), *padded]) + "\n"
    marked = any("*" in cell for line in lines for cell in line)
    return text + ("* too few bugs for a claim; intervals are 95 % (Wilson)\n" if marked else "")


def _cells(summary: Summary) -> tuple[str, ...]:
    return (
        summary.label,
        str(summary.bugs),
        str(summary.certified.count),
        str(summary.plausible.count),
        _with_interval(summary.agrees),
        _with_interval(summary.false_certified),
        _with_interval(summary.overfitting),
        str(summary.abstained),
        str(summary.infrastructure),
        f"{summary.median_seconds:.1f}",
    )


def _with_interval(share: Rate) -> str:
    if not share.total:
        return "-"
    mark = "*" if share.small else ""
    return f"{share.count}/{share.total} ({100 * share.low:.0f}-{100 * share.high:.0f} %){mark}"


def comparison_text(comparison: ArmComparison) -> str:
    """Two configurations in sentences: who mends what the other does not, by name."""
    pair = comparison.agrees
    total = pair.both + pair.neither + pair.only_first + pair.only_second
    small = "; too few bugs differ for a claim" if pair.small else ""
    lines = [
        f"{comparison.first} and {comparison.second} on {total} bugs, mended as the reference does:",
        f"  both {pair.both}, neither {pair.neither}, only {comparison.first} {pair.only_first}, "
        f"only {comparison.second} {pair.only_second} (exact McNemar p = {pair.p:.3g}{small})",
        *(f"  won by {comparison.second}: {bug}" for bug in comparison.won),
        *(f"  lost by {comparison.second}: {bug}" for bug in comparison.lost),
    ]
    return "\n".join(lines) + "\n"


def csv_table(every: Sequence[ScoredCell]) -> str:
    """One line a cell, with a heading. Cells that a spreadsheet would take for a formula are quoted."""
    out = io.StringIO()
    values = [row_values(row) for row in every]
    writer = csv.DictWriter(out, fieldnames=list(values[0]) if values else [], lineterminator="\n")
    writer.writeheader()
    for line in values:
        texts = {key: value for key, value in line.items() if isinstance(value, str)}
        formulas = {key: f"'{text}" for key, text in texts.items() if text.startswith(("=", "+", "-", "@", "\t"))}
        writer.writerow(line | formulas)
    return out.getvalue()


def latex_table(found: Sequence[Summary]) -> str:
    """A table in the style of the booktabs package."""
    columns: tuple[tuple[str, Callable[[Summary], str]], ...] = (
        ("Configuration", lambda s: "".join(_SPECIAL.get(char, char) for char in s.label)),
        ("Bugs", lambda s: str(s.bugs)),
        ("Plausible", lambda s: str(s.plausible.count)),
        ("Certified", lambda s: str(s.certified.count)),
        ("Agree", lambda s: _latex_rate(s.agrees)),
        ("Overfitting", lambda s: _latex_rate(s.overfitting)),
        ("False cert.", lambda s: _latex_rate(s.false_certified)),
        ("Top-1", lambda s: _latex_rate(s.tops[0][1])),
        ("Median s", lambda s: f"{s.median_seconds:.1f}"),
    )
    lines = [
        r"\begin{tabular}{l" + "r" * (len(columns) - 1) + "}",
        r"\toprule",
        " & ".join(title for title, _ in columns) + r" \\",
        r"\midrule",
        *(" & ".join(cell(summary) for _, cell in columns) + r" \\" for summary in found),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def markdown_table(found: Sequence[Summary]) -> str:
    """The text table for a document: what stands in our own benchmarks is made by it."""
    lines = [HEADINGS, ("---", *("---:" for _ in HEADINGS[1:])), *(_cells(summary) for summary in found)]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _latex_rate(share: Rate) -> str:
    if not share.total:
        return "--"
    mark = r"$^{*}$" if share.small else ""
    return rf"{share.count}/{share.total} [{100 * share.low:.0f}, {100 * share.high:.0f}]{mark}"


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
