import json
import sys

import pytest

from analysis.errors import TargetError
from corpora.lab.agent_claims import SuiteRun
from corpora.lab.agent_diffs import KINDS, LIBRARIES
from corpora.lab.benchmarks import hook
from corpora.lab.benchmarks.hook import Answered, HookCase, call_hook, changes_of, kinds_table, read_answer, summarize


def case(kind, word, seconds=2.0, library="funcy", second="silent", passed=True):
    said, quiet = Answered(word, "", seconds), Answered("silent", "", 0.2)
    return HookCase(library, kind, "name", said, Answered(second, "", 1.0), quiet, SuiteRun(passed, 1.5))


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ({"decision": "block", "reason": "repair check: rejected. a.py:1 f."}, "blocked"),
        ({"decision": "block", "reason": "repair check: plausible, not done."}, "asked"),
        ({"systemMessage": "repair: certified"}, "told"),
        ({}, "silent"),
    ],
)
def test_an_answer_is_one_of_four_words(answer, word):
    assert read_answer(json.dumps(answer).encode())[0] == word


def test_shares_count_their_own_kind_alone():
    cases = [
        *(case("right", word) for word in ("told", "asked", "told", "blocked")),
        *(case("wrong", word, library="geojson") for word in ("told", "asked", "blocked", "blocked")),
        case("harmless", "silent", seconds=9.0, second="asked"),
    ]
    found = summarize(cases, [])
    assert {row.figure.name: row.median for row in found.rows} == {
        "right_blocked_share": 0.25,
        "right_asked_share": 0.25,
        "harmless_stopped_share": 0.0,
        "wrong_stopped_share": 0.75,
        "second_stop_ends_turn": pytest.approx(8 / 9),
        "hook_seconds": 2.0,
        "unchanged_seconds": 0.2,
    }
    numbers = dict(found.numbers)
    assert numbers["wrong_stopped_share_geojson"] == 0.75
    assert (numbers["right_told"], numbers["wrong_blocked"], numbers["hook_seconds_latest"]) == (2.0, 2.0, 9.0)


def test_what_plain_pytest_would_have_blocked_is_told():
    found = dict(summarize([case("wrong", "told", passed=False), case("right", "told")], []).numbers)
    assert (found["pytest_blocks_wrong"], found["pytest_blocks_right"]) == (1.0, 0.0)


def test_a_run_after_the_time_of_the_host_is_late():
    found = summarize([], [Answered("told", "", 29.9), Answered("killed", "", 30.1)])
    assert [(row.figure.name, row.median) for row in found.rows] == [("in_time_under_load", 0.5)]
    assert dict(found.numbers)["busy_seconds_latest"] == 30.1


def test_the_table_has_a_line_for_each_kind_of_a_library():
    lines = kinds_table([case("right", "told"), case("right", "asked", 4.0), case("wrong", "blocked")]).splitlines()
    assert lines[1].split() == ["funcy", "right", "0", "1", "1", "0", "0", "2", "0", "3.0"]
    assert lines[2].split()[:3] == ["funcy", "wrong", "1"]


def test_kinds_take_turns():
    first = [diff.kind for _, diff in changes_of(LIBRARIES[0], "", 2)]
    assert first == [*KINDS, *KINDS]
    assert all("wrong" in str(diff) for _, diff in changes_of(LIBRARIES[0], "/wrong/", 0))


def test_a_hook_that_does_not_end_is_killed(tmp_path, monkeypatch):
    def never(words, **given):
        raise hook.subprocess.TimeoutExpired(words, given["timeout"])

    monkeypatch.setattr(hook.subprocess, "run", never)
    assert call_hook("stop", tmp_path, tmp_path).word == "killed"


def test_the_real_hook_is_called(tmp_path):
    (tmp_path / "project").mkdir()
    answered = call_hook("stop", tmp_path / "project", tmp_path / "state")
    assert (answered.word, answered.text) == ("silent", "")
    assert 0 < answered.seconds < 60
    assert sys.executable


def test_changes_that_thawed_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "FROZEN", tmp_path / "frozen.txt")
    (tmp_path / "frozen.txt").write_text("funcy 0\n")
    with pytest.raises(TargetError, match="frozen"):
        hook.refuse_thawed()
