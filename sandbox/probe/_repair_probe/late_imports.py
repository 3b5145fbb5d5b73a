"""Modules of the project that tests import while they run: the server takes them in, so that a fork finds them there.

A program that loads its parts when they are first asked for has next to no live function when its tests are
collected. What runs while such a part is imported counts as run early, as if a test module had imported it.
"""

import importlib
import importlib.util
import os
import sys

from _repair_probe.early import Early
from _repair_probe.zygote import is_own

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
    """Import those that are the project's, in this order; the early functions of that, or ``None`` if there is none.

    Raises ``ValueError`` where that leaves threads, which no fork would have.
    """
    early, taken = Early(root), False
    try:
        for name in names:
            taken = _imported(name, root, original) or taken
    finally:
        called = early.stop()
    if taken and len(os.listdir("/proc/self/task")) > 1:
        raise ValueError("what the tests import while they run starts threads")
    return called if taken else None


def _imported(name, root, original):
    parent = name.rpartition(".")[0]
    if name in sys.modules or (parent and parent not in sys.modules):
        return False
    try:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.origin or not is_own(spec.origin, root, original):
            return False
        importlib.import_module(name)
    except (Exception, SystemExit):  # a trial will meet it too, where a test imports it
        return False
    return True
