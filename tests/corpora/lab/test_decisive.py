"""What decided is counted from records, and what decided nothing anywhere is named."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from corpora.bench.record import BenchRecord, Cell, Ledger
from corpora.lab.decisive import collect, main, operators_of, report, wording
from corpora.lab.judging.records import JUDGEMENTS, GateSaid, Judgement, append
from repair.records.result import Counts, EvidenceView, PatchView, Result, Status
from transforms.operators.catalog import MENDING

FIRST, SECOND, THIRD = (operator.name for operator in MENDING[:3])


def patch(operator: str, *evidence: tuple[str, str, str], status: Status = Status.PLAUSIBLE) -> PatchView:
    seen = tuple(EvidenceView(*each) for each in evidence)
    return PatchView(1, status, "a.py", "f", "", "d", operator=operator, evidence=seen)


def write(folder: Path, *patches: PatchView) -> None:
    with Ledger(folder) as ledger:
        for number, each in enumerate(patches):
            result = Result(each.status, patches=(each,), counts=Counts(tiers={"warm": 3}))
            ledger.append(BenchRecord(Cell("own", f"bug{number}", "search", 0), "done", 1.0, "now", result=result))


def test_answers_count_for_their_operators_and_the_first_doubt_for_its_gate(tmp_path: Path) -> None:
    doubt = ("mutation", "unknown", "3 mutants of 'f' survive")
    write(
        tmp_path,
        patch(FIRST, ("shape", "accept", "fine"), doubt, ("cost", "unknown", "slow")),
        patch(f"{FIRST} + {SECOND}", status=Status.CERTIFIED),
        patch(THIRD, status=Status.REJECTED),
    )
    found = collect([tmp_path], [])
    assert found.operators == {("own", FIRST): 2, ("own", SECOND): 1}
    assert found.claims == {("mutation", "… mutants of … survive"): 1}
    assert (found.tiers, found.runs) == ({"warm": 9}, {"own": 3})


def test_judgements_count_too_but_for_what_was_asked_late(tmp_path: Path) -> None:
    late = GateSaid("behaviour", "unknown", "another doubt", 1.0, late=True)
    append(tmp_path / JUDGEMENTS, [Judgement("d", "rejected", (GateSaid("shape", "reject", "odd", 0.1), late))])
    append(tmp_path / JUDGEMENTS, [Judgement("e", "certified", (GateSaid("shape", "accept", "fine", 0.1), late))])
    assert collect([], [tmp_path]).claims == {("shape", "odd"): 1}


def test_what_decided_nothing_is_proposed_for_deletion_and_what_mends_histories_is_not(tmp_path: Path) -> None:
    write(tmp_path, patch(FIRST))
    lines = list(report(collect([tmp_path], [])))
    proposed = next(line for number, line in enumerate(lines) if lines[number - 1].startswith("proposed for deletion"))
    names = proposed.strip().split(", ")
    assert FIRST not in names
    assert "delete_statement" not in names, "fixes of histories delete statements"


def test_a_claim_is_told_from_another_by_its_words_alone() -> None:
    assert wording("f(-1.5) gives 'a' and not \"b\"") == "f(…) gives … and not …"
    assert operators_of("one + two") == ("one", "two")
    assert operators_of("") == ()


def test_without_records_it_says_what_to_name(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--out", str(tmp_path / "out.json")])
    assert result.exit_code == 2
    assert "--records DIR or --judged DIR" in result.output
    assert not (tmp_path / "out.json").exists()


def test_the_counts_are_written_as_json(tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    bench.mkdir()
    write(bench, patch(FIRST))
    out = tmp_path / "build" / "decisive.json"
    result = CliRunner().invoke(main, ["--records", str(bench), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert f'"{FIRST}"' in out.read_text("utf-8")
