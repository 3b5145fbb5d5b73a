"""What a server offers to those who work for it. Only type checkers read this file: rooms below the server name it."""

from __future__ import annotations

from typing import Protocol

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from _repair_probe.ground.stuck import Bound
    from _repair_probe.ground.words import Called, Fields, Work
    from _repair_probe.session.runner import ResultRecorder
    from _repair_probe.session.staged_items import Stages
    from _repair_probe.swap.live_functions import Index


class Allowed(Protocol):
    """What a selection of tests allows."""

    batches: bool
    random: bool
    warm_up: bool
    odd: frozenset[Called]


class Tests(Protocol):
    """The tests that a server has collected, and how they are run."""

    session: pytest.Session
    config: pytest.Config
    items: list[pytest.Item]
    ids: list[str]
    root: str
    bound: Bound
    recorder: ResultRecorder
    index: Index

    def ask(self, work: Work, seconds: float) -> list[Fields]:
        """Run work in a fork while nothing else goes on; its lines, if it came to its end."""

    def take_in(self, names: Sequence[str]) -> bool:
        """Import modules of the project that tests import while they run; whether there were any."""


class Serving(Tests, Protocol):
    """A server that knows what its tests allow."""

    stages: Stages
    full: Stages

    @property
    def sound(self) -> Allowed:
        """What its tests allow."""
