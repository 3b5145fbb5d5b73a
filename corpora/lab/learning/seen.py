"""What was seen of one commit: everything that counts are made of, and nothing of its code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import FailureClass
from repair.records.json_records import from_plain, to_plain
from transforms.enumerate.order import FixCounts, Table
from transforms.operators.catalog import MENDING


@dataclass(frozen=True, slots=True)
class Produced:
    """One way to the new text. ``rank`` counts the operator's edits at the place from 1.

    ``expected`` tells how the operator's places in the function are spread over contexts.
    """

    operator: str
    family: str
    context: str
    rank: int
    expected: Table


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a word or a piece of code stood that a change brings; ``place`` is ``NEW`` where it stood nowhere near.

    ``expected`` tells how the weights set by hand spread over the places of all ingredients of the kind.
    """

    kind: str
    place: str
    expected: Table = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """One commit: whether it is a ``small`` change of one function, and what that change is made of."""

    commit: str
    small: bool = False
    fix: bool = False
    failure: str = ""
    subclass: str = ""
    ways: tuple[Produced, ...] = ()
    origins: tuple[Origin, ...] = ()

    @property
    def failure_class(self) -> FailureClass:
        """The class that was said, or the commonest one."""
        return FailureClass(self.failure) if self.failure else FailureClass.LOGIC

    def counts(self) -> FixCounts:
        """What the commit adds to the counts."""
        share = 1 / len(self.ways) if self.ways else 0.0
        if not self.fix:
            return FixCounts(others={way.operator: share for way in self.ways})
        families = sum_by_key((way.family, share) for way in self.ways)
        return FixCounts(
            operators={way.operator: share for way in self.ways},
            families=families,
            places={way.operator: {way.context: share} for way in self.ways},
            expected={way.operator: {word: share * part for word, part in way.expected.items()} for way in self.ways},
            classes={self.failure: families} if self.failure and self.ways else {},
            subclasses={self.subclass: families} if self.subclass and self.ways else {},
            ranks={way.operator: {bucket(way.rank): share} for way in self.ways},
            ingredients=_by_kind((o.kind, ((o.place, 1.0),)) for o in self.origins),
            likely=_by_kind((o.kind, o.expected.items()) for o in self.origins),
        )


def bucket(rank: int) -> str:
    """Ranks by powers of two: 1, 2, 3-4, 5-8, …"""
    high = 1 << (rank - 1).bit_length()
    return str(high) if high <= 2 else f"{high // 2 + 1}-{high}"


def sum_by_key(items: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The sum of each key."""
    found: dict[str, float] = {}
    for key, share in items:
        found[key] = found.get(key, 0.0) + share
    return found


def _by_kind(items: Iterable[tuple[str, Iterable[tuple[str, float]]]]) -> dict[str, Table]:
    found: dict[str, list[tuple[str, float]]] = {}
    for kind, shares in items:
        found.setdefault(kind, []).extend(shares)
    return {kind: sum_by_key(shares) for kind, shares in found.items()}


class Ledger:
    """What was seen of one history, a line for each commit, so that a count that ends early goes on where it was.

    A file that other operators wrote counts for nothing and is begun anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: dict[str, Seen] = {}
        try:
            heading, *lines = path.read_text().splitlines() if path.exists() else [""]
            if heading == _HEADING:
                self.known = {seen.commit: seen for seen in _read(lines)}
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{_HEADING}\n")
        except OSError as problem:
            raise TargetError(
                f"What was seen cannot be kept: {problem.strerror}", where=str(path), remedy="Name another --keep."
            ) from problem

    def add(self, seen: Seen) -> None:
        """Keep it, now."""
        self.known[seen.commit] = seen
        with self._path.open("a") as file:
            file.write(json.dumps(to_plain(seen), separators=(",", ":")) + "\n")


def _read(lines: Iterable[str]) -> Iterator[Seen]:
    for line in lines:
        try:
            yield from_plain(Seen, json.loads(line), "line")
        except ValueError:  # the last line of a process that was killed
            continue


_HEADING = "operators " + hashlib.sha256(" ".join(o.name for o in MENDING).encode()).hexdigest()[:16]
