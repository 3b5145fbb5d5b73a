"""A report on tests in each output format."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from analysis.quality.findings import Finding, Weight
from repair.records.config import Options
from repair.records.tests_report import TestsReport
from repair.show.github import workflow_command
from repair.show.output import use_colour
from repair.show.sarif import SCHEMA
from repair.show.terminal import write_out, write_text
from repair.show.tests_text import report_text

_GITHUB = {Weight.ERROR: "error", Weight.WARNING: "warning", Weight.NOTE: "notice"}


def write_report(report: TestsReport, options: Options) -> None:
    """Put the report on stdout in the format asked for."""
    if options.output_format == "text":
        colour = use_colour(options.color, is_terminal=sys.stdout.isatty())
        width = shutil.get_terminal_size((100, 24)).columns
        write_text(report_text(report, options.verbosity, colour=colour, width=width))
    else:
        write_out(formatted_report(report, options.output_format))


def formatted_report(report: TestsReport, output_format: str) -> str:
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
        yield workflow_command(_GITHUB[finding.weight], place, _title(finding), _said(finding))


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
        "message": {"text": _said(finding)},
    }
    if finding.file:
        where = {"uri": finding.file, "uriBaseId": "%SRCROOT%"}
        region = {"startLine": max(finding.line, 1)}
        found["locations"] = [{"physicalLocation": {"artifactLocation": where, "region": region}}]
    return found


def _title(finding: Finding) -> str:
    return f"{finding.rule} {finding.title}" if finding.rule[0].isupper() else finding.title


def _said(finding: Finding) -> str:
    return f"{finding.claim} ({finding.test})" if finding.test else finding.claim
