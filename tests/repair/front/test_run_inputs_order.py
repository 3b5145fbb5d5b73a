"""The order that is asked for by name or file."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.lab.learning.learn import write_counts
from repair.front.run_inputs import order_named, own_counts
from transforms.enumerate.order import HAND_SET, UNIFORM_ORDER, FixCounts
from transforms.operators.catalog import MENDING


def test_names_and_files(tmp_path: Path):
    write_counts(tmp_path / "ours.json", FixCounts(operators={"number": 12.0}))
    assert order_named("hand", tmp_path) == HAND_SET
    assert order_named("uniform", tmp_path) == UNIFORM_ORDER
    assert order_named("learned", tmp_path).counts == own_counts()
    assert order_named("ours.json", tmp_path).counts.operators == {"number": 12.0}


def test_what_holds_no_counts_is_refused(tmp_path: Path):
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "torn.json").write_text('{"sources": [')
    for name, said in (("list.json", "no counts"), ("torn.json", "no counts"), ("leraned", "cannot be read")):
        with pytest.raises(UsageError, match=said):
            order_named(name, tmp_path)


def test_the_counts_that_come_with_the_engine_name_operators_and_sources():
    counts = own_counts()
    assert set(counts.operators) <= {o.name for o in MENDING}
    assert set(counts.places) == set(counts.expected) == set(counts.operators)
    assert sum(counts.operators.values()) == pytest.approx(sum(s.produced for s in counts.sources), rel=0.01)
    assert all(s.first and s.last for s in counts.sources)
