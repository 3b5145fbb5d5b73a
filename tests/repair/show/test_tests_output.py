"""A report on tests in each format."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from analysis.facts import FunctionId
from analysis.mutation_score import MutationScore
from analysis.priority import FunctionFacts, weigh
from analysis.quality.findings import Finding, Weight
from analysis.statement_lines import Share
from repair.records.tests_report import (
    CoverageView,
    FunctionView,
    SurvivingMutant,
    TestCounts,
    TestsReport,
    TestsSeconds,
    TestsStatus,
)
from repair.show.output import schema_named
from repair.show.tests_output import MOST_SHOWN, format_report, report_text

REPORT = TestsReport(
    TestsStatus.FINDINGS,
    "/p",
    {"repair-engine": "1.0"},
    tests=TestCounts(cases=12, passed=10, failing=1, flaky=1, fake=1, vouching=9),
    functions=(
        FunctionView(
            "pkg/a.py",
            "total",
            3,
            9,
            4,
            0,
            Share(5, 6),
            ("t.py::test_total",),
            MutationScore(killed=7, survived=1, timeout=1),
            survivors=(SurvivingMutant(5, "turns `<` into `<=`"),),
        ),
        FunctionView("pkg/a.py", "Box.size", 12, 14, 0, 1, Share(0, 2)),
        FunctionView("pkg/b.py", "slow", 1, 2, 2, 0, Share(1, 1), not_run=4, not_checked="the time was over"),
    ),
    findings=(
        Finding("T03", Weight.ERROR, "tautology", "It holds anyway.", "t.py", 7, "t.py::test_x"),
        Finding("coverage-total", Weight.ERROR, "coverage", "60 % are run", ""),
        Finding("coverage", Weight.WARNING, "thinly covered", "total: 5 of 6", "pkg/a.py", 3, "", "total"),
        Finding("untested", Weight.WARNING, "untested", "No test runs 100%\n of it.", "pkg/a.py", 12, "", "Box.size"),
        Finding("survivor", Weight.NOTE, "survivor", "total: `<`", "pkg/a.py", 5, "", "total"),
    ),
    coverage=CoverageView("measured", 0.85, Share(6, 9)),
    mutants=MutationScore(killed=7, survived=1, timeout=1),
    left_out=("setup.py", "docs/conf.py"),
    not_checked=("mutants of 1 function: the time was over",),
    warnings=("isolation is limited",),
    seconds=TestsSeconds(3.21),
    isolation="bwrap",
)
CLEAN = TestsReport(TestsStatus.CLEAN)


def test_people_see_a_line_a_function_and_then_what_was_found():
    assert report_text(REPORT) == (
        """\
findings  2 findings that count, 2 warnings.

        function   tests  lines  mutants killed
pkg/a.py
     3  total          4   83 %  8 of 9
    12  Box.size    none    0 %
pkg/b.py
     1  slow           2  100 %  not run

Findings that count
  t.py:7: T03 tautology: It holds anyway. (t.py::test_x)
  60 % are run

Warnings
  pkg/a.py:12: No test runs 100%
 of it.

Mutants that no test noticed (some may be equivalent), and branches that none takes
  pkg/a.py:5: total: `<`

12 test cases: 10 pass, 1 fail, 1 flaky, 1 fake; 9 vouch for something
3 public functions: 2 with a vouching test
66.7 % of 9 statements in functions are run (by tests that can vouch, measured in one traced run); asked for are 85 %
9 mutants: 7 killed, 1 survived, 1 timed out
not checked: mutants of 1 function: the time was over
warning: isolation is limited
left out, as no part of the program: setup.py, docs/conf.py
3.2 s; isolation bwrap
"""
    )


def test_a_quiet_report_is_what_counts_alone():
    assert report_text(REPORT, -1) == "  t.py:7: T03 tautology: It holds anyway. (t.py::test_x)\n  60 % are run\n"
    assert report_text(CLEAN, -1) == ""


def test_many_findings_of_one_rule_are_cut_where_they_do_not_count():
    many = tuple(Finding("T02", Weight.WARNING, "no assertion", f"f{n}", "t.py", n) for n in range(1, 101))
    text = report_text(replace(CLEAN, findings=many))
    assert f"and {100 - MOST_SHOWN} more of T02 (-v shows all)" in text
    assert "f100" not in text
    assert "f100" in report_text(replace(CLEAN, findings=many), 1)


def test_a_verbose_report_names_the_vouching_tests():
    assert "t.py::test_total" not in report_text(REPORT)
    assert "          t.py::test_total\n" in report_text(REPORT, 1)


def test_control_characters_are_spelled_out():
    hostile = replace(CLEAN, findings=(Finding("T03", Weight.ERROR, "x", "\x1b[31mred", "t.py", 1),))
    assert "\\x1b[31mred" in report_text(hostile)


def test_github_gets_an_annotation_for_each_finding():
    lines = format_report(REPORT, "github").splitlines()
    assert lines[0] == "::error file=t.py,line=7,title=T03 tautology::It holds anyway. (t.py::test_x)"
    assert lines[1] == "::error title=coverage::60 %25 are run"
    assert lines[3] == "::warning file=pkg/a.py,line=12,title=untested::No test runs 100%25%0A of it."
    assert lines[4].startswith("::notice file=pkg/a.py,line=5,title=survivor::")


def test_sarif_has_a_result_for_each_finding():
    log = json.loads(format_report(REPORT, "sarif"))
    (run,) = log["runs"]
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [
        ("repair/tests/T03", "error"),
        ("repair/tests/coverage-total", "error"),
        ("repair/tests/coverage", "warning"),
        ("repair/tests/untested", "warning"),
        ("repair/tests/survivor", "note"),
    ]
    assert {r["ruleId"] for r in run["results"]} == {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("t.py", 7)
    assert "locations" not in run["results"][1]
    assert run["invocations"][0]["exitCode"] == 1


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_is_the_record(form):
    text = format_report(REPORT, form)
    assert TestsReport.from_json(json.loads(text)) == REPORT
    assert text.endswith("}\n")
    assert ("\n" in text[:-1]) is (form == "json")


def test_the_schema_names_every_field_of_a_report():
    schema = schema_named("tests")
    assert schema["$id"] == "repair.tests/1"
    assert set(schema["properties"]) == set(REPORT.to_json())
    assert set(schema["$defs"]["FunctionView"]["properties"]) == set(REPORT.to_json()["functions"][0])
    assert schema_named("result")["$id"] == "repair.result/1"


def test_people_see_where_a_test_is_worth_most():
    facts = [
        FunctionFacts(FunctionId("pkg/a.py", f"f{number}", number), True, 0, users=number) for number in range(1, 9)
    ]
    views = [
        replace(
            REPORT.functions[0], function=each.function.qualname, line=each.function.first_line, priority=weigh(each)
        )
        for each in facts
    ]
    shown = report_text(replace(REPORT, functions=tuple(views)))
    told = shown[shown.index("Where a test is worth most") :].splitlines()
    assert told[1] == "    5.2  pkg/a.py:8: f8"
    expected = "reach 5.2: public, used by 8 functions; history 1.0: changes unknown; open 1.0: no test vouches for it"
    assert told[2].strip() == expected
    assert (shown.count("reach 5.2"), shown.count("pkg/a.py:1: f1")) == (1, 0)
    assert "pkg/a.py:1: f1" in report_text(replace(REPORT, functions=tuple(views)), 1)
