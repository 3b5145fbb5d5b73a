import contextlib
import datetime
import errno
import json
import os
import stat
import subprocess
import sys
import textwrap
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from analysis.errors import ConflictError, TargetError, UsageError
from repair.records.result import CauseView, FileChange, PatchView, Result, StackView, Status
from repair.store import journal
from repair.store import stored_run as stored
from repair.store.apply import apply_run, undo_run
from repair.store.atomic import replace_file, sha256
from repair.store.journal import recover
from repair.store.store import open_store

OLD = {"a.py": b"def f():\r\n    return 1\r\n", "pkg/b.py": b"# -*- coding: latin-1 -*-\n# \xe9\nx = 1"}
NEW = {"a.py": b"def f():\r\n    return 2\r\n", "pkg/b.py": b"# -*- coding: latin-1 -*-\n# \xe9\nx = 2"}


@pytest.fixture
def root(tmp_path):
    for name, content in OLD.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def stored_run(root, *, status=Status.CERTIFIED, changes=None, suffix="aa"):
    changes = changes or [FileChange(name, sha256(OLD[name]), sha256(NEW[name])) for name in OLD]
    patch = PatchView(1, status, "a.py", "f", "diff", "d1", files=tuple(changes))
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), suffix, lambda: 0.0)
    record.save_candidate("d1", "diff", tuple(NEW.items()))
    record.save_result(Result(status, patches=(patch,)))
    record.close()
    return record.run


def state_of(root):
    contents = {name: (root / name).read_bytes() for name in OLD}
    return "old" if contents == OLD else "new" if contents == NEW else "mixed"


def strays(root):
    return [path.name for path in root.rglob("*repair-tmp")]


def test_no_byte_code_of_the_old_text_is_taken_for_that_of_the_new_one_within_a_second(root):
    """Python compares the second and the size alone; both texts have the same size."""
    run, store, path = stored_run(root), open_store(root), root / "a.py"
    seen = [int(path.stat().st_mtime)]
    for change in (apply_run, undo_run, apply_run):
        change(store, run, root)
        seen.append(int(path.stat().st_mtime))
    assert path.stat().st_size == len(OLD["a.py"])
    assert all(one != next_one for one, next_one in pairwise(seen))


def test_apply_and_undo_are_exact(root):
    os.chmod(root / "a.py", 0o755)
    run, store = stored_run(root), open_store(root)
    applied = apply_run(store, run, root)
    assert applied.files == ("a.py", "pkg/b.py")
    assert state_of(root) == "new"
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o755
    assert store.list_runs().runs[0].applied == 1
    assert store.latest_applied() == run
    undo_run(store, run, root)
    assert state_of(root) == "old"
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o755
    assert store.list_runs().runs[0].applied == 0
    assert strays(root) == []


def test_a_file_that_changed_is_refused_and_nothing_is_written(root):
    run = stored_run(root)
    (root / "pkg/b.py").write_bytes(b"mine")
    with pytest.raises(ConflictError, match=r"pkg/b\.py changed since the run read it"):
        apply_run(open_store(root), run, root)
    assert (root / "a.py").read_bytes() == OLD["a.py"]


def test_another_time_stamp_is_no_change(root):
    run = stored_run(root)
    os.utime(root / "a.py", (1, 1))
    apply_run(open_store(root), run, root)
    assert state_of(root) == "new"


@pytest.mark.parametrize("days", [6, 8, -3])
def test_an_undo_notes_how_long_the_patch_had_stood(root, days):
    """Even where the clock was set back meanwhile: the memory judges that."""
    run, store, began = stored_run(root), open_store(root), 1_700_000_000.0
    apply_run(store, run, root, clock=lambda: began)
    undo_run(store, run, root, clock=lambda: began + days * 86_400)
    noted = run.read_json("undone.json")
    assert (noted["seconds"], noted["ranks"]) == ({"0": days * 86_400}, [1])


def test_an_edit_after_the_apply_stops_the_undo(root):
    run, store = stored_run(root), open_store(root)
    apply_run(store, run, root)
    (root / "a.py").write_bytes(NEW["a.py"] + b"# mine\n")
    with pytest.raises(ConflictError, match=r"a\.py changed since it was patched"):
        undo_run(store, run, root)
    assert (root / "pkg/b.py").read_bytes() == NEW["pkg/b.py"]
    assert (root / "a.py").read_bytes().endswith(b"# mine\n")


