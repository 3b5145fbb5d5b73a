"""``repair memory`` tells what is known, ``memory forget`` empties it, ``siblings`` lists what has a flaw still."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from repair.cli import main
from repair.front.run_memories import project_ledger
from repair.memory.kept_answers import KeptAnswer, fingerprint_of, keep_answers
from repair.memory.learning import ProjectHistory, keep_history, read_history
from repair.memory.ledger import LedgerEntry
from repair.memory.signature import FailureSignature
from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import RunStore, open_store
from transforms.ingredients.history_words import HistoryWord

SOURCE = b"def total(a):\n    return a\n"
LIKE = FailureSignature("logic", "wrong_value", "off_by_one", "AssertionError", "short")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "shop.py").write_bytes(SOURCE)
    monkeypatch.chdir(project)
    monkeypatch.setenv("REPAIR_STATE_DIR", str(tmp_path / "state"))
    return open_store(str(project), str(tmp_path / "state"))


def remember(store: RunStore) -> None:
    project_ledger(store).add(
        [LedgerEntry("20260101-000000-aaaaaa", 1, 20_000, LIKE, "search", "literal", "certified")]
    )
    mark = fingerprint_of(SOURCE, "total")
    kept = KeptAnswer("shop.total(1)", "shop.total(1) == 1", "shop.py", "total", mark)
    old = KeptAnswer("shop.total(2)", "shop.total(2) == 1", "shop.py", "total", "another")
    keep_answers(store.directory, store.key, [kept, old])


def test_an_empty_memory_says_so(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory"]) == 0
    assert "Nothing is remembered yet" in capsys.readouterr().out


def test_what_is_known_is_told(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    remember(store)
    assert main(["memory", "-v"]) == 0
    said = capsys.readouterr().out
    assert "logic: 1 of 1 mended: literal 1" in said
    assert "search literal: certified" in said
    assert "shop.py: shop.total(1) == 1\n" in said
    assert "shop.total(2) == 1 (no more: total has another text by now)" in said


def test_it_is_told_to_programs(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    remember(store)
    assert main(["memory", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "repair.memory/1"
    assert told["known"][0] | {"families": {}} == {"failure_class": "logic", "tried": 1, "mended": 1, "families": {}}
    assert [each["holds"] for each in told["answers"]] == [True, False]


def test_it_can_be_forgotten(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    remember(store)
    assert main(["memory", "forget"]) == 0
    assert main(["memory", "forget", "--answers"]) == 0
    assert capsys.readouterr().out == "Forgotten: 1 attempts\nForgotten: 2 answers\n"
    assert main(["memory"]) == 0
    assert "Nothing is remembered yet" in capsys.readouterr().out


def git(store: RunStore, *words: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", "-C", str(store.root), *named, *words], check=True, capture_output=True)


def test_a_history_is_learned_and_forgotten(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "learn"]) == 2
    git(store, "init", "--quiet")
    for subject, text in (("Begin", LAST), ("Fix last", LAST.replace(b"items[len(items)]", b"items[-1]"))):
        (store.root / "shop.py").write_bytes(text)
        git(store, "add", "--all")
        git(store, "commit", "--quiet", "--message", subject)
    capsys.readouterr()
    assert main(["memory", "learn", "--git", "."]) == 0
    said = capsys.readouterr().out
    assert said == "Learned from 1 changed file of the history: 1 word, and 1 template from 1 small fix.\n"
    assert main(["memory"]) == 0
    assert said in capsys.readouterr().out
    assert main(["memory", "learn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["templates"] == 1
    assert main(["memory", "forget"]) == 0
    assert capsys.readouterr().out == "Forgotten: 0 attempts, and what the history taught\n"


def test_a_memory_is_exported_and_imported(store: RunStore, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    remember(store)
    history = ProjectHistory((HistoryWord("secret.word", "shop.py", 1),), (), 1)
    keep_history(store.directory, store.key, history)
    assert main(["memory", "export", "--no-code"]) == 0
    bare = capsys.readouterr().out
    assert "secret" not in bare
    assert "shop" not in bare
    assert main(["memory", "export"]) == 0
    (file := tmp_path / "memory.json").write_text(capsys.readouterr().out)
    assert main(["memory", "forget"]) == 0
    for _ in range(2):
        assert main(["memory", "import", str(file)]) == 0
    assert project_ledger(store).known()[0].tried == 1
    assert read_history(store.directory, store.key) == history


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 5000,
        '{"schema": "repair.memory_export/2"}',
        '{"schema": "repair.memory_export/1", "attempts": [{}]}',
    ],
)
def test_what_is_no_exported_memory_is_refused(
    store: RunStore, capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    (file := tmp_path / "memory.json").write_text(text)
    assert main(["memory", "import", str(file)]) == 2
    assert "no exported memory" in capsys.readouterr().err
    assert not project_ledger(store).path.exists()


def test_another_project_teaches_nothing(store: RunStore, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    git(store, "init", "--quiet")
    assert main(["memory", "learn", "--git", str(tmp_path)]) == 2
    assert "is another project" in capsys.readouterr().err


def test_a_memory_that_came_with_the_project_matches_nothing(
    store: RunStore, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Somebody else's files, in the project and even where ours would lie: neither is read as ours."""
    theirs = RunStore(tmp_path / "theirs", b"t" * 32, store.root)
    theirs.directory.mkdir()
    remember(theirs)
    keep_history(theirs.directory, theirs.key, ProjectHistory((HistoryWord("evil.word", "shop.py", 1),), (), 1))
    for place in (store.root / ".repair", store.root / ".repair" / "memory", store.directory):
        place.mkdir(exist_ok=True)
        for file in theirs.directory.iterdir():
            if file.suffix != ".lock":
                shutil.copy(file, place / file.name)
    assert main(["memory", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["known"], told["attempts"], told["answers"], told["learned"]) == ([], [], [], None)


def test_a_folder_in_its_place_is_an_error_with_a_remedy(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    project_ledger(store).path.mkdir()
    assert main(["memory", "forget", "--older", "3"]) == 0  # there is no file to empty
    project_ledger(store).path.rmdir()
    project_ledger(store).path.symlink_to(store.root / "shop.py")
    assert main(["memory"]) == 3
    assert "no verdict hangs on it" in capsys.readouterr().err


def test_answers_are_forgotten_all_at_once(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "forget", "--answers", "--older", "3"]) == 2
    assert "Leave --all and --older out." in capsys.readouterr().err


LAST = b"def last(items):\n    return items[len(items)]\n\n\ndef tail(rows):\n    return rows[len(rows)]\n"


def mended(store: RunStore) -> str:
    """The id of a run whose patch mends ``last`` alone."""
    after = LAST.replace(b"items[len(items)]", b"items[-1]")
    (store.root / "shop.py").write_bytes(LAST)
    record = store.new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
    record.save_candidate("d1", "diff", (("shop.py", after),))
    change = FileChange("shop.py", sha256(LAST), sha256(after))
    patch = PatchView(1, Status.CERTIFIED, "shop.py", "last", "diff", "d1", proposer="search", files=(change,))
    record.save_result(Result(Status.CERTIFIED, run=record.id, patches=(patch,)))
    record.close()
    return record.id


def test_other_places_with_the_flaw_are_listed(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    run = mended(store)
    assert main(["siblings", "latest"]) == 0
    assert "  shop.py:6: tail: rows[len(rows)]\n" in capsys.readouterr().out
    assert main(["siblings", run, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["line"], each["function"]) for each in told["places"]] == [(6, "tail")]
    assert (store.root / "shop.py").read_bytes() == LAST


def test_a_pipe_among_the_files_keeps_nobody_waiting(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    mended(store)
    os.mkfifo(store.root / "pipe.py")
    (store.root / "loop.py").symlink_to("shop.py")
    assert main(["siblings", "latest"]) == 0
    assert "  shop.py:6: tail: rows[len(rows)]\n" in capsys.readouterr().out


def test_a_file_that_changed_since_is_told(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    run = mended(store)
    (store.root / "shop.py").write_bytes(SOURCE)
    assert main(["siblings", run]) == 1
    assert "is no longer as run" in capsys.readouterr().err


def test_a_run_without_a_patch_has_no_siblings(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    record = store.new_run(datetime.datetime(2025, 1, 2), "bb", lambda: 0.0)
    record.save_result(Result(Status.UNREPAIRED, run=record.id))
    record.close()
    assert main(["siblings", record.id]) == 2
    assert "has no patch of yours" in capsys.readouterr().err
