"""Which of several plausible candidates comes first, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from fakes.diagnosed import diagnosis_of
from fakes.submission import candidate_of
from fakes.survivors import survivor_of

from analysis.behaviour import CallOrigin, Returned
from analysis.calls import AgainstOld, AnswerPair, CallInput, PlainAnswer, Tried
from analysis.facts import Constraint, ConstraintKind, Suspect
from repair.checks.check import Behaved, departed
from repair.engine.behaviour_clusters import BehaviourClusters
from repair.engine.ranking import count_changed_words, rank_candidates
from repair.hunt.tried_edit import TriedEdit
from repair.records.task import PatchPlan
from repair.records.verdict import Decision, Doubt, Evidence, Verdict
from transforms.tree.candidate import Candidate

HEAD = "def price(count):\n    if count < 0:\n        raise ValueError(count)\n"
OLD = f"{HEAD}    return count + 3\n".encode()


def survivor(value: str, position: int, *constraints: Constraint) -> TriedEdit:
    candidate = candidate_of(f"{HEAD}    return {value}\n".encode(), OLD)
    diagnosis = diagnosis_of()
    plan = PatchPlan(
        Suspect(candidate.function, 1.0, ()), (type(diagnosis)(*_with(diagnosis, constraints)),), (), "logic"
    )
    return survivor_of(candidate, position, plan)


def _with(diagnosis, constraints):
    return diagnosis.failure, diagnosis.failure_class, diagnosis.subclass, constraints


def silent(candidate: Candidate) -> Verdict:
    return Verdict(())


def ranked(survivors: Sequence[TriedEdit], clusters: Sequence[BehaviourClusters] = (), textual=silent) -> list[str]:
    choices = rank_candidates(survivors, textual, clusters)
    return [each.candidate.text.decode().splitlines()[-1].partition("return ")[2] for each in choices]


def cluster(*kin: TriedEdit, seen: AgainstOld | None = None, inputs: int = 20, **given) -> BehaviourClusters:
    behaved = Behaved(seen or AgainstOld(), Tried(inputs, inputs, inputs))
    return BehaviourClusters(tuple(s.candidate.digest for s in kin), behaved, **given)


def test_shape_then_size_and_place_decide_where_nothing_else_is_known():
    found = [survivor(v, n) for n, v in enumerate(("9", "(count + 0) * (3 + 0)", "count * 3"), 1)]
    assert ranked(found) == ["count * 3", "(count + 0) * (3 + 0)", "9"]


def said_by(edit: TriedEdit, proposer: str, operator: str = "comparison") -> TriedEdit:
    origin = replace(edit.candidate.origin, proposer=proposer, operator=operator)
    return replace(edit, made=replace(edit.candidate, origin=origin))


@pytest.mark.parametrize(
    ("arms", "operators", "voices"),
    [
        (("model",) * 4, ("model",) * 4, 1),
        (("model", "agent", "model", "search"), ("model", "agent", "model", "comparison"), 3),
        (("search",) * 4, ("add_conjunct", "drop_conjunct", "combine", "number"), 3),
        (("search", "search", "synthesis", "synthesis"), ("number", "string", "synthesized_exit", "synthesized"), 2),
    ],
)
def test_each_family_of_edits_and_each_arm_counts_once_however_often_it_says_the_same(arms, operators, voices):
    values = ("count * 3", "3 * count", "count + count + count", "count * (1 + 2)")
    said = zip(values, arms, operators, strict=True)
    found = [said_by(survivor(value, n), arm, operator) for n, (value, arm, operator) in enumerate(said, 1)]
    alone = {each.candidate.digest: each.cost for each in rank_candidates(found, silent, ())}
    together = rank_candidates(found, silent, [cluster(*found)])
    assert {round(alone[each.candidate.digest] - each.cost, 6) for each in together} == {round(math.log2(voices), 6)}


@pytest.mark.parametrize(
    ("arm", "operator", "first"),
    [
        *(("model", each, True) for each in ("rewrite", "patch", "update+insert after")),
        *(("agent", each, each == "claude") for each in ("claude", "fused claude", "claude+literal")),
        # What the search makes of its words, or of parts of its replies, is the search's to guess.
        *(("model", each, False) for each in ("words", "fused rewrite", "rewrite+literal")),
        ("model+search", "word", False),
        ("search", "combine", False),
    ],
)
def test_what_somebody_wrote_as_a_whole_is_one_piece(arm: str, operator: str, first: bool) -> None:
    small, large = survivor("count * 3", 200), survivor("(count + 0) * (3 + 0) + (0 + 0) * (0 + 0)", 1)
    assert ranked([small, said_by(large, arm, operator)])[0].startswith("(") == first
    found_first = survivor("(count + 0) * (3 + 0) + (0 + 0) * (0 + 0)", 5000)
    seconded = found_first.seconded_by(said_by(large, arm, operator))
    assert ranked([small, seconded])[0].startswith("(") == first, "when it comes is chance"


def test_what_is_rejected_and_behaves_like_nothing_else_is_ranked_last():
    first, second = survivor("count * 4", 1), survivor("count * 3", 2)

    def read(candidate: Candidate) -> Verdict:
        rejected = candidate.digest == first.candidate.digest
        return Verdict((Evidence("shape", Decision.REJECT, "no"),) if rejected else ())

    assert ranked([first, second], [cluster(first), cluster(second)], read) == ["count * 3", "count * 4"]


def test_a_place_twice_as_far_back_costs_one_node():
    assert ranked([survivor("count * 4", 9), survivor("count * 3", 2)]) == ["count * 3", "count * 4"]


def test_candidates_that_behave_alike_speak_for_each_other():
    lone, first = survivor("count - 3", 2), survivor("count * 3", 3)
    second = said_by(survivor("3 * count", 4), "search", "number")
    assert ranked([lone, first, second])[0] == "count - 3"
    assert ranked([lone, first, second], [cluster(lone), cluster(first, second)])[0] == "count * 3"


def test_that_predicates_agree_says_nothing():
    lone, first = survivor("count - 3", 2), survivor("count * 3", 3)
    second = said_by(survivor("3 * count", 4), "search", "number")
    told = departed("price(1)", Returned("False"), Returned("True"))
    apart = cluster(first, second, parts=((lone.candidate.digest, told),))
    assert ranked([lone, first, second], [cluster(lone), apart])[0] == "count - 3"


def test_agreement_on_no_input_says_nothing():
    lone, first, second = survivor("count - 3", 2), survivor("count * 3", 3), survivor("3 * count", 4)
    found = [cluster(lone, inputs=0), cluster(first, second, inputs=0)]
    assert ranked([lone, first, second], found)[0] == "count - 3"


def _answered(number: int) -> AnswerPair:
    answer = PlainAnswer(str(number), Returned(str(number * 3)))
    return AnswerPair(CallInput(f"({number},)", "{}"), answer, answer)


def test_a_type_that_no_other_call_gives_comes_behind_by_the_judges_own_weights():
    strange, usual = survivor("bool(count)", 1), survivor("int(count)", 3)

    def gives(value: str) -> AgainstOld:
        made = departed("price(1)", Returned("4"), Returned(value), CallOrigin.MADE)
        return AgainstOld(departures=(made,), answers=tuple(map(_answered, range(2, 6))))

    assert ranked([strange, usual])[0] == "bool(count)"
    found = [cluster(strange, seen=gives("True")), cluster(usual, seen=gives("1"))]
    assert ranked([strange, usual], found)[0] == "int(count)"
    best, other = rank_candidates([strange, usual], silent, found)
    assert best.odds < other.odds
    assert any("another type than all other calls" in said for said in other.reasons)


def test_an_input_that_tells_for_a_rival_which_changes_less_puts_it_first():
    wide, narrow = survivor("count - 3", 1), survivor("count * 3", 3)
    kept = replace(departed("price(7)", Returned("10"), Returned("4")), old=Returned("10"))
    back = replace(kept, mine=kept.other, other=kept.mine)
    found = [
        cluster(wide, parts=((narrow.candidate.digest, kept),)),
        cluster(narrow, parts=((wide.candidate.digest, back),)),
    ]
    assert ranked([wide, narrow])[0] == "count - 3"
    assert ranked([wide, narrow], found)[0] == "count * 3"


def test_what_could_not_be_compared_comes_behind_what_was():
    unseen, seen = survivor("count * 3", 1), survivor("count - 3", 20)
    assert ranked([unseen, seen], [cluster(seen)])[0] == "count - 3"


def test_departures_near_passing_tests_cost():
    first, second = survivor("count - 3", 2), survivor("count * 3", 4)
    assert ranked([first, second])[0] == "count - 3"
    found = [cluster(first, near=10, departures=9), cluster(second, near=10)]
    assert ranked([first, second], found)[0] == "count * 3"


@pytest.mark.parametrize(("decision", "last"), [(Decision.REJECT, "count * 4"), (Decision.UNKNOWN, "7")])
def test_rejected_texts_come_last_and_doubted_ones_before_odd_shapes(decision: Decision, last: str):
    def textual(candidate: Candidate) -> Verdict:
        said = decision if b"count * 4" in candidate.text else Decision.ACCEPT
        return Verdict((Evidence("capability", said, "it repeats a value of the tests"),))

    found = [survivor("count * 4", 1), survivor("count * 3", 50), survivor("7", 2)]
    order = ranked(found, textual=textual)
    assert (order[0], order[-1]) == ("count * 3", last)


def test_what_the_failure_asks_for_is_worth_something_and_is_said():
    asked = Constraint(ConstraintKind.NULLABLE, "count", "NoneType", "shop.py", 3, "`count` may be None")
    plain, guarded = survivor("count * 3", 2, asked), survivor("(count or 1) * 3", 1, asked)
    choices = {c.candidate.digest: c for c in rank_candidates([plain, guarded], silent)}
    assert choices[plain.candidate.digest].met == ""
    assert choices[guarded.candidate.digest].met == "`count` may be None"
    assert "does what the failure asks for: `count` may be None" in choices[guarded.candidate.digest].reasons


def test_reasons_name_size_place_agreement_and_departures():
    first, second = survivor("count - 3", 2), survivor("count * 3", 4)
    made = rank_candidates([first, second], silent, [cluster(first, near=10, departures=3), cluster(second)])
    told = {c.position: c.reasons for c in made}
    assert told[2] == (
        "changes 2 nodes, and was number 2 of what was tried",
        "of 2 patches that pass no other of them behaves like it, on the 20 inputs tried first",
        "answers 3 of 10 inputs near the passing tests' calls otherwise",
    )
    assert len(told[4]) == 2


def test_one_survivor_is_compared_with_nobody():
    (each,) = rank_candidates([survivor("count * 3", 1)], silent)
    assert each.reasons == ("changes 2 nodes, and was number 1 of what was tried",)
    assert not each.is_refused


def test_a_doubt_of_the_text_weighs_as_it_does_in_a_verdict():
    first, second = survivor("count - 3", 1), survivor("count * 3", 3)

    def reordered(candidate: Candidate) -> Verdict:
        doubts = (Doubt("only_reorders", "it walks in another order"),) if b"- 3" in candidate.text else ()
        return Verdict((Evidence("shape", Decision.UNKNOWN if doubts else Decision.ACCEPT, "", doubts=doubts),))

    assert ranked([first, second])[0] == "count - 3"
    assert ranked([first, second], textual=reordered)[0] == "count * 3"


def test_of_those_that_behave_alike_the_one_that_changes_the_fewest_words_comes_first():
    likely, short, other = survivor("3 * count", 2), survivor("count * 3", 3), survivor("count - 3", 9)
    assert ranked([likely, short, other], [cluster(likely, short), cluster(other)]) == [
        "count * 3",
        "3 * count",
        "count - 3",
    ]
    apart = [cluster(likely), cluster(short), cluster(other)]
    assert ranked([likely, short, other], apart)[0] == "3 * count"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b"a if not b else c", b"a if b else c", 1),
        (b"a if not b else c", b"c if not b else a", 2),
        (b"a < b", b"a > b", 1),
        (b"a -= b", b"a -= -b", 1),
        (b"a -= b", b"a += b", 1),
        (b"a > b", b"a >= b", 1),
        (b"a - b", b"a ** b", 1),
        (b"a < b", b"a  <  b", 0),
        (b"int(a * b)", b"float(a * b)", 1),
        (b"int(a * b)", b"a * b", 3),
        (b"", b"", 0),
    ],
)
def test_changed_words(before, after, words):
    assert count_changed_words(before, after) == words


def test_of_the_same_words_the_least_change_and_of_equal_changes_the_shorter_text_comes_first():
    longer, shorter = survivor("3 - -count", 2), survivor("count - -3", 3)
    assert ranked([longer, shorter], [cluster(longer, shorter)])[0] == "count - -3"
    twice, once = survivor("count + - - 3", 2), survivor("count - 3", 3)
    assert ranked([twice, once], [cluster(twice, once)])[0] == "count - 3"


@pytest.mark.parametrize(("first", "shorter"), [("abs(count + 3)", "count + 4"), ("int(str(count))", "int(count)")])
def test_what_names_less_is_not_the_least_change(first, shorter):
    """What it drops no input may have asked for: ``tuple(xs)`` beside ``tuple(sorted(xs))``."""
    mine, other = survivor(first, 2), survivor(shorter, 30)
    assert ranked([mine, other], [cluster(mine, other)])[0] == first


def test_of_equal_changes_of_equal_length_the_first_one_stays_first():
    operator, number = survivor("count ** 3", 2), survivor("count + 4", 3)
    assert ranked([operator, number], [cluster(operator, number)])[0] == "count ** 3"
