"""``repair bench run`` as its user sees it: streams, exit statuses, and a directory that is gone on with."""

from __future__ import annotations

import contextlib
import json
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.bench import run_bench
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord, read_records
from repair import cli
from repair.records.result import Result, Status

BUGGY = "def half(n):\n    return n // 3\n"


class Here:
    """A crew that measures in this process: bugs with an odd number are certified, ``failing`` are the machine's."""

    room = 3

    def __init__(self, failing=()):
        self.failing = failing
        self.jobs: list[Job] = []

    def submit(self, job):
        self.jobs.append(job)
        future = Future()
        future.set_result(self.record(job))
        return future

    def record(self, job):
        blank = BenchRecord(job.cell, "infrastructure", 1.0, "2026-01-01T00:00:00+00:00", job.attempt, error="odd")
        if job.bug.id in self.failing:
            return blank
        status = Status.CERTIFIED if job.bug.id[-1] in "13579" else Status.UNREPAIRED
        return replace(blank, ending="done", error="", engine_seconds=2.0, result=Result(status))

    def check(self):
        """Always there."""


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    for n in range(4):
        folder = tmp_path / "corpus" / f"b{n}"
        folder.mkdir(parents=True)
        (folder / "half.py").write_text(BUGGY)
    (tmp_path / "corpus" / "wrong").mkdir()
    return f"flat:{tmp_path / 'corpus'}"


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Here:
    here = Here()
    monkeypatch.setattr(run_bench, "open_crew", lambda *given: contextlib.nullcontext(here))
    return here


@pytest.fixture
def run(corpus, crew, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*words, env=None):
        status = cli.main(["bench", "run", corpus, "--out", "out", *words], env=env or {})
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_run_ends_with_a_table_and_talks_on_stderr(run, tmp_path):
    status, out, err = run("--config", "search,no-gates", "--jobs", "1")
    assert status == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[1] == ["search", "4", "4", "2", "2", "0", "8"]
    assert rows[2][0] == "no-gates"
    assert "1 bug set aside" in out
    assert "wrong is set aside: No Python file is there" in err
    assert "8 cells of 4 bugs to run, 1 at once (about 16 min if each takes its whole time)" in err
    assert "/8  b0  search: unrepaired  1.0 s" in err
    assert len(read_records(tmp_path / "out")[0]) == 8


def test_json_is_alone_on_stdout(run):
    status, out, err = run("--config", "search", "--json", "-q")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["schema"] == "repair.bench.run/1"
    assert found["configurations"][0]["certified"] == 2
    assert [entry["bug"] for entry in found["set_aside"]] == ["wrong"]


def test_a_directory_that_holds_records_is_gone_on_with_only_by_resume(run, crew):
    run("--config", "search", "--bugs", "b[01]")
    status, _, err = run("--config", "search")
    assert (status, len(crew.jobs)) == (2, 2)
    assert "The directory holds records (out). Go on with --resume" in err
    status, out, err = run("--config", "search", "--resume")
    assert (status, [job.bug.id for job in crew.jobs]) == (0, ["b0", "b1", "b2", "b3"])
    assert "2 are measured already" in err
    assert out.splitlines()[1].split()[:3] == ["search", "4", "4"]
    run("--config", "search", "--resume")
    assert len(crew.jobs) == 4


def test_what_the_machine_fails_is_an_exit_status_of_its_own_and_tried_again_by_resume(run, crew):
    crew.failing = ("b1",)
    status, out, err = run("--config", "search")
    assert status == 1
    assert out.splitlines()[1].split() == ["search", "4", "3", "1", "1", "1", "6"]
    assert "Not all cells were measured" in out
    assert "b1  search: infrastructure  1.0 s  odd  (will be run again)" in err
    crew.failing = ()
    assert run("--config", "search", "--resume")[0] == 0
    assert [(job.bug.id, job.attempt) for job in crew.jobs][-3:] == [("b1", 2), ("b1", 3), ("b1", 4)]


def test_a_torn_record_is_said_and_its_cell_run_again(run, crew, tmp_path):
    run("--config", "search")
    path = tmp_path / "out" / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    status, _, err = run("--config", "search", "--resume")
    assert (status, len(crew.jobs)) == (0, 5)
    assert "the last line was broken off" in err


