"""What a run hands over in the end."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

import repair.front.composition as workshop_module
from analysis.errors import OutOfTimeError
from analysis.facts import Limits
from repair.compare.patched_server import PatchedServer
from repair.front.composition import MOST_TEST_SHARE, RunContext, limits_of
from repair.records.config import Options
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.records.verdict import CORE_GATES, EXTRA_GATES
from repair.trials.run_time import TimeIsUp
from repair.trials.trial_memory import TrialMemory
from sandbox.deadline import Deadline


def test_a_damaged_memory_is_told_with_the_result(tmp_path):
    path, saved, heard = tmp_path / "trials.sqlite", [], []
    path.write_bytes(b"no database" * 1000)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    workshop = RunContext(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale_files=lambda: ()), jail=SimpleNamespace(kind="bwrap", opens=())
        ),
        record=SimpleNamespace(id="r", save_result=saved.append),
        listen=heard.append,
        started=0.0,
        warnings=("isolation is limited",),
        proposers=(),
        key=b"k" * 32,
        memory=memory,
    )
    result = workshop.finish(RunOutcome(Status.UNREPAIRED))
    assert saved == [result]
    assert result.warnings[0] == "isolation is limited"
    assert "starts anew" in result.warnings[1]
    assert [event.type for event in heard] == ["warning", "finished"]


def test_a_full_disk_costs_the_record_and_not_the_answer(tmp_path):
    def refuse(_):
        raise OSError(28, "No space left on device")

    workshop = RunContext(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale_files=lambda: ()), jail=SimpleNamespace(kind="bwrap", opens=())
        ),
        record=SimpleNamespace(id="r", save_result=refuse),
        listen=lambda event: None,
        started=0.0,
        warnings=(),
        proposers=(),
        key=b"k" * 32,
    )
    result = workshop.finish(RunOutcome(Status.UNREPAIRED))
    assert result.status is Status.UNREPAIRED
    assert result.warnings == ("the run could not be recorded, and cannot be applied later: No space left on device",)


def gates_of(tmp_path, gates):
    sandbox = SimpleNamespace(snapshot=SimpleNamespace(read=lambda names: {}))
    workshop = RunContext(
        options=Options(str(tmp_path), gates=gates),
        target=SimpleNamespace(root=str(tmp_path), interpreter=SimpleNamespace(version=(3, 11, 7))),
        sandbox=sandbox,
        record=None,
        listen=lambda event: None,
        started=0.0,
        warnings=(),
        proposers=(),
        key=b"k" * 32,
    )
    return [gate.name for gate in workshop.gates(sandbox, PatchedServer(sandbox, Limits()))], workshop.required


@pytest.mark.parametrize("ruff", ["", "/bin/ruff"])
def test_strict_asks_and_requires_every_gate_there_is(tmp_path, monkeypatch, ruff):
    monkeypatch.setattr(workshop_module, "find_ruff", lambda root, path: ruff)
    names, required = gates_of(tmp_path, "strict")
    assert set(names) == set(required) == {*CORE_GATES, *EXTRA_GATES}
    names, required = gates_of(tmp_path, "standard")
    assert required == CORE_GATES
    assert set(names) == {*CORE_GATES, "cost", *(["static"] if ruff else [])}
    assert [name for name in names if name in CORE_GATES] == list(CORE_GATES)


@pytest.mark.parametrize("seconds", [0.5, 1.0, 4.0, 12.0, 60.0, 600.0])
def test_no_bound_on_a_run_is_more_than_there_is_time_for_all(seconds):
    limits = limits_of(seconds)
    assert limits.wall_seconds <= seconds
    assert limits.test_seconds <= MOST_TEST_SHARE * seconds


def test_a_test_has_five_seconds_where_there_are_thirty():
    assert limits_of(30.0).test_seconds == limits_of(60.0).test_seconds == 5.0
    assert limits_of(120.0).test_seconds == 10.0


class Timed:
    """A workshop whose sandbox has a deadline; ``done`` counts how often the answer was said to be made."""

    def __init__(self, tmp_path, seconds, began=0.0):
        self.done = []
        self.deadline = Deadline()
        self.workshop = RunContext(
            options=Options(str(tmp_path), max_seconds=seconds),
            target=None,
            sandbox=SimpleNamespace(deadline=self.deadline),
            record=None,
            listen=lambda event: None,
            started=time.monotonic() - began,
            warnings=(),
            proposers=(),
            key=b"k" * 32,
            done=lambda: self.done.append("done"),
        )


def test_the_time_of_a_run_counts_from_its_start_and_bounds_its_sandbox(tmp_path):
    timed = Timed(tmp_path, 100.0, began=40.0)
    assert timed.workshop.in_time(lambda: RunOutcome(Status.CERTIFIED)).status is Status.CERTIFIED
    assert 0 < timed.deadline.left <= 60.0
    assert 0 < timed.workshop.task(("test_a.py",)).budget.max_seconds <= 60.0
    assert timed.done == ["done"]


def test_opening_that_took_all_the_time_leaves_none(tmp_path):
    timed = Timed(tmp_path, 10.0, began=40.0)
    assert timed.workshop.task(("test_a.py",)).budget.max_seconds == 0.0


@pytest.mark.parametrize("problem", [TimeIsUp(), OutOfTimeError("late")])
def test_what_a_run_has_reached_is_its_answer_where_its_time_is_up(tmp_path, problem):
    timed = Timed(tmp_path, 10.0)

    def work():
        timed.workshop.reached.make = lambda: RunOutcome(Status.UNREPAIRED, messages=("got so far",))
        raise problem

    ending = timed.workshop.in_time(work)
    assert ending.messages[0] == "got so far"
    assert timed.done == ["done"]


def test_an_answer_is_not_lost_to_an_alarm_that_rings_behind_it(tmp_path):
    timed = Timed(tmp_path, 10.0)

    def ring():
        timed.done.append("done")
        if len(timed.done) == 1:
            raise TimeIsUp

    workshop = replace(timed.workshop, done=ring)
    assert workshop.in_time(lambda: RunOutcome(Status.CERTIFIED)).status is Status.CERTIFIED


def test_a_defect_is_no_want_of_time(tmp_path):
    with pytest.raises(KeyError):
        Timed(tmp_path, 10.0).workshop.in_time(lambda: {}["missing"])
