"""Which recorder of lines a run has: the best of this interpreter, or the one that the engine asks for."""

from __future__ import annotations

import sys

from _repair_probe.trace.lines import MonitoringTracer, NoTracer, SettraceTracer, Tracer


def tracer(kind: str, root: str) -> Tracer:
    """The recorder of that kind: ``""`` none, ``auto`` the best of this interpreter, or a named one.

    Kinds: ``monitoring`` (3.12 and newer), ``stamps`` (3.11) and ``settrace``; and ``since check``, which tells
    functions, not lines.
    """
    if not kind:
        return NoTracer()
    if kind == "since check":
        from _repair_probe.trace.since_check import SinceCheck

        return SinceCheck(root)
    if kind == "monitoring" or (kind == "auto" and hasattr(sys, "monitoring")):
        return MonitoringTracer(root)
    if kind in ("stamps", "auto"):
        from _repair_probe.trace.stamp_lines import StampTracer
        from _repair_probe.trace.stamps import USABLE

        if USABLE:
            return StampTracer(root)
    return SettraceTracer(root)
