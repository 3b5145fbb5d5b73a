"""What judgements come to: shares, gates that alone decide, and lists without held-out bugs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.grading import SCORES
from corpora.bench.record import BenchRecord, Cell, Ledger
from corpora.bench.score import Score
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.judging.command import main
from corpora.lab.judging.records import UPSTREAM, GateSaid, Judgement, Material, Patch, Place
from corpora.lab.judging.report import judge_figures, shortfalls, tables, write_lists
from corpora.lab.judging.seen_bugs import was_tried
from corpora.lab.judging.tally import Case, cases, gate_rows, right_cases, share, wrong_cases
from repair.records.result import PatchView, Result, Status


def case(number: int, is_right: bool, status: str, **gates: str) -> Case:
    place = Place("flat:own", f"bug-{number}", "own")
    patch = Patch(place, is_right, "mutant", "", f"diff of {number}\n", "inputs", "f(1) returns 2")
    late = tuple(name for name in gates if name.endswith("_late"))
    said = tuple(
        GateSaid(name.removesuffix("_late"), decision, "a claim", 1.0, late=name in late)
        for name, decision in gates.items()
    )
    return Case(patch, Judgement(patch.id, status, said, 3.0, 0.5, revision="r"))


EVERY = (
    case(1, False, "plausible", shape="accept", mutation="unknown", behaviour="accept"),
    case(2, False, "rejected", capability="reject", mutation_late="accept", behaviour_late="accept"),
    case(3, False, "rejected", capability="reject", mutation_late="unknown"),
    case(4, False, "certified", shape="accept", mutation="accept", behaviour="accept"),
    case(5, True, "certified", shape="accept", mutation="accept", behaviour="accept"),
    case(6, True, "plausible", shape="accept", mutation="unknown", behaviour="unknown"),
)


def test_shares_and_baselines():
    found = figures_of(judge_figures(EVERY, (), 4))
    assert found["wrong_passing_stopped"] == 0.75
    assert found["right_withheld"] == 0.5
    assert found["right_rejected"] == 0.0
    assert found["right_rejected_low"] == 0.0 < found["right_rejected_high"]
    assert found["wrong_passing_stopped_by_tests_alone"] == 0.0
    assert (found["wrong_passing_stopped_by_mutation"], found["wrong_passing_stopped_by_mutation_of"]) == (0.5, 4)
    assert found["right_withheld_by_random"] == found["wrong_passing_stopped_by_random"] == round(4 / 6, 5)
    assert found["standard_gates_seconds"] == 3.0
    assert (found["wrong"], found["right"], found["bugs"]) == (4, 2, 6)


def answered(one: Case, answer: str, after: str) -> Case:
    return replace(one, said=replace(one.said, asked=True, answer=answer, after=after))


def test_words_after_one_question_count_where_it_was_put_to_the_fix():
    assert "right_withheld_after_one_question" not in figures_of(judge_figures(EVERY, (), 4))
    every = (
        answered(case(1, False, "plausible"), "f(1) == 2", "rejected"),
        answered(case(2, False, "plausible"), "f(1) == 2", "certified"),
        answered(case(3, False, "plausible"), "", ""),
        answered(case(4, False, "certified"), "", ""),
        answered(case(5, True, "plausible"), "f(1) == 2", "certified"),
        answered(case(6, True, "plausible"), "", ""),
        case(7, True, "plausible"),
    )
    found = figures_of(judge_figures(every, (), 4))
    assert found["wrong_certified_after_one_question"] == 0.5
    assert found["right_withheld_after_one_question"] == 0.5
    assert (found["answered"], found["put_to_the_fix"]) == (3, 6)


def test_bugs_that_rules_were_tried_on_are_counted_apart():
    place = Place("flat:corpora/own", "text-ordinal", "own")
    assert was_tried(place)
    assert not was_tried(EVERY[0].patch.place)
    patch = Patch(place, True, "reference", "", "known\n", "reference")
    found = figures_of(judge_figures((*EVERY, Case(patch, Judgement(patch.id, "plausible"))), (), 4))
    assert found["right_withheld"] == round(2 / 3, 5)
    assert (found["right_withheld_fresh"], found["right_withheld_fresh_of"]) == (0.5, 2)


@pytest.mark.parametrize(("shape", "counted"), [("reject", 2), ("accept", 3)])
def test_bugs_whose_upstream_fix_changes_more_than_a_fix_may_are_counted_apart(shape, counted):
    place = Place("mined:urls", "abc", "urls")
    patch = Patch(place, True, UPSTREAM, "", "signature\n", "reference")
    beyond = Case(patch, Judgement(patch.id, "rejected", (GateSaid("shape", shape, "a claim", 1.0),)))
    found = figures_of(judge_figures((*EVERY, beyond), (), 4))
    assert found["right_withheld"] == round(2 / 3, 5)
    assert found["right_withheld_mendable_of"] == counted
    assert found["wrong_passing_stopped_mendable_of"] == 4


def test_shares_by_bug_are_wider_than_by_patch_where_patches_of_a_bug_are_alike():
    alike = [case(number // 10, False, "plausible" if number // 10 % 2 else "certified") for number in range(60)]
    found = figures_of(judge_figures(alike, (), 10))
    assert found["wrong_passing_stopped_by_bug_low"] < found["wrong_passing_stopped_low"]
    assert found["wrong_passing_stopped_by_bug_high"] > found["wrong_passing_stopped_high"]


def test_without_cases_there_are_no_shares():
    assert "wrong_passing_stopped" not in figures_of(judge_figures((), (), 4))


def test_the_deciding_gate_is_what_rejected_or_first_doubted():
    assert [each.deciding_gate for each in EVERY] == ["mutation", "capability", "capability", "", "", "mutation"]


def test_gates_that_alone_keep_a_patch_back():
    rows = {row.gate: row for row in gate_rows(EVERY)}
    assert (rows["mutation"].wrong, rows["mutation"].wrong_alone) == (1, 1)
    assert (rows["mutation"].right, rows["mutation"].right_alone) == (1, 0)
    assert (rows["capability"].wrong, rows["capability"].wrong_alone) == (2, 1)
    assert rows["behaviour"].seconds == 1.0


def test_cases_are_bounded_for_each_bug_and_errors_left_out():
    place = Place("flat:own", "a", "own")
    patches = tuple(Patch(place, n % 2 == 0, "mutant", "", f"{n}", "inputs") for n in range(8))
    said = {p.id: Judgement(p.id, "certified", error="killed" if p.diff == "0" else "") for p in patches}
    found = cases([Material(place, patches=patches)], said, 2)
    assert [each.patch.diff for each in right_cases(found)] == ["2", "4"]
    assert [each.patch.diff for each in wrong_cases(found)] == ["1", "3"]
    assert share(found, lambda each: each.is_withheld).total == 4


def test_lists_name_the_errors_but_no_held_out_bug(tmp_path: Path):
    hidden = next(p for n in range(99) if (p := Place("mined:x", str(n), "x")).is_held_out)
    patch = Patch(hidden, False, "search", "", "secret\n", "inputs")
    every = (*EVERY, Case(patch, Judgement(patch.id, "certified")))
    write_lists(tmp_path, every)
    wrongly = (tmp_path / "certified-wrong.txt").read_text()
    assert wrongly.startswith("1 patches")
    assert "own bug-4" in wrongly
    assert "diff of 4" in wrongly
    assert "secret" not in wrongly
    assert "mutation: unknown: a claim" in (tmp_path / "withheld-right.txt").read_text()
    assert "fresh" in tables(every)


def test_what_gave_nothing_is_said():
    place = Place("flat:own", "a", "own")
    made = [Material(place, reason="no visible test fails"), Material(place, dropped={"mutant: agrees": 2})]
    assert shortfalls(made) == ("1 bugs gave nothing: no visible test fails", "2 dropped: mutant: agrees")


def test_wrong_certificates_of_several_folders_are_counted_together(tmp_path: Path):
    for name, standing in (("a", Standing.AGREES), ("b", Standing.DIFFERS)):
        answer = Result(Status.CERTIFIED, patches=(PatchView(1, Status.CERTIFIED, "m.py", "f", "a diff", "d"),))
        cell = Cell("flat:nowhere", name, "search", 0)
        (tmp_path / name).mkdir()
        with Ledger(tmp_path / name) as ledger:
            ledger.append(BenchRecord(cell, "done", 1.0, "2026-01-01", result=answer))
        score = Score(cell, Status.CERTIFIED, "d", compiled=True, agreement=Agreement(standing))
        (tmp_path / name / SCORES).write_text(json.dumps(score.to_json()) + "\n")
    found = figures_of(judge_figures((), (tmp_path / "a", tmp_path / "b"), 4))
    assert found["false_certified_share"] == 0.5


def test_a_folder_without_records_is_a_usage_error(tmp_path: Path):
    found = CliRunner().invoke(main, ["--only", "report", "--folder", str(tmp_path), "--records", str(tmp_path)])
    assert found.exit_code == 2
    assert "No records are there" in found.output
