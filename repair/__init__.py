"""A fix with evidence that its author could not have written.

``import repair`` is cheap: the names below are loaded when they are first used. The work happens in a child engine
process. So the packages ``analysis``, ``transforms``, ``sandbox`` and ``corpora`` of a host and ours never meet.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repair.client import (
        ConflictError,
        EngineError,
        EngineTimeout,
        ModelError,
        Run,
        UsageError,
        check,
        explain,
        fix,
        start,
    )
    from repair.records.events import Event
    from repair.records.result import PatchView, Result, Status

_HOMES = {
    "repair.client": (
        "ConflictError",
        "EngineError",
        "EngineTimeout",
        "ModelError",
        "Run",
        "UsageError",
        "check",
        "explain",
        "fix",
        "start",
    ),
    "repair.records.events": ("Event",),
    "repair.records.result": ("PatchView", "Result", "Status"),
}

__all__ = [
    "ConflictError",
    "EngineError",
    "EngineTimeout",
    "Event",
    "ModelError",
    "PatchView",
    "Result",
    "Run",
    "Status",
    "UsageError",
    "check",
    "explain",
    "fix",
    "start",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'repair' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
