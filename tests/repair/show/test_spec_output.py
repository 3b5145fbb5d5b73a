"""What people and programs read of facts, findings and links."""

import json
import tomllib
from dataclasses import replace

import pytest

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.specified import (
    FactsReport,
    FactView,
    LinkState,
    PersonSays,
    PersonsWord,
    RequirementView,
    SpecFinding,
    SpecKind,
    SpecReport,
    TraceLink,
    TraceReport,
    UnreadSource,
)
from repair.show.output import schema_named
from repair.show.report.trace_page import FIRST_LINE, make_trace_page
from repair.show.spec_output import facts_toml, refuse_format, write_facts, write_findings, write_trace
from repair.show.trace_forms import doorstop_items, needs_json, write_items

WORDS = 'Returns "0" \x1b[31m'
FACT = FactView(
    *("F-1", "shop.py:total", "returns", "", "prices is empty", "0", "shop.py", 2, 2, WORDS, "abc", "docstring"),
    "parsed",
    sure=False,
)
REPORT = FactsReport("/shop", (FACT,), ("F-1",), (FACT,), (UnreadSource("a.md", 3, "it is no UTF-8"),), files=2)


def shown(capsys, report=REPORT, **options):
    write_facts(report, Options(root="/shop", **options))
    return capsys.readouterr().out


def test_facts_for_people(capsys):
    assert shown(capsys).splitlines() == [
        "1 fact in 2 files: 1 docstring",
        "shop.py",
        "     2  total returns 0 when prices is empty (likely)",
        "gone since the last scan: 1 fact",
        "  shop.py:2 total returns 0 when prices is empty (likely)",
        "new since the last scan: 1 fact",
        "not read: a.md:3: it is no UTF-8",
        "0.0 s; none of the project's code ran",
    ]


def test_no_control_character_reaches_a_terminal(capsys):
    assert "\x1b" not in shown(capsys, verbosity=2)


def test_json_is_read_again_and_has_a_schema(capsys):
    values = json.loads(shown(capsys, output_format="json"))
    assert FactsReport.from_json(values) == REPORT
    assert schema_named("facts")["$id"] == values["schema"] == "repair.facts/1"


def test_toml_is_read_again():
    (fact,) = tomllib.loads(facts_toml(REPORT, "# first"))["facts"]
    assert fact["quote"] == FACT.quote
    assert fact["sure"] is False


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="sarif"):
        refuse_format("sarif")


FINDING = SpecFinding(
    "C-1", SpecKind.CONTRADICTION, "a.py:f", "it is 1; it is 2", "a.py", 3, ('a.py:3 says "1"',), sure=False
)
WORD = PersonsWord(PersonSays.DISPUTED, "meant so", "Ann", "2026-01-02")
SPEC = SpecReport("/shop", 4, (FINDING, replace(FINDING, id="D-2", kind=SpecKind.DRIFT, word=WORD)), checked=("x: 1",))


def test_findings_for_people(capsys):
    write_findings(SPEC, Options(root="/shop"))
    assert capsys.readouterr().out.splitlines() == [
        "1 open finding on 4 facts: 1 contradiction",
        "C-1 contradiction (likely) a.py:3 it is 1; it is 2",
        '    a.py:3 says "1"',
        "D-2 disputed by Ann on 2026-01-02: meant so (it is 1; it is 2)",
        "checked: x: 1",
        "next: `repair spec check --answer C-1 TEXT`, `--accept C-1` or `--dispute C-1 REASON`",
        "0.0 s; isolation ",
    ]
    assert SPEC.exit_code == 1
    assert replace(SPEC, findings=SPEC.findings[1:]).exit_code == 0
    assert SpecReport.from_json(json.loads(json.dumps(SPEC.to_json()))) == SPEC
    assert replace(SPEC, findings=(replace(FINDING, kind=SpecKind.GAP),)).exit_code == 0


REQUIREMENT = RequirementView("REQ-1", "It <b>shall</b> sing.", "a.md", 1, 1, "abc")
PROVED = TraceLink("REQ-1", "test_a.py::test_a", "a.py:f", LinkState.PROVED, 2, 3)
CLAIMED = TraceLink("REQ-1", "test_a.py::test_b", "", LinkState.CLAIMED, why="nobody says")
TRACE = TraceReport("/shop", (REQUIREMENT, replace(REQUIREMENT, id="AC-1.2")), (PROVED, CLAIMED))


def test_links_for_people(capsys):
    write_trace(TRACE, Options(root="/shop"))
    assert capsys.readouterr().out.splitlines() == [
        "2 requirements: 1 with a test, 1 proved by one",
        "REQ-1 a.md:1 sha256:abc It <b>shall</b> sing.",
        "    proved test_a.py::test_a runs a.py:f, kills 2 of 3 mutants",
        "    claimed test_a.py::test_b: nobody says",
        "AC-1.2 a.md:1 sha256:abc It <b>shall</b> sing.",
        "    no test",
        "0.0 s; isolation not needed",
    ]
    assert TRACE.exit_code == 1
    assert replace(TRACE, requirements=(REQUIREMENT,)).exit_code == 0
    assert TraceReport.from_json(json.loads(json.dumps(TRACE.to_json()))) == TRACE


def test_the_page_escapes_what_a_project_wrote():
    page = make_trace_page(TRACE)
    assert page.startswith(FIRST_LINE)
    assert "It &lt;b&gt;shall&lt;/b&gt; sing." in page
    assert "kills" not in page
    assert ">proved<" in page


def test_the_forms_of_other_tools():
    needs = json.loads(needs_json(TRACE))
    own = needs["versions"][needs["current_version"]]["needs"]
    assert own["TEST_0001"]["links"] == ["REQ_1"]
    assert [own[name]["status"] for name in ("TEST_0001", "TEST_0002")] == ["proved", "claimed"]
    items = doorstop_items(TRACE)
    assert sorted(items) == ["REQ/.doorstop.yml", "REQ/REQ-1.yml"]
    item = json.loads(items["REQ/REQ-1.yml"])
    assert item["references"][0] == {"path": "test_a.py", "type": "file", "keyword": "test_a"}
    assert item["proved-by"] == ["test_a.py::test_a"]


def test_requirements_of_like_names_all_have_a_need():
    names = ("REQ-7.1", "REQ-7_1", "TEST-0001")
    like = replace(
        TRACE,
        requirements=tuple(replace(TRACE.requirements[0], id=name) for name in names),
        links=tuple(replace(TRACE.links[0], requirement=name) for name in names),
    )
    needs = json.loads(needs_json(like))["versions"]["1.0"]["needs"]
    assert {needs[name]["title"] for name in ("REQ_7_1", "REQ_7_1_2", "TEST_0001")} == set(names)
    assert needs["TEST_0001_2"]["links"] == ["REQ_7_1", "REQ_7_1_2", "TEST_0001"]


def test_items_are_written_into_a_new_folder_only(tmp_path):
    write_items(tmp_path / "new", {"REQ/REQ-1.yml": "{}"})
    assert (tmp_path / "new" / "REQ" / "REQ-1.yml").read_text() == "{}"
    with pytest.raises(UsageError, match="there already"):
        write_items(tmp_path / "new", {})
