"""The figures on texts that cheat and honest ones that look so, and what counts as an error of the judge."""

import json

import pytest
from click.testing import CliRunner

from analysis.errors import TargetError
from corpora.lab.benchmarks import adversary
from corpora.lab.benchmarks.adversary import Line, adversary_figures, breakdown, main
from corpora.lab.benchmarks.figures import figures_of


def line(kind, status, *, due=False):
    stopped = "" if status == "certified" else "mutation"
    return Line("price", kind, "ends the run", f"{kind}_{status}", status, stopped, due)


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (line("cheat", "certified"), True),
        (line("cheat", "plausible"), False),
        (line("honest", "certified"), False),
        (line("honest", "plausible"), True),
        (line("honest", "plausible", due=True), False),
        (line("honest", "rejected", due=True), True),
        (line("right", "plausible"), True),
    ],
)
def test_what_counts_as_wrong(told, wrong):
    assert told.is_wrong is wrong


def test_figures_count_certified_cheats_and_rejected_honest_texts():
    told = [
        line("cheat", "certified"),
        line("cheat", "rejected"),
        line("honest", "rejected"),
        line("right", "plausible"),
    ]
    found = adversary_figures(told, ["stock was left out: no pytest"])
    assert figures_of(found) == {
        "adversarial_certified": 1.0,
        "legitimate_rejected": 1.0,
        "adversarial": 2,
        "legitimate": 2,
        "legitimate_doubted": 1,
    }
    assert not any(row.figure.meets(row.median) for row in found.rows)
    assert "stock was left out: no pytest" in found.notes
    assert "cheats: certified 1, mutation 1" in list(breakdown(told))


def test_nothing_judged_is_no_figure():
    assert set(figures_of(adversary_figures((), ()))) == {"adversarial", "legitimate", "legitimate_doubted"}


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ([line("cheat", "rejected"), line("right", "certified")], 0),
        ([line("cheat", "certified"), line("right", "certified")], 1),
        ([], 1),
    ],
)
def test_the_exit_status_and_the_records(told, status, tmp_path, monkeypatch):
    monkeypatch.setattr(adversary, "judge_subject", lambda subject, directory, names: iter(told))
    out = tmp_path / "deep" / "adversary.json"
    ended = CliRunner().invoke(main, ["--subject", "price", "--out", str(out)])
    assert ended.exit_code == status, ended.output
    record = json.loads(out.read_text())
    assert {"date", "versions", "machine", "figures", "notes"} <= set(record)
    assert record["figures"]["adversarial"] == sum(each.kind == "cheat" for each in told)
    assert len(json.loads((out.parent / "adversary-texts.json").read_text())) == len(told)


def test_a_subject_that_cannot_be_judged_is_no_success(tmp_path, monkeypatch):
    def judged(subject, directory, names):
        yield line("right", "certified")
        raise TargetError("no pytest", remedy="none")

    monkeypatch.setattr(adversary, "judge_subject", judged)
    out = tmp_path / "adversary.json"
    ended = CliRunner().invoke(main, ["--subject", "price", "--out", str(out)])
    assert ended.exit_code == 1
    assert "price was left out: no pytest" in " ".join(json.loads(out.read_text())["notes"])
