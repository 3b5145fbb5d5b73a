"""Where records lie, whose they are, and what a project that holds planted ones gains: nothing."""

import datetime
import json
import os
import shutil
import stat

import pytest

from analysis.errors import TargetError, UsageError
from repair.records.result import PatchView, Result, Status
from repair.store import state
from repair.store.state import KEY_BYTES, leave_pointer, state_folder, sweep, user_folder, user_key
from repair.store.store import open_store
from repair.store.stored_run import Seals

NOON = datetime.datetime(2025, 1, 2, 12, 0, 0)
PATCHED = Result(Status.CERTIFIED, patches=(PatchView(1, Status.CERTIFIED, "m.py", "f", "", "", proposer="search"),))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def record(store, second=0, result=PATCHED):
    made = store.new_run(NOON.replace(second=second), "aa", lambda: 0.0)
    made.save_result(result)
    made.close()
    return made.run


def test_records_lie_with_the_user_and_the_project_gets_a_pointer(project, home):
    store = open_store(project)
    record(store)
    assert store.directory.is_relative_to(home)
    assert store.directory.name.startswith("project-")
    assert stat.S_IMODE(store.directory.stat().st_mode) == 0o700
    assert sorted(os.listdir(project / ".repair")) == [".gitignore", "README.txt"]
    assert (project / ".repair/.gitignore").read_text() == "*\n"
    assert str(store.directory) in (project / ".repair/README.txt").read_text()


def test_two_projects_of_one_name_do_not_meet(tmp_path):
    (tmp_path / "a/p").mkdir(parents=True)
    (tmp_path / "b/p").mkdir(parents=True)
    assert state_folder(tmp_path / "a/p") != state_folder(tmp_path / "b/p")
    (tmp_path / "link").symlink_to(tmp_path / "a/p")
    assert state_folder(tmp_path / "link") == state_folder(tmp_path / "a/p")


@pytest.mark.parametrize("named", [".", "x/y", ".repair", "link/deep", "../project/x"])
def test_a_state_directory_in_the_project_is_refused(project, named):
    (project / "inner").mkdir()
    (project / "link").symlink_to(project / "inner")
    with pytest.raises(UsageError, match="lies in the project"):
        open_store(project, named)
    assert sorted(os.listdir(project)) == ["inner", "link"]


def test_a_project_that_holds_the_users_state_is_refused(tmp_path):
    with pytest.raises(UsageError, match="lies in the project"):
        open_store(tmp_path)


def test_a_state_directory_that_is_a_link_is_refused(project, tmp_path):
    (tmp_path / "victim").mkdir()
    folder = open_store(project, str(tmp_path / "records")).directory
    shutil.rmtree(folder)
    folder.symlink_to(tmp_path / "victim")
    with pytest.raises(UsageError, match="symbolic link"):
        open_store(project, str(tmp_path / "records"))
    assert os.listdir(tmp_path / "victim") == []