def test_a_patch_that_was_taken_out_by_hand_can_be_applied_again(root):
    run, store = stored_run(root), open_store(root)
    old = {path: (root / path).read_bytes() for path in NEW}
    apply_run(store, run, root)
    (root / "a.py").write_bytes(old["a.py"])
    with pytest.raises(ConflictError, match="applied already"):  # one of two files is not as before
        apply_run(store, run, root)
    (root / "pkg/b.py").write_bytes(old["pkg/b.py"])
    apply_run(store, run, root)
    assert state_of(root) == "new"


def test_what_was_taken_out_by_hand_is_not_taken_out_twice(root):
    run, store = stored_run(root), open_store(root)
    old = {path: (root / path).read_bytes() for path in NEW}
    apply_run(store, run, root)
    for path, text in old.items():
        (root / path).write_bytes(text)
    assert "nothing was written" in undo_run(store, run, root).warnings[0]
    assert state_of(root) == "old"
    with pytest.raises(UsageError, match="not applied"):
        undo_run(store, run, root)


def test_applying_twice_and_undoing_nothing_are_refused(root):
    run, store = stored_run(root), open_store(root)
    with pytest.raises(UsageError, match="not applied"):
        undo_run(store, run, root)
    with pytest.raises(UsageError, match="No applied patch"):
        store.latest_applied()
    apply_run(store, run, root)
    with pytest.raises(ConflictError, match="applied already"):
        apply_run(store, run, root)


@pytest.mark.parametrize(
    "path",
    [
        "../a.py",
        "/etc/passwd",
        "pkg/../../x",
        ".git/config",
        "sub/.git/hooks/x",
        "sub/.GIT/x",
        ".repair/x",
        "linked/b.py",
        "link.py",
    ],
)
def test_nothing_outside_the_project_is_written(root, path):
    (root / "linked").symlink_to(root / "pkg")
    (root / "link.py").symlink_to(root / "a.py")
    run = stored_run(root, changes=[FileChange(path, sha256(OLD["a.py"]), sha256(NEW["a.py"]))])
    with pytest.raises(ConflictError, match=r"does not lie in the project|symbolic link"):
        apply_run(open_store(root), run, root)
    assert state_of(root) == "old"


@pytest.mark.parametrize(
    ("changes", "status", "rank", "message"),
    [
        (None, Status.REJECTED, 1, "was rejected"),
        (None, Status.CERTIFIED, 2, "no patch of rank 2: it has 1"),
        ([FileChange("new.py", "", "0" * 64)], Status.CERTIFIED, 1, "created or deleted"),
        (
            [FileChange("a.py", "0" * 64, "1" * 64), FileChange("a.py", "0" * 64, "2" * 64)],
            Status.CERTIFIED,
            1,
            "no whole",
        ),
    ],
)
def test_what_cannot_be_applied_is_said(root, changes, status, rank, message):
    run = stored_run(root, changes=changes, status=status)
    with pytest.raises(UsageError, match=message):
        apply_run(open_store(root), run, root, rank)


def test_a_file_that_is_gone_is_a_conflict(root):
    run = stored_run(root)
    (root / "a.py").unlink()
    with pytest.raises(ConflictError, match="not there any more"):
        apply_run(open_store(root), run, root)


def test_warnings_name_hard_links_and_plausible_patches(root):
    os.link(root / "a.py", root / "c.py")
    applied = apply_run(open_store(root), stored_run(root, status=Status.PLAUSIBLE), root)
    assert "hard links" in applied.warnings[0]
    assert "not certified" in applied.warnings[1]
    assert (root / "c.py").read_bytes() == OLD["a.py"]


@pytest.mark.parametrize("when", ["journal", "staged", "replaced"])
def test_a_disk_that_is_full_is_said_and_changes_nothing(root, when):
    run = stored_run(root)

    def fail(step):
        if step == when:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(TargetError, match="cannot be written: No space left on device"):
        apply_run(open_store(root), run, root, step=fail)
    assert state_of(root) == "old"
    assert strays(root) == []
    assert recover(open_store(root), root) == ""


