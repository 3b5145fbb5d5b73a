"""A report on tests in each output format; for people: the word, one line a function, the findings, the numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rich.text import Text

from analysis.quality.findings import Finding, Weight
from repair.records.config import Options
from repair.records.tests_report import FunctionView, TestsReport, TestsStatus
from repair.records.wording import count_noun
from repair.show.github import workflow_command
from repair.show.lines import Line, clean, place, print_lines
from repair.show.output import write_for_people
from repair.show.sarif import locate, make_log
from repair.show.terminal import write_out

MOST_SHOWN = 20
"""Findings of one rule that are shown without ``-v``."""

MOST_PRIORITIES = 5
"""Functions that are named as those that deserve a test most, without ``-v``."""

IN_THE_TABLE = "coverage"
"""The rule whose findings the table shows already."""

_STYLES = {TestsStatus.CLEAN: "bold green", TestsStatus.FINDINGS: "bold red"}
_HEADINGS = {
    Weight.ERROR: ("Findings that count", "red"),
    Weight.WARNING: ("Warnings", "yellow"),
    Weight.NOTE: ("Mutants that no test noticed (some may be equivalent), and branches that none takes", ""),
}


def report_text(report: TestsReport, verbosity: int = 0, *, colour: bool = False, width: int = 100) -> str:
    """The whole report as text; with a negative verbosity the findings that count alone."""
    shown = TestsReport.from_json(clean(report.to_json()))
    if verbosity < 0:
        return print_lines(_places(shown.of_weight(Weight.ERROR), None), colour=colour, width=width)
    return print_lines(_lines(shown, verbosity), colour=colour, width=width)


def _lines(report: TestsReport, verbosity: int) -> Iterator[Line]:
    errors, warnings = (len(report.of_weight(weight)) for weight in (Weight.ERROR, Weight.WARNING))
    said = count_noun(errors, "finding that counts", "findings that count") if errors else "No finding counts"
    headline = f"{said}, {count_noun(warnings, 'warning')}."
    yield Text.assemble((report.status.value, _STYLES[report.status]), "  ", headline)
    if report.functions:
        yield from _table(report.functions, verbosity)
        yield from _priorities(report, verbosity)
    for weight, (heading, style) in _HEADINGS.items():
        found = [finding for finding in report.of_weight(weight) if finding.rule != IN_THE_TABLE]
        if found:
            yield from ("", Text(heading, f"bold {style}".strip()))
            yield from _places(found, None if verbosity > 0 or weight is Weight.ERROR else MOST_SHOWN)
    yield from ("", *_summary(report, verbosity))


def _table(functions: Sequence[FunctionView], verbosity: int) -> Iterator[Line]:
    width = max(len(view.function) for view in functions) + 2
    yield from ("", Text(f"{'':6}  {'function':<{width}}{'tests':>6}  {'lines':>5}  mutants killed", "bold"))
    file = ""
    for view in functions:
        if view.file != file:
            file = view.file
            yield Text(file, "bold")
        ran, score = view.coverage.value, view.mutants
        lines = "–" if ran is None else f"{int(100 * ran)} %"
        killed = f"{score.killed + score.timeout} of {score.valid}"
        if not score.valid:
            killed = "not run" if view.not_run or view.not_checked else ""
        row = f"{view.line:>6}  {view.function:<{width}}{view.cases or 'none':>6}  {lines:>5}  {killed}"
        yield Text(row.rstrip(), "" if view.cases else "yellow")
        if verbosity > 0:
            yield from (Text(f"{'':10}{name}", "dim") for name in view.vouching)


def _priorities(report: TestsReport, verbosity: int) -> Iterator[Line]:
    """The functions that deserve a test most, each with the parts of its score."""
    found = [view.priority for view in report.by_priority() if view.priority is not None]
    if found:
        yield from ("", Text("Where a test is worth most: reach x history x open", "bold"))
    for each in found if verbosity > 0 else found[:MOST_PRIORITIES]:
        yield f"  {each.score:>5.1f}  {place(each.file, each.line)}{each.function}"
        yield Text(f"         {'; '.join(f'{p.name} {p.size}: {p.said}' for p in each.parts)}", "dim")


def _places(findings: Sequence[Finding], most: int | None) -> Iterator[Line]:
    shown: Counter[str] = Counter()
    for finding in findings:
        shown[finding.rule] += 1
        if most is None or shown[finding.rule] <= most:
            name = f"{_title(finding)}: " if _is_smell(finding) else ""
            yield f"  {place(finding.file, finding.line)}{name}{_sentence(finding)}"
    if most is not None:
        for rule, count in shown.items():
            if count > most:
                yield f"  and {count - most} more of {rule} (-v shows all)"


def _summary(report: TestsReport, verbosity: int) -> Iterator[Line]:
    tests, total, mutants = report.tests, report.coverage.total, report.mutants
    apart = {
        "fail": tests.failing,
        "flaky": tests.flaky,
        "skipped or expected to fail": tests.skipped,
        "fake": tests.fake,
    }
    said = "".join(f", {each}" for each in _list_counts(apart))
    yield f"{count_noun(tests.cases, 'test case')}: {tests.passed} pass{said}; {tests.vouching} vouch for something"
    vouched = sum(1 for view in report.functions if view.cases)
    yield f"{count_noun(len(report.functions), 'public function')}: {vouched} with a vouching test"
    if total.value is not None:
        ran = f"{100 * total.value:.1f} % of {count_noun(total.statements, 'statement')} in functions are run"
        measured = "by tests that can vouch, measured in one traced run"
        source = measured if report.coverage.source == "measured" else f"as {report.coverage.source} says"
        yield f"{ran} ({source}); asked for are {100 * report.coverage.threshold:g} %"
    ways = report.coverage.branches
    if ways.value is not None:
        total_ways = count_noun(ways.statements, "branch", "branches")
        yield f"{100 * ways.value:.1f} % of {total_ways} are taken by tests that can vouch"
    if mutants.valid or mutants.invalid:
        states = {
            "killed": mutants.killed,
            "survived": mutants.survived,
            "in lines that no vouching test runs": mutants.no_coverage,
            "timed out": mutants.timeout,
            "invalid": mutants.invalid,
        }
        yield f"{count_noun(mutants.valid + mutants.invalid, 'mutant')}: {', '.join(_list_counts(states))}"
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from (f"warning: {each}" for each in report.warnings)
    if report.left_out:
        most = len(report.left_out) if verbosity > 0 else 3
        more = f" and {len(report.left_out) - most} more" if len(report.left_out) > most else ""
        yield f"left out, as no part of the program: {', '.join(report.left_out[:most])}{more}"
    spent = [f"{report.seconds.total:.1f} s", *([f"isolation {report.isolation}"] if report.isolation else [])]
    yield Text("; ".join(spent), "dim")


def _list_counts(counts: dict[str, int]) -> list[str]:
    return [f"{count} {what}" for what, count in counts.items() if count]


_GITHUB = {Weight.ERROR: "error", Weight.WARNING: "warning", Weight.NOTE: "notice"}


def write_report(report: TestsReport, options: Options) -> None:
    """Put the report on stdout in the format asked for."""
    if options.output_format == "text":
        write_for_people(partial(report_text, report, options.verbosity), options)
    else:
        write_out(format_report(report, options.output_format))


def format_report(report: TestsReport, output_format: str) -> str:
    """The report in one of the formats that programs read."""
    match output_format:
        case "json":
            return json.dumps(report.to_json(), indent=2) + "\n"
        case "jsonl":
            return json.dumps(report.to_json()) + "\n"
        case "github":
            # GitHub shows ten of each kind, and the weightiest stand first.
            return "".join(
                workflow_command(_GITHUB[f.weight], _title(f), _sentence(f), f.file, f.line) for f in report.findings
            )
        case _:
            return json.dumps(_sarif(report), indent=2) + "\n"


def _sarif(report: TestsReport) -> dict[str, Any]:
    """The report as a SARIF 2.1.0 log: one result a finding."""
    results = [
        {
            "ruleId": f"repair/tests/{finding.rule}",
            "level": finding.weight.value,
            "message": {"text": _sentence(finding)},
            **({"locations": locate(finding.file, finding.line)} if finding.file else {}),
        }
        for finding in report.findings
    ]
    names = {f"repair/tests/{finding.rule}": finding.title for finding in report.findings}
    said = [("warning", text) for text in report.warnings]
    return make_log(report.versions, names, results, said, report.exit_code)


def _is_smell(finding: Finding) -> bool:
    """Whether the rule is the code of a test smell, such as ``T02``, which people know by its title."""
    return finding.rule[0].isupper()


def _title(finding: Finding) -> str:
    return f"{finding.rule} {finding.title}" if _is_smell(finding) else finding.title


def _sentence(finding: Finding) -> str:
    return f"{finding.claim} ({finding.test})" if finding.test else finding.claim
