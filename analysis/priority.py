"""Which function deserves a test, or a second look, first: by what hangs on it, how it fared, and what is open.

The score is a product of three factors, each of which a reader can follow:

- *reach*: 1, and 1 more for a public function, and the binary logarithm of 1 plus the functions that use it.
- *history*: 1, and half the binary logarithm of 1 plus its changes, where a fix counts three times. Faults are
  found next where code was changed often. Source: Graves, Karr, Marron and Siy, "Predicting fault incidence using
  software change history" (IEEE Transactions on Software Engineering, 2000).
- *open*: from 0.05 to 1, the share of the function that no test would notice if it were wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log2

from analysis.change_history import History
from analysis.facts import FunctionId
from analysis.mutation_score import MutationScore
from analysis.statement_lines import Share

LEAST_OPEN = 0.05
"""What stays open where tests notice everything that was tried."""


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """What is known of one function. So many ``users`` use it, directly or through others; ``tests`` vouch for it.

    Without a ``history`` nobody knows how often it was changed, and without ``users`` who uses it.
    """

    function: FunctionId
    public: bool
    tests: int
    coverage: Share = field(default_factory=Share)
    mutants: MutationScore = field(default_factory=MutationScore)
    users: int | None = None
    history: History | None = None


@dataclass(frozen=True, slots=True)
class PriorityPart:
    """One factor of a score: its name, its size, and what it comes from in words."""

    name: str
    factor: float
    said: str

    @property
    def size(self) -> str:
        """The factor as people read it: ``4.3``, ``0.05``."""
        return f"{self.factor:.1f}" if self.factor >= 1 else f"{self.factor:.2f}"


@dataclass(frozen=True, slots=True)
class Priority:
    """How much one function deserves a test; ``score`` is the product of the parts' factors."""

    file: str
    function: str
    line: int
    score: float
    parts: tuple[PriorityPart, ...]
    gaps: tuple[str, ...] = ()
    """What no test notices, in words."""

    def __str__(self) -> str:
        """The score with its parts: ``6.0 = reach 3.0 (public, …) x history 2.0 (…) x open 1.00 (no test)``."""
        parts = " x ".join(f"{part.name} {part.size} ({part.said})" for part in self.parts)
        return f"{self.score:.1f} = {parts}"


def prioritize(functions: Iterable[FunctionFacts]) -> tuple[Priority, ...]:
    """The functions, those first that deserve a test most; equal ones in the order of their places."""
    return tuple(sorted(map(weigh, functions), key=lambda each: (-each.score, each.file, each.line, each.function)))


def weigh(facts: FunctionFacts) -> Priority:
    """The priority of one function."""
    parts = (_reach(facts), _history(facts), _open(facts))
    score = round(parts[0].factor * parts[1].factor * parts[2].factor, 3)
    where = facts.function
    return Priority(where.path, where.qualname, where.first_line, score, parts, tuple(_gaps(facts)))


def _reach(facts: FunctionFacts) -> PriorityPart:
    users = facts.users or 0
    said = ["public" if facts.public else "not public"]
    said.append("users unknown" if facts.users is None else f"used by {_count(users, 'function') if users else 'none'}")
    return PriorityPart("reach", round(1 + facts.public + log2(1 + users), 2), ", ".join(said))


def _history(facts: FunctionFacts) -> PriorityPart:
    if facts.history is None:
        return PriorityPart("history", 1.0, "changes unknown")
    changes, fixes = facts.history.changes, facts.history.fixes
    said = f"changed in {_count(changes, 'commit')}" + (f", {fixes} of them called fixes" if fixes else "")
    return PriorityPart("history", round(1 + log2(1 + changes + 2 * fixes) / 2, 2), said)


def _open(facts: FunctionFacts) -> PriorityPart:
    if not facts.tests:
        return PriorityPart("open", 1.0, "no test vouches for it")
    ran, noticed = facts.coverage.value, facts.mutants.value
    share = 1 - (1.0 if ran is None else ran) * (1.0 if noticed is None else noticed)
    said = "; ".join(_gaps(facts)) or ("tests run all of it" if ran is not None else "which lines ran is unknown")
    if noticed is None:
        said += ", no mutant was tried"
    return PriorityPart("open", round(max(LEAST_OPEN, share), 2), said)


def _gaps(facts: FunctionFacts) -> Iterable[str]:
    if not facts.tests:
        yield "no test vouches for it"
    unrun = facts.coverage.statements - facts.coverage.ran
    if unrun:
        yield f"{unrun} of {_count(facts.coverage.statements, 'statement')} run by none"
    alive = facts.mutants.survived + facts.mutants.no_coverage
    if alive:
        yield f"{alive} of {_count(facts.mutants.valid, 'mutant')} noticed by none"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
