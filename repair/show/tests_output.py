"""A report on tests in each output format.

A report on tests for people: the word, one line a function, the findings by their places, the numbers.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from analysis.mutation_score import MutationScore
from analysis.quality.findings import Finding, Weight
from analysis.statement_lines import Share
from repair.records.config import Options
from repair.records.tests_report import FunctionView, TestsReport, TestsStatus
from repair.records.wording import count_noun
from repair.show.github import workflow_command
from repair.show.output import use_colour
from repair.show.render import Line, clean, print_lines
from repair.show.sarif import SCHEMA
from repair.show.terminal import write_out, write_text

MOST_SHOWN = 20
"""Findings of one rule that are shown without ``-v``."""

IN_THE_TABLE = "coverage"
"""The rule whose findings the table shows already."""

_STYLES = {TestsStatus.CLEAN: "bold green", TestsStatus.FINDINGS: "bold red"}
_HEADINGS = {
    Weight.ERROR: ("Findings that count", "red"),
    Weight.WARNING: ("Warnings", "yellow"),
    Weight.NOTE: ("Mutants that no test noticed (some may be equivalent)", ""),
}


def report_text(report: TestsReport, verbosity: int = 0, *, colour: bool = False, width: int = 100) -> str:
    """The whole report as text; with a negative verbosity the findings that count alone."""
    shown = TestsReport.from_json(clean(report.to_json()))
    if verbosity < 0:
        return print_lines(_places(shown.of_weight(Weight.ERROR), None), colour=colour, width=width)
    return print_lines(_lines(shown, verbosity), colour=colour, width=width)


def _lines(report: TestsReport, verbosity: int) -> Iterator[Line]:
    yield Text.assemble((report.status.value, _STYLES[report.status]), "  ", _headline(report))
    yield from _table(report.functions, verbosity)
    for weight, (heading, style) in _HEADINGS.items():
        found = [finding for finding in report.of_weight(weight) if finding.rule != IN_THE_TABLE]
        if found:
            yield from ("", Text(heading, f"bold {style}".strip()))
            yield from _places(found, None if verbosity > 0 or weight is Weight.ERROR else MOST_SHOWN)
    yield from ("", *_summary(report, verbosity))


def _headline(report: TestsReport) -> str:
    errors, warnings = (len(report.of_weight(weight)) for weight in (Weight.ERROR, Weight.WARNING))
    said = count_noun(errors, "finding that counts", "findings that count") if errors else "No finding counts"
    return f"{said}, {count_noun(warnings, 'warning')}."


def _table(functions: Sequence[FunctionView], verbosity: int) -> Iterator[Line]:
    if not functions:
        return
    width = max(len(view.function) for view in functions) + 2
    yield from ("", Text(f"{'':6}  {'function':<{width}}{'tests':>6}  {'lines':>5}  mutants killed", "bold"))
    file = ""
    for view in functions:
        if view.file != file:
            file = view.file
            yield Text(file, "bold")
        row = f"{view.line:>6}  {view.function:<{width}}{_tests(view)}  {_percent(view.coverage):>5}  {_mutants(view)}"
        yield Text(row.rstrip(), "" if view.cases else "yellow")
        if verbosity > 0:
            yield from (Text(f"{'':10}{name}", "dim") for name in view.vouching)


def _tests(view: FunctionView) -> str:
    return f"{view.cases or 'none':>6}"


def _percent(share: Share) -> str:
    return "–" if share.value is None else f"{int(100 * share.value)} %"


def _mutants(view: FunctionView) -> str:
    score = view.mutants
    if not score.valid:
        return "not run" if view.not_run or view.not_checked else ""
    return f"{score.killed + score.timeout} of {score.valid}"


def _places(findings: Sequence[Finding], most: int | None) -> Iterator[Line]:
    shown: Counter[str] = Counter()
    for finding in findings:
        shown[finding.rule] += 1
        if most is None or shown[finding.rule] <= most:
            yield f"  {_place(finding)}{_name(finding)}{finding.claim}{f' ({finding.test})' if finding.test else ''}"
    if most is not None:
        for rule, count in shown.items():
            if count > most:
                yield f"  and {count - most} more of {rule} (-v shows all)"


def _name(finding: Finding) -> str:
    return f"{finding.rule} {finding.title}: " if finding.rule[0].isupper() else ""


def _place(finding: Finding) -> str:
    if not finding.file:
        return ""
    return f"{finding.file}:{finding.line}: " if finding.line else f"{finding.file}: "


def _summary(report: TestsReport, verbosity: int) -> Iterator[Line]:
    tests, total = report.tests, report.coverage.total
    apart = {
        "fail": tests.failing,
        "flaky": tests.flaky,
        "skipped or expected to fail": tests.skipped,
        "fake": tests.fake,
    }
    said = "".join(f", {count} {what}" for what, count in apart.items() if count)
    yield f"{count_noun(tests.cases, 'test case')}: {tests.passed} pass{said}; {tests.vouching} vouch for something"
    vouched = sum(1 for view in report.functions if view.cases)
    yield f"{count_noun(len(report.functions), 'public function')}: {vouched} with a vouching test"
    if total.value is not None:
        asked = f"asked for are {100 * report.coverage.threshold:g} %"
        ran = f"{100 * total.value:.1f} % of {count_noun(total.statements, 'statement')} in functions are run"
        yield f"{ran} ({_source(report.coverage.source)}); {asked}"
    if report.mutants.valid or report.mutants.invalid:
        yield _score(report.mutants)
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from (f"warning: {each}" for each in report.warnings)
    yield from _left_out_lines(report.left_out, len(report.left_out) if verbosity > 0 else 3)
    spent = [f"{report.seconds.total:.1f} s", *([f"isolation {report.isolation}"] if report.isolation else [])]
    yield Text("; ".join(spent), "dim")


def _left_out_lines(files: Sequence[str], most: int) -> Iterator[Line]:
    if files:
        more = f" and {len(files) - most} more" if len(files) > most else ""
        yield f"left out, as no part of the program: {', '.join(files[:most])}{more}"


def _source(source: str) -> str:
    return "by tests that can vouch, measured in one traced run" if source == "measured" else f"as {source} says"


def _score(score: MutationScore) -> str:
    states = {
        "killed": score.killed,
        "survived": score.survived,
        "in lines that no vouching test runs": score.no_coverage,
        "timed out": score.timeout,
        "invalid": score.invalid,
    }
    told = ", ".join(f"{count} {what}" for what, count in states.items() if count)
    return f"{count_noun(score.valid + score.invalid, 'mutant')}: {told}"


_GITHUB = {Weight.ERROR: "error", Weight.WARNING: "warning", Weight.NOTE: "notice"}


def write_report(report: TestsReport, options: Options) -> None:
    """Put the report on stdout in the format asked for."""
    if options.output_format == "text":
        colour = use_colour(options.color, is_terminal=sys.stdout.isatty())
        width = shutil.get_terminal_size((100, 24)).columns
        write_text(report_text(report, options.verbosity, colour=colour, width=width))
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
            return "".join(_commands(report))
        case _:
            return json.dumps(tests_sarif(report), indent=2) + "\n"


def _commands(report: TestsReport) -> Iterator[str]:
    """One annotation a finding, the weightiest first: GitHub shows ten of each kind."""
    for finding in report.findings:
        place = {"file": finding.file} if finding.file else {}
        if finding.file and finding.line:
            place["line"] = str(finding.line)
        yield workflow_command(_GITHUB[finding.weight], place, _title(finding), _sentence(finding))


def tests_sarif(report: TestsReport) -> dict[str, Any]:
    """The report as a SARIF 2.1.0 log: one result a finding."""
    rules = {finding.rule: finding.title for finding in report.findings}
    driver = {
        "name": "repair",
        "version": report.versions.get("repair-engine", ""),
        "rules": [{"id": f"repair/tests/{rule}", "shortDescription": {"text": rules[rule]}} for rule in sorted(rules)],
    }
    ended = {
        "executionSuccessful": True,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": [{"level": "warning", "message": {"text": text}} for text in report.warnings],
    }
    results = [_result(finding) for finding in report.findings]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "invocations": [ended], "results": results}],
    }


def _result(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": f"repair/tests/{finding.rule}",
        "level": finding.weight.value,
        "message": {"text": _sentence(finding)},
    }
    if finding.file:
        where = {"uri": finding.file, "uriBaseId": "%SRCROOT%"}
        region = {"startLine": max(finding.line, 1)}
        found["locations"] = [{"physicalLocation": {"artifactLocation": where, "region": region}}]
    return found


def _title(finding: Finding) -> str:
    return f"{finding.rule} {finding.title}" if finding.rule[0].isupper() else finding.title


def _sentence(finding: Finding) -> str:
    return f"{finding.claim} ({finding.test})" if finding.test else finding.claim
