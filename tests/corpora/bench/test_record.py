"""Records survive being written and read; the ledger is durable, whole after any crash, and has one writer."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from fakes.bench import record

from analysis.errors import TargetError, UsageError
from corpora.bench.record import BenchRecord, Cell, Ledger, read_records, settled_records
from repair.records.result import Counts, Result, Status

RECORD = BenchRecord(
    Cell("flat:x", "half", "search", 7),
    "done",
    1.5,
    "2026-01-02T03:04:05Z",
    result=Result(Status.UNREPAIRED, counts=Counts(candidates=3)),
)


def test_a_record_survives_a_round_trip():
    assert BenchRecord.from_json(json.loads(json.dumps(RECORD.to_json()))) == RECORD


@pytest.mark.parametrize("spoiled", [{}, {"cell": 1}, {**RECORD.to_json(), "ending": "lost"}])
def test_a_wrong_record_is_refused(spoiled: object):
    with pytest.raises(ValueError, match="record"):
        BenchRecord.from_json(spoiled)


def test_records_come_back_in_order(tmp_path: Path):
    with Ledger(tmp_path) as ledger:
        assert not ledger.is_begun
        ledger.append(record("a"))
        ledger.append(record("b"))
    with Ledger(tmp_path, "-1of2") as other:
        other.append(record("c"))
    assert [found.cell.bug for found in read_records(tmp_path)[0]] == ["c", "a", "b"]
    with Ledger(tmp_path) as ledger:
        assert ledger.is_begun


@pytest.mark.parametrize("kept", [1, 40, -1])
def test_a_torn_last_line_is_cut_away_and_the_rest_kept(tmp_path: Path, kept: int):
    with Ledger(tmp_path) as ledger:
        ledger.append(record("a"))
        ledger.append(record("b"))
    path = tmp_path / "records.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:kept])
    records, said = read_records(tmp_path)
    assert [found.cell.bug for found in records] == (["a"] if kept != -1 else ["a", "b"])
    assert [line.split(" is no")[0] for line in said] == (["records.jsonl, line 2"] if kept != -1 else [])
    with Ledger(tmp_path) as ledger:
        assert "cut away" in ledger.repaired
        ledger.append(record("c"))
    assert [found.cell.bug for found in read_records(tmp_path)[0]] == ["a", "c"]


def test_a_damaged_line_is_said_and_passed_over(tmp_path: Path):
    with Ledger(tmp_path) as ledger:
        ledger.append(record("a"))
    path = tmp_path / "records.jsonl"
    wrong = json.dumps({**record("b").to_json(), "seconds": "long"})
    path.write_bytes(b"\xff{\n" + wrong.encode() + b"\n" + b'{"schema": "another/1"}\n[1]\n' + path.read_bytes())
    records, said = read_records(tmp_path)
    assert [found.cell.bug for found in records] == ["a"]
    assert [line.split(" is no")[0] for line in said] == ["records.jsonl, line 1", "records.jsonl, line 2"]


def test_a_full_disk_leaves_what_was_there_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with Ledger(tmp_path) as ledger:
        ledger.append(record("a"))
        write = os.write

        def little(descriptor: int, content: bytes) -> int:
            if len(content) < 100:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, content[: len(content) - 50])

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", little)
            with pytest.raises(TargetError, match=r"No space left on device .*--resume"):
                ledger.append(record("b"))
        ledger.append(record("c"))
    records, said = read_records(tmp_path)
    assert ([found.cell.bug for found in records], said) == (["a", "c"], ())


def test_a_second_writer_is_refused(tmp_path: Path):
    with Ledger(tmp_path), pytest.raises(UsageError, match="Another run writes"), Ledger(tmp_path):
        pass
    with Ledger(tmp_path):
        pass


def test_a_measurement_counts_more_than_a_failure_of_the_machine():
    failed, done = record("a", "infrastructure"), record("a", attempt=2)
    again = record("b", "infrastructure", 2)
    assert settled_records([failed, done, record("b", "infrastructure"), again]) == (done, again)
    assert settled_records([done, failed]) == (done,)
