"""What a run was asked: written without secrets, read again, and which runs may go on."""

import subprocess
import sys

import pytest
from fakes.runs import NOON, run_at

from analysis.errors import ConflictError, UsageError
from analysis.facts import TestId
from repair.front.asked_runs import (
    QUESTION,
    TREE,
    AskedRun,
    asked_to_go_on,
    forget_asked,
    keep_asked,
    may_go_on,
    read_asked,
    refuse_other_tree,
)
from repair.records.change import Change
from repair.records.config import Options
from repair.records.result import Result, Seconds, Status
from repair.store.apply import apply_run
from repair.store.run_lock import hold_run, is_under_way
from repair.store.store import open_store
from sandbox.workspace import Snapshot

TEST = TestId("t.py::t")
FILES = (("a.py", "1" * 64), ("b.py", "2" * 64))


def snapshot(*files):
    return Snapshot("/p", "/m", (), files)


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def begun(store, options=None, **asked):
    """A run that was killed when it had written down what it was asked."""
    run = run_at(store, 1, result=None)
    (run.path / "result.json").unlink()
    options = options or Options(root=str(store.root), max_seconds=50, lf=True)
    keep_asked(run, AskedRun("fix", (TEST,), options, **asked), snapshot(*FILES))
    return run


def test_a_run_is_asked_again_what_it_was_asked(store):
    change = Change((("a.py", b"\xff"),), (("a.py", b"1"),), ("c.txt",))
    options = Options(root=str(store.root), task="mend it", seed=7, max_seconds=50, open_tests=True)
    run = begun(store, options, change=change, since="HEAD", earlier={"t": ("tried",), "u": ()})
    now = Options(root=str(store.root), output_format="json", task="another", seed=1)
    asked = asked_to_go_on(run, now)
    assert (asked.command, asked.tests, asked.change, asked.since) == ("fix", (TEST,), change, "HEAD")
    assert asked.earlier == {"t": ("tried",)}
    assert (asked.options.task, asked.options.seed, asked.options.max_seconds) == ("mend it", 7, 50)
    assert (asked.options.output_format, asked.options.open_tests) == ("json", False)
    assert asked_to_go_on(run, now, 99.0).options.max_seconds == 99


def test_no_secret_is_written(store):
    place = "http://user:canary-1@h/v1?key=canary-2"
    options = Options(
        root=str(store.root),
        base_url=place,
        strong_base_url=place,
        models=(f"n base-url={place} key=REPAIR_N_API_KEY",),
        agent="agent --token canary-3",
        proposers=("agent",),
    )
    run = begun(store, options)
    written = b"".join(path.read_bytes() for path in run.path.rglob("*") if path.is_file())
    assert b"canary" not in written
    assert read_asked(run).options.models == ("n base-url=http://h/v1 key=REPAIR_N_API_KEY",)
    with pytest.raises(UsageError, match="given an agent, whose command is not recorded"):
        asked_to_go_on(run, Options(root=str(store.root)))
    assert asked_to_go_on(run, Options(root=str(store.root), agent="mine")).options.agent == "mine"


@pytest.mark.parametrize(
    ("result", "goes_on"),
    [
        (None, True),
        (Result(Status.INTERRUPTED), True),
        (Result(Status.MODEL_ERROR), True),
        (Result(Status.UNREPAIRED), True),
        (Result(Status.UNREPAIRED, seconds=Seconds(total=46)), True),
        (Result(Status.PLAUSIBLE, seconds=Seconds(total=51)), True),
        (Result(Status.UNREPAIRED, seconds=Seconds(total=20)), False),
        (Result(Status.CERTIFIED, seconds=Seconds(total=51)), False),
        (Result(Status.NOTHING_FAILS), False),
        (Result(Status.USAGE), False),
    ],
)
def test_a_run_goes_on_that_is_not_at_its_end(store, result, goes_on):
    assert may_go_on(result, 50) is goes_on
    run = begun(store)
    if result is None:
        assert asked_to_go_on(run, Options(root=str(store.root)))
        return
    run.save_json("result.json", result.to_json())
    forget_asked(run, Options(root=str(store.root), max_seconds=50), result)
    assert (run.path / TREE).exists() == (run.path / QUESTION).exists() == goes_on
    if goes_on:
        assert asked_to_go_on(run, Options(root=str(store.root)))
    else:
        with pytest.raises(UsageError, match=f"has come to its end: {result.status}"):
            asked_to_go_on(run, Options(root=str(store.root)))