def test_an_apply_that_cannot_be_recorded_is_taken_back(root, monkeypatch):
    """As where the disk of the records is full, and that of the project is not."""
    run, store = stored_run(root), open_store(root)

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(type(run), "save_json", refuse)
        with pytest.raises(TargetError, match=r"No space left.*The files are as they were"):
            apply_run(store, run, root)
    assert state_of(root) == "old"
    assert recover(store, root) == ""


def test_a_read_only_mount_is_said_and_leaves_nothing_behind(root, monkeypatch):
    """Such a mount refuses to delete a file before it looks whether the file is there."""
    run, store = stored_run(root), open_store(root)
    unlink, opened = os.unlink, os.open

    def refuse(path, *more, **keywords):
        if str(path).startswith(f"{root}/"):
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        return (unlink if not more else opened)(path, *more, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        patch.setattr(os, "open", refuse)
        with pytest.raises(TargetError, match=r"cannot be written: Read-only file system.*files are as they were"):
            apply_run(store, run, root)
        assert recover(store, root) == ""
        assert store.load_run() == run
    assert state_of(root) == "old"
    apply_run(store, run, root)
    assert state_of(root) == "new"


def test_an_edit_while_we_write_is_kept(root):
    run = stored_run(root)

    def edit(step):
        if step == "replaced" and (root / "pkg/b.py").read_bytes() == OLD["pkg/b.py"]:
            (root / "pkg/b.py").write_bytes(b"mine")

    with pytest.raises(ConflictError, match=r"pkg/b\.py changed while"):
        apply_run(open_store(root), run, root, step=edit)
    assert (root / "a.py").read_bytes() == OLD["a.py"]
    assert (root / "pkg/b.py").read_bytes() == b"mine"


WRITER = textwrap.dedent("""
    import os, sys
    from pathlib import Path
    from repair.store.apply import apply_run, undo_run
    from repair.store.store import open_store
    root, action, last = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    steps = []
    def step(name):
        steps.append(name)
        if len(steps) == last:
            os._exit(77)
    store = open_store(root)
    run = store.load_run()
    if action == "apply":
        apply_run(store, run, root, step=step)
    else:
        undo_run(store, run, root, step=step)
    print(len(steps))
""")


def killed(root, action, last):
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(root), action, str(last)], capture_output=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("action", ["apply", "undo"])
def test_a_writer_killed_at_any_step_leaves_all_old_or_all_new(root, action):
    stored_run(root)
    store = open_store(root)
    if action == "undo":
        apply_run(store, store.load_run(), root)
    seen = set()
    for last in range(1, 50):
        code, _ = killed(root, action, last)
        said = recover(store, root)
        seen.add(state := state_of(root))
        assert state in ("old", "new")
        assert recover(store, root) == ""
        assert strays(root) == []
        applied = (store.load_run().path / "applied.json").exists()
        assert applied == (state == "new")
        if code == 0:
            break
        assert code == 77
        assert said or state == ("new" if action == "apply" else "old")
        if (state == "new") == (action == "apply"):  # done: start over for the next step
            (undo_run if action == "apply" else apply_run)(store, store.load_run(), root)
    assert last == 8  # journal, two staged, two replaced, synced, finished, and one that was not killed
    assert seen == {"old", "new"}


def test_recovery_leaves_an_edit_alone(root):
    stored_run(root)
    assert killed(root, "apply", 4)[0] == 77
    assert state_of(root) == "mixed"
    (root / "a.py").write_bytes(b"mine")
    said = recover(open_store(root), root)
    assert "edited meanwhile: a.py" in said
    assert (root / "a.py").read_bytes() == b"mine"
    assert (root / "pkg/b.py").read_bytes() == OLD["pkg/b.py"]


def test_a_journal_that_another_process_has_ended_meanwhile_is_nothing(root, monkeypatch):
    """Who waited for its lock finds no journal: nothing is put aside, and nothing said."""
    run, store = stored_run(root), open_store(root)
    assert killed(root, "apply", 4)[0] == 77
    hold = journal.hold_lock

    @contextlib.contextmanager
    def late(held):
        with hold(held):
            (store.directory / "journal.json").unlink()
            yield

    monkeypatch.setattr(journal, "hold_lock", late)
    assert recover(store, root) == ""
    assert not run.is_applied


