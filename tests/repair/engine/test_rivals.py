"""Rivals: what else passes where a candidate stands is looked for, and stands behind it."""

import contextlib
from dataclasses import replace

import pytest
from fakes.diagnosed import FAILING, KEPT, SOURCES, localized_of, observed
from fakes.engines import search_parts
from fakes.proposers import Rewrites
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.errors import OutOfTimeError, TargetError
from analysis.facts import Limits, Outcome
from analysis.trials import TrialOutcome, TrialState
from repair.engine.choosing import (
    NOBODY,
    SLOW,
    UNTRIED,
    Choosing,
    find_rivals_of_change,
    merge_rivals,
    search_rivals,
)
from repair.engine.diagnosing import Diagnosed
from repair.engine.task_time import TaskTime
from repair.hunt.search_loop import SearchLoop
from repair.records.ports import OUT_OF_TIME, Submission, Unsought
from repair.records.result import Seconds
from repair.records.task import Budget
from repair.records.verdict import Verdict
from repair.trials.trial_router import Selection, TrialRouter
from sandbox.deadline import Deadline

UPDATE = "count + RATE"
MINED = tuple((UPDATE, text) for text in ("count - RATE", "count * RATE", "RATE * count"))


class Seen(Rewrites):
    """Remembers the plans that it was asked with."""

    plans = ()

    def propose(self, plan, context):
        self.plans = (*self.plans, plan)
        return super().propose(plan, context)


def parts_of(*proposers, swaps=True):
    warm = FakeSession(lambda trial: b"count * RATE" in trial.text or b"RATE * count" in trial.text, swaps=swaps)
    sandbox = FakeSandbox(
        lambda tests, files, shuffle: run_of(dict.fromkeys(tests, Outcome.PASSED)),
        SOURCES,
        lambda tests, files: warm if tests == (FAILING,) else FakeSession(lambda trial: True),
    )
    return search_parts(sandbox, *proposers)


def pool_of(parts):
    return parts.open_pool(observed(), SOURCES)


def survivors(parts):
    return SearchLoop(parts, observed(), localized_of("price"), SOURCES, Budget(), pool_of(parts)).run().survivors


def rivals(parts, candidate, seconds, *suspects):
    localized = localized_of("price", *suspects)
    return search_rivals(parts, observed(), localized, SOURCES, candidate, seconds, pool_of(parts))


def test_edits_of_the_changed_statement_are_tried_and_the_candidate_is_not_its_own_rival():
    proposer = Seen({"price": MINED})
    parts = parts_of(proposer)
    best = survivors(parts)[0]
    found = rivals(parts, best.candidate, 60.0, "label")
    assert found is not None
    assert found.counts.executed > 0
    (rival,) = found.survivors
    assert b"RATE * count" in rival.candidate.text
    assert proposer.plans[-1].suspect.line_scores == ((7, 1.0),)
    assert proposer.plans[-1].function == best.candidate.function


def test_no_time_and_no_eager_proposer_find_no_rivals():
    parts = parts_of(Rewrites({"price": MINED}))
    best = survivors(parts)[0]
    assert rivals(parts, best.candidate, 0.0) is None
    assert rivals(parts_of(Rewrites({"price": MINED}, eager=False)), best.candidate, 60.0) is None


def change():
    """What `check` would be asked about: the best edit of the search, and the tests that vouch for it."""
    (best, _) = survivors(parts_of(Rewrites({"price": MINED})))
    candidate, seen = best.candidate, Diagnosed(observed(), localized_of("price"), Seconds())
    vouching = (FAILING, KEPT)
    return Submission(candidate, seen.baseline, (), (), candidate.files, SOURCES, vouching), seen


def rivals_of_change(parts, seconds=60.0):
    return find_rivals_of_change(parts, *change(), seconds)


class Lent:
    """A server of the gates over the patched program, and how often it was lent."""

    def __init__(self, session):
        sandbox = FakeSandbox(lambda *_: None, SOURCES, session)
        self.times, self.session = 0, session
        self._router = TrialRouter(sandbox, Selection((FAILING, KEPT), SOURCES, Limits(), Limits(), passes=True))

    @contextlib.contextmanager
    def __call__(self, submission):
        self.times += 1
        yield self._router


def serve_both(trial):
    """As a server of the failing test and of the passing one behind it would answer."""
    if b"RATE * count" in trial.text:
        return True
    failed = KEPT if b"count * RATE" in trial.text else FAILING
    return TrialOutcome(trial.digest, TrialState.FAILED, failed, tier="warm")


