"""Whose code may run where little confines it: the user's own, and small edits of it; no stranger's, unless told so.

Without isolation the tests have the user's rights, and behind weak walls some of them. The project's own code has them
every day. A model's text and a patch from elsewhere get them only from somebody who named that kind.
"""

from __future__ import annotations

from analysis.errors import TargetError
from repair.records.config import Options
from repair.records.result import Result
from sandbox.jail_protocol import Jail
from sandbox.probe_catalog import QUICK
from transforms.tree.proposers import SEARCHED

HELD = tuple(probe.name for probe in QUICK if probe.name != "trace")
"""The probes that walls have to stop before a stranger's code runs behind them. Tracing needs a filter of system calls,
and reaches only what is in there too."""


def is_weak(jail: Jail) -> bool:
    """Whether it lets through what a stranger's code must not do."""
    return not set(HELD) <= set(jail.stops)


def runs_at_once(jail: Jail, jobs: int) -> int:
    """How many runs that a verdict rests on may go on at once.

    Behind weak walls two runs of a suite may meet outside of their copies: at a port, or in a file of the user's.
    """
    return 1 if is_weak(jail) else jobs


def is_unconfined(options: Options, jail: Jail) -> bool:
    """Whether too little holds here and nobody has chosen that by its name."""
    return is_weak(jail) and options.isolation != jail.kind


def refuse_stranger(options: Options, jail: Jail, what: str) -> None:
    """Raise where a stranger's code would run unconfined. ``what`` it is begins the sentence."""
    if is_unconfined(options, jail):
        accepted = f"accept it with --isolation {jail.kind}"
        raise TargetError(
            f"{what} is not run without full isolation, since it would have rights of yours",
            remedy=f"Install bubblewrap (`repair doctor` says what does not hold), or {accepted}.",
        )


def admit_proposers(options: Options, jail: Jail) -> tuple[tuple[str, ...], str]:
    """The proposers that may work here, and a sentence on those that may not; raises where none is left."""
    named = options.chosen_proposers
    if not is_unconfined(options, jail):
        return named, ""
    ours = tuple(name for name in named if name in SEARCHED)
    if not ours:
        refuse_stranger(options, jail, f"What the proposer {named[0]} writes")
    left_out = ", ".join(name for name in named if name not in SEARCHED)
    said = f"left out: {left_out}, whose code is not run without full isolation (--isolation {jail.kind} accepts it)"
    return ours, said if left_out else ""


def is_ours(recorded: Result | None) -> bool:
    """Whether all that a recorded run judged was proposed by ours; of one that was broken off nothing is known."""
    patches = recorded.patches if recorded is not None else ()
    proposers = {name for patch in patches for name in patch.proposer.split("+")}
    return bool(proposers) and proposers.issubset(SEARCHED)


def was_searched(recorded: Result | None, digest: str) -> bool:
    """Whether the recorded run's own search found the patch of that digest, whoever proposed others beside it."""
    found = [patch.proposer for patch in recorded.patches if patch.digest == digest] if recorded is not None else []
    return bool(found) and all(set(each.split("+")) <= set(SEARCHED) for each in found)
