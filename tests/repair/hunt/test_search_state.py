"""What a search counts is counted once, and handed on as it is."""

from __future__ import annotations

from fakes.submission import candidate_of
from fakes.survivors import survivor_of

from analysis.facts import Digest
from analysis.trials import TrialOutcome, TrialState
from repair.hunt.search_result import SearchResult
from repair.hunt.search_state import MOST_REASONS, SearchState
from repair.records.result import Counts, TierLeft

OLD = b"def price(count):\n    return count + 3\n"
SURVIVORS = [survivor_of(candidate_of(OLD.replace(b"+ 3", b"* %d" % n), OLD), n) for n in (2, 3)]


def outcome(state: TrialState, *, tier: str = "warm", remembered: bool = False) -> TrialOutcome:
    return TrialOutcome(Digest("d"), state, tier=tier, remembered=remembered)


def test_outcomes_that_are_known_from_before_are_not_run() -> None:
    state = SearchState(drawn=5)
    state.count(outcome(TrialState.FAILED))
    state.count(outcome(TrialState.INVALID, tier="cold"))
    state.count(outcome(TrialState.FAILED, remembered=True))
    state.finds.survivors += SURVIVORS
    counts = state.counts()
    assert (counts.candidates, counts.executed, counts.remembered, counts.invalid) == (5, 2, 1, 1)
    assert (dict(counts.tiers), counts.plausible, counts.rivals) == ({"cold": 1, "warm": 1}, 2, 0)
    assert state.tried == counts.executed + counts.remembered


def test_other_survivors_are_counted_anew_and_nothing_else_is() -> None:
    state = SearchState(drawn=5)
    state.finds.survivors += SURVIVORS
    result = SearchResult(tuple(SURVIVORS), state.counts())
    assert result.with_survivors(SURVIVORS[:1]).counts == Counts(candidates=5, plausible=1)
    assert result.with_rivals((*SURVIVORS, *SURVIVORS), 7).counts == Counts(candidates=5, plausible=4, rivals=7)
    assert result.counts == Counts(candidates=5, plausible=2)


def test_tiers_are_left_by_functions_first_and_then_by_single_trials_the_commonest_reason_first() -> None:
    state = SearchState(moved=[("warm", "canary", "f"), ("warm", "canary", "g"), ("warm", "canary", "f")])
    state.sent_up.update({("warm", f"reason {n}"): n for n in range(1, MOST_REASONS + 3)})
    whole, first, *others = state.counts().left
    assert whole == TierLeft("warm", "canary", ("f", "g"))
    assert first == TierLeft("warm", f"reason {MOST_REASONS + 2}", candidates=MOST_REASONS + 2)
    assert len(others) == MOST_REASONS - 1
