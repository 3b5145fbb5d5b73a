"""Records and scores to rates: each bug once, the machine's failures apart, a person's word last."""

from __future__ import annotations

import json

import pytest
from fakes.benched import AGREES, SAMPLE, row

from corpora.bench.score import Judgement, with_judgements
from corpora.bench.summary import ScoredCell, by_corpus, by_group, compare, comparisons, rows, summaries
from repair.records.result import Status


def test_rates_of_one_configuration():
    (found,) = summaries(SAMPLE)
    assert (found.bugs, found.cells, found.infrastructure, found.abstained) == (5, 6, 1, 1)
    shares = (found.plausible, found.certified, found.agrees, found.exact, found.overfitting, found.false_certified)
    assert [(r.count, r.total) for r in shares] == [(4, 5), (2, 5), (1, 5), (1, 5), (2, 3), (1, 2)]
    assert (found.undecidable, found.unscored) == (1, 0)
    assert [(top, r.count, r.total) for top, r in found.tops] == [(1, 1, 4), (3, 2, 4), (5, 3, 4)]
    assert (found.candidates, found.executed, found.tokens, found.usd) == (50, 40, 35, 2.5)
    assert (found.median_seconds, found.seconds, found.cpu_seconds) == (2.0, 10.0, 15.0)


def test_further_seeds_serve_the_estimates_alone():
    every = [row("a", Status.UNREPAIRED, seed=0), row("a", Status.CERTIFIED, AGREES, seed=1)]
    (found,) = summaries(every)
    assert (found.bugs, found.certified.count) == (1, 0)
    assert [(at.k, at.plausible, at.agrees) for at in found.at_k] == [(1, 0.5, 0.5), (2, 1.0, 1.0)]


def test_nothing_done_is_no_division_by_zero():
    (found,) = summaries([row("f", None)])
    assert (found.bugs, found.infrastructure, found.at_k, found.median_seconds) == (0, 1, (), 0.0)


def test_an_answer_without_a_score_is_counted_as_that():
    (found,) = summaries([ScoredCell(row("a", Status.CERTIFIED, AGREES).record)])
    assert (found.unscored, found.agrees.count, found.overfitting.total) == (1, 0, 0)


def test_groups_are_summed_by_themselves():
    every = [row(str(n), Status.CERTIFIED, AGREES, group="g" if n else "h") for n in range(3)]
    assert [(found.name, found.bugs) for found in by_group(every)] == [("search/g", 2), ("search/h", 1)]
    assert by_group(SAMPLE) == ()


def test_samples_are_never_counted_together():
    every = [
        row("a", Status.CERTIFIED, AGREES, sample="in-sample"),
        row("b", Status.UNREPAIRED, sample="held-out"),
        row("b", Status.CERTIFIED, AGREES, sample="held-out", name="other"),
    ]
    told = {found.label: (found.bugs, found.certified.count) for found in summaries(every)}
    assert told == {"search, in-sample": (1, 1), "search, held-out": (1, 0), "other, held-out": (1, 1)}
    assert [(pair.first, pair.second) for pair in comparisons(every)] == [("search, held-out", "other, held-out")]


def test_several_corpora_have_a_line_each():
    every = [row("a", Status.CERTIFIED, AGREES), row("a", Status.UNREPAIRED, corpus="flat:y")]
    told = [(found.name, found.certified.count, found.bugs) for found in by_corpus(every)]
    assert told == [("search/flat:x", 1, 1), ("search/flat:y", 0, 1)]
    assert by_corpus(SAMPLE) == ()


def test_pairs_are_the_bugs_that_both_have():
    first = [row(bug, Status.CERTIFIED, AGREES) for bug in "abcdefg"] + [row("x", None), row("z", Status.UNREPAIRED)]
    second = [row("a", Status.CERTIFIED, AGREES, name="other"), row("x", Status.CERTIFIED, AGREES, name="other")]
    second += [row(bug, Status.UNREPAIRED, name="other") for bug in "bcdefg"]
    second += [row("z", Status.PLAUSIBLE, AGREES, name="other")]
    found = compare(first, second, ("search", "other"))
    assert (found.won, found.lost) == (("z",), tuple("bcdefg"))
    assert (found.agrees.only_first, found.agrees.only_second, found.agrees.both) == (6, 1, 1)
    assert found.agrees.p == pytest.approx(0.125)
    assert found.certified.only_first == 6


def test_rows_join_records_with_their_scores():
    records = [each.record for each in SAMPLE]
    scores = [each.score for each in SAMPLE if each.score is not None]
    assert rows(reversed(records), scores) == SAMPLE


def test_a_person_has_the_last_word():
    scores = [each.score for each in SAMPLE if each.score is not None]
    said = Judgement("flat:x", "d", "d", "agrees", "A. Reader", "both forms are documented", "2026-02-03")
    assert Judgement.from_json(json.loads(json.dumps(said.to_json()))) == said
    judged = {score.cell.bug: score for score in with_judgements(scores, [said])}
    agreement = judged["d"].agreement
    assert agreement is not None
    assert (agreement.standing, agreement.by) == (AGREES, "person")
    assert "A. Reader" in agreement.detail
    assert [judged[bug] for bug in "abce"] == [score for score in scores if score.cell.bug != "d"]
