"""What a hunt is told of runs of the unpatched program that go on beside it."""

from __future__ import annotations

from typing import Protocol

from repair.records.task import Baseline


class Further(Protocol):
    """Runs of the unpatched program that were not over when the hunt began."""

    def contradicted(self) -> bool:
        """Whether they have shown by now that other tests fail than those that the hunt is for."""

    def wider(self) -> Baseline | None:
        """The baseline with more of the suite than the hunt began with, once that is known."""


class NothingFurther:
    """Conforms to ``Further`` where all is known already."""

    def contradicted(self) -> bool:
        """Never."""
        return False

    def wider(self) -> Baseline | None:
        """Nothing more than was known."""
        return None


NOTHING_FURTHER = NothingFurther()
