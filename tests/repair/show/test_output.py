import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from repair.records.config import Options
from repair.records.events import event
from repair.records.result import (
    ChangeView,
    ConstraintView,
    Counts,
    EffectView,
    EvidenceView,
    FailureView,
    FindingView,
    PatchView,
    PlanView,
    RegionView,
    Result,
    Status,
    SuspectView,
    TierLeft,
)
from repair.show.github import escape_data, escape_property, workflow_commands
from repair.show.lines import HEADLINES
from repair.show.output import format_result, result_text, use_colour
from repair.show.progress import Progress, progress
from repair.show.recorded_text import runs_text
from repair.show.sarif import replacements, sarif
from repair.show.terminal import make_visible
from repair.store.run_index import Found, RunRow

DIFF = """\
--- a/pkg/a.py
+++ b/pkg/a.py
@@ -3,2 +3,2 @@ class A:
     def f(self):
-        return 1
+        return 2
"""
PATCH = PatchView(
    1,
    Status.CERTIFIED,
    "pkg/a.py",
    "A.f",
    DIFF,
    "d1",
    edit_kind="update",
    proposer="search",
    operator="number",
    line=3,
    evidence=(
        EvidenceView("fixes", "accept", "2 of 2 failing tests pass", {"tests": 2}, seconds=0.5),
        EvidenceView("mutation", "unknown", "1 of 3 mutants survives", witness="f(0) -> 1, mutant 2"),
    ),
    questions=("What is f(0)?",),
    not_checked=("threads",),
    changes=(ChangeView("f(1)", "returns 1", "returns 2", tested=True, said_by="test", source="t.py::t"),),
    region=RegionView(4, 5),
)
RESULT = Result(
    Status.CERTIFIED,
    run="20250102-000000-aa",
    failures=(
        FailureView(
            "t.py::t",
            "logic",
            "text",
            "AssertionError",
            "1 != 2\nmore",
            "A.f",
            (ConstraintView("nullable", "x may be None"),),
        ),
    ),
    patches=(PATCH,),
    counts=Counts(10, 9, 1, 8, 1),
    isolation="bwrap",
    isolation_opens=("disk space",),
    cold_starts={"suite": 2, "trials": 1},
    next_action="repair apply 20250102-000000-aa",
    warnings=("slow disk",),
)


def test_the_text_answers_in_reading_order():
    text = result_text(RESULT)
    parts = """\
certified
pkg/a.py:4: A.f
10 candidates
Without it: t.py::t: 1 != 2
  4 -         return 1
  4 +         return 2
                     ^
What changes for callers
  f(1): 1 becomes 2 (t.py::t asks for it)
Question: What is f(0)?
Evidence: yes from 1 of 2 gates; 1 not checked
  mutation: unknown: 1 of 3 mutants survives; witness: f(0)
Warnings
slow disk
Next: repair apply 20250102-000000-aa
all of it: repair show 20250102-000000-aa -v""".splitlines()
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "\x1b" not in text
    assert "correct" not in text


def test_all_of_it_is_shown_in_reading_order_when_asked():
    text = result_text(RESULT, verbosity=1)
    parts = """\
certified
t.py::t  [logic/text]  AssertionError: 1 != 2
x may be None
pkg/a.py:3: A.f
+        return 2
What changes for callers
f(1): returns 1 becomes returns 2
Questions
What is f(0)?
Why to trust it
2 of 2 failing tests pass
witness: f(0)
Not checked
threads
Warnings
slow disk
10 candidates
isolation bwrap
Next: repair apply 20250102-000000-aa""".splitlines()
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_the_summary_counts_the_tiers_and_says_why_one_was_left():
    tiers = {"warm": 3, "batch": 5}
    swapped = TierLeft("warm", "free variables differ", candidates=2)
    assert "run 5 several to a fork, 3 in a fork of the loaded program\n" in result_text(
        replace(RESULT, counts=Counts(10, 9, 1, 8, 1, tiers=tiers)), verbosity=1
    )
    one = replace(RESULT, counts=Counts(10, 9, 1, 8, 1, tiers=tiers, left=(swapped,)))
    assert "loaded program (free variables differ)\n" in result_text(one, verbosity=1)
    whole = replace(one, counts=replace(one.counts, left=(TierLeft("warm", "it runs at import", ("f", "g")),)))
    assert "loaded program (f, g: it runs at import)\n" in result_text(whole, verbosity=1)
    both = replace(one, counts=replace(one.counts, left=(TierLeft("warm", "runs at import", ("f", "g")), swapped)))
    told = result_text(both, verbosity=1)
    assert "not in a fork of the loaded program: f, g: runs at import" in told
    assert "not in a fork of the loaded program: 2 candidates: free variables differ" in told


