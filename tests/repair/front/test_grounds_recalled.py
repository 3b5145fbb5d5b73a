import datetime
from types import SimpleNamespace

import pytest

from repair.front import grounds as recalling
from repair.front.grounds import recall
from repair.records.config import Options
from repair.records.result import Result, Status
from repair.store.recorded import keep_grounds
from repair.store.store import open_store
from repair.trials.run_time import RunTime


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A project with one recorded verdict, and how to ask for it."""
    monkeypatch.setattr(recalling, "grounds_of", lambda *_: "ab" * 32)
    root, state = tmp_path / "project", str(tmp_path / "state")
    root.mkdir()
    record = open_store(root, state).new_run(datetime.datetime.now(datetime.UTC), "aa", lambda: 0.0)
    record.save_result(Result(Status.CERTIFIED, run=record.id))
    keep_grounds(record.run, "ab" * 32, again=True)
    record.close()
    place = SimpleNamespace(target=SimpleNamespace(root=str(root)), jail=None, sandbox=SimpleNamespace(snapshot=None))

    def ask(**given):
        options = Options(str(root), **{"state_dir": state, **given})
        return recall("check", (), None, options, place, {}, RunTime(0.0))

    return ask, record.id


def test_the_recorded_answer_comes_with_the_time_that_it_took_now(asked):
    ask, run = asked
    found, grounds = ask()
    assert (found.recorded, found.status, grounds) == (run, Status.CERTIFIED, "ab" * 32)
    assert found.seconds.total > 0.0


def test_without_the_cache_all_is_judged_anew_and_kept_for_later(asked):
    ask, _ = asked
    assert ask(cache=False) == (None, "ab" * 32)


@pytest.mark.parametrize("given", [{"coverage_file": "lines"}, {"coverage_data": "lines"}])
def test_who_wants_lines_gets_a_run(asked, given):
    ask, _ = asked
    assert ask(**given) == (None, "")


def test_where_nothing_can_be_recorded_nothing_is_recalled(asked, tmp_path):
    ask, _ = asked
    assert ask(state_dir=str(tmp_path / "project" / "inside")) == (None, "")


def test_what_is_open_is_a_part_of_the_question(asked, monkeypatch):
    ask, _ = asked
    digested = []
    monkeypatch.setattr(recalling, "grounds_of", lambda command, tests, *_: digested.append(tests) or "")
    monkeypatch.setattr(recalling, "read_open_tests", lambda folder: ("t.py::test_open",))
    ask()
    ask(open_tests=True)
    assert digested == [(), ("t.py::test_open",)]
