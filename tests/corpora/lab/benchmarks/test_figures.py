"""Figures: the table, and the record with exactly the promised fields."""

from __future__ import annotations

import json
import re

import pytest

from corpora.lab.benchmarks.figures import (
    FIGURES,
    Measured,
    figures_of,
    join_measured,
    measured_from_json,
    measured_to_json,
    row,
    table,
    write_record,
)

SPEED = row("fork_vs_cold", {"one": 90.0, "two": 300.0, "three": 120.0})
OVERHEAD = row("isolation_overhead", {"one": 0.01, "two": 0.2})


def test_value_is_the_median_and_the_worst_stands_beside_it():
    assert (SPEED.median, SPEED.worst) == (120.0, 90.0)
    assert OVERHEAD.worst == 0.2
    assert figures_of(Measured((SPEED,))) == {"fork_vs_cold": 120.0, "fork_vs_cold_worst": 90.0}


def test_one_value_has_no_worst_beside_it():
    assert figures_of(Measured((row("verdict_agreement", {"all": 1.0}),))) == {"verdict_agreement": 1.0}


def test_table_names_a_miss_a_miss():
    text = table(Measured((SPEED, OVERHEAD)))
    lines = text.splitlines()
    assert re.search(r"fork_vs_cold +120 +90 +≥ 100 +250 +meets +one 90, two 300, three 120", lines[1])
    assert re.search(r"isolation_overhead +0.105 +0.2 +≤ 0.05 +0 +MISSES", lines[2])


def test_row_without_a_value_is_refused():
    with pytest.raises(AssertionError, match="leave the row out"):
        row("fork_vs_cold", {})


def test_record_has_the_promised_fields(tmp_path):
    path = tmp_path / "bench" / "validation.json"
    measured = join_measured([Measured((SPEED,), (("cold_ms_one", 512.123456789),)), Measured(notes=("left out",))])
    write_record(path, measured, date="2026-01-01", versions={"python": "3.11"}, machine={"cores": 2})
    record = json.loads(path.read_text())
    assert list(record) == ["date", "versions", "machine", "figures", "each", "notes", "steps"]
    assert record["each"]["fork_vs_cold"] == {"one": 90.0, "two": 300.0, "three": 120.0}
    assert record["figures"]["cold_ms_one"] == 512.12346
    assert record["notes"] == ["left out"]


def test_record_refuses_what_is_no_number(tmp_path):
    measured = Measured(numbers=(("ratio", float("nan")),))
    with pytest.raises(ValueError, match="JSON"):
        write_record(tmp_path / "v.json", measured, date="", versions={}, machine={})


def test_names_are_distinct_and_aims_lie_beyond_the_least():
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    for figure in FIGURES:
        assert re.fullmatch(r"[a-z0-9_]+", figure.name)
        assert figure.meets(figure.aim)


def test_steps_of_several_libraries_make_one_row():
    one = Measured((row("fork_vs_cold", {"one": 90.0}),), (("wall", 10.0), ("only", 1.0)), ("a note",))
    two = Measured((row("fork_vs_cold", {"two": 50.0}), OVERHEAD), (("wall", 20.0),), ("a note", "another"))
    both = join_measured([one, two])
    assert [each.values for each in both.rows] == [(("one", 90.0), ("two", 50.0)), OVERHEAD.values]
    assert both.numbers == (("wall", 15.0), ("only", 1.0))
    assert both.notes == ("a note", "another")


def test_what_a_step_found_survives_being_written_down():
    measured = Measured((SPEED, OVERHEAD), (("cold_ms_one", 512.5),), ("left out",))
    assert measured_from_json(json.loads(json.dumps(measured_to_json(measured)))) == measured
