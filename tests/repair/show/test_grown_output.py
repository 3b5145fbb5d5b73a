"""What people and programs read of grown tests."""

from __future__ import annotations

import json

import pytest

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.grown import (
    Contradiction,
    GrownFile,
    GrownFunction,
    GrownReport,
    GrownTest,
    SaidBy,
    UnansweredQuestion,
)
from repair.show.grown_output import refuse_format, write_grown
from repair.show.output import schema_named

TEST = GrownTest("tests/test_grown_shop.py::test_f", SaidBy.PINNED, "shop.f(1)", "== 2", "", ("line 2: a mutant",))
REPORT = GrownReport(
    root="/shop",
    functions=(
        GrownFunction(
            "shop.py", "f", 1, open=3, apart=2, killed=1, tests=(TEST,), dropped={"kills nothing new": 2},
            questions=("f(Cart()) returns 1, and returns 2 otherwise",), not_checked="",
        ),
        GrownFunction("shop.py", "save", 9, not_checked="no test calls it with made-up values: line 10 reads files"),
    ),
    questions=(UnansweredQuestion("What should f(3) give?", "shop.f(3) == 1", "shop.f(3) == 2"),),
    files=(GrownFile("tests/test_grown_shop.py", "# first\nfrom shop import f\n"),),
    findings=(Contradiction("shop.py", "f", 1, "f(0)", "returns 1", 'shop.py:2 says "Returns 0 for 0."'),),
    checked=("static: the rules",),
    seconds=1.5,
    isolation="bwrap",
)  # fmt: skip


def shown(capsys, report=REPORT, **options):
    write_grown(report, Options(root="/shop", **options))
    return capsys.readouterr()


def test_stdout_holds_python_and_stderr_the_rest(capsys):
    found = shown(capsys)
    assert found.out == "# first\nfrom shop import f\n"
    for said in (
        "1 test grown (1 pinned)",
        "3 mutants that no test noticed: inputs tell 2 apart, the new tests kill 1",
        "would lie in tests/test_grown_shop.py",
        "dropped: 2 kills nothing new",
        "open: f(Cart()) returns 1, and returns 2 otherwise",
        "not checked: no test calls it with made-up values",
        "--answer 'shop.f(3) == 1'",
        'code or fact? shop.py:1 f(0) returns 1, and shop.py:2 says "Returns 0 for 0."',
    ):
        assert said in found.err, said
    assert "static: the rules" not in found.err
    assert "checked: static: the rules" in shown(capsys, verbosity=1).err


def test_several_files_are_headed_by_their_paths(capsys):
    two = GrownReport(files=(GrownFile("a.py", "x = 1\n"), GrownFile("b.py", "y = 1\n")))
    assert shown(capsys, two).out == "# FILE: a.py\nx = 1\n\n\n# FILE: b.py\ny = 1\n"


def test_what_was_written_is_told_on_stdout(capsys):
    found = shown(capsys, GrownReport(files=(GrownFile("a.py", "x = 1\n", written=True),)))
    assert "wrote a.py" in found.out
    assert "x = 1" not in found.out


def test_no_command_of_a_terminal_gets_through(capsys):
    bad = GrownReport(findings=(Contradiction("shop.py", "f", 1, "f('\x1b[2J')", "returns 1", "said"),))
    assert "\x1b" not in shown(capsys, bad).err


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_is_the_record(capsys, form):
    text = shown(capsys, output_format=form).out
    assert GrownReport.from_json(json.loads(text)) == REPORT
    assert ("\n" in text[:-1]) is (form == "json")


def test_the_schema_names_every_field():
    schema = schema_named("grown")
    assert schema["$id"] == "repair.grown/1"
    assert set(schema["properties"]) == set(REPORT.to_json())


@pytest.mark.parametrize(("tests", "findings", "status"), [(1, 0, 0), (0, 0, 1), (1, 1, 1)])
def test_exit_status(tests, findings, status):
    report = GrownReport(asked=REPORT.tests[:tests], findings=REPORT.findings[:findings])
    assert report.exit_code == status


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="cannot be shown as sarif"):
        refuse_format("sarif")