def test_the_plan_says_where_edits_are_tried():
    plan = PlanView("a.py", "f", "logic", tier="zygote", tier_reason="it runs at import")
    said = "edits are tried in a fork that imports the project anew: it runs at import"
    assert said in result_text(Result(Status.DIAGNOSED, plan=plan))
    assert "edits are tried" not in result_text(Result(Status.DIAGNOSED, plan=replace(plan, tier="")))


def test_what_isolation_leaves_open_is_said_when_asked():
    assert "isolation bwrap leaves open: disk space" in result_text(RESULT, verbosity=1)
    assert "leaves open" not in result_text(RESULT)
    assert "3 cold starts of pytest: suite 2, trials" in result_text(RESULT, verbosity=1)
    assert "cold starts" not in result_text(RESULT)


def test_a_patch_comes_without_suspects_and_plan_until_asked():
    answer = Result(Status.CERTIFIED, patches=(PATCH,), suspects=(SuspectView("a.py", "f", 3, 0.8),))
    assert "Suspects" not in result_text(answer)
    assert "Suspects" in result_text(answer, verbosity=1)


def test_a_change_without_a_fix_was_refused_by_no_gate():
    text = result_text(Result(Status.REJECTED, messages=("The change edits no function of the program",)))
    assert "gate" not in text
    assert "There is no fix to judge" in text


def test_explain_shows_suspects_and_plan():
    text = result_text(
        Result(
            Status.DIAGNOSED,
            suspects=(SuspectView("a.py", "f", 3, 0.875, ("raises", "covered by no passing test")),),
            plan=PlanView("a.py", "f", "logic", ("update", "patch"), ("no signature change",), ("fixes", "mutation")),
        )
    )
    assert "0.88  a.py:3: f  raises; covered by no passing test" in text
    assert "kinds of edit, smallest first: update, patch" in text
    assert "evidence needed: fixes, mutation" in text


def test_out_of_scope_comes_with_its_brief():
    assert "Two functions disagree." in result_text(Result(Status.OUT_OF_SCOPE, brief="Two functions disagree."))


def test_check_shows_findings():
    finding = FindingView("changed_test", "a test changed", "t.py", 4)
    result = Result(Status.REJECTED, findings=(finding,))
    assert "  t.py:4: a test changed" in result_text(result)
    assert "- t.py:4: a test changed" in result_text(result, verbosity=1)


def test_quiet_text_is_the_verdict_the_diff_and_the_question_and_quieter_the_diff():
    assert result_text(RESULT, verbosity=-1) == f"certified  pkg/a.py:4: A.f\n{DIFF}\nQuestion: What is f(0)?\n"
    assert result_text(RESULT, verbosity=-2) == DIFF
    assert "Nothing could be shown in the time" in result_text(Result(Status.UNREPAIRED), verbosity=-1)
    assert result_text(Result(Status.UNREPAIRED), verbosity=-2) == ""


def test_colour_marks_the_diff_and_the_words_that_differ():
    text = result_text(RESULT, verbosity=-1, colour=True)
    assert "\x1b[32m+        return 2" in text
    assert "\x1b[31m-        return 1" in text
    marked = result_text(RESULT, colour=True)
    assert "\x1b[1;7;32m2\x1b[0m" in marked
    assert "\x1b[1;7;31m1\x1b[0m" in marked


def test_long_lines_of_a_diff_are_not_wrapped():
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "+" + "x y " * 100 + "\n", "d")
    result = Result(Status.CERTIFIED, patches=(patch,))
    assert "+" + "x y " * 100 in result_text(result, verbosity=1, width=40)


def test_no_terminal_command_gets_through():
    hostile = Result(Status.UNREPAIRED, messages=("\x1b[2Jgone \x9b1m \u202e [bold]plain[/bold] \udce9",))
    text = result_text(hostile, colour=True)
    assert "\\x1b[2Jgone \\x9b1m \\x202e [bold]plain[/bold] \\xdce9" in text


def test_crlf_is_shown_as_a_line_end():
    assert result_text(Result(Status.UNREPAIRED, messages=("a\r\nb",))).count("\\x0d") == 0
    assert make_visible("a\rb") == "a\\x0db"


def test_every_verdict_has_a_headline():
    assert set(Status) - set(HEADLINES) == {
        Status.INTERRUPTED, Status.MODEL_ERROR, Status.USAGE, Status.CONFLICT, Status.ERROR
    }  # fmt: skip


EFFECT = EffectView(
    inputs=20,
    kept=17,
    changed=3,
    changes=(
        ChangeView("f(1)", "returns 1", "returns 2"),
        ChangeView("f('" + "x" * 200 + "')", "returns 0", "returns 1"),
    ),
    unnoticed=("t.py::t",),
    lines=8,
    unrun=(3, 4, 5, 6, 7, 8),
)


