"""The table of weights that ships, and the risk that it gives."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from corpora.bench.statistics import rate
from repair.checks.catalog import FEATURES
from repair.checks.weights import (
    ALONE,
    MOST_RISK,
    OF_OTHER_FINDS,
    STRICT_RISK,
    UNEXPOSED,
    Band,
    FeatureWeight,
    UnseenCertificates,
    Weights,
    by_its_own,
    read_weights,
    shipped_weights,
    sigmoid,
)
from repair.records.json_records import to_plain
from repair.records.verdict import Decision, Doubt, Evidence

TABLE = Weights(
    -4.0,
    {"strong": FeatureWeight(5.0, 9, 1), "kind": FeatureWeight(-2.0, 1, 9)},
    (Band(0.02, 100, 10, 0, 0.03), Band(1.0, 50, 9, 25, 0.6)),
    150,
    12,
    by_people=(Band(0.02, 79, 26, 31, 0.2, 0.14), Band(1.0, 50, 9, 25, 0.6, 0.3)),
)


def evidence(*doubts: Doubt, **features: float) -> Evidence:
    return Evidence("behaviour", Decision.UNKNOWN, "", doubts=doubts, features=tuple(features.items()))


def test_doubts_and_measures_add_up_to_the_log_odds() -> None:
    risk = TABLE.risk_of([evidence(Doubt("strong", "", 0.5), kind=1.0)], MOST_RISK)
    assert risk.value == pytest.approx(sigmoid(-4.0 + 2.5 - 2.0))
    assert risk.shares == (("strong", 2.5), ("kind", -2.0))
    assert TABLE.risk_of([evidence(kind=1.0)], MOST_RISK).is_accepted


def test_of_several_doubts_of_one_kind_the_strongest_counts_once() -> None:
    twice = TABLE.risk_of([evidence(Doubt("strong", "", 0.5), Doubt("strong", "", 1.0))], MOST_RISK)
    assert twice.value == pytest.approx(sigmoid(1.0))
    assert not twice.is_accepted


def test_a_risk_comes_with_the_upper_bound_of_its_band_and_what_it_rests_on() -> None:
    low, high = TABLE.risk_of([evidence()], MOST_RISK), TABLE.risk_of([evidence(Doubt("strong", ""))], MOST_RISK)
    assert (low.upper, high.upper) == (0.03, max(0.6, high.value))
    assert (low.patches, low.projects) == (150, 12)


def test_a_patch_by_others_is_as_often_wrong_as_those_of_people_that_looked_as_good() -> None:
    found = TABLE.risk_of([evidence()], MOST_RISK, by_others=True)
    assert (found.value, found.upper, found.patches, found.projects) == (pytest.approx(0.14), 0.2, 79, 26)
    assert not found.is_accepted
    assert found.order == TABLE.risk_of([evidence()], MOST_RISK).order, "who wrote it says nothing of which is better"
    bad = TABLE.risk_of([evidence(Doubt("strong", ""))], MOST_RISK, by_others=True)
    assert bad.value == pytest.approx(sigmoid(1.0)), "the evidence against it counts as for any"


def test_what_a_certificate_is_worth_is_told_by_those_for_programs_that_no_rule_knew() -> None:
    table = replace(TABLE, unseen=UnseenCertificates(36, 8, 0.38, "2026-11-28"))
    low = table.risk_of([evidence()], MOST_RISK)
    assert (low.unseen, low.unseen_wrong, low.upper) == (36, 8, 0.38)
    assert low.value == TABLE.risk_of([evidence()], MOST_RISK).value, "the order of patches does not hang on it"
    worse = table.risk_of([evidence(Doubt("strong", "", 0.4))], MOST_RISK)
    assert (worse.unseen, worse.upper) == (0, 0.6), "no certificate, and not less often wrong"
    for others in (worse, table.risk_of([], 0.02, by_others=True)):
        assert (others.unseen, others.unseen_wrong) == (0, 0)


def test_the_counted_certificates_that_ship_have_the_bound_of_their_share() -> None:
    unseen = shipped_weights().unseen
    assert unseen is not None
    assert unseen.upper == pytest.approx(rate(unseen.wrong, unseen.certificates).high, abs=1e-4)


def test_what_other_finds_say_of_a_patch_by_others_raises_its_risk_and_orders_nothing() -> None:
    weights = {name: FeatureWeight(2.0, 9, 1) for name in OF_OTHER_FINDS}
    table = replace(TABLE, features={**TABLE.features, **weights})
    assert OF_OTHER_FINDS <= FEATURES
    assert by_its_own({"strong": 1.0, "contested": 1.0}) == {"strong": 1.0}
    for name in OF_OTHER_FINDS:
        found = table.risk_of([evidence(**{name: 1.0})], MOST_RISK, by_others=True)
        assert found.value == pytest.approx(0.3), "that of its band"
        assert found.order == pytest.approx(sigmoid(-4.0))
        assert table.risk_of([evidence(**{name: 1.0})], MOST_RISK).order == pytest.approx(sigmoid(-2.0))
    special = table.risk_of([evidence(Doubt("strong", ""))], MOST_RISK, by_others=True)
    assert special.order == pytest.approx(sigmoid(1.0)), "a doubt about its own text or answers counts"


def test_each_answer_that_a_patch_agrees_with_lowers_the_odds() -> None:
    once, twice = (TABLE.risk_of([evidence()], MOST_RISK, by_others=True, answers=n).value for n in (1, 2))
    odds = 0.14 / 0.86 * UNEXPOSED
    assert once == pytest.approx(odds / (1 + odds))
    assert twice < once
    assert TABLE.risk_of([evidence()], MOST_RISK, answers=2).value == pytest.approx(sigmoid(-4.0))


def test_an_answer_does_not_stand_for_a_voice_besides_the_tests() -> None:
    table = replace(TABLE, unseen=UnseenCertificates(33, 13, 0.56, "2026-11-29"))
    shown = [evidence(Doubt(ALONE, ""))]
    values = [table.risk_of(shown, MOST_RISK, answers=n).value for n in range(3)]
    odds = [value / (1 - value) for value in values]
    assert values[0] == pytest.approx(13 / 33)
    assert odds[1] == pytest.approx(odds[0] * UNEXPOSED)
    assert odds[2] == pytest.approx(odds[1] * UNEXPOSED)
    assert table.risk_of(shown, MOST_RISK, answers=12).value == values[2], "no more are asked for"


def test_what_has_no_weight_adds_nothing() -> None:
    assert TABLE.risk_of([evidence(Doubt("unknown", ""))], MOST_RISK).value == pytest.approx(sigmoid(-4.0))


def test_a_table_that_is_none_is_refused_with_the_place() -> None:
    with pytest.raises(ValueError, match="intercept"):
        read_weights('{"features": {}}')
    with pytest.raises(ValueError, match="Expecting value"):
        read_weights("no table")


def test_a_table_is_read_as_it_was_written() -> None:
    assert read_weights(json.dumps(to_plain(TABLE))) == TABLE


def test_the_table_that_ships_has_bands_up_to_one_and_a_limit_below_two_percent() -> None:
    assert shipped_weights().features
    assert STRICT_RISK < MOST_RISK == 0.02


def test_weights_that_no_labelled_patch_taught_are_named_in_the_risk() -> None:
    table = Weights(-4.0, {"learned": FeatureWeight(1.0, 2, 0), "told_by_model": FeatureWeight(3.5)})
    found = table.risk_of([evidence(Doubt("learned", ""), Doubt("told_by_model", ""), Doubt("unknown", ""))], MOST_RISK)
    assert found.by_hand == ("told_by_model",)
    shipped = shipped_weights().features
    assert {"told_by_model", "fault_elsewhere", "answered", "said_by_docstring", "given_back", "as_beside"} <= {
        name for name, weight in shipped.items() if weight.is_set_by_hand
    }
    assert not shipped["size"].is_set_by_hand


def test_a_find_that_nothing_but_the_tests_speaks_for_is_as_often_wrong_as_was_counted() -> None:
    features = {**TABLE.features, ALONE: FeatureWeight(0.5, 0, 0)}
    table = replace(TABLE, features=features, unseen=UnseenCertificates(36, 9, 0.38, "2026-11-28"))
    supported, alone = table.risk_of([evidence()], MOST_RISK), table.risk_of([evidence(Doubt(ALONE, ""))], MOST_RISK)
    assert supported.is_accepted
    assert (alone.value, alone.unseen, alone.unseen_wrong) == (0.25, 36, 9)
    bad = table.risk_of([evidence(Doubt(ALONE, ""), Doubt("strong", ""))], MOST_RISK)
    assert bad.value > 0.25, "other evidence against it counts as for any"
    assert supported.order < alone.order < bad.order, "the order of patches hangs on their evidence"
    assert alone.order > 0.25, "and finds that nothing else speaks for stand where the counts put them"
    assert (alone.like, supported.like > 0) == (0, True), "what was counted of others like it says less than that"
    by_others = table.risk_of([evidence(Doubt(ALONE, ""))], MOST_RISK, by_others=True)
    assert by_others.unseen == 0
    without = replace(table, unseen=None).risk_of([evidence(Doubt(ALONE, ""))], MOST_RISK)
    assert without.value == without.order < 0.25, "nothing was counted"
