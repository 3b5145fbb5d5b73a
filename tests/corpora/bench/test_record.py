"""A record survives being written and read."""

from __future__ import annotations

import json

import pytest

from corpora.bench.record import BenchRecord, Cell
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
