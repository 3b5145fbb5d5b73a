"""The commands that make reports: forms, pairs, a person's word, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.benched import DIFFERS, SAMPLE, row

from corpora.bench.grading import SCORES
from corpora.bench.manifest import Sample, manifest_of, write_manifest
from corpora.bench.plan import Plan
from corpora.bench.record import Ledger
from repair.cli import main
from repair.records.result import Status

Command = Callable[..., int]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    out.mkdir()
    every = (*SAMPLE, row("a", Status.UNREPAIRED, name="other"))
    with Ledger(out) as ledger:
        for one in every:
            ledger.append(one.record)
    scores = (one.score for one in every if one.score is not None)
    (out / SCORES).write_text("".join(json.dumps(score.to_json()) + "\n" for score in scores))
    return out


def bench(*words: object) -> int:
    return main(["bench", *map(str, words)])


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("text", "configuration"),
        ("json", "{"),
        ("jsonl", '{"corpus"'),
        ("csv", "corpus,bug"),
        ("latex", r"\begin{tabular}"),
        ("markdown", "| configuration |"),
        ("html", "<!doctype html>"),
        ("predictions", '{"instance_id"'),
    ],
)
def test_every_form(directory: Path, tmp_path: Path, form: str, begins: str, capsys: pytest.CaptureFixture[str]):
    assert bench("report", directory, "--form", form) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(begins)
    assert bench("report", directory, "--form", form, "--out", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text() == shown


def test_what_only_a_person_can_decide_is_listed(directory: Path, capsys: pytest.CaptureFixture[str]):
    bench("report", directory)
    shown = capsys.readouterr().out
    assert "Only a person can decide these" in shown
    assert "  d under search" in shown


def test_the_published_tree(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert bench("report", directory, "--form", "repairbench") == 2
    assert "needs a folder" in capsys.readouterr().err
    assert bench("report", directory, "--form", "repairbench", "--out", tmp_path / "tree") == 0
    assert "no target.diff" in capsys.readouterr().err
    assert len(list((tmp_path / "tree").rglob("*.diff"))) == 4


def test_configurations_are_compared_by_name(directory: Path, capsys: pytest.CaptureFixture[str]):
    assert bench("compare", f"{directory}:search", f"{directory}:other") == 0
    assert "lost by other: a" in capsys.readouterr().out
    assert bench("compare", f"{directory}:search", f"{directory}:other", "--json") == 0
    assert json.loads(capsys.readouterr().out)["lost_by_second"] == ["a"]


def test_sides_with_nothing_in_common_are_told(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    other = tmp_path / "elsewhere"
    other.mkdir()
    with Ledger(other) as ledger:
        ledger.append(row("a", Status.CERTIFIED, corpus="flat:./x").record)
    assert bench("compare", f"{directory}:search", other) == 2
    assert "No bug has a result on both sides" in capsys.readouterr().err


def test_samples_are_compared_each_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    samples: dict[str, Sample] = {"flat:x": "in-sample", "flat:y": "held-out"}
    write_manifest(tmp_path, manifest_of(tuple(samples), (), (0,), Plan((), (), ()), "", samples))
    with Ledger(tmp_path) as ledger:
        for corpus in samples:
            for name in ("one", "two"):
                ledger.append(row("a", Status.CERTIFIED, name=name, corpus=corpus).record)
    sides = (f"{tmp_path}:one", f"{tmp_path}:two")
    assert bench("compare", *sides) == 2
    assert "several samples" in capsys.readouterr().err
    assert bench("compare", *sides, "--sample", "held-out") == 0
    assert "on 1 bugs" in capsys.readouterr().out
    bench("report", tmp_path, "--json")
    told = json.loads(capsys.readouterr().out)
    assert [(line["name"], line["sample"], line["bugs"]) for line in told["configurations"]] == [
        ("one", "in-sample", 1),
        ("one", "held-out", 1),
        ("two", "in-sample", 1),
        ("two", "held-out", 1),
    ]


@pytest.mark.parametrize(("suffix", "said"), [("", "several configurations"), (":serch", "no configuration 'serch'")])
def test_a_side_that_is_none_is_told(directory: Path, suffix: str, said: str, capsys: pytest.CaptureFixture[str]):
    assert bench("compare", f"{directory}{suffix}", f"{directory}:other") == 2
    err = capsys.readouterr().err
    assert said in err
    assert "search, other" in err or "other, search" in err


def test_a_word_is_recorded_and_counts(directory: Path, capsys: pytest.CaptureFixture[str]):
    words = ("--person", "A. Reader", "--reason", "not specified")
    assert bench("judge", directory, "d", "agrees", *words) == 0
    assert bench("judge", directory, "e", "agrees", *words) == 2
    capsys.readouterr()
    bench("report", directory, "--json")
    told = json.loads(capsys.readouterr().out)
    judged = [line for line in told["bugs"] if line["bug"] == "d"]
    assert (judged[0]["agreement"], judged[0]["agreement_by"]) == ("agrees", "person")


def test_two_answers_to_one_bug_need_a_name(directory: Path, capsys: pytest.CaptureFixture[str]):
    second = row("d", Status.PLAUSIBLE, DIFFERS, name="other")
    assert second.score is not None
    values = second.score.to_json() | {"patch": "another"}
    with (directory / SCORES).open("a") as file:
        file.write(json.dumps(values) + "\n")
    words = ("--person", "A", "--reason", "r")
    assert bench("judge", directory, "d", "differs", *words) == 2
    assert "2 different answers" in capsys.readouterr().err
    assert bench("judge", directory, "d", "differs", *words, "--configuration", "search") == 0


def test_a_directory_without_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert bench("report", tmp_path) == 2
    assert "No records are there" in capsys.readouterr().err
