"""Edits that came near: which are kept, which tests pass with them, and whose turn it is."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.submission import scope_in

from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.near_edits import LOOKED_AT, MOST_ALIKE, MOST_SECONDS, MOST_TURNS, NearEdit, NearEdits
from repair.hunt.neighbourhood import BESIDE, ELSEWHERE, MENDED, join_origins, score_lines
from repair.records.functions import edit_scope
from transforms.patch.apply import place
from transforms.tree.proposal import Origin

TESTS = ("t.py::test_a", "t.py::test_b", "t.py::test_c", "t.py::test_d")
SOURCE = b"def f(a):\n    b = a + 1\n    c = b + 2\n    d = c + 3\n    return d\n"


def edit(number, *, eager=True, text=b""):
    scope = scope_in(SOURCE, "f")
    trial = Trial(f"digest {number}", scope.function, text or scope.text, "it")
    stream = SimpleNamespace(proposer=SimpleNamespace(eager=eager), scope=scope)
    stream.root = stream
    return SimpleNamespace(trial=trial, stream=stream, position=number)


def failed(number, test=None, state=TrialState.FAILED, tier="warm"):
    return TrialOutcome(f"digest {number}", state, test, tier=tier)


def noted(*tests, eager=True):
    near = NearEdits(TESTS)
    for number, test in enumerate(tests):
        near.note(edit(number, eager=eager), failed(number, test), mends_all=test not in TESTS)
    return near


def test_of_the_search_what_mends_some_tests_is_kept():
    near = noted(TESTS[0], TESTS[2], "t.py::test_kept")
    assert [(each.edit.position, each.green, each.share) for each in near.known] == [(1, frozenset(TESTS[:2]), 0.5)]


def test_of_a_model_all_that_ran_is_kept():
    near = noted(TESTS[0], TESTS[3], "t.py::test_kept", eager=False)
    assert [(len(each.green), each.broke) for each in near.asked] == [(0, False), (3, False), (4, True)]
    assert [each.edit.position for each in near.best_first()] == [2, 1, 0]
    assert near.best_first()[0].share == 0.8
    near.note(edit(7, eager=False), failed(7, state=TrialState.INVALID), mends_all=False)
    assert len(near.known) == 3


def test_of_edits_with_which_the_same_tests_pass_a_few_are_kept():
    assert len(noted(*[TESTS[1]] * 20).known) == MOST_ALIKE


def test_the_last_tests_that_pass_are_found_by_asking_backwards():
    near = noted(TESTS[0], TESTS[1])
    ends = {"digest 0": TESTS[2], "digest 1": TESTS[1]}
    near.look_back(lambda trials: (failed(each.digest[-1], ends[each.digest]) for each in trials))
    assert {each.edit.position: each.green for each in near.known} == {
        0: frozenset(TESTS[3:]),
        1: frozenset((TESTS[0], *TESTS[2:])),
    }
    assert not near.may_look_back


def test_backwards_so_many_are_asked_at_once_and_only_where_that_is_quick():
    near = noted(*[TESTS[0]] * (LOOKED_AT + 5))
    asked = []
    near.look_back(lambda trials: (failed(each.digest[7:], asked.append(each) or TESTS[3]) for each in trials))
    assert len(asked) == LOOKED_AT
    assert near.may_look_back
    slow = NearEdits(TESTS)
    slow.note(edit(1), failed(1, TESTS[0], tier="cold"), mends_all=False)
    assert not slow.is_worthwhile


def test_what_promises_more_has_more_turns_and_the_draw_hangs_on_the_seed_alone():
    near = noted(TESTS[1], TESTS[3])
    drawn = [near.draw().edit.position for _ in range(20)]
    assert drawn.count(1) > drawn.count(0)
    again = noted(TESTS[1], TESTS[3])
    assert [again.draw().edit.position for _ in range(20)] == drawn
    other = replace(noted(TESTS[1], TESTS[3]), seed=5)
    assert [other.draw().edit.position for _ in range(20)] != drawn


def test_a_near_edit_is_done_with_after_its_turns_its_time_or_where_nothing_is_left():
    near = noted(TESTS[1])
    (only,) = near.known
    assert [near.draw() for _ in range(MOST_TURNS + 1)] == [only] * MOST_TURNS + [None]
    late = noted(TESTS[1])
    late.took(only, MOST_SECONDS)
    assert late.draw() is None
    given_up = noted(TESTS[1])
    given_up.give_up(only)
    assert given_up.draw() is None


def test_a_draw_may_be_among_a_models_alone():
    assert noted(TESTS[1]).draw(asked=True) is None
    assert noted(TESTS[1], eager=False).draw(asked=True) is not None


def near_with(new, *, green=(), asked=False):
    scope = scope_in(SOURCE, "f")
    text = scope.text.replace(*new)
    tried = edit(1, eager=not asked, text=text)
    after = edit_scope((("mod.py", b""), (scope.function.path, place(scope, text))), scope.function, text)
    return NearEdit(tried, frozenset(green), len(TESTS), asked=asked), after


@pytest.mark.parametrize(
    ("green", "asked", "changed", "beside", "other"),
    [
        (TESTS[:1], False, MENDED, 1.0, 1.0),
        (TESTS[:1], True, 1.0, 1.0, 1.0),
        ((), True, 1.0, BESIDE, ELSEWHERE),
    ],
)
def test_where_the_next_edit_is_looked_for_hangs_on_what_the_first_one_mends(green, asked, changed, beside, other):
    near, scope = near_with((b"b + 2", b"b + 3"), green=green, asked=asked)
    scores = dict(score_lines(near, scope, {}))
    assert (scores[3], scores[2], scores[5]) == (changed, beside, other)


def test_lines_keep_what_is_known_of_them_where_they_have_moved():
    near, scope = near_with((b"    c = b + 2\n", b"    c = b + 2\n    c = c + 4\n"), green=TESTS[:1])
    scores = dict(score_lines(near, scope, {2: 0.25, 5: 0.5}))
    assert (scores[2], scores[4], scores[6]) == (0.25, MENDED, 0.5)


def test_who_made_the_parts_of_an_edit_is_said_once():
    parts = [Origin("model", "update", "attempt 1"), Origin("search", "constant", "turns 1 into 2")]
    assert join_origins([*parts, parts[1]]) == Origin("model+search", "update+constant", "attempt 1 and turns 1 into 2")
