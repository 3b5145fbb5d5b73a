"""Modules of the project that tests import while they run: the server takes them in, so that a fork finds them there.

A program that loads its parts when they are first asked for has next to no live function when its tests are
collected. What runs while such a part is imported counts as run early, as if a test module had imported it.
"""

import importlib
import importlib.util
import sys

from _repair_probe.ground.paths import is_own
from _repair_probe.trace.early import Early

_STANDARD = getattr(sys, "stdlib_module_names", frozenset())


class Noting:
    """A finder for a fork: it finds nothing, and tells each name that is asked for and is not there yet."""

    def __init__(self, tell):
        self._tell = tell

    def begin(self):
        """From now on."""
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        """Nothing, so that the other finders are asked."""
        if name.partition(".")[0] not in _STANDARD:
            self._tell(name)


def take_in(names, root, original):
    """Import those that are the project's, in this order; the early functions of that, or ``None`` if nothing came."""
    early, before = Early(root), len(sys.modules)
    try:
        for name in names:
            _import(name, root, original)
    finally:
        called = early.stop()
    return called if len(sys.modules) > before else None


def _import(name, root, original):
    parent = name.rpartition(".")[0]
    if name in sys.modules or (parent and parent not in sys.modules):
        return
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.has_location and is_own(spec.origin, root, original):
            importlib.import_module(name)
    except (Exception, SystemExit):  # a trial will meet it too, where a test imports it
        pass
