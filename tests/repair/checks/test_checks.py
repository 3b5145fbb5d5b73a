"""Every check flags its flagged examples and leaves the clean ones alone."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.behaviour import Raised, Returned
from analysis.calls import AgainstOld
from analysis.siblings import Sibling
from analysis.stated.fact import Argument, Compares, Fixed, Gives, Raises
from repair.checks import check as records
from repair.checks.catalog import (
    EVERY,
    FEATURES,
    LAST,
    MATERIAL,
    MEASURED,
    SUPPORTS,
    doubts_about,
    last_doubts_about,
    support_features,
    supports_of,
)
from repair.checks.check import FAILING, PASSING, Behaved, Check, Support, departed, told_apart, written
from repair.checks.measures import measure
from repair.checks.rival import RivalKind
from repair.checks.weights import shipped_weights

FLAGGED = [pytest.param(check, each, id=f"{check.name}-{n}") for check in EVERY for n, each in enumerate(check.flagged)]
CLEAN = [pytest.param(check, each, id=f"{check.name}-{n}") for check in EVERY for n, each in enumerate(check.clean)]
SUPPORTED = [pytest.param(s, each, id=f"{s.name}-{n}") for s in SUPPORTS for n, each in enumerate(s.supported)]
SILENT = [pytest.param(s, each, id=f"{s.name}-{n}") for s in SUPPORTS for n, each in enumerate(s.silent)]
NO_CHECKS = {"__init__", "check", "catalog", "measures", "rival", "stated_facts", "weighing", "weights"}
FAMILIES = {"told_by_rivals"}
"""Files that hold one check a kind of rival."""


def test_that_two_predicates_agree_is_no_measure() -> None:
    denied = departed("same(1, 2)", Returned("False"), Returned("True"))
    alike = told_apart(RivalKind.CANDIDATE)
    assert dict(measure(Behaved(rivals=(alike, alike))))["rivals_agreeing"] > 0.0
    apart = told_apart(RivalKind.CANDIDATE, denied)
    assert dict(measure(Behaved(rivals=(alike, alike, apart))))["rivals_agreeing"] == 0.0


@pytest.mark.parametrize(("check", "example"), FLAGGED)
def test_what_is_flagged_has_a_witness_a_claim_and_a_question(check: Check, example: Behaved) -> None:
    doubt = check.doubt(example)
    assert doubt is not None
    assert doubt.claim
    assert doubt.witness
    assert 0 < doubt.strength <= 1
    assert not doubt.question or doubt.question.endswith("?")


@pytest.mark.parametrize(("check", "example"), CLEAN)
def test_what_is_clean_is_left_alone(check: Check, example: Behaved) -> None:
    assert check.find(example) is None


@pytest.mark.parametrize(("support", "example"), SUPPORTED)
def test_what_speaks_for_a_patch_is_said_in_words_and_has_a_negative_weight(support: Support, example: Behaved) -> None:
    assert support.find(example)
    assert 0 < support.strength(example) <= 1
    assert shipped_weights().features[support.name].value < 0


@pytest.mark.parametrize(("support", "example"), SILENT)
def test_what_does_not_speak_for_a_patch_is_silent(support: Support, example: Behaved) -> None:
    assert support.find(example) == ""


def test_what_is_asked_last_is_asked_only_where_nothing_supports_the_patch() -> None:
    for check in LAST:
        for number, each in enumerate(check.flagged):
            assert [doubt.feature for doubt in last_doubts_about(each)] == [check.name], number
    beside = next(each for each in SUPPORTS if each.name == "as_beside").supported[0]
    supported = replace(LAST[0].flagged[0], before=beside.before, after=beside.after, siblings=beside.siblings)
    assert last_doubts_about(supported) == ()


def test_every_file_of_the_shelf_is_listed_under_its_own_name() -> None:
    shelf = Path(records.__file__).parent
    files = {path.stem for path in shelf.glob("*.py")} - NO_CHECKS - FAMILIES
    named = {*(check.name for check in EVERY), *(support.name for support in SUPPORTS)}
    assert {name for name in named if not name.startswith("told_by_")} == files
    assert len({check.name for check in EVERY}) == len(EVERY)


def test_every_feature_has_one_weight_and_no_weight_is_without_a_feature() -> None:
    assert set(shipped_weights().features) == FEATURES
    assert len(FEATURES) == len(EVERY) + len(SUPPORTS) + len(MATERIAL) + len(MEASURED)


def test_all_doubts_are_told_in_their_order() -> None:
    unreached = departed("price('')", Returned("0"), Returned("1"), reached=False)
    both = Behaved(AgainstOld(first=unreached, unsteady=(unreached,)))
    assert [doubt.feature for doubt in doubts_about(both)] == ["unsteady_answer", "unreached_change"]
    assert doubts_about(Behaved()) == ()


def test_a_claim_names_the_test_that_makes_the_call() -> None:
    gone = departed("price('2')", Returned("2"), Returned("3"), records.CallOrigin.MADE)
    (found,) = doubts_about(Behaved(AgainstOld(recorded=((PASSING, gone),))))
    assert found.claim.startswith("t.py::test_fails passes before and after")


def test_a_difference_that_a_tests_own_comparison_cannot_see_is_next_to_nothing() -> None:
    gone = departed("price('2')", Returned("2.0"), Returned("2"), records.CallOrigin.MADE)
    (found,) = doubts_about(Behaved(AgainstOld(recorded=((PASSING, gone),))))
    assert found.strength < 0.1


def test_a_witness_shows_the_words_that_speak_for_a_side_and_where_they_stand() -> None:
    stated = written(Compares(Argument("n"), "<", Fixed("0")), Raises("ValueError"), "Raises ``ValueError`` if n < 0.")
    lost = departed("price(-1)", Raised("ValueError"), Returned("-1"))
    (found,) = [d for d in doubts_about(Behaved(AgainstOld(departures=(lost,)), stated=stated)) if d.told is None]
    assert found.feature == "against_docstring"
    assert found.witness.endswith('; prices.py:4 says "Raises ValueError if n < 0."')


def test_supports_are_told_with_their_words() -> None:
    stated = written(Compares(Argument("n"), "==", Fixed("0")), Gives("1"), "Returns 1 if n is 0.")
    mended = departed("price(0)", Raised("ZeroDivisionError"), Returned("1"))
    found = Behaved(AgainstOld(departures=(mended,)), stated=stated)
    assert supports_of(found) == (("said_by_docstring", 'prices.py:4 says "Returns 1 if n is 0."'),)
    assert support_features(found) == (("said_by_docstring", 1.0),)
    assert supports_of(Behaved()) == support_features(Behaved()) == ()


def test_an_edit_that_takes_out_what_stands_beside_the_function_is_measured() -> None:
    less, at_most = ("def f(a, b):", "    return a < b"), ("def f(a, b):", "    return a <= b")
    beside = Sibling("g", 5, frozenset(("a <= b",)))
    assert dict(measure(Behaved(before=at_most, after=less, siblings=(beside,))))["unlike_beside"] == 1.0
    assert dict(measure(Behaved(before=less, after=at_most, siblings=(beside,))))["unlike_beside"] == 0.0


def test_of_the_calls_that_change_the_one_least_like_the_tests_is_asked_about() -> None:
    calls = ("f(['AH', 'AS', 'AD'])", "f(['AH', 'AS'])", "f(['AH', 'AS', 'AH'])", "f(['K', 'Q', '5', 'AD'])")
    mended, *fresh = (
        departed(
            call, Returned("31"), Returned("21"), records.CallOrigin.MADE if not n else records.CallOrigin.GENERATED
        )
        for n, call in enumerate(calls)
    )
    (asked,) = [d for d in last_doubts_about(Behaved(AgainstOld(departures=(mended, *fresh)))) if d.told]
    assert asked.told == fresh[-1]
    huge = departed("f([9999999999, 9999999998, 5])", Returned("31"), Returned("21"))
    long = departed(f"f({list(range(60))})", Returned("31"), Returned("21"))
    found = Behaved(AgainstOld(departures=(mended, huge, long, *fresh)))
    assert [d.told for d in last_doubts_about(found)] == [fresh[-1]], "what nobody writes, or reads, comes last"


def test_long_texts_are_not_compared_to_their_end() -> None:
    calls = [departed(f"f('{'a' * 100_000}{n}')", Returned("1"), Returned("2")) for n in range(60)]
    made = [replace(each, call=replace(each.call, origin=records.CallOrigin.MADE, test=FAILING)) for each in calls[:6]]
    began = time.monotonic()
    assert last_doubts_about(Behaved(AgainstOld(departures=(*made, *calls[6:]))))
    assert time.monotonic() - began < 3.0
