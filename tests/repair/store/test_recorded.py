import datetime
import json

import pytest

from repair.records.result import Result, Status
from repair.store.recorded import GROUNDS, LONGEST_DAYS, find_recorded, keep_grounds
from repair.store.store import RunStore

NOW = datetime.datetime(2025, 1, 10, 12, 0, 0)
GROUND = "ab" * 32


@pytest.fixture
def store(tmp_path):
    (tmp_path / "state" / "runs").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    return RunStore(tmp_path / "state", b"k" * 32, tmp_path / "project")


def recorded(store, when=NOW, suffix="aa", *, grounds=GROUND, again=True, status=Status.PLAUSIBLE):
    record = store.new_run(when, suffix, lambda: 0.0)
    record.save_result(Result(status, run=record.id, messages=("first",), next_action=f"repair show {record.id}"))
    keep_grounds(record.run, grounds, again=again)
    record.close()
    return record.run


def test_the_verdict_on_the_same_grounds_is_given_again_and_says_so(store):
    run = recorded(store)
    found = find_recorded(store, GROUND, NOW)
    assert (found.recorded, found.run, found.status) == (run.id, run.id, Status.PLAUSIBLE)
    assert found.messages[0] == "first"
    assert found.messages[1].startswith(
        f"as judged in run {run.id} on 2025-01-10 12:00:00 (UTC); nothing that it rests"
    )


@pytest.mark.parametrize("grounds", ["", "cd" * 32])
def test_other_grounds_have_no_verdict(store, grounds):
    recorded(store, grounds=grounds)
    assert find_recorded(store, "" if grounds == "" else GROUND, NOW) is None


def test_the_newest_run_on_the_grounds_decides(store):
    recorded(store, NOW, "aa")
    newer = recorded(store, NOW, "bb", status=Status.CERTIFIED)
    assert find_recorded(store, GROUND, NOW).run == newer.id
    recorded(store, NOW, "cc", again=False)
    assert find_recorded(store, GROUND, NOW) is None


def test_a_run_on_other_grounds_in_between_hides_nothing(store):
    run = recorded(store, NOW, "aa")
    recorded(store, NOW, "bb", grounds="cd" * 32)
    assert find_recorded(store, GROUND, NOW).run == run.id


def test_an_old_verdict_is_not_given_again(store):
    recorded(store)
    assert find_recorded(store, GROUND, NOW + datetime.timedelta(days=LONGEST_DAYS - 1)) is not None
    assert find_recorded(store, GROUND, NOW + datetime.timedelta(days=LONGEST_DAYS + 1)) is None


@pytest.mark.parametrize("name", ["run.json", "result.json", GROUNDS])
def test_what_nobody_sealed_counts_for_nothing(store, name):
    run = recorded(store)
    values = json.loads((run.path / name).read_bytes())
    (run.path / name).write_text(json.dumps(values))  # the same values in other bytes
    assert find_recorded(store, GROUND, NOW) is None


def test_a_record_of_another_user_counts_for_nothing(store, tmp_path):
    recorded(RunStore(tmp_path / "state", b"x" * 32, tmp_path / "project"))
    assert find_recorded(store, GROUND, NOW) is None


@pytest.mark.parametrize("name", ["review.json", "undone.json"])
def test_what_a_person_spoke_against_is_judged_anew(store, name):
    recorded(store).save_json(name, {})
    assert find_recorded(store, GROUND, NOW) is None


def test_a_key_that_is_not_kept_finds_nothing(store):
    recorded(store)
    store.is_kept = False
    assert find_recorded(store, GROUND, NOW) is None
