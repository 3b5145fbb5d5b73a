"""The JSON of a bench has the names that programs read."""

from __future__ import annotations

import json

from fakes.benched import SAMPLE, row

from corpora.bench.reports.figures import figures
from repair.records.result import Status


def test_the_promised_names_are_there():
    told = json.loads(json.dumps(figures(SAMPLE)))
    (search,) = told["configurations"]
    assert told["schema"] == "repair.bench/1"
    counts = {"bugs": 5, "plausible": 4, "certified": 2, "agrees_with_reference": 1, "false_certified": 1}
    others = {"abstained": 1, "infrastructure": 1, "median_seconds": 2.0, "name": "search", "undecidable": 1}
    assert {**counts, **others}.items() <= search.items()
    assert search["compiled"] == 5
    assert (search["sample"], told["corpora"]) == ("", [])
    rate = search["rates"]["false_certified"]
    assert (rate["count"], rate["of"], rate["small_sample"]) == (1, 2, True)
    assert rate["low"] < 0.5 < rate["high"]


def test_there_is_a_row_for_each_cell():
    told = figures(SAMPLE)["bugs"]
    assert [line["bug"] for line in told] == list("abcdef")
    assert [line["status"] for line in told][-2:] == ["unrepaired", "infrastructure"]
    assert told[-1]["error"] == "disk full"
    assert (told[0]["agreement"], told[0]["exact_match"], told[0]["fault_rank"]) == ("agrees", True, 1)


def test_configurations_are_compared_in_pairs():
    others = tuple(row(bug, Status.UNREPAIRED, name=name) for bug in "abc" for name in ("x", "y"))
    told = figures((*SAMPLE, *others))["comparisons"]
    assert [(pair["first"], pair["second"]) for pair in told] == [("search", "x"), ("search", "y"), ("x", "y")]
    assert told[0]["lost_by_second"] == ["a"]
    assert told[0]["agrees_with_reference"]["small_sample"]


def test_no_rows_at_all():
    assert figures(())["configurations"] == []