def test_what_a_change_does_to_callers_is_told_before_the_evidence():
    patch = replace(PATCH, status=Status.PLAUSIBLE, effect=EFFECT, changes=EFFECT.changes)
    result = replace(RESULT, status=Status.PLAUSIBLE, failures=(), patches=(patch,))
    told = [
        "Nothing broke, and no failing test asked for it.",
        "What changes for callers",
        "  f(1): 1 becomes 2",
        "  they get what they got on 17 of 20 inputs, something else on 3",
        "  no passing test runs changed 3, 4, 5, 6, 7 and 1 more line",
        "Evidence",
    ]
    in_full = [
        "  - f(1): returns 1 becomes returns 2",
        "  - and on 1 more input",
        "What is kept",
        "  - on 17 inputs of 20 tried callers get what they got",
        "What no test pins",
        "  - pkg/a.py:3: no passing test runs the changed statement",
        "  - and 1 more changed statement",
        "  - t.py::t makes such a call, and passes either way",
        "  - no test makes the other calls above",
        "Evidence",
    ]
    for text, parts in ((result_text(result), told), (result_text(result, verbosity=1), in_full)):
        places = [text.index(each) for each in parts]
        assert places == sorted(places)
        assert max(map(len, text.splitlines())) < 250
    assert Result.from_json(replace(RESULT, patches=(patch,)).to_json()).patches[0].effect == EFFECT


def test_runs_are_a_table():
    text = runs_text(
        Found((RunRow("20250102-000000-aa", "2025-01-02 00:00:00", "certified", "A.f", "t", 12.34, 1),), count=1)
    )
    assert text.splitlines()[1].split() == [
        "20250102-000000-aa", "2025-01-02", "00:00:00", "certified", "A.f", "12.3", "applied"
    ]  # fmt: skip
    assert runs_text(Found()) == "No runs yet.\n"


def test_github_escapes():
    assert escape_data("100%\r\n") == "100%25%0D%0A"
    assert escape_property("a:b,c\n") == "a%3Ab%2Cc%0A"


def test_github_is_one_annotation_a_patch():
    assert workflow_commands(RESULT).startswith(
        "::notice file=pkg/a.py,line=4,endLine=5,title=certified patch of A.f::Question: What is f(0)?%0A"
    )
    assert "%0A  mutation: unknown: 1 of 3 mutants survives" in workflow_commands(RESULT)
    assert "fixes: 2 of 2" not in workflow_commands(RESULT)
    assert "%0A%0A--- a/pkg/a.py%0A" in workflow_commands(RESULT)
    assert workflow_commands(RESULT).count("\n") == 1


def test_github_says_how_other_runs_end():
    ended = Result(Status.ENVIRONMENT, messages=("No pytest.\n::warning::x",))
    assert workflow_commands(ended) == "::error title=repair%3A environment::No pytest.%0A::warning::x\n"
    assert workflow_commands(Result(Status.DIAGNOSED)).startswith("::notice ")


