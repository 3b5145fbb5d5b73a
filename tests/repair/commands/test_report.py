"""``repair report``: where the page goes, and what is refused."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from fakes.pages import Page
from fakes.runs import NOON, RESULT, run_at

from repair.cli import main
from repair.records.events import phase
from repair.store.store import open_store


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    monkeypatch.chdir(root)
    return root


def report(*words):
    return main(["report", *words], env={})


def test_the_page_lies_beside_the_record_and_its_path_is_printed(project, capsys):
    run = run_at(open_store(project), 1)
    assert report("latest") == 0
    assert capsys.readouterr().out == f"{run.path / 'report.html'}\n"
    page = Page((run.path / "report.html").read_text("utf-8"))
    assert page.result["status"] == "certified"
    assert {path.name for path in project.iterdir()} <= {".repair", "pyproject.toml"}


def test_json_names_the_file(project, capsys):
    run = run_at(open_store(project), 1)
    assert report(run.id, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"schema": "repair.report/1", "run": run.id, "file": str(run.path / "report.html")}


def test_another_place_may_be_named_and_a_page_of_ours_is_written_anew(project, tmp_path):
    run_at(open_store(project), 1)
    out = tmp_path / "out.html"
    assert report("latest", "--out", str(out)) == 0
    first = out.read_bytes()
    assert report("latest", "--out", "../out.html") == 0
    assert len(out.read_bytes()) == pytest.approx(len(first), abs=200)


@pytest.mark.parametrize("name", ["report.html", "./docs/../a.html"])
def test_no_page_is_written_into_the_project(project, capsys, name):
    run_at(open_store(project), 1)
    assert report("latest", "--out", name) == 2
    assert "in the project" in capsys.readouterr().err
    assert {path.name for path in project.iterdir()} <= {".repair", "pyproject.toml"}


def test_a_file_of_somebody_elses_is_kept(project, tmp_path, capsys):
    run_at(open_store(project), 1)
    kept = tmp_path / "notes.html"
    kept.write_text("<!doctype html>mine")
    assert report("latest", "--out", str(kept)) == 2
    assert "is something else" in capsys.readouterr().err
    assert kept.read_text() == "<!doctype html>mine"


def test_a_folder_that_is_not_there_is_said(project, tmp_path, capsys):
    run_at(open_store(project), 1)
    assert report("latest", "--out", str(tmp_path / "none" / "a.html")) == 3
    assert "cannot be written" in capsys.readouterr().err


def test_a_run_that_was_killed_has_a_page_of_what_is_known(project, capsys):
    store = open_store(project)
    record = store.new_run(NOON, "bb", lambda: 0.0)
    record.append(phase("search", "looking for an edit"))
    record.close()
    (record.run.path / "result.json").unlink()
    assert report(record.run.id) == 0
    page = Page((record.run.path / "report.html").read_text("utf-8"))
    assert page.result["status"] == "interrupted"
    assert f"ended before it had a result; `repair resume {record.run.id}` goes on" in page.text
    assert "certified" not in page.text


HOLDER = (
    "import sys\nfrom pathlib import Path\nfrom repair.store.run_lock import hold_run\n"
    "with hold_run(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
)


def test_a_run_that_is_under_way_has_no_page(project, capsys):
    run = run_at(open_store(project), 1, result=None)
    (run.path / "result.json").unlink()
    command = [sys.executable, "-c", HOLDER, str(run.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        assert report(run.id) == 2
        assert "is under way, and has no result yet" in capsys.readouterr().err
        holder.stdin.close()


def test_a_foreign_run_says_so(project, capsys):
    run = run_at(open_store(project), 1, result=replace(RESULT, run="x"))
    (run.path / "seals" / "run.json").write_text("0" * 64)
    assert report(run.id) == 0
    assert "is foreign" in capsys.readouterr().err
    page = Page((run.path / "report.html").read_text("utf-8"))
    assert page.result["status"] == "foreign"
    assert "certified" not in page.text


@pytest.mark.parametrize("opens", [True, False])
def test_it_is_opened_on_demand(project, monkeypatch, capsys, opens):
    run = run_at(open_store(project), 1)
    asked = []
    monkeypatch.setattr("webbrowser.open", lambda address: asked.append(address) or opens)
    assert report("latest", "--open") == 0
    assert asked == [(run.path / "report.html").as_uri()]
    assert ("no browser could be started" in capsys.readouterr().err) == (not opens)
