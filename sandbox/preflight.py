"""Whether a jail holds, found out by trying: each forbidden act is first done outside, where it has to succeed.

All probes of a jail, those included that take resources. For tests, ``repair doctor --probes`` and benchmarks.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Limits, Outcome, TestRun
from sandbox.escape_stage import OWN, RAN_OUT, open_stage, try_acts
from sandbox.jail_protocol import Jail
from sandbox.probe_catalog import ALL, HEAVY, QUICK, Probe, ProbeResult
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

_LIMITS = Limits(wall_seconds=20.0)
_ACTS = (OWN, *(probe.name for probe in QUICK))


def preflight(jail: Jail) -> str:
    """Empty when the jail holds, else what does not."""
    results = quick_probes(jail)
    if isinstance(results, str):
        return results
    idle = [probe.tries for probe, result in zip(QUICK, results, strict=True) if not (result.control or probe.hardened)]
    if idle:
        return f"its probes do not work here even outside of it: {', '.join(idle)}"
    wrong = [result.tries for result in results if not result.stopped and result.name in jail.stops]
    return f"it gets this wrong: {', '.join(wrong)}" if wrong else ""


def quick_probes(jail: Jail) -> tuple[ProbeResult, ...] | str:
    """The quick probes, all of them whatever the jail has to stop; or why they could not be tried."""
    with open_stage() as around:
        inside = try_acts(jail, around, _ACTS, _LIMITS)
        outside = try_acts(None, around, _ACTS, _LIMITS)
    if isinstance(inside, str):
        return f"it does not start: {inside}" if inside else "it does not start"
    if isinstance(outside, str) or not outside[OWN]:
        return "its probes do not work here even outside of it"
    if not inside[OWN]:
        return "nothing can be written in it"
    return tuple(ProbeResult(p.name, p.tries, outside[p.name], not inside[p.name]) for p in QUICK)


_MB = 1 << 20
_LIMITS_OF_PROBES = Limits(wall_seconds=30.0, disk_bytes=16 * _MB)

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
    "processes": (replace(_LIMITS_OF_PROBES, processes=24), {"count": 8}, {"count": 48}),
    "memory": (replace(_LIMITS_OF_PROBES, memory_bytes=192 * _MB), {"bytes": 32 * _MB}, {"bytes": 256 * _MB}),
    "memory-of-many": (
        replace(_LIMITS_OF_PROBES, tree_bytes=192 * _MB),
        {"count": 2, "bytes": 40 * _MB},
        {"count": 8, "bytes": 40 * _MB},
    ),
    "disk": (_LIMITS_OF_PROBES, {"bytes": 2 * _MB}, {"bytes": 32 * _MB}),
    "file": (replace(_LIMITS_OF_PROBES, file_bytes=_MB), {"bytes": _MB // 2}, {"bytes": 2 * _MB}),
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
        outside = try_acts(None, around, [probe.name], replace(_LIMITS_OF_PROBES, disk_bytes=0), much)
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
