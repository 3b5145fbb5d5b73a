"""Results of real runs, recorded, on a screen of 80 columns and 24 rows."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from repair.records.result import (
    CauseView,
    ChangeView,
    EvidenceView,
    FailureView,
    PatchView,
    Result,
    Seconds,
    StackView,
    Status,
)
from repair.show import screen
from repair.show.github import workflow_commands
from repair.show.lines import quote
from repair.show.output import result_text
from repair.show.sarif import sarif
from repair.show.screen import describe_many_starts, screen_lines
from transforms.tree import proposal

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))
SEVERAL = {"check_feature", "fix_three_causes"}
"""Two changed functions, three causes: a block each."""

COMMANDS = ("Next: repair ", "--answer ")


def read(path):
    return Result.from_json(json.loads(path.read_text("utf-8")))


def squeeze(text):
    return " ".join(text.split())


def texts_of(values):
    """Every text that a result tells people."""
    if isinstance(values, dict):
        for name, value in values.items():
            if name not in ("digest", "before", "after", "versions", "root", "files", "measurements", "shares"):
                yield from texts_of(value)
    elif isinstance(values, list):
        for value in values:
            yield from texts_of(value)
    elif isinstance(values, str):
        yield values


@pytest.fixture(params=RECORDED, ids=lambda path: path.stem)
def recorded(request):
    return request.param


def test_there_are_runs_of_each_kind():
    found = {read(path).status for path in RECORDED}
    assert found >= {
        *(Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED, Status.UNREPAIRED, Status.OUT_OF_SCOPE),
        *(Status.ENVIRONMENT, Status.FLAKY, Status.TEST_DEFECT, Status.NOT_REPRODUCED),
    }
    assert len(RECORDED) >= 20


def test_it_fits_a_screen(recorded):
    lines = result_text(read(recorded), width=80).splitlines()
    assert len(lines) <= (38 if recorded.stem in SEVERAL else 23)
    wide = [line for line in lines if cell_len(line) > 80 and not any(word in line for word in COMMANDS)]
    assert wide == []


def test_the_verdict_its_place_and_time_stand_first(recorded):
    result = read(recorded)
    first, second, *_ = [*result_text(result, width=80).splitlines(), ""]
    assert first.startswith(str(result.status))
    if len(result.patches) and recorded.stem not in SEVERAL:
        patch = result.patches[0]
        assert f"{patch.file}:" in first
        assert patch.function in first
    if result.seconds.total:
        assert f"{result.seconds.total:.1f} s" in first + second


def test_change_callers_question_evidence_and_next_command_stand_in_this_order(recorded):
    result = read(recorded)
    text = result_text(result, width=80)
    headings = ["\nWhat changes for callers", "\nQuestion: ", "\nEvidence: ", "\nNext: "]
    places = [text.rindex(each) for each in headings if each in text]
    assert places == sorted(places)
    for patch in result.patches[:1]:
        changed = [line[1:].strip() for line in patch.diff.splitlines() if re.match(r"[-+](?![-+])", line)]
        assert all(line in text for line in changed if len(line) < 60)
        assert max(text.index(line) for line in changed if len(line) < 60) < places[0]
        asked = next((each.asked for each in patch.evidence if each.asked and each.asked.call), None)
        assert asked is None or ("\n  this patch: " in text and "\n  otherwise: " in text)
        assert ("\nQuestion: " in text) == any(each.questions for each in result.patches if each.rank == 1)
    assert result.next_action == "" or squeeze(result.next_action) in squeeze(text)


def test_each_gate_that_does_not_say_yes_is_opened_and_no_other(recorded):
    for patch in (patch for patch in read(recorded).patches if patch.rank == 1):
        text = result_text(replace(read(recorded), patches=(patch,), causes=()), width=80).partition("Evidence: ")[2]
        for each in patch.evidence:
            named = re.search(rf"(^| ){each.gate}(,|:| )", text.split("\n", 1)[1], re.MULTILINE)
            assert bool(named) == (each.decision != "accept"), each.gate


def test_nothing_is_lost_in_the_whole_answer(recorded):
    result = read(recorded)
    whole = squeeze(result_text(result, verbosity=1, width=80))
    for patch in result.patches:
        assert squeeze(patch.diff) in whole
        told = [e.claim for e in patch.evidence] + [e.witness for e in patch.evidence]
        told += [*patch.questions, *patch.not_checked, *(e.answer for e in patch.evidence)]
        told += [text for change in patch.changes for text in (change.call[:100], change.before[:100])]
        assert [text for text in told if squeeze(text) not in whole and quote(text) not in whole] == []
    said = [
        *result.messages,
        *result.warnings,
        *(f.claim for f in result.findings),
        *(s.function for s in result.suspects),
    ]
    said += [f.test for f in result.failures] + [c.claim for f in result.failures for c in f.constraints]
    assert [text for text in said if squeeze(text) not in whole] == []
    assert squeeze(result.brief) in whole


def test_a_pipe_gets_no_colour_and_a_terminal_the_same_text_in_colour(recorded):
    result = read(recorded)
    plain = result_text(result, width=80)
    assert "\x1b" not in plain
    coloured = result_text(result, width=80, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_quiet_is_verdict_diff_and_question(recorded):
    result = read(recorded)
    text = result_text(result, verbosity=-1, width=80)
    assert text.startswith(str(result.patches[0].status if result.patches else result.status))
    for patch in (patch for patch in result.patches if patch.rank == 1):
        assert patch.diff in text
        assert ("Question: " in text) == any(each.questions for each in result.patches if each.rank == 1)
    assert not any(word in text for word in ("Evidence", "What changes", "all of it"))


HOSTILE = "\x1b[2J\x9b1m\u202egone\r"


def test_no_command_of_a_terminal_gets_through_from_calls_witnesses_and_paths():
    change = ChangeView(f"f('{HOSTILE}')", f"returns '{HOSTILE}'", "returns 1", said_by="test", source=f"{HOSTILE}::t")
    seen = EvidenceView("behaviour", "unknown", f"claim {HOSTILE}", witness=HOSTILE)
    diff = f"--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-x = '{HOSTILE}'\n+y = '{HOSTILE}'\n"
    patch = PatchView(1, Status.PLAUSIBLE, HOSTILE, HOSTILE, diff, "d", evidence=(seen,), changes=(change,))
    result = Result(Status.PLAUSIBLE, patches=(patch,), messages=(HOSTILE,), next_action=HOSTILE)
    for verbosity in (-1, 0, 1):
        text = result_text(result, verbosity=verbosity, width=80)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
        assert "\\x1b[2J" in text


def screen_of(diff):
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", diff, "d")
    return result_text(Result(Status.CERTIFIED, patches=(patch,)), width=80).splitlines()


def test_marks_stand_below_their_words_whatever_the_width_of_the_letters():
    rows = screen_of("@@ -1 +1 @@\n-\treturn '漢字' + a\n+\treturn '漢字' + b\n")
    code = next(row for row in rows if "+ " in row and "b" in row)
    carets = rows[rows.index(code) + 1]
    assert carets.strip() == "^"
    assert cell_len(carets) == cell_len(code)


def test_a_long_line_is_shown_where_it_changes():
    long = "x = [" + "1, " * 60
    rows = screen_of(f"@@ -1 +1 @@\n-{long}2]\n+{long}3]\n")
    assert any("3]" in row for row in rows)
    assert max(map(cell_len, rows)) <= 80


def test_of_a_long_change_the_first_lines_are_shown_and_how_many_more_there_are():
    rows = screen_of("@@ -1 +1,100 @@\n-x\n" + "".join(f"+line_{number}\n" for number in range(100)))
    assert "  … 61 more lines (-v)" in rows


def test_calls_of_which_the_same_is_to_be_said_share_a_line():
    changes = [ChangeView(f"f({n})", "raises KeyError('a')", "returns 1", said_by="nobody") for n in (1, 2)]
    changes.append(ChangeView("f(3)", "returns 2", "returns 1", True, "nobody", "t.py::t"))
    patch = PatchView(1, Status.PLAUSIBLE, "a.py", "f", "", "d", changes=tuple(changes))
    text = result_text(Result(Status.PLAUSIBLE, patches=(patch,)), width=120)
    assert "  f(1), f(2): raises KeyError becomes 1 (nobody says so)\n" in text
    assert "  f(3): 2 becomes 1 (nobody says so: t.py::t makes this call and passes either way)\n" in text


def test_calls_that_take_long_to_read_stand_back_where_others_are_known():
    short = ChangeView("f(1)", "returns 2", "returns 1", said_by="nobody")
    long = [ChangeView(f"f('{'x' * n}')", "returns 2", "returns 3", said_by="nobody") for n in (70, 80)]
    patch = PatchView(1, Status.PLAUSIBLE, "a.py", "f", "", "d", changes=(long[0], short, long[1]))
    text = result_text(Result(Status.PLAUSIBLE, patches=(patch,)), width=80)
    assert "  f(1): 2 becomes 1 (nobody says so)\n  and 2 calls that are longer to read (-v)\n" in text
    alone = result_text(Result(Status.PLAUSIBLE, patches=(replace(patch, changes=(long[0],)),)), width=80)
    assert "  f('xxxx" in alone
    assert "longer to read" not in alone


def test_without_a_patch_what_fails_comes_first_and_says_why():
    result = read(next(path for path in RECORDED if path.stem == "unrepaired_two_functions"))
    lines = result_text(result, width=80).splitlines()
    assert lines[2:4] == [
        "  What fails: test_stamps.py::test_reading_a_printed_stamp",
        "    ValueError: invalid literal for int() with base 10: 'ANN-0042'",
    ]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("f(1) == 2", "'f(1) == 2'"), ("f('a') == 2", "\"f('a') == 2\""), ("f('$a')", "'f('\"'\"'$a'\"'\"')'")],
)
def test_an_answer_is_quoted_for_a_shell(text, quoted):
    assert quote(text) == quoted


def causes_of(*numbers):
    """The recorded patches as those of several causes, and one cause that is left."""
    found = [read(path) for path in RECORDED if path.stem in ("fix_boundary", "fix_certified", "fix_method")]
    patches = [replace(found[n].patches[0], cause=n + 1) for n in numbers]
    causes = [
        CauseView(
            p.cause, ("t.py::a", "t.py::b"), p.status, p.file, p.function, p.line, p.digest, tuple(range(1, p.cause))
        )
        for p in patches
    ]
    left = CauseView(
        9, ("t.py::left",), Status.OUT_OF_SCOPE, "z.py", "z", 3, messages=("a signature",), brief="the brief"
    )
    return Result(
        Status.UNREPAIRED,
        "r1",
        patches=tuple(patches),
        causes=(*causes, replace(left, next_action="read the brief")),
        stacks=(StackView((1, 2), Status.PLAUSIBLE, "", claim="all tests pass together"),),
        next_action="repair apply r1",
    )


def test_several_causes_are_summed_up_and_have_a_block_each():
    text = result_text(causes_of(0, 1), width=80)
    lines = text.splitlines()
    assert lines[0].startswith("unrepaired  3 causes: 1 plausible, 1 certified, 1 out_of_scope")
    heads = [line for line in lines if line.startswith("Cause ")]
    assert [head.split(":")[0] for head in heads] == ["Cause 1", "Cause 2", "Cause 9"]
    assert "  t.py::a and 1 more test; on top of cause 1" in lines
    assert lines.index("  a signature") > lines.index(heads[2])
    assert "  Next: read the brief" in lines
    assert text.count("\nEvidence: ") == 2
    assert text.rstrip().endswith("all of it: repair show r1 -v")
    assert max(map(cell_len, lines)) <= 80


def missing(number, name):
    """A cause in which a file of the machine is missing, as seventeen tests of a released library show it."""
    test = f"tests/test_scores.py::TestScores::test_{name}"
    message = f"{test} is environment (missing_file): FileNotFoundError: [Errno 2] No such file: '/vectors/{name}'"
    return CauseView(number, (test,), Status.ENVIRONMENT, messages=(message,), next_action="provide it")


def test_causes_without_a_function_at_fault_share_a_block():
    first = causes_of(0)
    others = tuple(missing(n + 10, f"vector{n}") for n in range(17))
    told = replace(
        first,
        causes=(*first.causes, *others),
        warnings=tuple(f"left aside: {cause.messages[0]}" for cause in others),
    )
    text = result_text(told, width=80)
    assert "Causes 10 to 26: environment  17 tests" in text.splitlines()
    assert "'/vectors/vector0'" in text
    assert "  and 15 more (-v)" in text.splitlines()
    assert text.count("provide it") == 1
    assert "left aside" not in text
    whole = result_text(told, verbosity=1)
    assert [cause.tests[0] for cause in others if cause.tests[0] not in whole] == []


def test_what_is_left_aside_and_no_cause_is_still_a_warning():
    told = replace(causes_of(0), warnings=("left aside: test_other.py cannot be collected",))
    assert "left aside: test_other.py cannot be collected" in result_text(told, width=80)


def test_of_several_causes_nothing_is_lost_in_the_whole_answer():
    whole = result_text(causes_of(0, 1), verbosity=1)
    told = ["t.py::a", "t.py::left", "a signature", "the brief", "Next: read the brief", "on top of 1"]
    assert [text for text in [*told, "together 1, 2: plausible: all tests pass together"] if text not in whole] == []


def test_a_cause_without_a_patch_is_an_error_of_its_own_for_machines():
    result = causes_of(0)
    lines = workflow_commands(result).splitlines()
    assert lines[0].startswith("::warning file=")
    assert lines[1].startswith("::error file=z.py,line=3,title=out_of_scope cause::t.py::left%0Aa signature")
    first, second = sarif(result)["runs"][0]["results"]
    assert (first["level"], second["level"], second["ruleId"]) == ("warning", "error", "repair/out_of_scope")
    assert "out_of_scope  z.py:3: z: t.py::left" in result_text(result, verbosity=-1)


def test_time_that_does_not_fit_beside_the_place_has_a_line_of_its_own():
    patch = PatchView(1, Status.CERTIFIED, "a/" * 32 + "a.py", "f", "", "d")
    result = Result(Status.CERTIFIED, patches=(patch,), seconds=Seconds(total=80.0))
    assert result_text(result, width=80).splitlines()[1] == "  80.0 s"


def test_a_test_with_a_long_name_is_cut_and_not_left_out():
    failure = FailureView(
        "tests/test_a.py::test_" + "x" * 90, "logic", message="assert 1 == 2", exception="AssertionError"
    )
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "", "d")
    rows = result_text(Result(Status.CERTIFIED, patches=(patch,), failures=(failure,)), width=80).splitlines()
    row = next(row for row in rows if row.startswith("  Without it: tests/test_a.py::test_xxx"))
    assert row.endswith("…")
    assert cell_len(row) <= 80


@pytest.mark.parametrize(
    ("starts", "causes", "of_change", "said"),
    [
        (8, 1, False, ""),
        (9, 1, False, "9 cold starts of pytest: suite 9; 8 are meant"),
        (12, 2, False, ""),
        (13, 2, False, "13 cold starts of pytest: suite 13; 12 are meant"),
        (4, 0, True, ""),
        (5, 0, True, "5 cold starts of pytest: suite 5; 4 are meant"),
    ],
)
def test_more_cold_starts_than_are_meant_are_told(starts, causes, of_change, said):
    views = tuple(CauseView(n, (), Status.PLAUSIBLE) for n in range(causes))
    result = Result(Status.PLAUSIBLE, causes=views, of_change=of_change, cold_starts={"suite": starts})
    assert describe_many_starts(result) == said


def test_the_author_of_a_strangers_change_has_one_name():
    assert screen.FOREIGN == proposal.FOREIGN


def test_what_the_first_sentence_says_is_not_said_again():
    lines = list(map(str, screen_lines(Result(Status.NOTHING_FAILS, messages=("No test fails",)), 0, 80)))
    assert [line for line in lines if "No test fails" in line] == ["  No test fails."]


def test_what_failed_before_a_change_is_not_told_as_what_fails():
    failure = FailureView("t.py::t", "logic", "wrong_value", "KeyError", "'H'")
    short = Result(Status.UNREPAIRED, failures=(failure,), of_change=True)
    assert "  Without it: t.py::t" in result_text(short).splitlines()
    assert "  What fails: t.py::t" in result_text(replace(short, of_change=False)).splitlines()
