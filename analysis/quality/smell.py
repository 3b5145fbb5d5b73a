"""The record of a test smell, and what a rule that finds one looks like."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from analysis.facts import TestId
from analysis.quality.case import Case


class Severity(enum.Enum):
    """``REJECT``: the test cannot serve as evidence. ``WARN``: it can, and a reader should know."""

    REJECT = "reject"
    WARN = "warn"


@dataclass(frozen=True, slots=True)
class Smell:
    """A shape in one test that weakens its oracle."""

    id: str
    severity: Severity
    test: TestId
    line: int
    claim: str


Finding = tuple[int, str]
"""Line and claim."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One smell with its own examples.

    Each example is the source of a module whose test is ``test_it`` and whose subject is called ``parse``. Where there
    is a class ``TestIt``, the test stands in it.
    """

    id: str
    severity: Severity
    title: str
    find: Callable[[Case], Iterator[Finding]]
    flagged: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()

    def with_examples(self, flagged: tuple[str, ...], clean: tuple[str, ...]) -> Rule:
        """The rule with sources that it flags, and others that it leaves alone."""
        return replace(self, flagged=flagged, clean=clean)