def test_a_file_system_without_links_is_taken_back_too(root, monkeypatch):
    run = stored_run(root)

    def refuse(*_, **__):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(RuntimeError):
        apply_run(open_store(root), run, root, step=lambda name: raising(name == "synced"))
    assert state_of(root) == "new", "all was in place, so it is finished"
    undo_run(open_store(root), run, root)
    assert (state_of(root), strays(root)) == ("old", [])

    def full(name):
        if name == "replaced":
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(TargetError, match="The files are as they were"):
        apply_run(open_store(root), run, root, step=full)
    assert (state_of(root), strays(root)) == ("old", [])


def raising(now):
    if now:
        raise RuntimeError


def test_what_is_taken_back_is_the_very_file(root):
    run = stored_run(root)
    os.utime(root / "a.py", (1, 1))
    before = (root / "a.py").stat()

    def full(name):
        if name == "synced":
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(TargetError, match="The files are as they were"):
        apply_run(open_store(root), run, root, step=full)
    after = (root / "a.py").stat()
    assert (after.st_ino, after.st_mtime, after.st_nlink) == (before.st_ino, 1, 1)


def test_a_seal_that_was_written_before_its_file_damages_nothing(root, monkeypatch):
    """As where a process is killed between the two."""
    run = stored_run(root)
    run.save_json("review.json", {"said": "approved"})
    replaced = []

    def once(path, content):
        replaced.append(path)
        if len(replaced) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace_file(path, content)

    monkeypatch.setattr(stored, "replace_file", once)
    with pytest.raises(OSError, match="No space"):
        run.save_json("review.json", {"said": "rejected"})
    assert run.read_json("review.json") == {"said": "approved"}
    run.save_json("review.json", {"said": "rejected"})
    assert run.read_json("review.json") == {"said": "rejected"}


def test_recovery_without_its_record_names_the_files(root):
    run = stored_run(root)
    assert killed(root, "apply", 4)[0] == 77
    (run.path / "files" / sha256(OLD["a.py"])).unlink()
    assert "compare a.py, pkg/b.py" in recover(open_store(root), root)
    assert recover(open_store(root), root) == ""
    assert (state_of(root), strays(root)) == ("old", [])


def test_an_edited_file_whose_record_is_gone_keeps_its_old_text_beside_it(root):
    run = stored_run(root)
    assert killed(root, "apply", 4)[0] == 77
    (run.path / "files" / sha256(OLD["a.py"])).unlink()
    (root / "a.py").write_bytes(b"mine = 1\n")
    recover(open_store(root), root)
    assert (root / "a.py").read_bytes() == b"mine = 1\n"
    assert [(root / name).read_bytes() for name in strays(root)] == [OLD["a.py"]]


PLANTED = json.dumps(
    {
        "journal": {
            "run": "20250102-000000-aa",
            "rank": 1,
            "undo": False,
            "moves": [
                {"path": "a.py", "before": sha256(NEW["a.py"]), "after": sha256(OLD["a.py"])},
                {"path": "pkg/b.py", "before": sha256(NEW["pkg/b.py"]), "after": "00"},
            ],
        },
        "seal": "00" * 32,
    }
)
"""What would make a.py new, if it were believed: the run holds the new bytes."""


@pytest.mark.parametrize("text", ["{", "[]", '{"run": "x"}', "[" * 100_000, PLANTED], ids=lambda text: text[:12])
def test_a_journal_that_we_did_not_write_moves_nothing(root, text):
    run, store = stored_run(root), open_store(root)
    (store.directory / "journal.json").write_text(text)
    assert "put aside as journal.json.foreign-1; no file was touched" in recover(store, root)
    assert recover(store, root) == ""
    assert state_of(root) == "old"
    apply_run(store, run, root)
    assert state_of(root) == "new"


def test_the_planted_journal_would_move_files_if_it_had_our_seal(root):
    store, moves = open_store(root), json.loads(PLANTED)["journal"]
    stored_run(root)
    seal = store.seals.seal(b"journal", json.dumps(moves, sort_keys=True).encode())
    (store.directory / "journal.json").write_text(json.dumps({"journal": moves, "seal": seal}))
    recover(store, root)
    assert (root / "a.py").read_bytes() == NEW["a.py"]


def test_a_folder_in_the_journals_place_is_put_aside(root):
    store = open_store(root)
    (store.directory / "journal.json").mkdir()
    assert "put aside" in recover(store, root)
    assert recover(store, root) == ""


