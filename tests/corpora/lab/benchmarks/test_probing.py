"""Probes as figures: only those with a positive control count, and what got through is named."""

from __future__ import annotations

from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.probing import measure_probes, probe_figures
from corpora.lab.benchmarks.setup import Setup
from sandbox.jail_protocol import NO_JAIL
from sandbox.probe_catalog import ProbeResult


def test_counts_and_names_what_got_through():
    results = [
        ProbeResult("tcp", "connect", control=True, stopped=True),
        ProbeResult("home", "list the home folder", control=True, stopped=False),
        ProbeResult("trace", "trace a process", control=False, stopped=True),
    ]
    found = probe_figures("bwrap", "with a control group", results)
    assert figures_of(found) == {"probes_stopped_share": 0.5, "probes_run": 2, "probes_stopped": 1}
    assert any("home was not stopped" in note for note in found.notes)
    assert any("trace shows nothing here" in note for note in found.notes)


def test_without_walls_there_is_no_figure(tmp_path):
    found = measure_probes(Setup(tmp_path, tmp_path, NO_JAIL, 1, 1, 2, lambda words: None))
    assert found.rows == ()
    assert "left out" in found.notes[0]
