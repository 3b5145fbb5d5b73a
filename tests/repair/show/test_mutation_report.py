"""Mutants as Stryker's tools read them, held against the schema that they publish."""

import io
import json
import shutil
import subprocess
import tarfile
from dataclasses import replace

import pytest
from jsonschema import Draft7Validator

from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState
from analysis.statement_lines import Share
from repair.records.tests_report import FunctionView, TestsReport, TestsStatus
from repair.show.report.mutation_report import FIRST, write_mutation_report

PACKAGE, VERSION = "mutation-testing-report-schema", "3.8.4"
SOURCES = {"shop.py": ["def price(n):", "    return n < 10"]}


def mutant(state, killed_by="", **more):
    return replace(MutantView(2, 13, 2, 14, "<", "<=", "comparison", "turns `<` into `<=`", state, killed_by), **more)


VIEW = FunctionView(
    "shop.py",
    "price",
    1,
    2,
    1,
    0,
    Share(1, 1),
    ("t.py::test_price",),
    mutants_by_line=(
        mutant(MutantState.KILLED, "t.py::test_price[1]"),
        mutant(MutantState.SURVIVED, new=">"),
        mutant(MutantState.NO_COVERAGE),
        mutant(MutantState.TIMEOUT, "t.py::test_price"),
        mutant(MutantState.INVALID),
    ),
)
REPORT = TestsReport(TestsStatus.CLEAN, "/p", {"repair-engine": "1.0"}, functions=(VIEW,))


def test_each_mutant_has_its_place_its_text_and_its_fate():
    text = write_mutation_report(REPORT, SOURCES)
    assert text.startswith(FIRST)
    report = json.loads(text)
    file = report["files"]["shop.py"]
    assert file["source"] == "def price(n):\n    return n < 10\n"
    first, *rest = file["mutants"]
    assert first == {
        "id": "shop.py:1",
        "mutatorName": "comparison",
        "description": "price: turns `<` into `<=`",
        "replacement": "<=",
        "status": "Killed",
        "location": {"start": {"line": 2, "column": 14}, "end": {"line": 2, "column": 15}},
        "killedBy": ["t.py::test_price[1]"],
        "coveredBy": ["t.py::test_price"],
    }
    assert [each["status"] for each in rest] == ["Survived", "NoCoverage", "Timeout", "CompileError"]
    known = {test["id"] for each in report["testFiles"].values() for test in each["tests"]}
    assert known == {"t.py::test_price", "t.py::test_price[1]"}


def test_functions_without_mutants_or_source_are_left_out():
    bare = replace(VIEW, mutants_by_line=())
    elsewhere = replace(VIEW, file="gone.py")
    report = json.loads(write_mutation_report(replace(REPORT, functions=(bare, elsewhere)), SOURCES))
    assert report["files"] == {}


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """The published schema, fetched anew; nothing of it is kept."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so the published schema is not at hand")
    folder = tmp_path_factory.mktemp("schema")
    words = [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent"]
    try:
        packed = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("the npm registry gives no answer")
    if packed.returncode:
        pytest.skip(f"the npm registry cannot be reached: {packed.stderr[-200:]}")
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        member = archive.extractfile(f"package/src/{PACKAGE}.json")
        assert member is not None
        return json.load(io.TextIOWrapper(member, "utf-8"))


@pytest.mark.real
def test_the_report_is_one_by_the_published_schema(schema):
    validator = Draft7Validator(schema)
    report = json.loads(write_mutation_report(REPORT, SOURCES))
    assert [error.message for error in validator.iter_errors(report)] == []
    report["files"]["shop.py"]["mutants"][0]["status"] = "Mended"
    assert [error.message for error in validator.iter_errors(report)] != []
