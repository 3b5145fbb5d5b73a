"""A repair that trusts its tests: what our gates are compared with. It can say ``plausible``, never ``certified``."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from repair.engine.engine import Engine
from repair.engine.ranking import RankedCandidate

SHOWN_BY_TESTS = frozenset({"fixes", "regressions"})
"""The gates that do no more than run the tests. A verdict without the other core gates is ``plausible`` at most."""

UNJUDGED = "judged by its tests alone: no other gate was asked"


def trust_tests(engine: Engine, seed: int | None) -> Engine:
    """The engine with no gates but those; with a seed it draws the order of the survivors instead of ranking them."""
    gates = tuple(gate for gate in engine.judging.gates if gate.name in SHOWN_BY_TESTS)
    order = engine.order if seed is None else lambda ranked: shuffle_candidates(ranked, seed)
    return replace(engine, judging=replace(engine.judging, gates=gates), order=order)


def shuffle_candidates(ranked: Sequence[RankedCandidate], seed: int) -> list[RankedCandidate]:
    """The candidates in an order that the seed alone decides, not the order in which they were found."""
    found = sorted(ranked, key=lambda each: each.candidate.digest)
    random.Random(seed).shuffle(found)
    return found