def test_a_named_state_directory_that_cannot_be_made_is_a_usage_error(project, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        open_store(project, "../file/state")


def test_a_home_that_cannot_be_written_is_said(project, home):
    home.write_text("in the way")
    with pytest.raises(TargetError, match=r"cannot be written.*--state-dir"):
        open_store(project)


def test_the_pointer_follows_no_link_and_replaces_nothing(project, tmp_path):
    victim = tmp_path / "victim"
    victim.mkdir()
    (project / ".repair").symlink_to(victim)
    leave_pointer(project, tmp_path)
    assert os.listdir(victim) == []
    (project / ".repair").unlink()
    (project / ".repair").mkdir()
    (project / ".repair/README.txt").symlink_to(victim / "x")
    leave_pointer(project, tmp_path)
    assert os.listdir(victim) == []
    (project / ".repair/.gitignore").write_text("mine")
    leave_pointer(project, tmp_path)
    assert (project / ".repair/.gitignore").read_text() == "mine"


def test_the_key_is_the_users_own_and_stays(home):
    key, is_kept = user_key()
    assert (len(key), is_kept) == (KEY_BYTES, True)
    assert user_key() == (key, True)
    assert stat.S_IMODE((home / "repair/memory.key").stat().st_mode) == 0o600
    assert os.listdir(home / "repair") == ["memory.key"]


def test_without_a_place_for_the_key_it_lasts_for_one_process(project, home, tmp_path):
    home.write_text("in the way")
    assert len({user_key(), user_key()}) == 2
    store = open_store(project, str(tmp_path / "records"))
    run = record(store)
    assert (store.is_kept, store.load_run()) == (False, run)
    assert open_store(project, str(tmp_path / "records")).load_run(run.id).is_foreign


def test_no_key_is_taken_from_where_records_lie(project, home, tmp_path):
    """A cache of records that somebody else filled may bring a key along."""
    home.write_text("in the way")
    store = open_store(project, str(tmp_path / "records"))
    record(store)
    (store.directory / "memory.key").write_bytes(store.key)
    (tmp_path / "records/memory.key").write_bytes(store.key)
    assert open_store(project, str(tmp_path / "records")).key != store.key


def test_a_key_that_was_cut_is_not_taken(home):
    user_key()
    (home / "repair/memory.key").write_bytes(b"")
    assert user_key()[1] is False


def test_projects_that_share_a_named_directory_do_not_meet(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    stores = [open_store(tmp_path / name, str(tmp_path / "records")) for name in ("a", "b")]
    run = record(stores[0])
    assert stores[0].load_run() == run
    assert stores[1].list_runs().runs == ()


def test_a_project_with_a_long_name_has_records_too(tmp_path):
    (tmp_path / ("x" * 245)).mkdir()
    record(open_store(tmp_path / ("x" * 245)))


@pytest.mark.parametrize("parts", [(b"ab", b"c"), (b"a", b"bc", b""), (b"abc",)])
def test_a_seal_holds_for_its_own_parts_alone(parts):
    seals = Seals(b"k" * 32)
    assert seals.holds(seals.seal(b"a", b"bc"), b"a", b"bc")
    assert not seals.holds(seals.seal(b"a", b"bc"), *parts)
    assert not Seals(b"x" * 32).holds(seals.seal(b"a", b"bc"), b"a", b"bc")
    assert not seals.holds("\udcff", b"a")


# --- foreign runs ---


def planted(store, name="29991231-235959-zzz", result=PATCHED):
    folder = store.directory / "runs" / name
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps(result.to_json()))
    (folder / "run.json").write_text(json.dumps({"id": name, "root": str(store.root)}))
    return name


def test_a_planted_run_is_foreign_and_never_the_latest(project):
    store = open_store(project)
    own, name = record(store), planted(open_store(project))
    assert [(row.id, row.status) for row in store.list_runs().runs] == [(name, "foreign"), (own.id, "certified")]
    assert store.load_run() == own
    assert store.latest_fix() == own
    shown = store.load_run(name).result()
    assert (shown.status, [patch.status for patch in shown.patches]) == (Status.FOREIGN, [Status.FOREIGN])
    assert shown.next_action == f"repair replay {name}"


def test_where_all_runs_are_foreign_there_is_no_latest(project):
    store = open_store(project)
    planted(store)
    with pytest.raises(UsageError, match=r"No run 'latest'.*\(foreign\)"):
        store.load_run()
    with pytest.raises(UsageError, match="No run has a patch"):
        store.latest_fix()


def test_a_run_under_another_name_is_foreign(project):
    store = open_store(project)
    run = record(store)
    os.rename(run.path, run.path.with_name("29991231-235959-zzz"))
    assert store.list_runs().runs[0].status == "foreign"


def test_a_result_that_was_changed_is_not_read(project):
    store = open_store(project)
    run = record(store)
    values = json.loads((run.path / "result.json").read_text())
    (run.path / "result.json").write_text(json.dumps({**values, "status": "plausible"}))
    with pytest.raises(UsageError, match="changed after it was written"):
        run.result()
    (store.directory / "index.sqlite").unlink()
    assert [row.status for row in store.list_runs().runs] == ["damaged"]


@pytest.mark.parametrize("make", [os.mkdir, lambda path: path.symlink_to("nowhere"), lambda path: path.write_text("x")])
def test_what_is_no_folder_of_a_run_is_no_run(project, make):
    store = open_store(project)
    own = record(store)
    make(store.directory / "runs/29991231-235959-zzz")
    assert store.load_run() == own


@pytest.mark.parametrize("name", ["result.json", "certificate.json", "events.jsonl"])
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_plain_file_is_damage(project, name, make):
    store = open_store(project)
    run = record(store)
    (run.path / name).unlink(missing_ok=True)
    make(run.path / name)
    reads = {"result.json": run.result, "certificate.json": run.certificate, "events.jsonl": run.events}
    with pytest.raises(UsageError, match="damaged"):
        reads[name]()


# --- size ---


def test_records_of_projects_that_are_gone_go_after_a_while(project, tmp_path):
    kept, gone = state_folder(project), tmp_path / "gone"
    gone.mkdir()
    left = state_folder(gone)
    gone.rmdir()
    now = left.stat().st_mtime + (state.DAYS_WITHOUT_PROJECT + 1) * 86_400
    sweep(left.stat().st_mtime + 60)
    assert left.exists()
    sweep(now)
    assert (left.exists(), kept.exists()) == (False, True)
    assert user_folder().exists()


def test_a_project_out_of_reach_is_not_gone(tmp_path):
    """As on a disk that is not there today."""
    (tmp_path / "disk/project").mkdir(parents=True)
    kept = state_folder(tmp_path / "disk/project")
    (tmp_path / "disk").rename(tmp_path / "elsewhere")
    sweep(kept.stat().st_mtime + 400 * 86_400)
    assert kept.exists()
