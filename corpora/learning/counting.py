"""One small change counted: which operators give it, in which contexts, from which words."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpora.learning.changes import SmallChange
from corpora.learning.producing import Produced, Wanted, produced, wanted
from transforms.candidate import Rejected
from transforms.ingredients import Ingredients
from transforms.order import Counts
from transforms.scope import open_scope

NEAR = ("function", "class", "module", "import")
"""Where a word was found, by its distance."""

_SAID = (
    ("KeyError", "key"),
    ("IndexError", "index"),
    ("AttributeError", "attribute"),
    ("UnboundLocalError", "unbound"),
    ("NameError", "name"),
    ("ZeroDivisionError|divi(?:de|sion) by zero", "division"),
    ("NoneType|None", "none"),
    ("TypeError", "type"),
    ("ValueError|UnicodeDecodeError|UnicodeEncodeError", "conversion"),
    ("infinite|hangs?|endless|RecursionError", "timeout"),
    ("empty", "empty"),
)
_KINDS = ("names", "constants", "callables", "methods", "attribute_names", "exceptions")
_OWN = frozenset((*dir(builtins), *keyword.kwlist))


@dataclass(frozen=True, slots=True)
class Counted:
    """What one change adds to the counts, and by which operators it can be made."""

    ways: tuple[Produced, ...]
    counts: Counts


def counted(change: SmallChange) -> Counted | None:
    """The change's counts; ``None`` where a text of it is not read, or is more than any single edit brings."""
    goal = goal_of(change)
    if goal is None:
        return None
    ways = produced(goal)
    if not change.is_fix:
        return Counted(ways, Counts(others=_shared((way.operator, 1 / len(ways)) for way in ways)))
    return Counted(ways, _counts(change, goal, ways))


def goal_of(change: SmallChange) -> Wanted | None:
    """The change as it is looked for among edits; ``None`` for one that is not."""
    scope = open_scope(change.before, change.span)
    return None if isinstance(scope, Rejected) else wanted(scope, change.after)


def _counts(change: SmallChange, goal: Wanted, ways: tuple[Produced, ...]) -> Counts:
    share = 1 / len(ways) if ways else 0.0
    families = _shared((way.family, share) for way in ways)
    subclass = subclass_said(change.subject)
    return Counts(
        operators={way.operator: share for way in ways},
        families=families,
        places={way.operator: {way.context: share} for way in ways},
        expected={way.operator: {word: share * part for word, part in way.expected} for way in ways},
        subclasses={subclass: families} if subclass and ways else {},
        ranks={way.operator: {bucket(way.rank): share} for way in ways},
        ingredients=_shared((where, 1.0) for where in _origins(change, goal.near.ingredients)),
    )


def subclass_said(subject: str) -> str:
    """The subclass of failure that a message names, or nothing."""
    return next((word for form, word in _SAID if re.search(rf"\b(?:{form})\b", subject)), "")


def bucket(rank: int) -> str:
    """Ranks by powers of two: 1, 2, 3-4, 5-8, …"""
    high = 1 << (rank - 1).bit_length()
    return str(high) if high <= 2 else f"{high // 2 + 1}-{high}"


def _origins(change: SmallChange, words: Ingredients) -> Iterator[str]:
    """Where each word stood that the new text has and the old one has not."""
    old = change.before[change.span.start : change.span.end]
    new = sorted(_words(change.after) - _words(old) - _OWN)
    tables = [getattr(words, kind) for kind in _KINDS]
    for word in new:
        known = ((i.distance, rank) for table in tables for rank, i in enumerate(table, 1) if i.text == word)
        distance, rank = min(known, default=(-1, 0))
        yield f"{NEAR[distance]} {bucket(rank)}" if distance >= 0 else "elsewhere"


def _words(text: bytes) -> set[str]:
    code = re.sub(r"#.*", "", text.decode("utf-8", "replace"))
    return set(re.findall(r"[A-Za-z_]\w*", re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", code)))


def _shared(items: Iterator[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, share in items:
        found[key] = found.get(key, 0.0) + share
    return found
