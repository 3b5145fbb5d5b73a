"""Which of several plausible candidates comes first, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from fakes.diagnosed import diagnosis_of
from fakes.submission import candidate_of
from fakes.survivors import survivor_of

from analysis.facts import Constraint, ConstraintKind, Suspect
from repair.engine.behaviour_clusters import BehaviourClusters
from repair.engine.ranking import REORDERS, rank_candidates
from repair.hunt.tried_edit import TriedEdit
from repair.records.task import PatchPlan
from repair.records.verdict import Decision, Evidence, Verdict
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


def cluster(*kin: TriedEdit, **given) -> BehaviourClusters:
    return BehaviourClusters(tuple(s.candidate.digest for s in kin), **{"inputs": 20, **given})


def test_shape_then_size_and_place_decide_where_nothing_else_is_known():
    found = [survivor(v, n) for n, v in enumerate(("9", "(count + 0) * (3 + 0)", "count * 3"), 1)]
    assert ranked(found) == ["count * 3", "(count + 0) * (3 + 0)", "9"]


def test_a_place_twice_as_far_back_costs_one_node():
    assert ranked([survivor("count * 4", 9), survivor("count * 3", 2)]) == ["count * 3", "count * 4"]


def test_candidates_that_behave_alike_speak_for_each_other():
    lone, first, second = survivor("count - 3", 2), survivor("count * 3", 3), survivor("3 * count", 4)
    assert ranked([lone, first, second])[0] == "count - 3"
    assert ranked([lone, first, second], [cluster(lone), cluster(first, second)])[0] == "count * 3"


def test_agreement_on_no_input_says_nothing():
    lone, first, second = survivor("count - 3", 2), survivor("count * 3", 3), survivor("3 * count", 4)
    assert ranked([lone, first, second], [cluster(lone), cluster(first, second, inputs=0)])[0] == "count - 3"


def test_what_a_judge_would_doubt_comes_behind():
    first, second = survivor("count * 4", 1), survivor("count * 3", 60)
    doubted = cluster(first, flaws=("changes what t gets, which passes before and after",))
    assert ranked([first, second], [doubted, cluster(second)]) == ["count * 3", "count * 4"]


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


WALK = """def reach(node, goal, edges):
    seen = set()

    def search(name):
        if name in seen:
            return False
        return name == goal or any(search(each) for each in NEXT)
    MARK
    return search(node)
"""


@pytest.mark.parametrize(("subclass", "first"), [("timeout", "guarded"), ("value", "reversed")])
def test_another_order_is_no_remedy_for_what_reaches_no_end(subclass, first):
    old = WALK.replace("NEXT", "edges[name]").replace("MARK", "assert edges")
    texts = {
        "reversed": old.replace("in edges[name]", "in reversed(edges[name])"),
        "guarded": old.replace("return name ==", "seen.add(name)\n        return name =="),
    }
    survivors = []
    for position, text in enumerate(texts.values(), 1):
        diagnosis = replace(diagnosis_of(), subclass=subclass)
        candidate = candidate_of(text.encode(), old.encode(), qualname="reach")
        plan = PatchPlan(Suspect(candidate.function, 1.0, ()), (diagnosis,), (), "logic")
        survivors.append(survivor_of(candidate, position, plan))
    best, other = rank_candidates(survivors, silent)
    assert best.candidate.text == texts[first].encode()
    assert (REORDERS in (*best.reasons, *other.reasons)) is (subclass == "timeout")
