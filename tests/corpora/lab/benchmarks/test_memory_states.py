"""The bench of the memory's states: by default the first edits are the same in each, and others where that is asked."""

from __future__ import annotations

from corpora.lab.benchmarks.memory_states import known_candidates, states, stream_figures
from corpora.lab.benchmarks.recorded_verdicts import OWN
from corpora.lab.benchmarks.remembering import drawn
from corpora.loaders.flat import FlatCorpus


def test_each_bug_has_a_mutant_and_its_reference() -> None:
    found = list(known_candidates(FlatCorpus(OWN)))
    assert len(found) >= 30
    assert all(1 <= len(each.texts) <= 2 for each in found)


def test_there_are_five_states() -> None:
    assert list(states(drawn)) == ["off", "empty", "own", "others", "poisoned"]


def test_no_state_moves_the_first_edits_unasked() -> None:
    found = stream_figures(1, drawn)
    assert (found["same"], found["unlike"], found["moved_by_the_order_asked_for"]) == (1, [], 1)
