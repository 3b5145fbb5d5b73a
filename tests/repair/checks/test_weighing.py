"""Doubts of all gates weighed together: what is certified, which question is asked, and what is only listed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.behaviours import call, differs

from analysis.behaviour import Difference
from repair.checks.weighing import NO_THIRD, weigh_evidence
from repair.checks.weights import FeatureWeight, Weights
from repair.records.verdict import WEIGHED_GATES, Decision, Doubt, Evidence, PatchStatus, Verdict
from repair.records.witness_text import is_readable

TABLE = Weights(
    -5.0,
    {name: FeatureWeight(value) for name, value in (("heavy", 4.0), ("light", 0.5), ("size", 9.0), ("good", -3.0))},
)
HEAVY = Doubt("heavy", "it is heavy", witness="f(1)", question="Should f(1) be?")
LIGHT = Doubt("light", "it is light", witness="f(2)", question="Should f(2) be?")


def spoken(**doubts: tuple[Doubt, ...]) -> list[Evidence]:
    return [
        Evidence(gate, Decision.UNKNOWN, given[0].claim, witness=given[0].witness, doubts=given)
        if (given := doubts.get(gate, ()))
        else Evidence(gate, Decision.ACCEPT, "fine")
        for gate in WEIGHED_GATES
    ]


def by_gate(evidence: tuple[Evidence, ...]) -> dict[str, Evidence]:
    return {each.gate: each for each in evidence}


def test_a_doubt_that_weighs_too_little_is_listed_and_accepted() -> None:
    found, risk = weigh_evidence(spoken(mutation=(LIGHT,)), TABLE, 0.02)
    assert risk is not None
    assert risk.is_accepted
    mutation = by_gate(found)["mutation"]
    assert mutation.decision is Decision.ACCEPT
    assert "it is light: f(2)" in mutation.not_checked
    assert not mutation.question


def test_the_heaviest_doubt_of_all_asks_the_one_question() -> None:
    found, risk = weigh_evidence(spoken(mutation=(LIGHT,), behaviour=(LIGHT, HEAVY)), TABLE, 0.02)
    assert risk is not None
    assert not risk.is_accepted
    gates = by_gate(found)
    assert gates["behaviour"].claim == "it is heavy"
    assert [each.question for each in found if each.question] == ["Should f(1) be?"]
    assert gates["mutation"].decision is Decision.UNKNOWN


def test_after_two_answers_the_doubts_are_told_and_nothing_is_asked() -> None:
    every = spoken(mutation=(LIGHT,), behaviour=(LIGHT, HEAVY))
    found, risk = weigh_evidence(every, TABLE, 0.02, answers=2)
    asked, same = weigh_evidence(every, TABLE, 0.02)
    assert risk == same
    assert [each.question for each in found] == ["", "", ""]
    assert [each.decision for each in found] == [each.decision for each in asked]
    assert [each.claim for each in found] == [each.claim for each in asked]
    assert [NO_THIRD in each.not_checked for each in found] == [bool(each.question) for each in asked]
    thin = [replace(e, features=(("size", 1.0),), change=READABLE) for e in spoken()]
    assert not any(each.question or each.told for each in weigh_evidence(thin, TABLE, 0.02, answers=2)[0])


def test_a_doubt_may_be_outweighed_by_what_is_measured() -> None:
    every = [replace(each, features=(("good", 1.0),)) for each in spoken(behaviour=(HEAVY,))]
    found, risk = weigh_evidence(every, TABLE, 0.02)
    assert risk is not None
    assert risk.is_accepted
    assert Verdict(found, WEIGHED_GATES, risk).evidence[-1].decision is Decision.ACCEPT


def test_where_nothing_but_measures_makes_the_risk_too_high_that_is_said() -> None:
    every = [replace(each, features=(("size", 1.0),)) for each in spoken()]
    found, risk = weigh_evidence(every, TABLE, 0.02)
    assert risk is not None
    assert "too little speaks for the patch" in by_gate(found)["behaviour"].claim
    assert "the edit is large" in by_gate(found)["behaviour"].claim


def test_where_no_doubt_is_worth_a_question_a_change_is_asked_about_that_no_test_asks_for() -> None:
    weak = replace(LIGHT, strength=0.1)
    every = [
        replace(e, features=(("size", 1.0),), change=READABLE) for e in spoken(behaviour=(weak,), mutation=(weak,))
    ]
    found, _ = weigh_evidence(every, TABLE, 0.02)
    gates = by_gate(found)
    assert gates["behaviour"].question == "Should price(7) return 5 (this patch) or return 6?"
    assert gates["behaviour"].told == READABLE
    assert "it is light: f(2)" in gates["behaviour"].not_checked
    assert gates["mutation"].decision is Decision.ACCEPT


@pytest.mark.parametrize("missing", WEIGHED_GATES)
def test_without_all_gates_that_weigh_there_is_no_risk(missing: str) -> None:
    some = [each for each in spoken(behaviour=(HEAVY,)) if each.gate != missing]
    assert weigh_evidence(some, TABLE, 0.02) == (tuple(some), None)


def test_a_rejection_is_not_weighed() -> None:
    every = [*spoken(), Evidence("regressions", Decision.REJECT, "a test fails")]
    found, risk = weigh_evidence(every, TABLE, 0.02)
    assert risk is None
    assert found == tuple(every)


def test_an_unknown_without_doubts_still_withholds() -> None:
    every = [*spoken()[:-1], Evidence("behaviour", Decision.UNKNOWN, "the time was up")]
    found, risk = weigh_evidence(every, TABLE, 0.02)
    shown = Evidence("fixes", Decision.ACCEPT, "")
    assert Verdict((shown, *found), WEIGHED_GATES, risk).status is PatchStatus.PLAUSIBLE


def test_a_risk_above_the_limit_is_no_certificate_whatever_the_gates_say() -> None:
    found, risk = weigh_evidence(spoken(), TABLE, 0.001)
    shown = Evidence("fixes", Decision.ACCEPT, "")
    assert Verdict((shown, *found), WEIGHED_GATES, risk).status is PatchStatus.PLAUSIBLE


READABLE = differs("price(7)", "returns 5", "returns 6")


def test_a_question_that_a_person_reads_in_a_moment_is_asked_before_a_heavier_one() -> None:
    long = replace(HEAVY, told=replace(READABLE, call=call(f"price({'1' * 200})")))
    short = Doubt("heavy", "it is short", witness="price(7)", question="Should price(7) be?", told=READABLE)
    for first, second in ((long, short), (short, long)):
        found, _ = weigh_evidence(spoken(mutation=(first,), behaviour=(second,)), TABLE, 0.02)
        assert [each.question for each in found if each.question] == ["Should price(7) be?"]


@pytest.mark.parametrize(
    ("difference", "readable"),
    [
        (READABLE, True),
        (differs("price(7) on Cart(total=5)", "returns 5", "returns 6"), True),
        (differs("price(7) on Cart(lock=<lock>)", "returns 5", "returns 6"), False),
        (differs("price(<Cart>)", "returns 5", "returns 6"), False),
        (differs("price(7)", f"returns '{'a' * 100}'", "returns 6"), False),
    ],
)
def test_plain_values_and_short_ends_are_readable(difference: Difference, readable: bool) -> None:
    assert is_readable(difference) is readable


def test_where_what_weighs_most_is_no_question_some_input_is_asked_about() -> None:
    mute = replace(HEAVY, question="", witness="")
    light = Doubt("unweighed", "it is told apart", 0.4, "price(7)", "Should price(7) be?", READABLE)
    found, _ = weigh_evidence(spoken(mutation=(mute, light)), TABLE, 0.02)
    assert by_gate(found)["mutation"].question == "Should price(7) be?"
    assert by_gate(found)["mutation"].decision is Decision.UNKNOWN


def test_a_question_about_values_that_nobody_writes_waits_for_one_about_usual_ones() -> None:
    odd, usual = (
        replace(HEAVY, question=f"Should {source} be?", told=differs(source, "returns 5", "returns 6"))
        for source in ("fill('a', _width=-80)", "fill('a', width=80)")
    )
    for first, second in ((odd, usual), (usual, odd)):
        found, _ = weigh_evidence(spoken(mutation=(first,), behaviour=(second,)), TABLE, 0.02)
        assert [each.question for each in found if each.question] == [usual.question]
