"""The loop: every cell to a record, failures of the machine again and not for ever, nothing lost."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.bench import job, record

from analysis.errors import TargetError
from corpora.bench.record import Ledger, read_records
from corpora.bench.run_bench import MOST_ATTEMPTS, left_to_do, run_jobs


class Scripted:
    """A crew that answers at once: by bug and attempt, ``record`` where nothing else is said."""

    room = 2

    def __init__(self, answers=(), gone=False):
        self.answers = dict(answers)
        self.gone = gone
        self.begun = []

    def submit(self, job):
        self.begun.append((job.bug.id, job.attempt))
        answer = self.answers.get((job.bug.id, job.attempt), record(job.bug.id, attempt=job.attempt))
        future = Future()
        if isinstance(answer, BaseException):
            future.set_exception(answer)
        else:
            future.set_result(answer)
        return future

    def check(self):
        if self.gone:
            raise TargetError("The scheduler went away")


def run(crew, names, tmp_path):
    told = []
    with Ledger(tmp_path) as ledger:
        run_jobs([job(name) for name in names], crew, ledger, lambda *said: told.append(said))
    records = read_records(tmp_path)[0]
    assert sorted(map(repr, records)) == sorted(repr(found) for found, _ in told)
    return {(found.cell.bug, found.attempt): found for found in records}, [repeat for _, repeat in told]


def test_every_cell_is_written(tmp_path: Path):
    records, repeated = run(Scripted(), "abc", tmp_path)
    assert set(records) == {("a", 1), ("b", 1), ("c", 1)}
    assert repeated == [False] * 3


def test_what_the_machine_fails_is_run_again_apart(tmp_path: Path):
    lost = BrokenProcessPool("killed")
    records, repeated = run(Scripted({("a", 1): lost, ("b", 1): record("b", "infrastructure")}), "ab", tmp_path)
    assert [records[key].ending for key in sorted(records)] == ["infrastructure", "done", "infrastructure", "done"]
    assert records["a", 1].error == "the worker was killed"
    assert sorted(repeated) == [False, False, True, True]


def test_not_for_ever(tmp_path: Path):
    crew = Scripted({("a", n): ValueError("odd") for n in range(1, 10)})
    records, repeated = run(crew, "ab", tmp_path)
    assert [n for name, n in crew.begun if name == "a"] == list(range(1, MOST_ATTEMPTS + 1))
    assert records["a", 1].error == "the worker has failed: ValueError: odd"
    assert repeated.count(True) == MOST_ATTEMPTS - 1


def test_where_nobody_is_left_that_is_said_and_no_cell_is_blamed(tmp_path: Path):
    with pytest.raises(TargetError, match="went away"):
        run(Scripted({("b", 1): ConnectionError()}, gone=True), "ab", tmp_path)
    assert [found.cell.bug for found in read_records(tmp_path)[0]] in (["a"], [])


def test_what_was_measured_is_not_run_again():
    jobs = [job("a"), job("b"), job("c")]
    records = [record("a"), record("b", "infrastructure", 2), record("b", "infrastructure")]
    assert left_to_do(jobs, records) == (replace(jobs[1], attempt=3), jobs[2])
