"""The page of requirements: each with its tests, functions, and the mutants that prove a link."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from repair.records.specified import LinkState, RequirementView, TraceLink, TraceReport
from repair.show.report.markup import FIRST_LINE, make_within_bounds, render

MOST_REQUIREMENTS = {12_000: 1_000, 2_000: 500, 200: 200}
"""Requirements that are listed, by the length of texts: fewer where the page would be too large."""

__all__ = ("FIRST_LINE", "make_trace_page")


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """A requirement with its links."""

    requirement: RequirementView
    links: tuple[TraceLink, ...]


def make_trace_page(report: TraceReport) -> str:
    """The page as text."""
    return make_within_bounds(functools.partial(_render, report))


def _render(report: TraceReport, most: int) -> str:
    rows = [RequirementRow(each, report.links_of(each.id)) for each in report.requirements]
    proved = sum(any(link.state is LinkState.PROVED for link in row.links) for row in rows)
    shown = rows[: MOST_REQUIREMENTS[most]]
    return render(
        "trace.html",
        most,
        report=report,
        rows=shown,
        proved=proved,
        unproved=len(rows) - proved,
        left=len(rows) - len(shown),
    )
