"""The patch writes what a function beside this one has, as ``remove`` may have what ``add`` lacked."""

from __future__ import annotations

from dataclasses import replace

from analysis.siblings import Sibling, brought_in_line
from repair.checks.check import Behaved, Support

UNMIRRORED = 0.6
"""What it counts where the names of the two functions are no opposites."""


def find(found: Behaved) -> str:
    """The sibling, and the expression that it shares with the patch.

    Example: ``add`` asks ``start <= day``; ``remove`` asked ``start < day``, and asks ``start <= day`` with the patch.
    """
    alike = brought_in_line(found.before, found.after, found.siblings)
    return f"{alike.sibling.name} in line {alike.sibling.line} has {alike.idiom}, too" if alike is not None else ""


def strength(found: Behaved) -> float:
    """All of it for a mirrored name."""
    alike = brought_in_line(found.before, found.after, found.siblings)
    return 1.0 if alike is not None and alike.sibling.mirrored else UNMIRRORED


_LESS = ("def remove(start, day):", "    return start < day")
_AT_MOST = ("def remove(start, day):", "    return start <= day")
_ADD = Sibling("add", 3, frozenset(("start <= day",)), mirrored=True)
_FOUND = Behaved(before=_LESS, after=_AT_MOST, siblings=(_ADD,))

SUPPORT = Support(
    "as_beside",
    find,
    supported=(_FOUND, replace(_FOUND, siblings=(replace(_ADD, mirrored=False),))),
    silent=(
        replace(_FOUND, siblings=()),
        replace(_FOUND, before=_AT_MOST, after=_LESS),
        replace(_FOUND, siblings=(_ADD, Sibling("move", 9, frozenset(("start < day",))))),
        replace(_FOUND, after=_LESS),
    ),
    strength=strength,
)
