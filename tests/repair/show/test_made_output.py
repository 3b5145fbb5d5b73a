import json

import pytest

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.grown import SaidBy
from repair.records.made import MadeArtifact, MadeFact, MadeFile, MadePatch, MadeReport, MadeStep, MadeTest, TaskQuote
from repair.show.made_output import refuse_format, write_made
from repair.show.output import schema_named

QUOTE = TaskQuote(3, "`total([])` shall return 0.")
REPORT = MadeReport(
    out="/made",
    task="TASK.md",
    written=True,
    files=(MadeFile("prices.py", "implementation", "0" * 64, 10),),
    artifact=MadeArtifact("a" * 64, ("# === TESTS ===",), ("prices.py: def total(prices)",), ("t::a",)),
    tests=(
        MadeTest("t::a", SaidBy.REQUIRED, "passed", (QUOTE,), ("equals 0",)),
        MadeTest("t::b", SaidBy.PINNED, "failed", why="it quotes nothing", message="assert 1 == 2"),
    ),
    facts=(MadeFact(3, QUOTE.quote, "REQ-1", ("total returns 0",), ("t::a",)),),
    unbacked=tuple(f"no required test calls f{number}" for number in range(10)),
    replaced=("t::old",),
    patches=(MadePatch("prices.py", "total", "logic", "--- a\n+++ b\n", "What should total([1]) give?"),),
    steps=(MadeStep("test", "1 of 2 pass", 0.5),),
    ended="the time was over",
    isolation="bwrap",
)


def shown(capsys, report, **options):
    write_made(report, Options("/", **options))
    return capsys.readouterr().out


def test_people_read_what_passes_who_says_so_and_what_nobody_says(capsys):
    text = shown(capsys, REPORT)
    assert text.startswith("wrote /made: 1 of 1 required tests pass, 0 of 1 pinned tests pass\n")
    assert "failed t::b (pinned): assert 1 == 2" in text
    assert "patched prices.py:total (logic): plausible by these tests; What should total([1]) give?" in text
    assert "written anew, since it failed: t::old" in text
    assert "not backed: 2 more, with -v" in text
    assert "ended early: the time was over" in text
    assert "certified" not in text


def test_more_is_told_where_it_is_asked_for(capsys):
    text = shown(capsys, REPORT, verbosity=1)
    assert 'passed t::a (required 3: "`total([])` shall return 0.")' in text
    assert "test: 1 of 2 pass (0.5 s)" in text
    assert "f9" in text


def test_nothing_made_is_said_with_the_steps(capsys):
    text = shown(capsys, MadeReport(steps=(MadeStep("write tests", "cut: it is cut"),), ended="no answer can be used"))
    assert text.startswith("nothing was made")
    assert "write tests: cut: it is cut" in text


def test_no_required_test_shows_nothing(capsys):
    assert "nothing is shown by them" in shown(capsys, MadeReport(out="/made", written=True))


def test_control_characters_of_a_model_do_not_reach_the_terminal(capsys):
    bad = MadeReport(written=True, tests=(MadeTest("t::a", SaidBy.PINNED, "failed", message="\x1b[2J"),))
    assert "\x1b" not in shown(capsys, bad)


def test_the_json_form_comes_back_and_follows_its_schema(capsys):
    values = json.loads(shown(capsys, REPORT, output_format="json"))
    assert values["schema"] == "repair.made/1"
    assert MadeReport.from_json(values) == REPORT
    assert set(values) <= set(schema_named("made")["properties"])


@pytest.mark.parametrize("output_format", ["diff", "github", "sarif"])
def test_other_formats_are_refused(output_format):
    with pytest.raises(UsageError, match="cannot be shown"):
        refuse_format(output_format)


@pytest.mark.parametrize(
    ("tests", "written", "code"),
    [
        (REPORT.tests[:1], True, 0),
        (REPORT.tests, True, 0),
        (REPORT.tests[1:], True, 1),
        ((), True, 1),
        (REPORT.tests, False, 1),
        ((MadeTest("t::a", SaidBy.REQUIRED, "failed"),), True, 1),
    ],
)
def test_the_exit_status_counts_required_tests_alone(tests, written, code):
    assert MadeReport(tests=tests, written=written).exit_code == code