def test_sarif_carries_the_fix():
    log = sarif(RESULT)
    (run,) = log["runs"]
    (found,) = run["results"]
    assert log["version"] == "2.1.0"
    assert found["message"]["text"].splitlines()[:2] == ["certified patch of A.f", "Question: What is f(0)?"]
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "endLine": 5}
    assert found["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    (replaced,) = found["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replaced == {
        "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 5, "endColumn": 1},
        "insertedContent": {"text": "    def f(self):\n        return 2\n"},
    }
    assert json.loads(format_result(RESULT, "sarif")) == log


def test_sarif_explains_the_word_of_each_rule():
    (rule,) = sarif(RESULT)["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "repair/certified"
    assert rule["help"]["text"].startswith("The failing tests pass")
    assert rule["help"]["text"].endswith("(repair help certified)")
    assert "`repair help certified`" in rule["help"]["markdown"]


def test_sarif_names_the_engine_by_its_version():
    result = replace(RESULT, versions={**RESULT.versions, "repair-engine": "1.2"})
    assert sarif(result)["runs"][0]["tool"]["driver"]["version"] == "1.2"


@pytest.mark.parametrize(
    ("status", "level"), [(Status.CERTIFIED, "note"), (Status.PLAUSIBLE, "warning"), (Status.REJECTED, "error")]
)
def test_sarif_is_the_louder_the_worse_the_verdict(status, level):
    log = sarif(replace(RESULT, patches=(replace(PATCH, status=status),)))
    assert [found["level"] for found in log["runs"][0]["results"]] == [level]


def test_a_change_of_no_function_is_not_called_a_fault_of_several():
    finding = FindingView("test_support", "conftest.py is changed", "conftest.py", 1)
    text = result_text(Result(Status.OUT_OF_SCOPE, findings=(finding,), messages=("It touches only test support",)))
    assert "It touches only test support" in text
    assert "The fault cannot" not in text
    assert "The fault cannot lie in one function" in result_text(Result(Status.OUT_OF_SCOPE))


def test_sarif_of_an_error_has_a_notification():
    (run,) = sarif(Result(Status.USAGE, messages=("Unknown key.",)))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "Unknown key."


@pytest.mark.parametrize(
    ("diff", "texts"),
    [
        ("", []),
        ("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", ["b"]),
        ("@@ -1 +1 @@\n-a\n+b\n@@ -9,1 +9,2 @@\n c\n+d\n", ["b\n", "c\nd\n"]),
        ("@@ -1,2 +1,2 @@\n-a\n+++ b\n c\n", ["++ b\nc\n"]),
    ],
)
def test_replacements_of_hunks(diff, texts):
    assert [found["insertedContent"]["text"] for found in replacements(diff)] == texts


@pytest.mark.parametrize(
    ("color", "env", "terminal", "used"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when_to_colour(color, env, terminal, used, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert use_colour(color, is_terminal=terminal) == used


EVENTS = (
    event("run_started", run="r", root="/p", isolation="none", python="/bin/python"),
    event("phase", name="baseline", detail="", estimate_seconds=0.0),
    event("baseline", tests=3, failing=1, passing=2, flaky=0, seconds=1.0),
    event("phase", name="search", detail="", estimate_seconds=100),
    event("progress", tried=5, distinct=5, invalid=0, plausible=1, best="1 of 2", seconds_left=-1, suspect="f"),
    event("candidate", digest="0123456789", label="swap", state="failed", failed="t", detail=""),
    event("evidence", gate="fixes", decision="accept", claim="all pass"),
    event("warning", message="slow \x1b[2J"),
    event("unheard_of", x=1),
    event("finished", status="certified"),
)


def shown(verbosity):
    stream = io.StringIO()
    listener = progress(Options(root="/", verbosity=verbosity), stream)
    for happened in EVENTS:
        listener.show(happened)
    listener.close()
    return stream.getvalue().splitlines()


def test_without_a_terminal_there_is_a_line_a_phase():
    assert shown(0) == [
        "repairing /p with /bin/python, isolation none",
        "baseline: running the unpatched tests",
        "baseline: 1 failing, 2 passing, 0 flaky of 3 tests",
        "search: searching for a patch (at most 100 s)",
        "warning: slow \\x1b[2J",
    ]


def test_verbosity_adds_and_takes_away():
    assert "fixes: accept: all pass" in shown(1)
    assert shown(-1) == ["warning: slow \\x1b[2J"]


JUDGED = (
    event("phase", name="gates", detail="gathering evidence on 1 changed function", estimate_seconds=0.0),
    event("evidence", gate="fixes", decision="accept", claim="all pass", question=""),
    event("evidence", gate="mutation", decision="unknown", claim="one survives", question="Should f(1) return 2?"),
    event("evidence", gate="behaviour", decision="unknown", claim="they part", question="Should f(3) return 4?"),
    event("evidence", gate="regressions", decision="reject", claim="t.py::t \x1b[2J fails", question=""),
)


def test_of_a_judged_change_the_question_and_the_rejection_are_told_when_they_are_known():
    stream = io.StringIO()
    listener = progress(Options(root="/"), stream, lambda: 0.0)
    for happened in JUDGED:
        listener.show(happened)
    assert stream.getvalue().splitlines() == [
        "gates: gathering evidence on 1 changed function",
        "asked so far: Should f(1) return 2?",
        "rejected already, since regressions says no: t.py::t \\x1b[2J fails",
    ]


def test_of_a_search_no_candidate_is_told_to_be_rejected():
    stream = io.StringIO()
    listener = progress(Options(root="/"), stream)
    for happened in (event("phase", name="search", detail="", estimate_seconds=0.0), *JUDGED):
        listener.show(happened)
    assert "asked so far" not in stream.getvalue()


def test_the_live_line_says_the_time_that_is_left_while_gates_are_asked(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system=None, width=100, legacy_windows=False)
    listener = Progress(console, 0, live=True, time_left=lambda: 41.6)
    for happened in JUDGED[:3]:
        listener.show(happened)
    listener.close()
    assert "42 s left: gathering evidence on 1 changed function, gates: 1 yes, 1 unknown" in stream.getvalue()


def test_a_terminal_gets_a_live_line_that_goes_away(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system=None, width=80, legacy_windows=False)
    listener = Progress(console, 0, live=True)
    for happened in EVENTS:
        listener.show(happened)
    listener.close()
    out = stream.getvalue()
    assert "0 s left: searching for a patch, 5 tried, 1 plausible, best 1 of 2, in f" in out
    assert "searching for a patch, gates: 1 yes" in out
    assert out.endswith("\x1b[?25h\r\x1b[1A\x1b[2K")