def test_seeds_are_samples(run, crew):
    run("--config", "search", "--seeds", "3", "--bugs", "b1")
    run("--config", "search", "--seed", "7", "--bugs", "b1", "--resume")
    assert [job.cell.seed for job in crew.jobs] == [0, 1, 2, 7]


def test_what_is_said_of_a_corpus_is_kept(run, tmp_path, corpus):
    assert run("--config", "search", "--in-sample", f"{corpus}/")[0] == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["samples"] == {corpus: "in-sample"}
    assert run("--config", "search", "--resume")[0] == 0
    status, _, err = run("--config", "search", "--resume", "--held-out", corpus)
    assert (status, "was said to be in-sample" in err) == (2, True)


def test_where_all_bugs_are_set_aside_that_is_no_mistake(run, tmp_path):
    status, out, err = run("--config", "search", "--bugs", "wrong")
    assert (status, "1 bug set aside" in out, "No records" in err) == (0, True, False)


def test_shards_share_a_directory(run, crew, tmp_path):
    # The folder that is set aside is dealt too.
    for part in ("1/2", "2/2"):
        assert run("--config", "search", "--shard", part)[0] == 0
    assert sorted(job.bug.id for job in crew.jobs) == ["b0", "b1", "b2", "b3"]
    assert len(read_records(tmp_path / "out")[0]) == 4
    bugs = json.loads((tmp_path / "out" / "manifest.json").read_text())["bugs"]
    assert sorted(entry["bug"] for entry in bugs) == ["b0", "b1", "b2", "b3", "wrong"]
    assert run("--config", "search", "--shard", "1/2")[0] == 2


def test_a_manifest_says_what_was_run_and_keeps_its_words(run, tmp_path, corpus):
    run("--config", "search", "--max-seconds", "9")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["corpora"] == [corpus]
    assert manifest["configurations"][0]["max_seconds"] == 9.0
    assert manifest["versions"]["repair-engine"]
    status, _, err = run("--config", "search", "--resume")
    assert status == 2
    assert "'search' is another one than before (max_seconds: 9.0, now 120.0)" in err
    (tmp_path / "out" / "manifest.json").write_text("{")
    status, _, err = run("--config", "search", "--max-seconds", "9", "--resume")
    assert status == 2
    assert "The manifest is damaged" in err


def test_a_corpus_under_another_spelling_is_not_run_twice(run, crew, tmp_path, capsys):
    run("--config", "search")
    assert cli.main(["bench", "run", "flat:corpus", "--out", "out", "--config", "search", "--resume"], env={}) == 2
    assert f"The records call the corpus flat:{tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--config", "serch"), 2, "Did you mean 'search'?"),
        (("--config", "search", "--seed", "1", "--seeds", "2"), 2, "Both --seed and --seeds"),
        (("--config", "search", "--shard", "3/2"), 2, "'3/2' is no shard"),
        (("--config", "search", "--bugs", "x*"), 2, "No bug has such an id"),
        (("--config", "search", "--max-seconds", "0"), 2, "0"),
        (("--config", "search", "--file", "none.toml"), 2, "cannot be read"),
        (("--config", "search", "--python", "no-such-python"), 2, "There is no such interpreter"),
        (("--config", "search", "--out", "file/out"), 3, "The directory cannot be made"),
        (("--config", "model"), 2, "has no model"),
        (("--config", "search", "--in-sample", "flat:x"), 2, "No such corpus is run (--in-sample flat:x)"),
    ],
)
def test_wrong_words_run_nothing(words, status, said, run, crew, tmp_path):
    (tmp_path / "file").write_text("")
    found, out, err = run(*words)
    assert (found, out, crew.jobs) == (status, "", [])
    assert said in err


def test_a_corpus_that_is_not_there_leaves_the_others(run, crew, capsys):
    status, _, err = run("flat:no-such", "--config", "search")
    assert (status, len(crew.jobs)) == (0, 4)
    assert "flat:no-such is left out: There is no such corpus" in err
    assert cli.main(["bench", "run", "flat:no-such", "--out", "o", "--config", "search"], env={}) == 3


def test_a_configuration_of_others_is_looked_at_before_anything_is_run(run, crew, tmp_path):
    (tmp_path / "bench.toml").write_text('[a]\ncommand = ["no-such-agent"]\n[p]\npredictions = "none.jsonl"\n')
    assert "The command of a configuration is not there" in run("--config", "a")[2]
    assert "The predictions cannot be read" in run("--config", "p")[2]
    assert crew.jobs == []
