"""Weights learned from labelled patches follow the counts, keep near what is said by hand, and are checked apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpora.lab.judging.weighing import (
    BY_HAND,
    INTERCEPT,
    WRONG_SHARE,
    Sample,
    bands_of,
    brier,
    learn,
    ranked_right,
    risks_without_own_project,
    told_in_bands,
)
from repair.checks.catalog import FEATURES
from repair.checks.weights import sigmoid


def patches(wrong: int, right: int, *, project: str = "p", how: str = "mutant", **features: float) -> list[Sample]:
    return [Sample(project, "bug", number < wrong, how, features) for number in range(wrong + right)]


def test_without_patches_the_weights_are_those_by_hand() -> None:
    table = learn([])
    assert table.intercept == INTERCEPT
    assert {name: weight.value for name, weight in table.features.items()} == BY_HAND
    assert set(BY_HAND) == FEATURES


def test_what_right_patches_have_loses_weight_and_what_wrong_ones_have_gains_some() -> None:
    table = learn([*patches(0, 40, told_by_part=1.0), *patches(40, 0, told_by_kept=1.0), *patches(5, 5)])
    assert table.features["told_by_part"].value < BY_HAND["told_by_part"] - 1
    assert table.features["told_by_kept"].value > BY_HAND["told_by_kept"] + 1
    assert (table.features["told_by_part"].wrong, table.features["told_by_part"].right) == (0, 40)


def test_a_feature_with_few_patches_keeps_nearly_its_weight_by_hand() -> None:
    table = learn([*patches(20, 20), *patches(0, 1, apart=1.0)])
    assert BY_HAND["apart"] - 2 < table.features["apart"].value < BY_HAND["apart"]


def test_each_way_to_be_wrong_counts_the_same() -> None:
    many = [*patches(30, 0, how="mutant", size=0.2), *patches(3, 0, how="search", size=0.9), *patches(0, 30, size=0.5)]
    table = learn(many)
    alone = learn(
        [*patches(3, 0, how="search", size=0.9), *patches(3, 0, how="mutant", size=0.2), *patches(0, 30, size=0.5)]
    )
    assert table.features["size"].value == pytest.approx(alone.features["size"].value, abs=0.2)


def test_a_risk_that_is_checked_knows_nothing_of_its_own_project() -> None:
    told = [*patches(20, 0, project="a", told_by_kept=1.0), *patches(0, 20, project="b"), *patches(10, 10, project="c")]
    alone = risks_without_own_project(told)
    assert alone[0] == pytest.approx(risks_without_own_project([*told[:1], *told[20:]])[0])


def test_bands_count_patches_and_bound_the_share_of_wrong_ones() -> None:
    samples = [*patches(1, 99), *patches(20, 5)]
    low, *_, high = bands_of(samples, [0.01] * 100 + [0.9] * 25)
    assert (low.patches, low.wrong, low.projects, low.until) == (100, 1, 1, 0.02)
    assert 0 < low.upper < 0.1 < high.upper <= 1
    assert bands_of(samples, [0.5] * 125)[0].upper == 1.0, "nothing is known of it"
    assert told_in_bands(samples, [0.01] * 100 + [0.9] * 25) == pytest.approx((0.01, 0.0, 0.0, 0.9))


def test_the_brier_score_stands_beside_that_of_a_constant() -> None:
    samples = patches(10, 10)
    right = [1.0] * 10 + [0.0] * 10
    assert brier(samples, right) == (0.0, pytest.approx(WRONG_SHARE * (1 - WRONG_SHARE)))
    assert brier(samples, [WRONG_SHARE] * 20)[0] == pytest.approx(WRONG_SHARE * (1 - WRONG_SHARE))


@pytest.mark.parametrize(("risks", "area"), [([0.9, 0.1], 1.0), ([0.1, 0.9], 0.0), ([0.5, 0.5], 0.5)])
def test_the_area_says_how_often_a_wrong_patch_has_the_higher_risk(risks: list[float], area: float) -> None:
    assert ranked_right(patches(1, 1), risks) == area


def test_a_table_says_what_it_rests_on() -> None:
    table = learn([*patches(5, 5, project="a"), *patches(5, 5, project="b")], "2026-11-24")
    assert (table.patches, table.projects, table.date, len(table.bands)) == (20, 2, "2026-11-24", 4)
    assert 0 < sigmoid(table.intercept) < 0.2
    assert table.by_people == (), "none of them was written by people"


def test_patches_of_people_have_bands_of_their_own() -> None:
    written = [replace(each, how="written") for each in (*patches(5, 5, project="a"), *patches(5, 5, project="b"))]
    table = learn([*written, *patches(5, 5, project="c")])
    assert sum(band.patches for band in table.by_people) == 20
    shares = [band.share for band in table.by_people]
    assert shares == sorted(shares), "who looks worse is not less often wrong"