def start_nothing(tests, files):
    raise AssertionError(f"a server was started for {tests}")


def test_rivals_of_a_change_are_tried_on_the_server_of_the_gates_and_none_is_started_for_them():
    parts = parts_of(Rewrites({"price": MINED}))
    alone = replace(parts, sandbox=FakeSandbox(lambda *_: None, SOURCES, start_nothing))
    lent = Lent(FakeSession(serve_both))
    found = find_rivals_of_change(alone, *change(), 60.0, lent)
    assert lent.times == 1
    assert found == rivals_of_change(parts)
    assert not lent.session.closed
    assert {trial.stuck_seconds > 0 for trial in lent.session.seen} == {True}


@pytest.mark.parametrize(
    "edit",
    [
        lambda asked: replace(asked, vouching=(FAILING,)),
        lambda asked: replace(asked, whole=(*asked.whole, ("other.py", b"x = 1\n"))),
        lambda asked: replace(asked, whole=tuple((p, b"x = 1\n" + text) for p, text in asked.whole)),
    ],
)
def test_where_more_is_changed_or_a_test_is_missing_rivals_are_tried_on_the_old_program(edit):
    lent, parts = Lent(FakeSession(serve_both)), parts_of(Rewrites({"price": MINED}))
    submission, seen = change()
    found = find_rivals_of_change(parts, edit(submission), seen, 60.0, lent)
    assert (lent.times, found) == (0, rivals_of_change(parts))


def test_where_the_server_of_the_gates_cannot_swap_the_function_the_old_program_is_asked():
    lent = Lent(FakeSession(serve_both, swaps=False))
    found = find_rivals_of_change(parts_of(Rewrites({"price": MINED})), *change(), 60.0, lent)
    assert (lent.times, found.unsought, len(found.found)) == (1, None, 1)


def test_rivals_of_a_change_are_found_and_nothing_is_left_to_say():
    found = rivals_of_change(parts_of(Rewrites({"price": MINED})))
    assert found.unsought is None
    (rival,) = found.found
    assert b"RATE * count" in rival.text


class Broken(Rewrites):
    """A proposer that fails, or for which the time of the run is up."""

    def __init__(self, problem):
        super().__init__({"price": MINED})
        self._problem = problem

    def propose(self, plan, context):
        raise self._problem


@pytest.mark.parametrize(
    ("parts", "seconds", "unsought"),
    [
        (parts_of(Rewrites({"price": MINED}, eager=False)), 60.0, NOBODY),
        (parts_of(Rewrites({"price": MINED})), 0.0, OUT_OF_TIME),
        (parts_of(Rewrites({"price": MINED}), swaps=False), 60.0, SLOW),
        (parts_of(Rewrites({})), 60.0, UNTRIED),
        (parts_of(Broken(OutOfTimeError("The time for the whole run is up"))), 60.0, OUT_OF_TIME),
        (parts_of(Broken(TargetError("no server"))), 60.0, Unsought("the search for them failed: no server")),
    ],
)
def test_why_no_rivals_of_a_change_were_looked_for_is_told(parts, seconds, unsought):
    found = rivals_of_change(parts, seconds)
    assert (found.found, found.unsought) == ((), unsought)


def test_that_nobody_could_look_for_rivals_is_kept_in_the_result():
    parts = parts_of(Rewrites({"price": MINED}))
    result = SearchLoop(parts, observed(), localized_of("price"), SOURCES, Budget(), pool_of(parts)).run()
    assert result.unsought is None
    seen = Diagnosed(observed(), localized_of("price"), Seconds())
    time = TaskTime(lambda: 0.0, 0.0, 60.0)
    choosing = Choosing(seen, SOURCES, time, Deadline(), lambda candidate: Verdict(()), tuple)
    waiting = parts_of(Rewrites({"price": MINED}, eager=False))
    assert choosing.add_rivals(result, waiting, pool_of(waiting), 9.0).unsought == NOBODY
    assert choosing.add_rivals(result, parts, pool_of(parts), 9.0).unsought is None


def test_rivals_are_joined_once_behind_the_best():
    parts = parts_of(Rewrites({"price": MINED}))
    found = survivors(parts)
    assert len(found) == 2
    assert merge_rivals(found, found[0], found) == found
    (_, behind) = merge_rivals(found[:1], found[0], found[1:])
    assert behind.position == found[0].position + found[1].position
