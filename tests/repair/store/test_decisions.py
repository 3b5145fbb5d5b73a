"""What people decide of patches: kept with who and when, and asked for before anything is written where that is set."""

from __future__ import annotations

import datetime
import threading
from pathlib import Path

import pytest

from analysis.errors import ConflictError, UsageError
from repair.records.result import CauseView, FileChange, PatchView, Result, StackView, Status
from repair.store.apply import apply_run
from repair.store.atomic import sha256
from repair.store.decisions import (
    APPROVED,
    COMMAND,
    EDITED,
    HANDED_ON,
    REJECTED,
    TERMINAL,
    PersonsDecision,
    decide,
    decisions_of,
    user_name,
)
from repair.store.store import RunStore, open_store
from repair.store.stored_run import StoredRun

OLD, NEW, NEXT = b"x = 1\n", b"x = 2\n", b"x = 3\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_bytes(OLD)
    return tmp_path


def stored(root: Path, suffix: str = "aa", status: Status = Status.CERTIFIED, *, needs: bool = False) -> StoredRun:
    """A run with two patches of one cause, ranks 1 and 2, with the digests d1 and d2."""
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), suffix, lambda: 0.0)
    patches = []
    for rank, text in ((1, NEW), (2, NEXT)):
        record.save_candidate(f"d{rank}", "diff", (("a.py", text),))
        change = FileChange("a.py", sha256(OLD), sha256(text))
        patches.append(PatchView(rank, status, "a.py", "f", "diff", f"d{rank}", files=(change,)))
    record.save_result(Result(status, run=record.id, patches=tuple(patches), needs_approval=needs))
    record.close()
    return record.run


def approve(root: Path, run: StoredRun, said: str = APPROVED, digest: str = "d1", way: str = TERMINAL) -> None:
    decide(open_store(root), run, PersonsDecision(said, (digest,), way=way))


def test_a_decision_is_kept_with_who_and_when(root: Path) -> None:
    run = stored(root)
    decide(open_store(root), run, PersonsDecision(REJECTED, ("d1",), "it must raise", way=TERMINAL))
    decide(open_store(root), run, PersonsDecision(EDITED, ("d1",), "20250102-000000-bb"))
    first, second = decisions_of(run)
    assert (first.said, first.patches, first.note, first.way) == (REJECTED, ("d1",), "it must raise", TERMINAL)
    assert (first.by, second.said, second.way) == (user_name(), EDITED, COMMAND)
    told = datetime.datetime.fromisoformat(first.at)
    assert abs((datetime.datetime.now(datetime.UTC) - told).total_seconds()) < 60


def test_what_was_said_before_decisions_were_kept_one_by_one_is_read(root: Path) -> None:
    run = stored(root)
    run.save_json("review.json", {"said": REJECTED, "note": "no"})
    assert decisions_of(run) == (PersonsDecision(REJECTED, note="no"),)
    run.save_json("review.json", {"decisions": [{"said": 3}]})
    with pytest.raises(UsageError, match="The record is damaged"):
        decisions_of(run)


def test_two_reviewers_at_once_lose_nothing(root: Path) -> None:
    run = stored(root)
    threads = [threading.Thread(target=approve, args=(root, run)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(decisions_of(run)) == 8


def test_only_what_has_a_patch_is_decided_and_everything_is_handed_on(root: Path) -> None:
    record = open_store(root).new_run(datetime.datetime(2025, 1, 3), "zz", lambda: 0.0)
    record.save_result(Result(Status.UNREPAIRED, run=record.id))
    record.close()
    with pytest.raises(UsageError, match="ended as unrepaired: there is no patch to review"):
        approve(root, record.run)
    approve(root, record.run, HANDED_ON)
    assert [each.said for each in decisions_of(record.run)] == [HANDED_ON]


def applied(root: Path, run: StoredRun, rank: int = 1, **given: bool) -> bool:
    """Whether the patch was written; a refusal leaves the file as it was."""
    said = ""
    try:
        apply_run(open_store(root), run, root, rank, **given)
    except ConflictError as refused:
        said = str(refused)
    if said:
        assert "waits for the approval of a person" in said
        assert f"`repair review {run.id}`" in said
        assert (root / "a.py").read_bytes() == OLD
    return not said


@pytest.mark.parametrize("place", ["caller", "run", "pyproject.toml", "repair.toml", "broken"])
def test_nothing_is_written_without_approval_wherever_it_is_required(root: Path, place: str) -> None:
    run = stored(root, needs=place == "run")
    given = {"require_approval": place == "caller"}
    if place == "pyproject.toml":
        (root / place).write_text("[tool.repair]\nrequire-approval = true\n")
    elif place == "repair.toml":
        (root / place).write_text("require_approval = true\n")
    elif place == "broken":
        (root / "repair.toml").write_text("require-approval = tru\n")
    assert not applied(root, run, **given)
    approve(root, run)
    assert applied(root, run, **given)


def test_without_the_setting_nothing_is_asked(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.repair]\nrequire-approval = false\n")
    assert applied(root, stored(root))


@pytest.mark.parametrize(
    "decided",
    [
        [(APPROVED, "d2", TERMINAL)],
        [(APPROVED, "d1", COMMAND)],
        [(APPROVED, "d1", TERMINAL), (REJECTED, "d1", COMMAND)],
        [(EDITED, "d1", TERMINAL)],
    ],
    ids=["of another patch", "by a program", "and taken back", "another word"],
)
def test_what_is_no_approval_of_this_patch_by_a_person(root: Path, decided: list[tuple[str, str, str]]) -> None:
    run = stored(root, needs=True)
    for said, digest, way in decided:
        approve(root, run, said, digest, way)
    assert not applied(root, run)


def test_an_approval_forged_in_the_file_is_none(root: Path) -> None:
    run = stored(root, needs=True)
    approve(root, run)
    path = run.path / "review.json"
    path.write_text(path.read_text().replace("d1", "d2"))
    with pytest.raises(UsageError, match="changed after it was written"):
        apply_run(open_store(root), run, root, 2)
    assert (root / "a.py").read_bytes() == OLD


def test_of_several_causes_each_needs_its_approval(root: Path) -> None:
    (root / "b.py").write_bytes(OLD)
    store: RunStore = open_store(root)
    record = store.new_run(datetime.datetime(2025, 1, 4), "cc", lambda: 0.0)
    changes = [FileChange(name, sha256(OLD), sha256(NEW)) for name in ("a.py", "b.py")]
    patches = []
    for number, change in enumerate(changes, 1):
        record.save_candidate(f"c{number}", "diff", ((change.path, NEW),))
        patches.append(
            PatchView(1, Status.CERTIFIED, change.path, "f", "diff", f"c{number}", files=(change,), cause=number)
        )
    causes = tuple(CauseView(n, (f"t{n}",), Status.CERTIFIED, patch=f"c{n}") for n in (1, 2))
    stacks = (
        StackView((1,), Status.CERTIFIED, "diff", (changes[0],)),
        StackView((1, 2), Status.CERTIFIED, "diff", tuple(changes)),
    )
    record.save_result(
        Result(
            Status.CERTIFIED, run=record.id, patches=tuple(patches), causes=causes, stacks=stacks, needs_approval=True
        )
    )
    record.close()
    approve(root, record.run, digest="c1")
    with pytest.raises(ConflictError, match="The patch of cause 2 of run"):
        apply_run(store, record.run, root)
    apply_run(store, record.run, root, cause=1)
    assert ((root / "a.py").read_bytes(), (root / "b.py").read_bytes()) == (NEW, OLD)
