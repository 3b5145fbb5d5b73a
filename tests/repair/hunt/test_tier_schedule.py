"""Whose trials run next, and for how long."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from analysis.facts import FunctionId
from analysis.trials import UNNOTICED
from repair.hunt.tier_schedule import UNNOTICED_SHARE, TierSchedule
from repair.trials.cold import NEEDS_COLD, NEEDS_IMPORT
from repair.trials.trial_router import TrialTier

WARM, ZYGOTE, COLD = TrialTier
ONE, TWO = FunctionId("lib.py", "one", 1), FunctionId("lib.py", "two", 5)
UNSEEN = f"{UNNOTICED}: {NEEDS_IMPORT}"


def turns_of(**weights: float) -> TierSchedule:
    functions = {"one": ONE, "two": TWO}
    streams = [
        SimpleNamespace(span=SimpleNamespace(function=functions[name]), weight=weight, empty=False, title=name)
        for name, weight in weights.items()
    ]
    return TierSchedule(cast(Any, streams))


def shares(turns: TierSchedule, rounds: int = 400) -> dict[TrialTier, int]:
    """How many turns of a second each tier gets."""
    got = dict.fromkeys(TrialTier, 0)
    for _ in range(rounds):
        tier = turns.next(lambda function: False)
        assert tier is not None
        got[tier] += 1
        turns.add_seconds(tier, 1.0)
    return got


@pytest.mark.parametrize(
    ("reasons", "tier"), [([NEEDS_IMPORT], ZYGOTE), ([NEEDS_COLD], COLD), ([UNSEEN, UNSEEN], COLD)]
)
def test_a_function_moves_to_the_tier_that_answers_for_it(reasons: list[str], tier: TrialTier) -> None:
    turns = turns_of(one=1.0)
    assert turns.functions(WARM) == (ONE,)
    for reason in reasons:
        turns.move(ONE, reason)
    assert turns.functions(tier) == (ONE,)


def test_tiers_get_time_as_their_suspects_weigh() -> None:
    turns = turns_of(one=3.0, two=1.0)
    turns.move(TWO, NEEDS_COLD)
    assert shares(turns) == {WARM: 300, ZYGOTE: 0, COLD: 100}


def test_a_function_that_nobody_misses_gets_little_of_the_time_of_cold_runs() -> None:
    turns = turns_of(one=1.0, two=1.0)
    turns.move(TWO, UNSEEN)
    assert shares(turns, 10)[ZYGOTE] == 5
    turns.move(TWO, UNSEEN)
    got = shares(turns)
    assert 0 < got[COLD] <= 400 * UNNOTICED_SHARE
    assert got[WARM] == 400 - got[COLD]


def test_alone_it_has_all_of_the_time() -> None:
    turns = turns_of(two=1.0)
    turns.move(TWO, UNSEEN)
    turns.move(TWO, UNSEEN)
    assert shares(turns, 10)[COLD] == 10
