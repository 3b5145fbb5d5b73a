"""A repair that trusts its tests: what our gates are compared with. It can say ``plausible``, never ``certified``."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from repair.engine.choosing import Choice
from repair.engine.engine import Engine

SHOWN_BY_TESTS = frozenset({"fixes", "regressions"})
"""The gates that do no more than run the tests. A verdict without the other core gates is ``plausible`` at most."""

UNJUDGED = "judged by its tests alone: no other gate was asked"


def tests_alone(engine: Engine, seed: int | None) -> Engine:
    """The engine with no gates but those; with a seed it draws the order of the survivors instead of ranking them."""
    gates = tuple(gate for gate in engine.gates if gate.name in SHOWN_BY_TESTS)
    order = engine.order if seed is None else lambda found: drawn(found, seed)
    return replace(engine, gates=gates, order=order)


def drawn(choices: Sequence[Choice], seed: int) -> list[Choice]:
    """The choices in an order that the seed alone decides, not the order in which they were found."""
    found = sorted(choices, key=lambda choice: choice.candidate.digest)
    random.Random(seed).shuffle(found)
    return found
