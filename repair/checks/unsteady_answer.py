"""The patch answers one call in two ways, where the old function had one answer."""

from __future__ import annotations

from analysis.behaviour import Difference, Returned, Witness
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """Such a call: what it gives hangs on what was called before, or on whether anything looks like a test.

    Example: the patch keeps a counter, and ``price('1')`` gives 1, then 2.
    """
    return next(iter(found.old.unsteady), None)


def _ask(witness: Witness) -> str:
    return f"Should {witness.call.source} hang on anything but its arguments?"


CHECK = Check(
    "unsteady_answer",
    "the patch answers one call in two ways, where the old function had one answer",
    find,
    flagged=(Behaved(AgainstOld(unsteady=(departed("price('1')", Returned("2"), Returned("1")),))),),
    clean=(Behaved(), Behaved(AgainstOld(departures=(departed("price('1')", Returned("2"), Returned("1")),)))),
    question=_ask,
)
