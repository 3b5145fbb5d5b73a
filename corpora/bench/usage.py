"""What a tree of processes uses, looked at from outside while it lives.

What a process has used is added to its parent's account only where the parent waits for it. Targets that are killed
with their whole jail are in nobody's account, so the tree is looked at now and then: what it has lost since is kept.
"""

from __future__ import annotations

from corpora.benchmarks.cost import descendants, resident_mb, tree_cpu

LOOK_SECONDS = 0.5


class Usage:
    """The account of one tree. What runs between two looks of a part that is killed before the second is not seen."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen = 0.0
        self.cpu_seconds = 0.0
        self.peak_mb = 0.0

    def look(self) -> None:
        """Take in what the tree has used by now."""
        used = tree_cpu(self._root)
        self.cpu_seconds += max(0.0, used - self._seen)
        self._seen = used
        self.peak_mb = max(self.peak_mb, *map(resident_mb, (self._root, *descendants(self._root))))
