"""What a person can do in a review, each deed by itself, and what of it is on the disk afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.reviewed import OLD, NextRun, diff_of, run_to_review, text_of

from analysis.errors import ConflictError, UsageError
from repair.commands.review import reviewing
from repair.commands.review.brief import expert_brief
from repair.commands.review.reviewing import MINE, OTHER, EngineQuestion, Review, open_editor
from repair.records.result import Result
from repair.show.lines import print_lines
from repair.store.decisions import COMMAND, TERMINAL, decisions_of
from repair.store.store import open_store
from repair.store.stored_run import StoredRun


@pytest.fixture
def review(tmp_path: Path) -> Callable[..., Review]:
    def make(run: StoredRun | None = None, *, count: int = 1, way: str = TERMINAL, **given: Any) -> Review:
        found = run or run_to_review(tmp_path, count=count, **given)
        return Review(open_store(tmp_path), found, tmp_path, {}, way=way)

    return make


def said(review: Review) -> list[tuple[str, tuple[str, ...], str]]:
    return [(each.said, each.patches, each.note) for each in decisions_of(review.run)]


def shown(review: Review) -> str:
    return print_lines(review.lines(80), colour=False, width=80)


def test_to_apply_is_to_approve(review: Callable[..., Review], tmp_path: Path) -> None:
    reviewed = review(needs_approval=True)
    assert "approval is required here" in reviewed.heading()
    assert reviewed.apply().startswith("Applied: shop.py. `repair undo")
    assert (tmp_path / "shop.py").read_bytes() == text_of(1)
    assert said(reviewed) == [("approved", ("d1",), "")]
    assert "approved by " in reviewed.heading()
    assert "applied" in reviewed.heading()


def test_what_a_program_applies_where_approval_is_required_is_refused(
    review: Callable[..., Review], tmp_path: Path
) -> None:
    reviewed = review(needs_approval=True, way=COMMAND)
    with pytest.raises(ConflictError, match="waits for the approval of a person"):
        reviewed.apply()
    assert (tmp_path / "shop.py").read_bytes() == OLD


def test_another_rank_is_applied_and_approved_by_itself(review: Callable[..., Review], tmp_path: Path) -> None:
    reviewed = review(count=3)
    reviewed.move(2)
    assert diff_of(3).splitlines()[-1][1:].strip() in shown(reviewed)
    reviewed.apply()
    assert (tmp_path / "shop.py").read_bytes() == text_of(3)
    assert said(reviewed) == [("approved", ("d3",), "")]
    reviewed.move(99)
    assert reviewed.position == 2
    reviewed.move(-99)
    assert reviewed.position == 0


def test_a_rejection_has_a_reason(review: Callable[..., Review]) -> None:
    reviewed = review()
    with pytest.raises(UsageError, match="not said why"):
        reviewed.reject("  ")
    assert reviewed.reject(" it must raise ") == f"Rejected (run {reviewed.run.id}): it must raise"
    assert said(reviewed) == [("rejected", ("d1",), "it must raise")]


def test_another_patch_is_the_next_of_the_run_and_then_one_that_is_looked_for(
    review: Callable[..., Review], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reviewed = review(count=2)
    assert reviewed.another() == "Patch 2 of 2"
    question = reviewed.another()
    assert isinstance(question, EngineQuestion)
    asked = question.request
    assert (asked.command, asked.arguments) == ("fix", ("test_shop.py::test_bulk",))
    assert (asked.options["alternatives"], asked.options["no_cache"]) == (4, True)
    monkeypatch.setattr(reviewing, "run_to_end", NextRun(lambda: run_to_review(tmp_path, "bb", count=3)))
    before = reviewed.run
    assert reviewed.ask(question, lambda happened: None).startswith("plausible (run 20250102-000000-bb): 3 patches")
    assert reviewed.patch is not None
    assert reviewed.patch.digest == "d3"
    assert [each.said for each in decisions_of(before)] == ["another", "another"]
    monkeypatch.setattr(reviewing, "run_to_end", NextRun(lambda: run_to_review(tmp_path, "cc", count=3)))
    again = reviewed.another()
    assert isinstance(again, EngineQuestion)
    assert reviewed.ask(again, lambda happened: None) == "No other patch was found (run 20250102-000000-cc)"


def test_what_is_edited_is_judged_again_as_a_change_from_elsewhere(
    review: Callable[..., Review], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reviewed = review()
    with reviewed.editing() as copies:
        (copy,) = copies
        assert copy.read_bytes() == text_of(1)
        assert not copy.is_relative_to(tmp_path)
        assert reviewed.edited(copies) is None, "nothing was changed"
        copy.write_bytes(OLD)
        with pytest.raises(UsageError, match="Nothing is left of the change"):
            reviewed.edited(copies)
        copy.write_bytes(b"")
        emptied = reviewed.edited(copies)
        assert emptied is not None
        assert emptied.request.stdin.decode().splitlines()[3:] == [f"-{line}" for line in OLD.decode().splitlines()]
        copy.write_bytes(text_of(4))
        question = reviewed.edited(copies)
    assert not copy.exists()
    assert question is not None
    request = question.request
    assert (request.command, request.arguments, request.stdin.decode()) == (
        "check",
        ("-", "test_shop.py::test_bulk"),
        diff_of(4),
    )
    monkeypatch.setattr(reviewing, "run_to_end", NextRun(lambda: run_to_review(tmp_path, "bb", first=4)))
    first = reviewed.run
    reviewed.ask(question, lambda happened: None)
    assert [(each.said, each.note) for each in decisions_of(first)] == [("edited", "20250102-000000-bb")]
    assert (tmp_path / "shop.py").read_bytes() == OLD
    reviewed.apply()
    assert (tmp_path / "shop.py").read_bytes() == text_of(4)


def test_an_answer_is_judged_by_the_same_command(review: Callable[..., Review], tmp_path: Path) -> None:
    reviewed = review()
    mine, other = reviewed.answer(MINE), reviewed.answer(OTHER)
    assert (mine.request.command, mine.request.options["answer"]) == ("fix", ("shop.price(10) == 50",))
    assert other.request.options["answer"] == ("shop.price(10) == 40",)
    assert mine.request.options["answered_by"] == other.request.options["answered_by"] == "review"
    run = run_to_review(tmp_path, "ff")
    checked = Result.from_json(run.ended_result().to_json())
    foreign = [{**patch, "proposer": "foreign"} for patch in checked.to_json()["patches"]]
    run.save_json("result.json", {**checked.to_json(), "patches": foreign})
    asked = review(run).answer(MINE).request
    assert (asked.command, asked.stdin.decode()) == ("check", diff_of(1))


def test_the_brief_for_an_expert_has_all_that_is_needed(review: Callable[..., Review]) -> None:
    reviewed = review()
    reviewed.reject("price(10) must not change ```x")
    told = reviewed.hand_on("Ada")
    page = (reviewed.run.path / "brief.md").read_text()
    assert told == f"Handed on to Ada: {reviewed.run.path / 'brief.md'}"
    for text in (
        "# plausible: price in shop.py", "test_shop.py::test_bulk`: AssertionError: 40 != 50", diff_of(1).strip(),
        "Should price(10) return 50", "--answer 'shop.price(10) == 40'", "rejected by", "price(10) must not change",
        "handed on by", f"repair review {reviewed.run.id}",
    ):  # fmt: skip
        assert text in page


def test_a_path_in_the_commands_of_a_brief_is_one_word(review: Callable[..., Review], tmp_path: Path) -> None:
    (tmp_path / "a b; echo").mkdir()
    reviewed = review(run_to_review(tmp_path / "a b; echo"))
    page = expert_brief(reviewed.result, reviewed.patch, ())
    assert f"cd '{tmp_path}/a b; echo'\n" in page


@pytest.mark.parametrize("content", [b"\xff{", b"5", b'{"decisions": 7}', b'{"decisions": [{"said": 1}]}'])
def test_damaged_decisions_are_told_beside_the_patch(review: Callable[..., Review], content: bytes) -> None:
    reviewed = review()
    reviewed.reject("no")
    (reviewed.run.path / "review.json").write_bytes(content)
    assert "what was decided cannot be read: " in reviewed.heading()
    with pytest.raises(UsageError, match="damaged"):
        reviewed.reject("again")


def test_a_run_without_a_patch_can_only_be_handed_on(review: Callable[..., Review], tmp_path: Path) -> None:
    reviewed = review(patches=())
    assert "no patch" in reviewed.heading()
    for deed in (reviewed.approve, reviewed.apply, reviewed.another, lambda: reviewed.answer(MINE)):
        with pytest.raises(UsageError):
            deed()
    assert reviewed.hand_on().startswith("Handed on: ")


def test_a_rejected_patch_is_not_written_and_a_foreign_run_not_reviewed(
    review: Callable[..., Review], tmp_path: Path
) -> None:
    reviewed = review()
    rejected = [{**patch, "status": "rejected"} for patch in reviewed.result.to_json()["patches"]]
    reviewed.run.save_json("result.json", {**reviewed.result.to_json(), "patches": rejected})
    with pytest.raises(UsageError, match="A rejected patch is not written"):
        review(reviewed.run).apply()
    (reviewed.run.path / "seals" / "run.json").write_text("0")
    with pytest.raises(UsageError, match="is foreign"):
        review(reviewed.run)


def test_what_a_project_wrote_is_no_command_of_a_terminal(review: Callable[..., Review]) -> None:
    reviewed = review()
    evil = {**reviewed.result.to_json()["patches"][0], "function": "price\x1b[2J", "explanation": "\x1b]0;x\x07"}
    reviewed.run.save_json("result.json", {**reviewed.result.to_json(), "patches": [evil]})
    again = review(reviewed.run)
    assert "\x1b" not in shown(again) + "".join(again.list_lines())


@pytest.mark.parametrize(
    ("editor", "wrong"),
    [("/no/such/editor", "cannot be started"), ("'", "cannot be started"), ("false", "The editor ended with 1")],
)
def test_an_editor_that_does_not_work_is_told(tmp_path: Path, editor: str, wrong: str) -> None:
    with pytest.raises((UsageError, ConflictError), match=wrong):
        open_editor((tmp_path / "a.py",), {"EDITOR": editor, "PATH": "/usr/bin:/bin"})


def test_the_users_own_editor_gets_the_files(tmp_path: Path) -> None:
    script = tmp_path / "edit.py"
    script.write_text("import sys; open(sys.argv[1], 'a').write('# edited\\n')\n")
    file = tmp_path / "with space.py"
    file.write_text("x = 1\n")
    open_editor((file,), {"VISUAL": f"{sys.executable} {script}", "EDITOR": "false"})
    assert file.read_text() == "x = 1\n# edited\n"
