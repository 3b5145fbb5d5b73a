"""Modules of the project that tests import while they run: the server takes them in, so that a fork finds them there.

A program that loads its parts when they are first asked for has next to no live function when its tests are
collected. What runs while such a part is imported counts as run early, as if a test module had imported it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys

from _repair_probe.ground.paths import is_own
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.early import Early

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from _repair_probe.ground.words import Called

_STANDARD: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())


class Noting:
    """A finder for a fork: it finds nothing, and tells each name that is asked for and is not there yet."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell

    def begin(self) -> None:
        """From now on."""
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Nothing, so that the other finders are asked."""
        if name.partition(".")[0] not in _STANDARD:
            self._tell(name)


def take_in(names: Sequence[str], root: str, original: str) -> frozenset[Called] | None:
    """Import those that are the project's, in this order; the early functions of that, or ``None`` if nothing came."""
    early, before = Early(root), len(sys.modules)
    try:
        for name in names:
            _import(name, root, original)
    finally:
        called = early.stop()
    return called if len(sys.modules) > before else None


def _import(name: str, root: str, original: str) -> None:
    parent = name.rpartition(".")[0]
    if name in sys.modules or (parent and parent not in sys.modules):
        return
    try:
        spec = importlib.util.find_spec(name)
        place = spec.origin if spec is not None and spec.has_location else None
        if place is not None and is_own(place, root, original):
            importlib.import_module(name)
    except (Exception, SystemExit):  # a trial will meet it too, where a test imports it
        pass
