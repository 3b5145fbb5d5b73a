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
        check_async,
        explain,
        explain_async,
        fix,
        fix_async,
        start,
    )
    from repair.records.events import Event
    from repair.records.result import PatchView, Result, Status

_HOMES = ("repair.client", "repair.records.events", "repair.records.result")

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
    "check_async",
    "explain",
    "explain_async",
    "fix",
    "fix_async",
    "start",
]


def __getattr__(name: str) -> Any:
    for home in _HOMES if name in __all__ else ():
        module = importlib.import_module(home)
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module 'repair' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
