"""Whether a jail holds, found out by trying: each forbidden act is first done outside, where it has to succeed."""

from __future__ import annotations

from analysis.facts import Limits
from sandbox.escape_stage import OWN, open_stage, try_acts
from sandbox.jail_protocol import Jail
from sandbox.probe_catalog import QUICK, ProbeResult

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
