"""All probes of a jail, those included that take resources. For tests, ``repair doctor --probes`` and benchmarks."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Limits, Outcome, TestRun
from sandbox.escape_stage import RAN_OUT, open_stage, try_acts
from sandbox.jail_protocol import Jail
from sandbox.preflight import quick_probes
from sandbox.probe_catalog import ALL, HEAVY, Probe, ProbeResult
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

_MB = 1 << 20
_LIMITS = Limits(wall_seconds=30.0, disk_bytes=16 * _MB)

_PLANTED = (".git/hooks/pre-commit", "conftest.py", "sitecustomize.py", "planted.pth")
_PLANTING = f"""
import os

def test_plant():
    for name in {_PLANTED!r}:
        assert not os.path.lexists(name), "planted by an earlier run"
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write("raise SystemExit(3)")
        assert os.path.exists(name)
"""

# For each: limits, an amount within them, which has to work inside, and one beyond, which has to work outside only.
_BEYOND: Mapping[str, tuple[Limits, Mapping[str, int], Mapping[str, int]]] = {
    "processes": (replace(_LIMITS, processes=24), {"count": 8}, {"count": 48}),
    "memory": (replace(_LIMITS, memory_bytes=192 * _MB), {"bytes": 32 * _MB}, {"bytes": 256 * _MB}),
    "memory-of-many": (
        replace(_LIMITS, tree_bytes=192 * _MB),
        {"count": 2, "bytes": 40 * _MB},
        {"count": 8, "bytes": 40 * _MB},
    ),
    "disk": (_LIMITS, {"bytes": 2 * _MB}, {"bytes": 32 * _MB}),
    "file": (replace(_LIMITS, file_bytes=_MB), {"bytes": _MB // 2}, {"bytes": 2 * _MB}),
}


def run_probes(jail: Jail, names: Collection[str] = ALL) -> tuple[ProbeResult, ...]:
    """These probes with their positive controls, in the order of the catalog. Raises ``TargetError`` where none can
    run."""
    quick = quick_probes(jail)
    if isinstance(quick, str):
        raise TargetError(f"The probes cannot be tried; {jail.kind}: {quick}", remedy="Choose another --isolation.")
    heavy = (_heavy(jail, probe) for probe in HEAVY if probe.name in names)
    return (*(result for result in quick if result.name in names), *heavy)


def _heavy(jail: Jail, probe: Probe) -> ProbeResult:
    if probe.name == "plant":
        return ProbeResult(probe.name, probe.tries, _stays_outside(), _plants_nothing(jail))
    limits, little, much = _BEYOND[probe.name]
    with open_stage() as around:
        outside = try_acts(None, around, [probe.name], replace(_LIMITS, disk_bytes=0), much)
        within = try_acts(jail, around, [probe.name], limits, little)
        beyond = try_acts(jail, around, [probe.name], limits, much)
    control = _is_done(outside, probe) and _is_done(within, probe)
    stopped = beyond == RAN_OUT if isinstance(beyond, str) else not beyond[probe.name]
    return ProbeResult(probe.name, probe.tries, control, stopped)


def _is_done(came: dict[str, bool] | str, probe: Probe) -> bool:
    return isinstance(came, dict) and came[probe.name]


def _stays_outside() -> bool:
    """The control: what is planted in a folder without a copy is there for the next one."""
    with tempfile.TemporaryDirectory(prefix="repair-") as folder:
        for name in _PLANTED:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("raise SystemExit(3)")
        return all(os.path.exists(os.path.join(folder, name)) for name in _PLANTED)


def _plants_nothing(jail: Jail) -> bool:
    """Whether two runs that plant both find nothing, and the project is as before."""
    with tempfile.TemporaryDirectory(prefix="repair-") as folder:
        root = os.path.join(folder, "project")
        os.mkdir(root)
        Path(root, "test_plant.py").write_text(_PLANTING)
        with LocalSandbox(open_target(root, python=sys.executable, environ={}, jail=jail), jail=jail) as sandbox:
            runs = [sandbox.run([]), sandbox.run([])]
        passed = all(isinstance(run, TestRun) and [r.outcome for r in run.results] == [Outcome.PASSED] for run in runs)
        return passed and os.listdir(root) == ["test_plant.py"]
