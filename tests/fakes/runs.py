"""Runs in a store, made as the engine makes them."""

import datetime

from repair.records.result import FailureView, Result, Seconds, Status

NOON = datetime.datetime(2025, 1, 2, 12, 0, 0)
RESULT = Result(Status.CERTIFIED, failures=(FailureView("t.py::t", "logic", function="f"),), seconds=Seconds(total=1.5))


def run_at(store, second, suffix="aa", result=RESULT):
    """A run of that second, with its result; without one it was broken off."""
    record = store.new_run(NOON.replace(second=second), suffix, lambda: 0.0)
    if result:
        record.save_result(result)
    record.close()
    return record.run
