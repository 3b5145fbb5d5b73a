"""What a run takes from the memory is an order; a broken file is told once, and moves nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fakes.submission import submission_of

from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, Suspect, TestId
from repair.memory import run_memory
from repair.memory.ledger import FILE, NOTHING, LedgerEntry, RunLedger
from repair.memory.run_memory import MOST_TOLD, OrderReason, RunMemory, WaysAsked, attempts_of
from repair.memory.signature import signature_of
from repair.records.json_records import to_plain
from repair.records.outcome import Cause, Judged, RunOutcome
from repair.records.result import ArmUse, Cost, Counts, ModelAttempt, PatchView, Result, Status
from repair.records.task import PatchPlan, Strategy
from repair.records.verdict import Verdict
from repair.store.decisions import REJECTED, PersonsDecision
from repair.store.stored_run import REVIEW, UNDONE, Seals, StoredRun
from transforms.enumerate.order import HAND_SET
from transforms.operators.catalog import MENDING
from transforms.tree.proposal import Origin

KEY, TODAY = b"k" * 32, 20_000
FAILURE = Failure(
    TestId("test_a.py::test_a"),
    Phase.CALL,
    Outcome.FAILED,
    (SeenError("AssertionError", ("AssertionError",), "assert 4 == 5", ()),),
    "assert 4 == 5",
)
DIAGNOSIS = Diagnosis(FAILURE, FailureClass.LOGIC, "wrong_value", ())
SUSPECT = Suspect(FunctionId("shop.py", "total", 1), 1.0, ())
PLAN = PatchPlan(SUSPECT, (DIAGNOSIS,), (), "")
SOURCES = (("shop.py", b"def total(a):\n    return a\n"),)
LIKE = signature_of(DIAGNOSIS, SOURCES, SUSPECT.function)


def ledger(folder: Path, family: str = "literal", count: int = 0, outcome: str = "certified") -> RunLedger:
    kept = RunLedger(folder / FILE, KEY, "/shop")
    kept.add(LedgerEntry(f"run-{n}", 1, TODAY, LIKE, "search", family, outcome) for n in range(count))
    return kept


def test_failures_alike_move_the_weights_of_families(tmp_path: Path) -> None:
    family = MENDING[0].family
    heard: list[OrderReason] = []
    memory = RunMemory((ledger(tmp_path, family, 40),), TODAY, heard.append, moves=True)
    found = memory.reorder(PLAN, SOURCES, HAND_SET)
    one = next(operator for operator in MENDING if operator.family == family)
    moved = [order.weight(one, FailureClass.LOGIC, "wrong_value") for order in (found, HAND_SET)]
    assert moved[0] > moved[1]
    assert heard[0].function == "total"
    assert f"{family} ×" in heard[0].claim
    memory.reorder(PLAN, SOURCES, HAND_SET)
    assert len(heard) == 1
    memory.strategy(PLAN, SOURCES)
    assert "40 of 40 like it were mended" in heard[1].claim


def test_a_young_memory_leaves_the_order_as_it_is(tmp_path: Path) -> None:
    memory = RunMemory((ledger(tmp_path, MENDING[0].family, 9),), TODAY, moves=True, models=("small",))
    assert memory.reorder(PLAN, SOURCES, HAND_SET) is HAND_SET
    assert memory.strategy(PLAN, SOURCES) == Strategy()
    assert memory.reasons == []


def test_what_seldom_mended_is_called_likely_to_fail(tmp_path: Path) -> None:
    memory = RunMemory((ledger(tmp_path, "", 60, "unrepaired"),), TODAY)
    assert memory.strategy(PLAN, SOURCES) == Strategy()
    assert memory.reasons[0].claim == "likely to fail: 0 of 60 like it were mended"


def test_a_file_that_cannot_be_used_is_told_once_and_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    memory = RunMemory((RunLedger(tmp_path / FILE, KEY, "/shop"),), TODAY, moves=True, models=("small",))
    for _ in range(3):
        assert memory.strategy(PLAN, SOURCES) == Strategy()
        assert memory.reorder(PLAN, SOURCES, HAND_SET) is HAND_SET
    memory.keep("run-1", RunOutcome(Status.UNREPAIRED, (DIAGNOSIS,), (SUSPECT,)), SOURCES)
    assert len(memory.warnings) == 1
    assert "set aside" in memory.warnings[0]


def test_a_run_that_mended_nothing_is_written_down(tmp_path: Path) -> None:
    memory = RunMemory((kept := ledger(tmp_path),), TODAY)
    memory.keep("run-1", RunOutcome(Status.UNREPAIRED, (DIAGNOSIS,), (SUSPECT,)), SOURCES)
    (found,) = kept.attempts()
    assert (found.signature, found.proposer, found.outcome) == (LIKE, "", "unrepaired")


def test_a_defect_in_what_is_remembered_takes_no_answer_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("fused rewrite")

    monkeypatch.setattr(run_memory, "attempts_of", fail)
    memory = RunMemory((kept := ledger(tmp_path),), TODAY)
    memory.keep("run-1", RunOutcome(Status.UNREPAIRED, (DIAGNOSIS,), (SUSPECT,)), SOURCES)
    assert memory.warnings == ["a defect of repair: what was tried is not remembered, KeyError: 'fused rewrite'"]
    assert kept.attempts() == ()


def test_what_tells_nothing_of_a_failure_is_not_written_down() -> None:
    for status in (Status.FLAKY, Status.DIAGNOSED, Status.INTERRUPTED, Status.ENVIRONMENT):
        assert attempts_of("run-1", RunOutcome(status, (DIAGNOSIS,), (SUSPECT,)), SOURCES, TODAY) == ()


def test_what_people_did_later_counts(tmp_path: Path) -> None:
    kept = ledger(tmp_path, count=2, outcome="plausible")
    runs = {}
    for name in ("run-0", "run-1"):
        run = StoredRun(name, tmp_path / name, Seals(KEY))
        run.path.mkdir()
        run.save_json("run.json", {"id": name, "root": "/shop"})
        runs[name] = run
    runs["run-1"].save_json(UNDONE, {})
    runs["run-0"].save_json("applied.json", {})
    memory = RunMemory((kept,), TODAY)
    memory.hear_people(lambda: runs.values())
    assert memory.warnings == []
    assert {each.run: each.outcome for each in kept.attempts()} == {"run-0": "applied", "run-1": "undone"}
    assert kept.known()[0].mended == 1


def test_a_word_on_one_cause_leaves_the_others_of_the_run(tmp_path: Path) -> None:
    kept = RunLedger(tmp_path / FILE, KEY, "/shop")
    kept.add(LedgerEntry("run-0", cause, TODAY, LIKE, "search", "literal", "certified") for cause in (1, 2, 3, 4))
    run = StoredRun("run-0", tmp_path / "run-0", Seals(KEY))
    run.path.mkdir()
    run.save_json("run.json", {"id": "run-0", "root": "/shop"})
    patches = tuple(
        PatchView(1, Status.CERTIFIED, "shop.py", f"f{cause}", "diff", f"digest-{cause}", cause=cause)
        for cause in (1, 2, 3, 4)
    )
    run.save_json("result.json", Result(Status.CERTIFIED, run="run-0", patches=patches).to_json())
    run.save_json("applied.json", {"rank": 0, "causes": [1]})
    run.save_json(UNDONE, {"causes": [2], "whole": False})
    run.save_json(REVIEW, {"decisions": [to_plain(PersonsDecision(REJECTED, ("digest-3",)))]})
    RunMemory((kept,), TODAY).hear_people(lambda: [run])
    assert [each.outcome for each in kept.attempts()] == ["applied", "undone", "rejected", "certified"]
    assert kept.known()[0].mended == 2


def test_an_order_that_nobody_asked_for_stays_as_it_is(tmp_path: Path) -> None:
    memory = RunMemory((ledger(tmp_path, MENDING[0].family, 40),), TODAY)
    assert memory.reorder(PLAN, SOURCES, HAND_SET) is HAND_SET
    assert memory.strategy(PLAN, SOURCES) == Strategy()
    assert memory.reasons[0].claim == "likely to be mended: 40 of 40 like it were mended"


def test_the_neighbour_of_a_project_is_told_as_it_was_mended(tmp_path: Path) -> None:
    kept = ledger(tmp_path, count=2)
    other = replace(LIKE, relation="empty", shape="long")
    kept.add([LedgerEntry("run-9", 1, TODAY, other, "search", "guard", "certified")])
    kept.add([LedgerEntry("run-8", 1, TODAY, LIKE, "search", "guard", "unrepaired")])
    memory = RunMemory((kept,), TODAY)
    said = memory.neighbour(PLAN, SOURCES, lambda run, cause: f"the diff of {run}, {cause}\n" + "x" * 5000)
    assert "the diff of run-1, 1" in said
    assert len(said) <= MOST_TOLD
    assert memory.neighbour(PLAN, SOURCES, lambda run, cause: "") == ""
    assert RunMemory((), TODAY).neighbour(PLAN, SOURCES, lambda run, cause: "a diff") == ""


def test_of_other_projects_counts_alone_are_told(tmp_path: Path) -> None:
    theirs = RunLedger(tmp_path / "all.sqlite", KEY, "/home/secret")
    theirs.add(LedgerEntry(f"run-{n}", 1, TODAY, LIKE, "search", "literal", "certified") for n in range(12))
    shared, own = RunLedger(theirs.path, KEY, "/shop"), ledger(tmp_path)
    told: list[str] = []
    said = RunMemory((own, shared), TODAY).neighbour(PLAN, SOURCES, lambda run, cause: told.append(run) or "a diff")
    assert said.endswith("were mended, most often by edits of these families: literal.")
    assert told == []
    assert "secret" not in said
    assert RunMemory((own,), TODAY).neighbour(PLAN, SOURCES, lambda run, cause: "") == ""


def ways_ledger(folder: Path, count: int, *, model: str = "small") -> RunLedger:
    """As many failures that the model mended by a patch as the search was asked about in vain."""
    kept = RunLedger(folder / FILE, KEY, "/shop")
    for number in range(count):
        mended = LedgerEntry(f"run-m{number}", 1, TODAY, LIKE, "model", "model", "certified", kind="patch")
        arm = replace(mended, proposer=f"model/{kept.mark(model)}", beside=True)
        whole = LedgerEntry(f"run-n{number}", 1, TODAY, LIKE, "", "", "unrepaired")
        kept.add([mended, arm, whole, replace(whole, proposer="search", outcome=NOTHING, beside=True)])
    return kept


def test_who_mended_failures_alike_comes_sooner_and_it_is_said_why(tmp_path: Path) -> None:
    heard: list[OrderReason] = []
    memory = RunMemory((ways_ledger(tmp_path, 12),), TODAY, heard.append, moves=True, models=("small", "big"))
    found = memory.strategy(PLAN, SOURCES)
    assert found.share("model") > 1 > found.share("search")
    assert found.share("synthesis") == 1
    assert found.kinds == {"patch": 12}
    assert found.models == {"small": (12, 12), "big": (0, 0)}
    for said in ("12 of 24 like it were mended", "model ×", "patch 12", "small 12 of 12"):
        assert said in heard[0].claim


def test_below_ten_observations_no_way_moves(tmp_path: Path) -> None:
    memory = RunMemory((ways_ledger(tmp_path, 4),), TODAY, moves=True, models=("small",))
    assert memory.strategy(PLAN, SOURCES) == Strategy()


def test_ways_move_only_where_that_is_asked_for(tmp_path: Path) -> None:
    memory = RunMemory((ways_ledger(tmp_path, 12),), TODAY, models=("small",))
    assert memory.strategy(PLAN, SOURCES) == Strategy()


def test_ways_of_another_class_of_failures_say_nothing(tmp_path: Path) -> None:
    other = replace(PLAN, diagnoses=(replace(DIAGNOSIS, failure_class=FailureClass.CONTRACT),))
    memory = RunMemory((ways_ledger(tmp_path, 12),), TODAY, moves=True, models=("small",))
    assert memory.strategy(other, SOURCES) == Strategy()


def test_whoever_was_asked_in_vain_is_written_down_with_what_it_cost() -> None:
    asked = (
        ModelAttempt("shop.py", "total", (str(FAILURE.test),), outcome="failed", model="small"),
        ModelAttempt("shop.py", "total", (str(FAILURE.test),), outcome="not tried", model="big"),
        ModelAttempt("shop.py", "total", ("test_b.py::test_b",), outcome="failed", model="small"),
    )
    cost = Cost(arms=(ArmUse("small", 2, 1000, 200, 0.5),))
    ending = RunOutcome(Status.UNREPAIRED, (DIAGNOSIS,), (SUSPECT,), counts=Counts(executed=9))
    ending = replace(ending, causes=(Cause(1, (FAILURE.test,), ending),))
    whole, *beside = attempts_of("run-1", ending, SOURCES, TODAY, WaysAsked(("search", "model"), asked, cost))
    assert (whole.proposer, whole.beside) == ("", False)
    assert [each.proposer for each in beside] == ["search", "model", "model/small"]
    assert {each.outcome for each in beside} == {NOTHING}
    assert (beside[-1].candidates, beside[-1].tokens, beside[-1].usd) == (1, 600, 0.25)


def test_a_model_that_was_not_asked_is_not_written_down() -> None:
    ending = RunOutcome(Status.UNREPAIRED, (DIAGNOSIS,), (SUSPECT,), counts=Counts(executed=9))
    found = attempts_of("run-1", ending, SOURCES, TODAY, WaysAsked(("search", "model")))
    assert [each.proposer for each in found] == ["", "search"]


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        *(("update", "update"), ("update+insert after", "patch"), ("rewrite", "rewrite")),
        # What is made of a model's words, or of parts of its replies, is no kind of reply.
        *(("words", ""), ("word", ""), ("fused rewrite", ""), ("fused rewrite+literal", ""), ("rewrite+literal", "")),
    ],
)
def test_the_kind_of_an_edit_is_that_of_the_reply_in_which_it_stood(operator: str, kind: str) -> None:
    given = submission_of()
    given = replace(given, candidate=replace(given.candidate, origin=Origin("model", operator)))
    ending = RunOutcome(Status.PLAUSIBLE, (DIAGNOSIS,), (SUSPECT,), judged=(Judged(given, Verdict(())),))
    (found,) = attempts_of("run-1", ending, SOURCES, TODAY)
    assert (found.proposer, found.kind) == ("model", kind)


@pytest.mark.parametrize(
    ("days", "outcome"),
    [(6, "undone"), (7, "undone"), (7.001, "applied"), (8, "applied"), (-3, "undone"), (None, "undone")],
)
def test_a_patch_that_is_undone_within_seven_days_counts_as_rejected(
    tmp_path: Path, days: float | None, outcome: str
) -> None:
    kept = ledger(tmp_path, count=1)
    run = StoredRun("run-0", tmp_path / "run-0", Seals(KEY))
    run.path.mkdir()
    run.save_json("run.json", {"id": "run-0", "root": "/shop"})
    seconds = {"0": round(days * 86_400)} if days is not None else {}
    run.save_json(UNDONE, {"causes": [], "ranks": [1], "seconds": seconds})
    RunMemory((kept,), TODAY).hear_people(lambda: [run])
    assert kept.attempts()[0].outcome == outcome
    assert kept.known()[0].mended == (outcome == "applied")


def test_a_runner_up_that_is_undone_says_nothing_of_the_first(tmp_path: Path) -> None:
    kept = ledger(tmp_path, count=1)
    run = StoredRun("run-0", tmp_path / "run-0", Seals(KEY))
    run.path.mkdir()
    run.save_json("run.json", {"id": "run-0", "root": "/shop"})
    run.save_json(UNDONE, {"causes": [], "ranks": [2], "seconds": {"0": 5}})
    RunMemory((kept,), TODAY).hear_people(lambda: [run])
    assert kept.attempts()[0].outcome == "certified"
