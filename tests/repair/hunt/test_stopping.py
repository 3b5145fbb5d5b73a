"""When a search has had enough: time, count, or more searching would hardly change the answer."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from analysis.facts import Digest, FunctionId
from analysis.trials import Trial
from repair.checks.weights import shipped_weights
from repair.hunt.search_state import MOST_NOTED, Finds, SearchState
from repair.hunt.stopping import (
    EDITS_WORTH,
    EVIDENCE_BITS,
    EXTRA_SECONDS,
    FITTED_PATIENCE,
    LEAST_BESIDE_FITTED,
    LEAST_TRIED,
    MOST_FORGOTTEN,
    UNTRIED_SHARE,
    Stopping,
    expect_find,
    last_place_that_matters,
    share_of_one_cause,
)
from repair.hunt.tried_edit import TriedEdit, prior_cost
from repair.records.task import Budget
from transforms.synthesis.candidates import FITTED
from transforms.tree.proposal import Origin, Proposal


def find(
    place: int,
    size: int = 2,
    *,
    sound: bool = True,
    at: float = 1.0,
    function: str = "price",
    operator: str = "comparison",
) -> TriedEdit:
    trial = Trial(Digest(f"{function} {place}"), FunctionId("shop.py", function, 1), b"", "")
    proposal = Proposal(trial.function, (), Origin("search", operator, ""), "")
    return TriedEdit(None, trial, proposal, place, passed_at=at, sound=sound, size=size)


def searched(tried: int, *finds: TriedEdit, rivals: bool = False, partial: bool = False, now: float = 2.0) -> Stopping:
    """A search of 60 seconds that has tried so many edits by now."""
    state = SearchState(seen={str(n) for n in range(tried)}, finds=Finds(list(finds)))
    state.note_failure(find(1, sound=False), int(partial), 4)
    return Stopping(Budget(max_seconds=60.0), lambda: now, 0.0, state, wants_rivals=rivals)


def stopping(
    now: float, finds: tuple[tuple[float, bool], ...] = (), drawn: int = 0, more: float = 0.0, **budget
) -> Stopping:
    """A search that began at 0, with finds at these times that are sound or not."""
    edits = [find(1, at=at, sound=sound) for at, sound in finds]
    state = SearchState(drawn=drawn, finds=Finds(edits))
    return Stopping(Budget(**{"max_seconds": 60.0, **budget}), lambda: now, 0.0, state, more=more)


@pytest.mark.parametrize(
    ("stop", "enough"),
    [
        (stopping(59.0), False),
        (stopping(60.0), True),
        (stopping(1.0, drawn=9, max_candidates=10), False),
        (stopping(1.0, drawn=10, max_candidates=10), True),
        (stopping(5.5, ((1.0, True),)), False),
        (stopping(6.5, ((1.0, True),)), True),
        (stopping(35.0, ((20.0, True),)), False),
        (stopping(41.0, ((20.0, True),)), True),
        (stopping(41.0, ((20.0, False),)), False),
        (stopping(69.0, more=10.0), False),
        (stopping(69.0, ((20.0, False),), more=10.0), False),
        (stopping(70.0, more=10.0), True),
        (stopping(61.0, ((60.5, True),), more=10.0), True),
    ],
)
def test_it_is_enough_when_time_or_count_is_up_or_a_sound_find_has_waited(stop: Stopping, enough: bool):
    assert stop.enough is enough


@pytest.mark.parametrize(
    ("stop", "enough"),
    [
        (searched(5000), False),
        (searched(5000, find(10, sound=False)), False),
        # The first edits that were drawn: no later edit is as likely as the second, whatever the evidence says.
        (searched(40, find(2)), False),
        (searched(46, find(2)), True),
        (searched(46, find(2, size=4)), False),
        (searched(200, find(15)), False),
        (searched(300, find(15)), True),
        # One find in a thousand edits: one in ten such searches would bring another one in a thousand more.
        (searched(1000, find(1000)), True),
        (searched(600, find(120, size=6), find(300, size=6), find(590, size=6)), False),
        # Variants of one edit count once.
        (searched(600, find(301), find(302), find(303)), True),
        (searched(200, find(2), rivals=True), False),
        (searched(600, find(2), rivals=True), True),
    ],
)
def test_it_is_enough_when_as_many_edits_again_would_hardly_change_the_answer(stop: Stopping, enough: bool):
    assert stop.enough is enough


def test_behind_the_last_place_no_edit_is_as_likely_as_the_best_find_whatever_the_evidence_says():
    finds = [find(40, size=5), find(15, size=2)]
    last = last_place_that_matters(finds)
    assert prior_cost(1, int(last) + 1) > prior_cost(2, 15) + EVIDENCE_BITS
    assert prior_cost(1, int(last) - 1) < prior_cost(2, 15) + EVIDENCE_BITS
    assert expect_find([15, 40], int(last) + 1, last) == 0.0


def test_no_piece_of_evidence_that_was_learned_of_many_patches_moves_the_odds_further():
    learned = [each for each in shipped_weights().features.values() if each.wrong >= 20 and each.right >= 20]
    most = max(abs(each.value) for each in learned) / math.log(2)
    assert EVIDENCE_BITS - 0.5 < most <= EVIDENCE_BITS


@pytest.mark.parametrize(("density", "tried"), [(0.15, 255), (0.3, 127), (0.6, 1023)])
def test_finds_come_as_often_as_expected_where_they_do_in_each_doubling(density: float, tried: int):
    """A thousand searches with edits that pass at place p with probability density/p."""
    chance = random.Random(20261124)
    came = expected = 0.0
    for _ in range(1000):
        passing = [p for p in range(1, 2 * tried + 1) if chance.random() < density / p]
        before = [p for p in passing if p <= tried]
        came += len(passing) > len(before)
        expected += expect_find(before, tried, math.inf)
    assert expected == pytest.approx(came, rel=0.2)


def test_what_a_search_leaves_is_not_worth_its_price_where_the_prior_holds():
    """Of searches that have stopped, too few would find a likelier edit in as many edits again to pay for these."""
    chance = random.Random(128)
    stopped, edits, changed = 0, 0, 0
    for _ in range(400):
        passing = [find(p, chance.choice((1, 2, 2, 4, 6))) for p in range(1, 4001) if chance.random() < 0.4 / p]
        for tried in range(1, 2001, 9):
            finds = [each for each in passing if each.position <= tried]
            if finds and searched(tried, *finds).enough:
                stopped, edits = stopped + 1, edits + tried
                best = min(prior_cost(each.size, each.position) for each in finds)
                later = [each for each in passing if tried < each.position <= 2 * tried]
                changed += any(prior_cost(each.size, each.position) < best for each in later)
                break
    assert stopped > 200
    assert changed * EDITS_WORTH <= edits


def test_a_search_for_all_tests_has_its_likely_share_where_an_edit_mends_a_part():
    assert searched(2000, now=30.0).seconds_left == 30.0
    assert searched(2000, partial=True, now=2.0).seconds_left > 0
    late = searched(2000, partial=True, now=15.0)
    assert late.enough, "a quarter of the time brought nothing that mends all"
    assert not searched(2000, find(1900, size=9), partial=True, now=15.0).spent, "it has all of the time once it does"


@pytest.mark.parametrize(("tried", "passed", "share"), [(0, 0.0, 1.0), (100, 1.0, 0.0), (100, 0.1, 0.25)])
def test_one_cause_is_less_likely_the_more_of_the_places_were_tried(tried: int, passed: float, share: float):
    # A tenth of 1,000 places: a third of their logarithms is left, so it is 1 to 3.
    assert share_of_one_cause(tried, passed) == pytest.approx(share)
    assert share_of_one_cause(1000, 0.3) < share_of_one_cause(1000, 0.1) < 0.5


@pytest.mark.parametrize("operator", sorted(FITTED))
def test_a_condition_that_is_fitted_to_the_tests_ends_no_search_soon(operator: str):
    fitted, written = find(260, at=1.0, operator=operator), find(280, at=1.0)
    assert searched(600, written, now=7.0).enough
    assert not searched(600, fitted, now=7.0).enough
    assert searched(600, fitted, written, now=7.0).enough, "another kind of find ends it as ever"
    assert searched(LEAST_BESIDE_FITTED, fitted, now=7.0).enough, "a thousand others were tried"
    assert searched(600, fitted, rivals=True, now=7.0).enough, "who looks for rivals takes any"
    assert searched(600, fitted, now=1.0 + FITTED_PATIENCE * EXTRA_SECONDS + 0.1).enough, "nobody waits for ever"


def test_few_edits_in_much_time_are_no_sign_of_several_causes():
    """Servers that start late on a busy machine: 11 edits in a quarter of the time."""
    slow = searched(11, partial=True, now=15.0)
    assert not slow.spent
    assert slow.seconds_in_all == UNTRIED_SHARE * 60.0
    assert searched(2 * LEAST_TRIED, partial=True, now=15.0).spent
    shares = [searched(n, partial=True, now=15.0).seconds_in_all for n in range(1, 3 * LEAST_TRIED)]
    assert all(0 <= one - other < 1.0 for one, other in itertools.pairwise(shares)), "no edit takes the time of trials"
    assert searched(11, partial=True, now=46.0).keeps_time_for_parts, "some time is left for parts all the same"


def test_a_little_overtime_is_allowed():
    assert not stopping(61.0).overdue
    assert stopping(63.0).overdue
    assert stopping(63.0).seconds_left == -3.0


def test_without_a_survivor_nobody_was_hurried():
    assert not stopping(60.0, ((59.0, True),)).hurried(frozenset({"search"}))


def test_time_is_kept_for_parts_only_while_an_edit_may_mend_one():
    late = searched(2000, partial=True, now=15.0)
    assert late.spent
    assert late.keeps_time_for_parts
    late.state.partial.forget()
    assert not late.spent, "no edit is known to mend a part"
    assert not late.keeps_time_for_parts
    late.state.note_failure(find(1900), 3, 4)
    assert late.keeps_time_for_parts, "another one may"
    for _ in range(MOST_FORGOTTEN - 1):
        late.state.partial.forget()
    late.state.note_failure(find(1950), 3, 4)
    assert not late.spent, "it was none so often that all of the time is for the whole"
    assert not searched(2000, partial=True, now=61.0).keeps_time_for_parts


def test_edits_that_come_nearest_are_noted_first_and_anew_after_they_were_forgotten():
    state = SearchState()
    first, second, third = find(1), find(2), find(3)
    for edit, passed in ((first, 2), (second, 2), (third, 4)):
        state.note_failure(edit, passed, 5)
    assert state.partial.best_first() == [third, first, second]
    state.partial.forget()
    state.note_failure(second, 1, 5)
    assert state.partial.best_first() == [second]
    assert state.best == 4, "what is told of the search stays"


def test_what_is_asked_about_parts_comes_before_how_many_passed_first():
    state, asked = SearchState(), []
    mine, other, late = find(1), find(2, function="tax"), find(3)
    for edit, passed in ((mine, 3), (late, 1), (other, 1)):
        state.note_failure(edit, passed, 100)

    def answer(trials):
        trials = list(trials)
        asked.append([trial.digest for trial in trials])
        return {trial.digest: 0.75 for trial in trials if trial is other.trial}

    state.partial.ask(answer)
    assert asked == [[mine.trial.digest, other.trial.digest, late.trial.digest]], "each function has its turn"
    assert state.partial.best_first() == [other, mine, late]
    state.partial.ask(answer)
    assert asked[1:] == [[mine.trial.digest, late.trial.digest]], "whoever had no answer is asked again"


def test_of_one_function_no_more_than_so_many_parts_are_kept_and_none_of_another_is_lost_to_them():
    state = SearchState()
    for place in range(1, 2 * MOST_NOTED):
        state.note_failure(find(place), 1, 100)
    state.note_failure(find(9999, function="tax"), 1, 100)
    assert len(state.partial.best_first()) == MOST_NOTED + 1
    state.note_failure(find(9998), 2, 100)
    assert state.partial.best_first()[0] == find(9998)
    assert len(state.partial.best_first()) == MOST_NOTED + 1


def test_variants_of_one_edit_leave_the_edits_of_other_functions_their_turn():
    state = SearchState()
    same, other = [find(place) for place in range(1, 6)], find(9, function="tax")
    for edit in (*same, other):
        state.note_failure(edit, 1, 2 if edit is not other else 9)
    assert state.partial.best_first() == [*same[:2], other, *same[2:]]
