"""Trials: light candidates as the ranking pool runs them, and what became of each."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from analysis.facts import Digest, FunctionId, TestId, digest

UNNOTICED = "these tests do not notice when it raises or returns nothing"
"""What is said of a function that tests may run, but whose failure changes nothing for them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A light candidate: the new text of one function, decorators included, as it stands in the file."""

    digest: Digest
    function: FunctionId
    text: bytes
    label: str
    patient: bool = False
    """Whether its tests get all the time that they may have, and not only what they should need."""
    stuck_seconds: float = 0.0
    """Processor time after which a test of it is taken to hang, where that is not what the server takes for it."""
    only: tuple[TestId, ...] = ()
    """The tests that are enough to ask, in this order; none: all. Only where functions are swapped in: other tiers run
    all of them."""

    def of_test(self, test: TestId) -> Trial:
        """The trial of one test, with a digest of its own."""
        return replace(self, digest=digest(self.digest, test), only=(test,))


class TrialState(enum.Enum):
    """What the ranking pool saw of one trial. It never certifies."""

    PASSED = "passed"
    FAILED = "failed"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MEMORY = "memory"  # a test ended for want of memory
    FLOOD = "flood"  # too much output
    INVALID = "invalid"  # does not compile in the target, or cannot be swapped in


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """State of one trial, with the first test that did not pass and how it failed.

    ``tier`` says how it was run: ``warm``, ``batch``, ``zygote`` or ``cold``.
    """

    digest: Digest
    state: TrialState
    failed: TestId | None = None
    detail: str = ""
    tier: str = ""
    remembered: bool = False
    """Whether it was seen before, and the trial not run again."""
    hasty: bool = False
    """Whether a test was stopped long before its time was up: with more patience it may end."""
