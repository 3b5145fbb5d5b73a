"""The patch changes what the function does where the old code never reached a changed statement."""

from __future__ import annotations

from analysis.behaviour import Difference, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A difference on an input with which the old function executes no changed statement.

    Example: the patch changes the branch for negative numbers, and ``root(4)`` gives something else.
    """
    first = found.old.first
    return first if first is not None and not first.reached else None


CHECK = Check(
    "unreached_change",
    "The patch changes what the function does where the old code never reached a changed statement",
    find,
    flagged=(Behaved(AgainstOld(first=departed("price('')", Returned("0"), Returned("1"), reached=False))),),
    clean=(Behaved(), Behaved(AgainstOld(first=departed("price('')", Returned("0"), Returned("1"))))),
)
