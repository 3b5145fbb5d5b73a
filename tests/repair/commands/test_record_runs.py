"""``repair runs``: how many are listed, what is looked for, error reports, bad input."""

import json

import pytest
from fakes.runs import run_at

from repair.cli import main
from repair.records.result import FailureView, ModelAttempt, Result, Status
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    monkeypatch.chdir(root)
    store = open_store(root)
    failure = FailureView("t.py::a", "runtime_safety", "missing_key", "KeyError", "'x'", "shop.price")
    tried = ModelAttempt("shop.py", "price", ("t.py::a",), explanation="the key may be missing")
    for second in range(25):
        status = Status.UNREPAIRED if second % 2 else Status.CERTIFIED
        run_at(store, second, result=Result(status, failures=(failure,), attempts=(tried,) * (second == 3)))
    return store


def runs(*words):
    return main(["runs", *words], env={})


def test_the_newest_are_listed_and_how_many_more_there_are(store, capsys):
    assert runs() == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[-1]) == (22, "5 more: --all lists them, --most N so many")
    assert lines[1].startswith("20250102-120024-aa")
    assert runs("--all") == 0
    assert len(capsys.readouterr().out.splitlines()) == 26
    assert runs("--most", "2", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["schema"], len(said["runs"]), said["more"]) == ("repair.runs/1", 2, 23)


def test_a_query_restricts_runs_and_reports(store, capsys):
    query = 'exception = "KeyError" and status = "unrepaired"'
    assert runs("--where", query, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (len(said["runs"]), said["more"]) == (12, 0)
    assert runs("--errors", "--where", f"{query} and attempts > 0", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    (report,) = said["errors"]
    assert said["schema"] == "repair.errors/1"
    assert (report["class"], report["explanation"], report["outcome"]) == (
        "runtime_safety",
        "the key may be missing",
        "unrepaired",
    )
    assert runs("--errors", "--most", "1") == 0
    out = capsys.readouterr().out
    assert "runtime_safety/missing_key" in out
    assert "24 more" in out
    assert runs("--where", "exception = TypeError") == 0
    assert capsys.readouterr().out == "No run is like that.\n"
    assert runs("--errors", "--where", "exception = TypeError") == 0
    assert capsys.readouterr().out == "No error report is like that.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--where", "exeption = 'KeyError'"], "at column 1: 'exeption' stands where a field"),
        (["--where", "status = 'a'; DROP TABLE runs"], "at column 13: ';'"),
        (["--errors", "--where", "seconds ~ 'x'"], "at column 9"),
        (["--all", "--most", "3"], "two answers to one question"),
        (["--most", "0"], "--most"),
    ],
)
def test_bad_input_is_refused_with_what_was_expected(store, capsys, words, said):
    assert runs(*words) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert runs() == 0


def test_the_json_of_errors_is_refused_no_field_by_its_own_name(store, capsys):
    assert runs("--errors", "--most", "1", "--json") == 0
    (report,) = json.loads(capsys.readouterr().out)["errors"]
    for field, value in report.items():
        if field != "number":
            text = json.dumps(value)
            assert runs("--errors", "--where", f"{field} = {text}", "--most", "1", "--json") == 0
            assert len(json.loads(capsys.readouterr().out)["errors"]) == 1
