"""Which function a model means that says that another one is at fault, and whether that can be so.

Frames and coverage say what is possible: a function that no failing test runs cannot be at fault, however sure a model
is. Nobody goes back to a function that was denied.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.facts import FunctionId, Suspect
from analysis.functions import plain_qualname
from repair.model.reply import Elsewhere

CLOSE = 0.9
"""From this share of its suspiciousness on another suspect is close: which one is at fault is asked first."""

MOST_NAMED = 5
"""Functions that are offered in place of one that cannot be meant."""


def find_named(
    elsewhere: Elsewhere, suspects: Sequence[Suspect], own: FunctionId, denied: Sequence[FunctionId]
) -> FunctionId | str:
    """The suspect that is meant, or a sentence why none is.

    A path may lack its first folders, a name its class, where that leaves one function: ``core.py:convert`` may mean
    ``src/click/core.py:Option.convert``.
    """
    wanted = plain_qualname(elsewhere.qualname.replace("::", ".").removesuffix("()")).strip(".")
    path = elsewhere.path.removeprefix("./")
    near = [s.function for s in suspects if not path or f"/{s.function.path}".endswith(f"/{path}")]
    every = near or [s.function for s in suspects]
    found = [f for f in every if f.qualname == wanted] or [f for f in every if f.qualname.endswith(f".{wanted}")]
    if not found:
        return f"no failing test runs {wanted or 'that'}{f' in {path}' if path else ''}, so it cannot be at fault"
    if own in found:
        return f"{own.qualname} is the function that you are shown: edit it, or name another one"
    open_ = [f for f in found if f not in denied]
    if not open_:
        return f"it was said before that {found[0].qualname} is not at fault: nobody is asked about it again"
    places = dict.fromkeys(f"{f.path}:{f.qualname}" for f in open_)
    if len(places) > 1:
        return f"{wanted} may be any of {', '.join(list(places)[:MOST_NAMED])}: name one"
    return open_[0]


def are_close(suspects: Sequence[Suspect], shown: FunctionId, denied: Sequence[FunctionId]) -> bool:
    """Whether coverage and traceback leave open which function is at fault: the next suspect is about as suspicious.

    Where the model itself has sent us here, it has been asked.
    """
    own = next((suspect.suspiciousness for suspect in suspects if suspect.function == shown), 0.0)
    others = [suspect.suspiciousness for suspect in suspects if suspect.function != shown]
    return not denied and bool(others) and max(others) >= CLOSE * own


def offer(suspects: Sequence[Suspect], own: FunctionId, denied: Sequence[FunctionId]) -> tuple[str, ...]:
    """The places of the likeliest functions that may still be named."""
    left = (s.function for s in suspects if s.function != own and s.function not in denied)
    return tuple(f"{f.path}:{f.qualname}" for f in left)[:MOST_NAMED]
