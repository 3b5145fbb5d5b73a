"""Whose code may run where nothing confines it: the user's own, and small edits of it; no stranger's, unless told so.

Without isolation the tests have the user's rights. The project's own code has them every day; a model's text and a
patch from elsewhere get them only from somebody who gave ``--isolation none`` himself.
"""

from __future__ import annotations

from analysis.errors import TargetError
from repair.config import Options
from repair.result import Result
from sandbox.walls import Jail

OURS = ("search",)
"""Proposers that only rearrange what the project holds already."""


def is_unconfined(options: Options, jail: Jail) -> bool:
    """Whether nothing holds here and nobody has chosen that."""
    return jail.kind == "none" and options.isolation != "none"


def refuse_stranger(options: Options, jail: Jail, what: str) -> None:
    """Raise where a stranger's code would run unconfined. ``what`` it is begins the sentence."""
    if is_unconfined(options, jail):
        raise TargetError(
            f"{what} is not run without isolation, since it would have your rights",
            remedy="Install bubblewrap (`repair doctor` says what does not hold), or accept it with --isolation none.",
        )


def admitted(options: Options, jail: Jail) -> tuple[tuple[str, ...], str]:
    """The proposers that may work here, and a sentence on those that may not; raises where none is left."""
    named = options.chosen_proposers
    if not is_unconfined(options, jail):
        return named, ""
    ours = tuple(name for name in named if name in OURS)
    if not ours:
        refuse_stranger(options, jail, f"What the proposer {named[0]} writes")
    left_out = ", ".join(name for name in named if name not in OURS)
    said = f"left out: {left_out}, whose code is not run without isolation (--isolation none accepts it)"
    return ours, said if left_out else ""


def is_ours(recorded: Result | None) -> bool:
    """Whether all that a recorded run judged was proposed by ours; of one that was broken off nothing is known."""
    proposers = {patch.proposer for patch in recorded.patches} if recorded is not None else set()
    return bool(proposers) and proposers.issubset(OURS)
