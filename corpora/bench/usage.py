"""What a tree of processes uses, looked at from outside while it lives.

What a process has used is added to an account where somebody waits for it: its parent, or its heir. Targets that are
killed with their whole jail are waited for by nobody, so the tree is looked at now and then, and what is gone without
having been added to any account is kept.
"""

from __future__ import annotations

from corpora.bench.processes import accounts, descendants, resident_mb

LOOK_SECONDS = 0.5

Accounts = dict[tuple[int, str], tuple[float, float]]


class Usage:
    """The account of one tree. What runs between two looks of a part that is killed before the second is not seen."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._before: Accounts = {}
        self._lost = 0.0
        self.peak_mb = 0.0

    def look(self) -> None:
        """Take in what the tree has used by now."""
        now = accounts(self._root)
        if self._before.keys() - now.keys():
            now = accounts(self._root)  # a process may have been waited for after its parent's account was read
        self._lost += _lost(self._before, now)
        self._before = now
        self.peak_mb = max(self.peak_mb, *map(resident_mb, (self._root, *descendants(self._root))))

    def so_far(self) -> float:
        """CPU seconds of the whole tree while its root lives."""
        self.look()
        return self._lost + sum(map(sum, self._before.values()))

    def total(self, waited: float) -> float:
        """CPU seconds of the whole tree when its root has ended; ``waited`` is what waiting for the root told."""
        known = {key: spent for key, spent in self._before.items() if key[0] == self._root}
        ended = dict.fromkeys(known, (0.0, waited))  # the root's own time counts as if it had been reaped
        before = {**self._before, **{key: (0.0, sum(spent)) for key, spent in known.items()}}
        return waited + self._lost + _lost(before, ended)


def _lost(before: Accounts, now: Accounts) -> float:
    """What those that are gone had used, as far as nobody's account has grown by it."""
    gone = sum(sum(spent) for key, spent in before.items() if key not in now)
    inherited = sum(now[key][1] - reaped for key, (_, reaped) in before.items() if key in now)
    return max(0.0, gone - inherited)