def test_what_may_be_a_secret_among_the_arguments_of_pytest_is_not_kept(store):
    given = Options(root=str(store.root), pytest_args=("-x", "--api-token=hunter2"), max_seconds=50)
    run = begun(store, given)
    assert b"hunter2" not in (run.path / QUESTION).read_bytes()
    with pytest.raises(UsageError, match="leaves out what may be a secret"):
        asked_to_go_on(run, Options(root=str(store.root)))
    again = Options(root=str(store.root), pytest_args=given.pytest_args)
    assert asked_to_go_on(run, again).options.pytest_args == given.pytest_args


def test_what_a_model_was_asked_is_kept_for_a_replay(store):
    options = Options(root=str(store.root), model="m", base_url="http://h", max_seconds=50)
    run = begun(store, options)
    forget_asked(run, options, Result(Status.CERTIFIED))
    assert not (run.path / TREE).exists()
    assert read_asked(run).options.model == "m"


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ((("a.py", "1" * 64), ("b.py", "3" * 64)), "b.py has changed since"),
        ((("a.py", "1" * 64),), "b.py is gone since"),
        ((*FILES, ("c.py", "1" * 64)), "c.py is new since"),
    ],
)
def test_another_tree_is_refused_by_the_name_of_its_file(store, now, said):
    run = begun(store)
    refuse_other_tree(run, snapshot(*FILES))
    with pytest.raises(ConflictError, match=said):
        refuse_other_tree(run, snapshot(*now))


def test_a_run_that_was_killed_too_early_says_so(store):
    run = run_at(store, 1, result=None)
    (run.path / "result.json").unlink()
    with pytest.raises(UsageError, match="does not say what it was asked"):
        asked_to_go_on(run, Options(root=str(store.root)))


def test_a_foreign_run_and_one_that_was_changed_do_not_go_on(store):
    run = begun(store)
    question = (run.path / QUESTION).read_bytes()
    (run.path / QUESTION).write_bytes(question.replace(b"fix", b"mix"))
    with pytest.raises(UsageError, match="changed after it was written"):
        asked_to_go_on(run, Options(root=str(store.root)))
    (run.path / "seals" / "run.json").unlink()
    with pytest.raises(UsageError, match="is foreign"):
        asked_to_go_on(run, Options(root=str(store.root)))


HOLDER = (
    "import sys\nfrom pathlib import Path\nfrom repair.store.run_lock import hold_run\n"
    "with hold_run(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
)


def test_a_run_under_way_in_another_process_does_not_go_on_until_that_is_dead(store):
    run = begun(store)
    command = [sys.executable, "-c", HOLDER, str(run.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        assert is_under_way(run.path)
        assert store.under_way() == (run.id,)
        assert store.under_way("another", run.id) == ()
        with pytest.raises(UsageError, match="is under way in another process"):
            asked_to_go_on(run, Options(root=str(store.root)))
        with pytest.raises(UsageError, match="is under way in another process"), hold_run(run.path):
            pass
        holder.kill()
    assert not is_under_way(run.path)
    assert asked_to_go_on(run, Options(root=str(store.root))).tests == (TEST,)


LOOKER = "import sys, pathlib, repair.store.run_lock as r; print(r.is_under_way(pathlib.Path(sys.argv[1])))"


def test_a_run_that_we_go_on_from_stays_held_while_others_are_looked_for(store):
    run = begun(store)
    with hold_run(run.path):
        assert store.under_way("the new one", run.id) == ()
        seen = subprocess.run([sys.executable, "-c", LOOKER, str(run.path)], capture_output=True, text=True, check=True)
        assert seen.stdout == "True\n"


@pytest.mark.parametrize("kind", ["folder", "link", "dangling link"])
def test_a_lock_that_is_none_ends_no_other_run(store, tmp_path, kind):
    lock = begun(store).path / "lock"
    if kind == "folder":
        lock.mkdir()
    else:
        (tmp_path / "target").write_text("")
        lock.symlink_to(tmp_path / ("target" if kind == "link" else "gone"))
    assert store.under_way() == ()


def test_a_run_that_has_ended_leaves_no_lock(store):
    record = store.new_run(NOON, "zz", lambda: 0.0)
    assert (record.run.path / "lock").exists()
    record.close()
    assert not (record.run.path / "lock").exists()


def test_a_run_under_way_is_not_said_to_have_ended(store):
    run = begun(store)
    with pytest.raises(UsageError, match="ended before it had a result"):
        run.ended_result()
    command = [sys.executable, "-c", HOLDER, str(run.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="is under way, and has no result yet"):
            run.ended_result()
        with pytest.raises(UsageError, match="is under way"):
            apply_run(store, run, store.root)
        holder.kill()
