"""The page of a report on tests: functions by priority, who vouches, findings with places, mutants by line, branches.

What a project wrote is hostile here as on the page of a run: see ``markup.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from analysis.quality.findings import Finding, Weight
from repair.records.tests_report import FunctionView, TestsReport
from repair.show.report.annotated import MutantTable, list_mutants
from repair.show.report.markup import embed, make_within_bounds, render

MOST_FUNCTIONS = {12_000: 60, 2_000: 25, 200: 8}
"""Functions whose parts are told one by one, by the length of texts: fewer where the page would be too large."""

MOST_EMBEDDED = 2_000
"""Mutants that are in the JSON of the page; where there are more, none is."""

MOST_IN_TABLE = 400
"""Functions in the table."""

MOST_FINDINGS = 200
"""Findings of one weight that are listed."""

MOST_LINES, MOST_COLUMNS = 200, 400
"""Lines of a function that are shown, and characters of a line."""

HEADINGS = {
    Weight.ERROR: "Findings that count",
    Weight.WARNING: "Warnings",
}

Sources = Mapping[str, Sequence[str]]
"""The lines of each file of the program, where they can be read."""


@dataclass(frozen=True, slots=True)
class FunctionPart:
    """One function with what no test notices of it. ``anchor`` leads to it; ``branches`` are those that none takes."""

    anchor: str
    view: FunctionView
    mutants: MutantTable | None
    branches: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class SameFinding:
    """What is said in the same words of one file, and the places of which it is said."""

    said: Finding
    places: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one weight: so many, of which ``left`` are not shown."""

    heading: str
    tone: str
    count: int
    rows: tuple[SameFinding, ...]
    left: int


def make_tests_page(report: TestsReport, sources: Sources) -> str:
    """The whole page."""
    shown = report
    if sum(len(view.mutants_by_line) for view in report.functions) > MOST_EMBEDDED:
        shown = replace(report, functions=tuple(replace(view, mutants_by_line=()) for view in report.functions))
    least = {"schema": report.schema, "status": str(report.status), "root": report.root}
    return make_within_bounds(functools.partial(_render, report, sources, embed(shown.to_json(), least)))


def _render(report: TestsReport, sources: Sources, data: Markup, most: int) -> str:
    ordered = report.by_priority()
    parts = [_part(view, number, report, sources) for number, view in enumerate(ordered[: MOST_FUNCTIONS[most]], 1)]
    return render(
        "tests.html",
        most,
        report=report,
        errors=len(report.of_weight(Weight.ERROR)),
        warnings=len(report.of_weight(Weight.WARNING)),
        groups=[_group(report, weight) for weight in HEADINGS],
        functions=ordered[:MOST_IN_TABLE],
        functions_left=max(0, len(ordered) - MOST_IN_TABLE),
        parts=parts,
        parts_left=len(ordered) - len(parts),
        data=data,
    )


def _group(report: TestsReport, weight: Weight) -> FindingGroup:
    found = report.of_weight(weight)
    tone = "bad" if weight is Weight.ERROR else "doubt"
    same: dict[tuple[str, str, str], list[Finding]] = {}
    for each in found[:MOST_FINDINGS]:
        same.setdefault((each.rule, each.file, each.claim), []).append(each)
    rows = tuple(SameFinding(each[0], tuple(each)) for each in same.values())
    return FindingGroup(HEADINGS[weight], tone, len(found), rows, max(0, len(found) - MOST_FINDINGS))


def _part(view: FunctionView, number: int, report: TestsReport, sources: Sources) -> FunctionPart:
    text = [line[:MOST_COLUMNS] for line in sources.get(view.file, ())[view.line - 1 : view.end_line][:MOST_LINES]]
    anchor = f"function-{number}"
    mutants = None
    if view.mutants_by_line:
        mutants = list_mutants(view.mutants_by_line, f"{anchor}-line", view.line, text, only_open=True)
    named = (view.file, view.function)
    branches = tuple(f for f in report.findings if f.rule == "branch" and (f.file, f.function) == named)
    return FunctionPart(anchor, view, mutants, branches)