def test_a_link_in_the_locks_place_is_refused(root):
    run, store = stored_run(root), open_store(root)
    (store.directory / "apply.lock").symlink_to(root / "victim")
    with pytest.raises(TargetError, match="cannot be locked"):
        apply_run(store, run, root)
    assert not (root / "victim").exists()


def test_what_cannot_be_taken_back_now_is_said_and_stops_nothing_but_writing(root, monkeypatch):
    run, store = stored_run(root), open_store(root)
    assert killed(root, "apply", 4)[0] == 77

    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        assert "cannot be taken back now: " in recover(store, root)
        assert "Read-only" in recover(store, root)
        assert store.list_runs().runs[0].status == "certified"
        (root / "a.py").write_bytes(OLD["a.py"])
        with pytest.raises(ConflictError, match="half done"):
            apply_run(store, run, root)
    assert "taken back" in recover(store, root)
    assert state_of(root) == "old"


def test_a_foreign_run_is_neither_applied_nor_undone(root):
    run, store = stored_run(root), open_store(root)
    (run.path / "seals" / "run.json").write_text("0" * 64)
    for action in (apply_run, undo_run):
        with pytest.raises(UsageError, match=r"is foreign.*repair replay"):
            action(store, run, root)
    assert state_of(root) == "old"


def test_a_mark_of_an_apply_that_we_did_not_write_is_not_undone(root):
    run, store = stored_run(root), open_store(root)
    moves = [{"path": "a.py", "before": sha256(NEW["a.py"]), "after": sha256(OLD["a.py"])}]
    planted = {"run": run.id, "rank": 1, "undo": False, "moves": moves}
    (run.path / "applied.json").write_text(json.dumps(planted))
    with pytest.raises(UsageError, match="changed after it was written"):
        undo_run(store, run, root)
    assert state_of(root) == "old"


def git(root, *arguments):
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(root):
    git(root, "init", "-q")
    git(root, "config", "user.email", "a@example.org")
    git(root, "config", "user.name", "A")
    (root / "other.txt").write_text("1")
    git(root, "add", ".")
    git(root, "commit", "-qm", "start")
    return root


def test_a_commit_holds_exactly_the_patched_files(repository):
    (repository / "other.txt").write_text("2")
    git(repository, "add", "other.txt")
    applied = apply_run(open_store(repository), stored_run(repository), repository, commit=True)
    assert git(repository, "rev-parse", "HEAD").strip() == applied.commit
    assert git(repository, "show", "--name-only", "--format=", "HEAD").split() == ["a.py", "pkg/b.py"]
    assert git(repository, "diff", "--cached", "--name-only").split() == ["other.txt"]


@pytest.mark.parametrize("staged", [True, False])
def test_a_dirty_file_is_not_committed(repository, staged):
    run = stored_run(repository, changes=[FileChange("a.py", sha256(b"dirty"), sha256(NEW["a.py"]))])
    (repository / "a.py").write_bytes(b"dirty")
    if staged:
        git(repository, "add", "a.py")
    with pytest.raises(ConflictError, match="not committed"):
        apply_run(open_store(repository), run, repository, commit=True)
    assert (repository / "a.py").read_bytes() == b"dirty"


def test_a_refused_commit_restores_the_files(repository):
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no such luck >&2\nexit 1\n")
    hook.chmod(0o755)
    run = stored_run(repository)
    with pytest.raises(ConflictError, match="no such luck"):
        apply_run(open_store(repository), run, repository, commit=True)
    assert state_of(repository) == "old"
    assert git(repository, "status", "--porcelain", "-uno") == ""


def test_a_commit_needs_a_repository(root):
    with pytest.raises(UsageError, match="git repository"):
        apply_run(open_store(root), stored_run(root), root, commit=True)
    assert state_of(root) == "old"


BASE = {"a.py": b"a = 0\nb = 0\n", "c.py": b"c = 0\n"}
FIRST = {"a.py": b"a = 1\nb = 0\n"}
SECOND = {"a.py": b"a = 1\nb = 1\n"}
THIRD = {"c.py": b"c = 1\n"}


def change(before, after):
    return tuple(FileChange(name, sha256(before[name]), sha256(after[name])) for name in after)


