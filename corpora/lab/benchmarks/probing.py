"""The probes of isolation, tried on the walls that the bench runs behind."""

from __future__ import annotations

from collections.abc import Sequence

from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.setup import Setup
from sandbox.preflight import run_probes
from sandbox.probe_catalog import ProbeResult


def measure_probes(setup: Setup) -> Measured:
    """How many probes were stopped of those whose act succeeds outside the walls."""
    if setup.jail.kind == "none":
        return Measured(notes=("probes_stopped is left out: no isolation holds on this machine.",))
    return probe_figures(setup.jail.kind, setup.jail.detail, run_probes(setup.jail))


def probe_figures(kind: str, detail: str, results: Sequence[ProbeResult]) -> Measured:
    """The share and both counts. A probe whose act does not succeed outside either shows nothing, and is named."""
    run = [result for result in results if result.control]
    stopped = sum(result.stopped for result in run)
    notes = [f"Probes behind {kind}: {detail}."]
    notes += [f"Probe {r.name} was not stopped: it tries to {r.tries}." for r in run if not r.stopped]
    notes += [f"Probe {r.name} shows nothing here: it fails outside too." for r in results if not r.control]
    numbers = (("probes_run", len(run)), ("probes_stopped", stopped))
    if not run:
        return Measured(numbers=numbers, notes=tuple(notes))
    return Measured((row("probes_stopped_share", {kind: stopped / len(run)}),), numbers, tuple(notes))
