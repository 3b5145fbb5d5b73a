"""What a history teaches, hostile ones among them: whatever cannot be read is passed over, and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from repair.memory import learning
from repair.memory.learning import (
    FILE,
    ProjectHistory,
    forget_history,
    keep_history,
    learn_history,
    own_edits,
    read_history,
    taught_by,
)
from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.git_history import CommittedText
from repair.store.stored_run import Seals, StoredRun
from transforms.ingredients.edit_templates import EditTemplate
from transforms.ingredients.history_words import HistoryWord

KEY = b"k" * 32
BEFORE = b"import os\n\n\ndef last(items):\n    return items[len(items)]\n\n\ndef other(a):\n    return a\n"
AFTER = BEFORE.replace(b"[len(items)]", b"[len(items) - 1]")
FIX = CommittedText(20_000, "Fix the last item", "shop.py", BEFORE, AFTER, alone=True)


def test_a_fix_teaches_its_words_and_a_template() -> None:
    found = learn_history([[FIX]])
    assert (found.files, found.fixes, found.unread) == (1, 1, 0)
    assert found.words == (
        HistoryWord("items[len(items) - 1]", "shop.py", 20_000),
        HistoryWord("len(items) - 1", "shop.py", 20_000),
    )
    assert [each.before for each in found.templates] == ["hole_name_1[len(hole_name_1)]"]


def test_what_is_no_fix_or_changes_other_files_too_makes_no_template() -> None:
    assert taught_by("shop.py", BEFORE, AFTER, is_fix=False).edit is None
    assert taught_by("shop.py", BEFORE, AFTER, is_fix=True).edit is not None
    assert not learn_history([[CommittedText(1, "Tidy", "shop.py", BEFORE, AFTER, alone=True)]]).templates
    assert not learn_history([[CommittedText(1, "Fix it", "shop.py", BEFORE, AFTER, alone=False)]]).templates


@pytest.mark.parametrize("text", [b"\0", b"\xff\xfe", b"def f(:\n", b"# coding: no-such\nx = 1\n", b""])
def test_a_text_that_is_no_python_teaches_nothing(text: bytes) -> None:
    for pair in ((BEFORE, text), (text, AFTER)):
        assert taught_by("shop.py", *pair, is_fix=True).words == ()


def test_what_ends_the_parser_costs_only_the_rest_of_its_part() -> None:
    bomb = b"def f():\n    return " + b"-" * 200_000 + b"1\n"
    hostile = CommittedText(1, "Fix", "bomb.py", bomb, bomb + b"\n", alone=True)
    found = learn_history([[FIX, hostile], [FIX]])
    assert found.files + found.unread == 3
    assert found.files >= 2


def test_a_child_that_says_nothing_of_ours_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning.sys, "executable", "/bin/cat")
    assert learn_history([[FIX]]) == ProjectHistory(unread=1)


def taken_run(folder: Path) -> StoredRun:
    """A run whose certified patch was applied."""
    folder.mkdir()
    run = StoredRun(folder.name, folder, Seals(KEY))
    run.save_json("run.json", {"id": run.id, "root": "/shop"})
    change = FileChange("shop.py", run.save_content(BEFORE), run.save_content(AFTER))
    patch = PatchView(1, Status.CERTIFIED, "shop.py", "last", "diff", "d1", files=(change,))
    run.save_json("result.json", Result(Status.CERTIFIED, run=run.id, patches=(patch,)).to_json())
    run.save_json("applied.json", {"rank": 1})
    return run


def test_patches_that_people_took_teach_and_are_parsed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = taken_run(tmp_path / "run-1")
    monkeypatch.setattr(learning, "taught_by", None)  # the child has its own
    (found,) = own_edits([run])
    assert (found.before, found.after) == ("items[len(items)]", "items[len(items) - 1]")
    (tmp_path / "run-1" / "applied.json").unlink()
    assert list(own_edits([run])) == []


def test_it_is_kept_under_the_key_of_its_user(tmp_path: Path) -> None:
    kept = ProjectHistory((HistoryWord("a.b", "m.py", 1),), (EditTemplate("f(a)", "f(b)", 2, 3),), 1, 1)
    keep_history(tmp_path, KEY, kept)
    assert read_history(tmp_path, KEY) == kept
    assert read_history(tmp_path, b"o" * 32) == ProjectHistory()
    (tmp_path / FILE).write_bytes((tmp_path / FILE).read_bytes().replace(b"a.b", b"a.c"))
    assert read_history(tmp_path, KEY) == ProjectHistory()
    assert forget_history(tmp_path)
    assert not forget_history(tmp_path)
