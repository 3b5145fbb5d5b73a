"""A repair that trusts its tests: it answers what passes, by rank or by chance, and certifies nothing."""

from __future__ import annotations

import pytest
from fakes.engines import engine_of
from fakes.proposers import Rewrites
from fakes.submission import candidate_of
from fakes.survivors import ranked_of
from fakes.toy import ToySandbox

from analysis.facts import Limits
from repair.engine.engine import shuffle_candidates, trust_tests
from repair.gates.fixes import Fixes
from repair.gates.regressions import Regressions
from repair.gates.shape import Shape
from repair.records.result import Status
from repair.records.task import RepairTask

SHOP = b"def price(count):\n    return count + 3\n"
TESTS = b"from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n"


@pytest.fixture
def engine():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    edits = [("count + 3", "count * count"), ("count + 3", "count * 3")]
    gates = (Shape(), Fixes(sandbox, Limits()), Regressions(sandbox, Limits()))
    return engine_of(sandbox, (Rewrites({"price": edits}),), gates)


def test_what_passes_is_plausible_and_no_other_gate_is_asked(engine):
    ending = trust_tests(engine, None).fix(RepairTask("/project", ()))
    assert ending.status is Status.PLAUSIBLE
    assert len(ending.judged) == 2
    assert {e.gate for judged in ending.judged for e in judged.verdict.evidence} == {"fixes", "regressions"}


def test_a_seed_decides_which_comes_first(engine):
    first = {
        trust_tests(engine, seed).fix(RepairTask("/project", ())).judged[0].submission.candidate.text
        for seed in range(6)
    }
    assert len(first) == 2


def test_a_draw_does_not_hang_on_the_order_of_finding():
    old = b"def price(count):\n    return count\n"
    texts = [candidate_of(old.replace(b"count\n", b"%d\n" % n), old) for n in range(1, 6)]
    made = [ranked_of(text, n) for n, text in enumerate(texts, 1)]
    assert shuffle_candidates(made, 3) == shuffle_candidates(made[::-1], 3)
    assert len({tuple(c.position for c in shuffle_candidates(made, seed)) for seed in range(5)}) > 1
