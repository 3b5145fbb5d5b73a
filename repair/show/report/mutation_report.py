"""Mutants in the form that Stryker's tools read, the mutation testing report schema (``schemaVersion`` 2).

Lines and columns count from 1 there, and the end of a place is the one behind its last character.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState
from repair.records.tests_report import FunctionView, TestsReport

FIRST = '{"schemaVersion": "2", "framework": {"name": "repair"'
"""How a file of ours begins."""

HIGH, LOW = 80, 60
"""Percent of mutants noticed from which a viewer shows a file green, and below which red."""

STATUSES = {
    MutantState.KILLED: "Killed",
    MutantState.SURVIVED: "Survived",
    MutantState.NO_COVERAGE: "NoCoverage",
    MutantState.TIMEOUT: "Timeout",
    MutantState.INVALID: "CompileError",
}


def write_mutation_report(report: TestsReport, sources: Mapping[str, Sequence[str]]) -> str:
    """The report as JSON. Functions of files whose source cannot be read are left out."""
    files: dict[str, Any] = {}
    for path, views in _by_file(report).items():
        if path in sources:
            numbered = [(view, each) for view in views for each in view.mutants_by_line]
            mutants = [_mutant(f"{path}:{number}", view, each) for number, (view, each) in enumerate(numbered, 1)]
            files[path] = {"language": "python", "source": "\n".join(sources[path]) + "\n", "mutants": mutants}
    values = {
        "schemaVersion": "2",
        "framework": {"name": "repair", "version": report.versions.get("repair-engine", "")},
        "projectRoot": report.root,
        "thresholds": {"high": HIGH, "low": LOW},
        "files": files,
        "testFiles": _test_files(report),
    }
    return json.dumps(values) + "\n"


def _by_file(report: TestsReport) -> dict[str, list[FunctionView]]:
    found: dict[str, list[FunctionView]] = {}
    for view in report.functions:
        if view.mutants_by_line:
            found.setdefault(view.file, []).append(view)
    return found


def _mutant(name: str, view: FunctionView, each: MutantView) -> dict[str, Any]:
    killed = {"killedBy": [each.killed_by]} if each.killed_by else {}
    covered = {"coveredBy": list(view.vouching)} if each.state is not MutantState.NO_COVERAGE else {}
    return {
        "id": name,
        "mutatorName": each.operator,
        "description": f"{view.function}: {each.label}",
        "replacement": each.new,
        "status": STATUSES[each.state],
        "location": {
            "start": {"line": each.line, "column": each.column + 1},
            "end": {"line": each.end_line, "column": each.end_column + 1},
        },
        **killed,
        **covered,
    }


def _test_files(report: TestsReport) -> dict[str, Any]:
    named = {test for view in report.functions for test in view.vouching}
    named |= {each.killed_by for view in report.functions for each in view.mutants_by_line if each.killed_by}
    files: dict[str, Any] = {}
    for test in sorted(named):
        path, _, name = test.partition("::")
        files.setdefault(path, {"tests": []})["tests"].append({"id": test, "name": name or path})
    return files
