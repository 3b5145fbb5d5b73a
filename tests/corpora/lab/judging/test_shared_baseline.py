"""Runs before the gates are shared between patches; what gates ask is always run."""

from __future__ import annotations

from fakes.sandbox import FakeSandbox, run_of

from analysis.facts import Outcome
from corpora.lab.judging.shared_baseline import SharedBaseline
from repair.records.events import event


def test_only_the_observation_is_shared():
    plain = FakeSandbox(lambda tests, files, shuffle: run_of({"t::a": Outcome.PASSED}))
    shared = SharedBaseline(plain)
    for phase, expected in (("baseline", 1), ("gates", 2), ("baseline", 0)):
        before = len(plain.asked)
        shared.hear(event("phase", name=phase, detail="", estimate_seconds=0.0))
        assert shared.run(()) == shared.run(())
        assert len(plain.asked) - before == expected, phase
    shared.run((), shuffle=1)
    shared.run((), (("a.py", b""),))
    assert [(files, shuffle) for _, files, shuffle in plain.asked[-2:]] == [((), 1), ((("a.py", b""),), None)]


def test_other_events_change_nothing():
    plain = FakeSandbox(lambda tests, files, shuffle: run_of({"t::a": Outcome.PASSED}))
    shared = SharedBaseline(plain)
    shared.hear(event("gates"))
    shared.run(())
    shared.run(())
    assert len(plain.asked) == 1