def run_of_three(root):
    """Three causes: the second patch stands on the first, the third on none; all of them go together."""
    for name, content in BASE.items():
        (root / name).write_bytes(content)
    patch = partial(PatchView, 1, file="a.py", diff="", digest="d")
    patches = (
        patch(Status.CERTIFIED, function="f", files=change(BASE, FIRST), cause=1),
        patch(Status.CERTIFIED, function="g", files=change(FIRST, SECOND), cause=2),
        patch(Status.PLAUSIBLE, function="h", files=change(BASE, THIRD), cause=3),
    )
    causes = (
        CauseView(1, ("t::a",), Status.CERTIFIED, patch="d"),
        CauseView(2, ("t::b",), Status.CERTIFIED, patch="d", stands_on=(1,)),
        CauseView(3, ("t::c",), Status.PLAUSIBLE, patch="d"),
        CauseView(4, ("t::d",), Status.UNREPAIRED),
    )
    stacks = (
        StackView((1,), Status.CERTIFIED, "", change(BASE, FIRST)),
        StackView((3,), Status.PLAUSIBLE, "", change(BASE, THIRD)),
        StackView((1, 2), Status.CERTIFIED, "", change(BASE, SECOND)),
        StackView((1, 2, 3), Status.PLAUSIBLE, "", change(BASE, {**SECOND, **THIRD})),
    )
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), "cc", lambda: 0.0)
    for content in (*BASE.values(), *FIRST.values(), *SECOND.values(), *THIRD.values()):
        record.run.save_content(content)
    record.save_result(Result(Status.UNREPAIRED, patches=patches, causes=causes, stacks=stacks))
    record.close()
    return record.run


def files_of(root):
    return {name: (root / name).read_bytes() for name in BASE}


