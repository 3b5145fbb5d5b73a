"""Rounds of a run: who made which text, what came of it, and how two of them differ."""

import json

import pytest
from fakes.runs import NOON, RESULT, run_at

from analysis.errors import UsageError
from repair.cli import main
from repair.records.events import event
from repair.store.recorded_rounds import diff_rounds, rounds_of
from repair.store.store import open_store

BEFORE = "def f(x):\n    return x"
WHERE = {"file": "a.py", "function": "f"}
BY_MODEL = {**WHERE, "origin": "model", "operator": "patch", "purpose": "a.py:f, first, thread 1, turn 1"}
SEARCHED = {**WHERE, "origin": "search", "operator": "constant"}
CHECKED = {"file": "b.py", "function": "g", "origin": "foreign", "operator": ""}
NOTHING = {"seen": "", "divergence": "", "broke": []}

EVENTS = (
    event("program", **WHERE, text=BEFORE),
    event("near", **SEARCHED, passed=1, failing=3, reason="failed t.py::b", text=f"{BEFORE} + 1"),
    event("request", number=4, purpose=BY_MODEL["purpose"], tries=1, ended=""),
    event("attempt", **BY_MODEL, state="no edit", reason="the answer holds no edit", **NOTHING),
    event("attempt", **BY_MODEL, state="failed", reason="1 != 2", left=2, failing=3, **NOTHING, text=f"{BEFORE} + 2"),
    event("found", **SEARCHED, label="x", position=9, text=f"{BEFORE} + 3"),
    event("attempt", **BY_MODEL, state="repeated", reason="again", failing=3, **NOTHING, text=f"{BEFORE} + 3"),
    event("patch", **SEARCHED, digest="abcdef" + "0" * 58, status="certified", text=f"{BEFORE} + 3"),
    event("program", file="b.py", function="g", text="def g(): pass"),
    event("patch", **CHECKED, digest="ff" * 32, status="rejected", text="def g(): 1"),
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(project):
    record = open_store(project).new_run(NOON, "ab", lambda: 0.0)
    for happened in EVENTS:
        record.append(happened)
    record.save_result(RESULT)
    record.close()
    return record.run


def test_a_round_is_one_text_and_what_came_of_it_in_the_end(run):
    rounds = rounds_of(run.events())
    assert [(r.number, r.made_by, r.state, r.left, r.request) for r in rounds] == [
        (1, "search", "near", 2, 0),
        (2, "model", "no edit", None, 4),
        (3, "model", "failed", 2, 4),
        (4, "search+model", "certified", 0, 0),
        (5, "foreign", "rejected", None, 0),
    ]
    assert run.text(rounds[3].sha256) == f"{BEFORE} + 3"
    assert {run.text(r.base) for r in rounds[:4]} == {BEFORE}


@pytest.mark.parametrize(("one", "other"), [("0", "4"), ("0", "abcd"), ("3", "4"), ("4", "0"), ("1", "1"), ("00", "4")])
def test_two_rounds_differ_as_their_texts_do(run, one, other):
    texts = {"0": "x", "1": "x + 1", "3": "x + 2", "4": "x + 3", "abcd": "x + 3", "00": "x"}
    diff, _, _ = diff_rounds(run, one, other)
    changed = [line for line in diff.splitlines() if line[0] in "+-" and line[:3] not in ("+++", "---")]
    expected = [f"-    return {texts[one]}", f"+    return {texts[other]}"] if texts[one] != texts[other] else []
    assert changed == expected


def test_a_text_is_found_by_the_start_of_its_digest(run):
    rounds = rounds_of(run.events())
    assert diff_rounds(run, rounds[0].base[:8], rounds[3].sha256[:8]) == diff_rounds(run, "0", "4")


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("0", "0", "Both rounds are the program before"),
        ("0", "9", "'9' is no round of run 20250102-120000-ab: it has 5 rounds"),
        ("0", "-1", "'-1' is no round"),
        ("0", "9" * 5000, "is no round"),
        ("0", "abc", "'abc' is no round"),
        ("0", "", "'' is no round"),
        ("3", "5", "of two functions"),
        ("0", "2", "no text of round 2: the answer holds no edit"),
    ],
)
def test_what_is_no_round_is_refused_with_what_there_is(run, one, other, said):
    with pytest.raises(UsageError, match=said):
        diff_rounds(run, one, other)


def test_the_command_lists_rounds_and_prints_a_diff(run, capsys):
    assert main(["diff", "latest"], env={}) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[1].split()[:6]) == (6, ["1", "search", "constant", "f", "near", "2"])
    assert main(["diff", "latest", "--round", "0", "4"], env={}) == 0
    assert capsys.readouterr().out.startswith("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f(x):\n-    return x\n")
    assert main(["diff", "latest", "--json"], env={}) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["schema"], [each["left"] for each in said["rounds"]]) == ("repair.rounds/1", [2, None, 2, 0, None])
    assert main(["diff", "latest", "--round", "0", "4", "--json"], env={}) == 0
    assert "+    return x + 3" in json.loads(capsys.readouterr().out)["diff"]
    assert main(["diff", "latest", "--round", "0"], env={}) == 2


def test_a_run_without_rounds_says_so(project, capsys):
    run_at(open_store(project), 1)
    assert main(["diff", "latest"], env={}) == 0
    assert "nobody made a text" in capsys.readouterr().out
    assert main(["diff", "latest", "--round", "0", "1"], env={}) == 2
    assert "it has no rounds" in capsys.readouterr().err


def test_events_of_others_are_read_as_far_as_they_are_events():
    odd = [{"type": "found", "file": 3, "sha256": ["x"], "at": "now"}, {"type": ["x"]}, {"type": "near", "passed": "1"}]
    assert [(r.file, r.sha256, r.at) for r in rounds_of(odd)] == [("", "", 0.0), ("", "", 0.0)]
    times = [10**400, float("inf"), float("nan"), -(10**400), 2]
    assert [r.at for r in rounds_of([{"type": "found", "at": at} for at in times])] == [0.0, 0.0, 0.0, 0.0, 2.0]
