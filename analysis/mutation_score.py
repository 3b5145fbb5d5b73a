"""The states of mutants, and the score that follows from them."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


class MutantState(enum.Enum):
    """What became of one mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    NO_COVERAGE = "no_coverage"  # no test runs it
    TIMEOUT = "timeout"
    INVALID = "invalid"  # does not compile, or cannot be put in place


@dataclass(frozen=True, slots=True)
class MutationScore:
    """How many mutants ended in which state."""

    killed: int = 0
    survived: int = 0
    no_coverage: int = 0
    timeout: int = 0
    invalid: int = 0

    @property
    def valid(self) -> int:
        """Mutants that are programs."""
        return self.killed + self.survived + self.no_coverage + self.timeout

    @property
    def value(self) -> float | None:
        """(killed + timeout) / valid; ``None`` without a valid mutant, since nothing was shown then."""
        return (self.killed + self.timeout) / self.valid if self.valid else None


def score_states(states: Iterable[MutantState]) -> MutationScore:
    """The counts and score of these states."""
    counts = Counter(states)
    return MutationScore(**{state.value: counts[state] for state in MutantState})
