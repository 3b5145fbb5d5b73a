"""The engine's figures as steps."""

from __future__ import annotations

from corpora.lab.benchmarks import engine
from corpora.lab.benchmarks.setup import Setup
from sandbox.jail_protocol import NO_JAIL


def test_each_repair_is_a_step_of_its_own(tmp_path, monkeypatch):
    result = {"status": "certified", "counts": {"executed": 300, "rivals": 100}, "seconds": {"search": 2.0}}
    monkeypatch.setattr(engine, "run_fix", lambda case, directory, cache, seconds: result)
    rates = [step for step in engine.engine_steps() if step.name.startswith("engine/search/")]
    assert len(rates) == len(engine.SEARCHED) >= 3
    (row,) = rates[0].measure(Setup(tmp_path, tmp_path, NO_JAIL, 1, 1, 2, lambda words: None)).rows
    assert (row.figure.name, row.values) == ("search_candidates_per_second", ((engine.SEARCHED[0].name, 200.0),))
