"""Rivals: what else passes where a candidate stands is looked for, and stands behind it."""

from fakes.diagnosed import FAILING, SOURCES, localized_of, observed
from fakes.engines import search_parts
from fakes.proposers import Rewrites
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.facts import Outcome
from repair.engine.choosing import merge_rivals, search_rivals
from repair.hunt.search_loop import SearchLoop
from repair.records.task import Budget

UPDATE = "count + RATE"
MINED = tuple((UPDATE, text) for text in ("count - RATE", "count * RATE", "RATE * count"))


class Seen(Rewrites):
    """Remembers the plans that it was asked with."""

    plans = ()

    def propose(self, plan, context):
        self.plans = (*self.plans, plan)
        return super().propose(plan, context)


def parts_of(*proposers):
    warm = FakeSession(lambda trial: b"count * RATE" in trial.text or b"RATE * count" in trial.text)
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


def test_rivals_are_joined_once_behind_the_best():
    parts = parts_of(Rewrites({"price": MINED}))
    found = survivors(parts)
    assert len(found) == 2
    assert merge_rivals(found, found[0], found) == found
    (_, behind) = merge_rivals(found[:1], found[0], found[1:])
    assert behind.position == found[0].position + found[1].position
