"""What a run hands over in the end."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from analysis.errors import OutOfTimeError
from repair.front.composition import RunContext
from repair.records.config import Options
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.trials.run_time import RunTime, TimeIsUp
from repair.trials.trial_memory import TrialMemory
from sandbox.deadline import Deadline
from sandbox.request import ColdStarts


def test_a_damaged_memory_is_told_with_the_result(tmp_path):
    path, saved, heard = tmp_path / "trials.sqlite", [], []
    path.write_bytes(b"no database" * 1000)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    context = RunContext(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale_files=lambda: ()),
            jail=SimpleNamespace(kind="bwrap", opens=()),
            cold_starts=ColdStarts(),
        ),
        record=SimpleNamespace(
            id="r", save_result=saved.append, run=SimpleNamespace(path=tmp_path, save_json=lambda *_: None)
        ),
        listen=heard.append,
        timing=RunTime(0.0),
        warnings=("isolation is limited",),
        proposers=(),
        store=SimpleNamespace(directory=tmp_path / "state"),
        memory=memory,
    )
    result = context.finish(RunOutcome(Status.UNREPAIRED))
    assert saved == [result]
    assert result.warnings[0] == "isolation is limited"
    assert "starts anew" in result.warnings[1]
    assert [event.type for event in heard] == ["warning", "finished"]


def test_a_full_disk_costs_the_record_and_not_the_answer(tmp_path):
    def refuse(_):
        raise OSError(28, "No space left on device")

    context = RunContext(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale_files=lambda: ()),
            jail=SimpleNamespace(kind="bwrap", opens=()),
            cold_starts=ColdStarts(),
        ),
        record=SimpleNamespace(id="r", save_result=refuse),
        listen=lambda event: None,
        timing=RunTime(0.0),
        warnings=(),
        proposers=(),
        store=SimpleNamespace(directory=tmp_path / "state"),
    )
    result = context.finish(RunOutcome(Status.UNREPAIRED))
    assert result.status is Status.UNREPAIRED
    assert result.warnings == ("the run could not be recorded, and cannot be applied later: No space left on device",)


class Timed:
    """A run whose sandbox has a deadline; ``done`` counts how often the answer was said to be made."""

    def __init__(self, tmp_path, seconds, began=0.0):
        self.done = []
        self.deadline = Deadline()
        self.context = RunContext(
            options=Options(str(tmp_path), max_seconds=seconds),
            target=None,
            sandbox=SimpleNamespace(deadline=self.deadline),
            record=None,
            listen=lambda event: None,
            timing=RunTime(time.monotonic() - began, lambda: self.done.append("done")),
            warnings=(),
            proposers=(),
            store=None,
        )


def test_the_time_of_a_run_counts_from_its_start_and_bounds_its_sandbox(tmp_path):
    timed = Timed(tmp_path, 100.0, began=40.0)
    assert timed.context.in_time(lambda: RunOutcome(Status.CERTIFIED)).status is Status.CERTIFIED
    assert 0 < timed.deadline.left <= 60.0
    assert 0 < timed.context.task(("test_a.py",)).budget.max_seconds <= 60.0
    assert timed.done == ["done"]


def test_opening_that_took_all_the_time_leaves_none(tmp_path):
    timed = Timed(tmp_path, 10.0, began=40.0)
    assert timed.context.task(("test_a.py",)).budget.max_seconds == 0.0


@pytest.mark.parametrize("problem", [TimeIsUp(), OutOfTimeError("late")])
def test_what_a_run_has_reached_is_its_answer_where_its_time_is_up(tmp_path, problem):
    timed = Timed(tmp_path, 10.0)

    def work():
        timed.context.reached.make = lambda: RunOutcome(Status.UNREPAIRED, messages=("got so far",))
        raise problem

    ending = timed.context.in_time(work)
    assert ending.messages[0] == "got so far"
    assert timed.done == ["done"]


def test_an_answer_is_not_lost_to_an_alarm_that_rings_behind_it(tmp_path):
    timed = Timed(tmp_path, 10.0)

    def ring():
        timed.done.append("done")
        if len(timed.done) == 1:
            raise TimeIsUp

    context = replace(timed.context, timing=replace(timed.context.timing, done=ring))
    assert context.in_time(lambda: RunOutcome(Status.CERTIFIED)).status is Status.CERTIFIED


def test_a_defect_is_no_want_of_time(tmp_path):
    with pytest.raises(KeyError):
        Timed(tmp_path, 10.0).context.in_time(lambda: {}["missing"])


def test_a_defect_loses_no_patch_that_was_judged_before_it_and_is_told(tmp_path):
    timed = Timed(tmp_path, 10.0)
    told = []
    context = replace(timed.context, listen=told.append)

    def work():
        context.reached.make = lambda: RunOutcome(Status.PLAUSIBLE, judged=("a patch",), messages=("got so far",))
        return {}["missing"]

    ending = context.in_time(work)
    assert (ending.status, ending.judged) == (Status.PLAUSIBLE, ("a patch",))
    assert ending.messages[0] == "got so far"
    assert "a defect of repair ended the run, KeyError in test_composition.py:" in ending.messages[1]
    assert [each.type for each in told] == ["warning"]


def test_what_the_system_refuses_is_no_defect(tmp_path):
    context = Timed(tmp_path, 10.0).context

    def work():
        context.reached.make = lambda: RunOutcome(Status.PLAUSIBLE, judged=("a patch",))
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        context.in_time(work)
