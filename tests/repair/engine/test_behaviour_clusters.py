"""Candidates are grouped by what they do: kin agree on every input, and what parts two groups is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from fakes.behaviours import call, comparison, differs, result
from fakes.diagnosed import FAILING, KEPT, SOURCE, SOURCES, localized_of, observed
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import scope_in
from fakes.toy import ToySandbox

from analysis.behaviour import turn
from analysis.calls import UnchangedNeighbours
from analysis.facts import Limits, Outcome
from repair.checks.catalog import doubts_about
from repair.engine.behaviour_clusters import BehaviourClusters, Comparing, find_difference
from repair.observe.complete_runs import SuiteWatch
from repair.trials.pool import Pool
from transforms.patch.apply import complete
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Origin


def candidate(expression: str) -> Candidate:
    scope = scope_in(SOURCE, "price", "shop.py")
    made = complete(scope, scope.text.replace(b"count + RATE", expression.encode()), Origin("search", "wrap"))
    assert isinstance(made, Candidate), made
    return made


TIMES, ALSO, POWER, SIX = map(
    candidate, ("count * RATE", "RATE * count", "count ** RATE - 3", "6 if count == 3 else 4")
)


def comparing(sandbox, seconds=9.0) -> Comparing:
    clock = count(0, 0.001)
    pool = Pool(sandbox, observed(), SOURCES, Limits(), 1)
    return Comparing(pool, observed(), localized_of("price"), SOURCES, 0, SuiteWatch(lambda: next(clock), seconds))


def grouped(found) -> list[set[str]]:
    return [set(conduct.kin) for conduct in found]


def digests(*candidates: Candidate) -> set[str]:
    return {each.digest for each in candidates}


def test_candidates_that_agree_are_kin_and_an_input_parts_the_others():
    found = comparing(ToySandbox(SOURCES)).cluster([TIMES, POWER, ALSO])
    assert grouped(found) == [digests(TIMES, ALSO), digests(POWER)]
    assert all(conduct.inputs for conduct in found)
    witness = find_difference(found, ALSO.digest, POWER.digest)
    back = find_difference(found, POWER.digest, TIMES.digest)
    assert witness is not None
    assert back == turn(witness)
    assert find_difference(found, TIMES.digest, ALSO.digest) is None
    assert {digest for digest, _ in found[1].parts} == digests(TIMES, ALSO)


def test_without_time_nothing_is_compared():
    assert comparing(ToySandbox(SOURCES), 0.0).cluster([TIMES, POWER]) == ()


def test_what_needs_an_import_of_the_module_is_in_no_group():
    importing = replace(POWER, imports=("import math",))
    (found,) = comparing(ToySandbox(SOURCES)).cluster([TIMES, importing])
    assert found.kin == (TIMES.digest,)


def session(found, seen=None):
    def compares(mine, rivals):
        if seen is not None:
            seen.append((mine, tuple(rivals)))
        return found(mine, rivals) if callable(found) else found

    return FakeSession(lambda trial: True, compares)


def served(failing, passing):
    def warm(tests, files):
        return failing if tests == (FAILING,) else passing

    return FakeSandbox(lambda tests, *_: run_of(dict.fromkeys(tests, Outcome.PASSED)), SOURCES, warm)


def test_where_nothing_can_be_repeated_all_are_in_one_group_without_inputs():
    seen = []
    nothing = session(comparison(), seen)
    (found,) = comparing(served(nothing, nothing)).cluster([TIMES, POWER, SIX])
    assert (found.inputs, len(found.kin), doubts_about(found.seen)) == (0, 3, ())
    assert len(seen) == 2


def test_what_the_passing_tests_tell_splits_a_group_further():
    def by_passing(mine, rivals):
        others = [r for r in rivals if b"**" in r.text]
        return comparison(5, tuple((r.digest, differs("price(4)", "returns 8", "returns 13")) for r in others))

    failing = session(comparison(3))
    found = comparing(served(failing, session(by_passing))).cluster([TIMES, POWER, ALSO])
    assert grouped(found) == [digests(TIMES, ALSO), digests(POWER)]
    assert {conduct.inputs for conduct in found} == {8}
    assert find_difference(found, TIMES.digest, POWER.digest) == differs("price(4)", "returns 8", "returns 13")


DIFFERS = differs("price(2)", "returns 4", "returns 5")


@pytest.mark.parametrize(
    ("given", "flaw"),
    [
        ({"recorded": ((KEPT, DIFFERS),)}, "noticed_by_tests"),
        ({"recorded": ((FAILING, DIFFERS),)}, ""),
        ({"unsteady": (DIFFERS,)}, "unsteady_answer"),
        ({"surroundings": (UnchangedNeighbours(KEPT, 9, 5, call("price(3)").given),) * 14}, "chance_passes"),
        ({"surroundings": (UnchangedNeighbours(KEPT, 9, 5, call("price(3)").given),) * 13}, ""),
        ({"alone": ((FAILING, result("price(4)", "returns 8")),)}, "single_number_refused"),
    ],
)
def test_what_a_judge_would_doubt_is_a_flaw(given, flaw):
    tested = differs("price(3)", "returns 6", "returns 5", tested=True)
    told = comparison(9, departures=(tested,), **given)
    quiet = session(comparison(4))
    (found,) = comparing(served(quiet, session(told))).cluster([TIMES])
    assert [doubt.feature for doubt in doubts_about(found.seen)] == ([flaw] if flaw else [])
    assert (found.departures, found.near, found.departing) == (1, 9, 1 / 9)


def test_results_where_the_old_code_never_came_to_the_change_are_a_flaw():
    unreached = comparison(9, first=differs("price(2)", "returns 4", "returns 5", reached=False))
    (found,) = comparing(served(session(comparison(4)), session(unreached))).cluster([TIMES])
    assert [doubt.feature for doubt in doubts_about(found.seen)] == ["unreached_change"]


def test_nothing_near_departs_by_no_share():
    assert BehaviourClusters(()).departing == 0.0