def test_all_patches_that_go_together_are_applied_and_taken_out(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    applied = apply_run(store, run, tmp_path)
    assert (applied.causes, files_of(tmp_path)) == ((1, 2, 3), {**SECOND, **THIRD})
    assert applied.warnings == ("The patch of cause 3 is plausible, not certified: read its open questions.",)
    assert undo_run(store, run, tmp_path).causes == (1, 2, 3)
    assert files_of(tmp_path) == BASE
    assert not run.is_applied


def test_one_cause_takes_along_those_that_it_stands_on(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    assert apply_run(store, run, tmp_path, cause=2).causes == (1, 2)
    assert files_of(tmp_path) == {**BASE, **SECOND}


def test_a_cause_is_applied_on_those_that_are_applied_already(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    apply_run(store, run, tmp_path, cause=1)
    assert apply_run(store, run, tmp_path, cause=2).files == ("a.py",)
    assert files_of(tmp_path) == {**BASE, **SECOND}
    with pytest.raises(ConflictError, match="is applied already"):
        apply_run(store, run, tmp_path, cause=3)  # it lies on none of them
    undo_run(store, run, tmp_path)
    assert files_of(tmp_path) == BASE


def test_a_cause_is_not_applied_on_one_whose_file_was_edited_since(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    apply_run(store, run, tmp_path, cause=2)
    (tmp_path / "a.py").write_bytes(b"mine\n")
    with pytest.raises(ConflictError, match=r"a\.py changed since it was patched; nothing was written"):
        apply_run(store, run, tmp_path)  # would write c.py alone
    (tmp_path / "a.py").unlink()
    with pytest.raises(ConflictError, match=r"a\.py is not there any more"):
        apply_run(store, run, tmp_path)
    (tmp_path / "a.py").write_bytes(SECOND["a.py"])
    assert files_of(tmp_path) == {**BASE, **SECOND}
    assert apply_run(store, run, tmp_path).files == ("c.py",)


def test_undo_of_one_cause_takes_out_what_stands_on_it_and_leaves_the_rest(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    apply_run(store, run, tmp_path, clock=lambda: 1_000.0)
    assert undo_run(store, run, tmp_path, cause=2, clock=lambda: 1_060.0).causes == (2, 3)
    noted = run.read_json("undone.json")
    assert noted["seconds"] == {"2": 60, "3": 60}
    assert run.read_json("applied.json")["at"] == 1_000.0
    assert (noted["causes"], noted["whole"]) == ([2, 3], False)
    assert files_of(tmp_path) == {**BASE, **FIRST}
    assert run.is_applied
    assert undo_run(store, run, tmp_path).causes == (1,)
    assert files_of(tmp_path) == BASE


def test_an_accepted_stack_alone_is_applied(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    stack = run.result().accepted_stack()
    assert apply_run(store, run, tmp_path, stack=stack).causes == (1, 2)


@pytest.mark.parametrize(("given", "said"), [({"cause": 4}, "no patch for cause 4"), ({"rank": 2}, "ranks of its own")])
def test_a_cause_without_a_patch_is_refused(tmp_path, given, said):
    run = run_of_three(tmp_path)
    with pytest.raises(UsageError, match=said):
        apply_run(open_store(tmp_path), run, tmp_path, **given)
    assert files_of(tmp_path) == BASE


def test_a_cause_that_is_not_applied_cannot_be_taken_out(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    apply_run(store, run, tmp_path, cause=1)
    with pytest.raises(UsageError, match=r"Cause 2 of run .* is not applied: 1"):
        undo_run(store, run, tmp_path, cause=2)


def rerecord(root, keep):
    """The run of three, with another result made of its own."""
    run = run_of_three(root)
    run.save_json("result.json", keep(run.result()).to_json())
    return run


@pytest.mark.parametrize("numbers", [(2,), (1, 3)])
def test_patches_that_were_judged_on_others_are_not_applied_without_these(tmp_path, numbers):
    def alone(result):
        patches = tuple(each for each in result.patches if each.cause in numbers)
        causes = tuple(each for each in result.causes if each.number in numbers)
        return replace(result, patches=patches, causes=causes, stacks=())

    with pytest.raises(UsageError, match="not judged with"):
        apply_run(open_store(tmp_path), rerecord(tmp_path, alone), tmp_path)
    assert files_of(tmp_path) == BASE


@pytest.mark.parametrize("given", [{}, {"cause": 2}])
def test_a_program_that_cannot_be_made_here_is_not_applied(tmp_path, given):
    run = rerecord(tmp_path, lambda result: replace(result, stacks=(StackView((1, 2), Status.CERTIFIED, ""),)))
    with pytest.raises(UsageError, match="not judged with"):
        apply_run(open_store(tmp_path), run, tmp_path, **given)


def test_a_cause_whose_program_is_missing_does_not_bring_another(tmp_path):
    run = rerecord(tmp_path, lambda result: replace(result, stacks=result.stacks[-1:]))
    with pytest.raises(UsageError, match="not judged with"):
        apply_run(open_store(tmp_path), run, tmp_path, cause=2)
    assert files_of(tmp_path) == BASE


def test_what_goes_with_these_and_is_no_more_than_plausible_is_named_so(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    applied = apply_run(store, run, tmp_path, stack=run.ended_result().accepted_stack())
    assert applied.causes == (1, 2)
    assert applied.warnings[-1] == (
        f"Not applied: cause 3, with a patch that is no more than plausible. `repair apply {run.id}` takes it along."
    )
    assert apply_run(store, run, tmp_path).causes == (1, 2, 3), "as it says"


def test_a_rejected_patch_is_no_patch_that_was_left_out(tmp_path):
    def reject(result):
        patches = tuple(replace(p, status=Status.REJECTED) if p.cause == 3 else p for p in result.patches)
        return replace(result, patches=patches, stacks=result.stacks[:3])

    applied = apply_run(open_store(tmp_path), rerecord(tmp_path, reject), tmp_path)
    assert not any("Not applied" in said for said in applied.warnings)


def test_what_was_not_shown_to_go_together_is_left_out_and_named(tmp_path):
    run, store = run_of_three(tmp_path), open_store(tmp_path)
    result = run.ended_result()
    apart = replace(result, stacks=tuple(stack for stack in result.stacks if len(stack.causes) == 1))
    record = store.new_run(datetime.datetime(2025, 1, 3), "dd", lambda: 0.0)
    for content in (*BASE.values(), *FIRST.values(), *SECOND.values(), *THIRD.values()):
        record.run.save_content(content)
    record.save_result(apart)
    record.close()
    applied = apply_run(store, record.run, tmp_path)
    assert applied.causes == (1,), "the certified one, and not the last"
    assert applied.warnings[-1].startswith("Not applied: cause 2, 3, whose patches were not shown to go with these")
    assert f"repair apply {record.run.id} --cause 2" in applied.warnings[-1]
