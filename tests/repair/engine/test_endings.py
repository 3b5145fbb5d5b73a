"""What is said of a search that found nothing."""

from dataclasses import replace

import pytest
from fakes.diagnosed import localized_of
from fakes.submission import baseline_of, candidate_of

from analysis.facts import Outcome
from repair.engine.deciding import describe_search, end_unjudged, end_without_suspects, suggest_next
from repair.engine.diagnosing import Diagnosed
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_result import SearchResult
from repair.records.outcome import RunOutcome
from repair.records.result import Counts, Seconds, Status
from repair.records.task import RepairTask
from transforms.operators.catalog import MENDING, families

PASSED = replace(candidate_of(), explanation="uses `a` instead of `b`")


def found_nothing(executed=7, **given):
    return SearchResult((), Counts(candidates=9, distinct=8, invalid=1, executed=executed), **given)


def test_exhausted_suspects_are_told_from_those_that_were_cut_and_those_not_begun():
    cut = (Cut("b.py:g (search)", 40), Cut("c.py:h (search)", 0), Cut("d.py:i (search)", 0))
    lines = describe_search(found_nothing(exhausted=("a.py:f (search)",), cut=cut, best="1 of 2 failing tests pass"))
    assert lines == (
        "7 candidates were tried (9 drawn, 1 invalid): none is plausible",
        "the best one: 1 of 2 failing tests pass",
        "exhausted: a.py:f (search)",
        "cut by the budget: b.py:g (search) after 40 edits",
        "not begun: c.py:h (search), d.py:i (search)",
    )


def test_edits_that_came_to_the_same_text_are_counted():
    result = replace(found_nothing(), counts=Counts(candidates=20, distinct=8, invalid=2, executed=7))
    assert describe_search(result)[0] == (
        "7 candidates were tried (20 drawn, 2 invalid, 10 the same as others): none is plausible"
    )


def test_kinds_of_edit_that_came_to_their_end_are_told_from_the_others():
    first, *others = families(MENDING)
    (line,) = describe_search(found_nothing(cut=(Cut("b.py:g (search)", 40, (first,)),)))[1:]
    assert line.endswith(f"after 40 edits; exhausted there: {first}")
    (line,) = describe_search(found_nothing(cut=(Cut("b.py:g (search)", 40, tuple(others)),)))[1:]
    assert line.endswith(f"after 40 edits; not exhausted: {first}")
    (line,) = describe_search(found_nothing(cut=(Cut("b.py:g (search)", 40, (first, *others)),)))[1:]
    assert "not exhausted: pairs of edits" in line


def test_suspects_that_were_never_tried_are_named():
    (line,) = describe_search(found_nothing(beyond=tuple(f"a.py:f{n}" for n in range(7))))[1:]
    assert line.startswith("less suspicious, and never tried unless named: a.py:f0, a.py:f1,")
    assert line.endswith("a.py:f4 and 2 more functions")
    (line,) = describe_search(found_nothing(beyond=("a.py:f0",)))[1:]
    assert line.endswith("unless named: a.py:f0")


def test_a_budget_that_was_spent_before_says_so():
    lines = describe_search(found_nothing(executed=0, cut=(Cut("b.py:g (search)", 0),)))
    assert any("before the search began" in line for line in lines)


CUT = (Cut("b.py:g (search)", 0), Cut("a.py:f (search)", 7))


def test_nobody_is_told_to_name_the_function_who_has():
    assert "--function" in suggest_next(RepairTask("/p", ()), found_nothing(cut=CUT))
    assert "--function" not in suggest_next(RepairTask("/p", (), "f"), found_nothing(cut=CUT))


def test_after_a_run_by_the_model_nobody_is_told_to_ask_one():
    for result in (found_nothing(), found_nothing(cut=CUT)):
        assert "--model" in suggest_next(RepairTask("/p", ()), result)
        assert "--model" not in suggest_next(RepairTask("/p", ()), result, asked_model=True)
    assert "search and model know no further edit" in suggest_next(
        RepairTask("/p", ()), found_nothing(), asked_model=True
    )


@pytest.mark.parametrize("function", ["", "f"])
def test_nobody_is_told_to_wait_where_no_edit_is_left(function):
    said = suggest_next(RepairTask("/p", (), function), found_nothing())
    assert "--max-seconds" not in said
    assert "more time will not help" in said
    assert ("--function" in said) is (not function)


def test_what_more_time_would_do_is_said():
    task = RepairTask("/p", ())
    assert suggest_next(task, found_nothing(cut=CUT)) == (
        "give more time with --max-seconds (to begin with b.py:g), name the function with --function, or ask a model"
        " with --model"
    )
    assert "(to go on with a.py:f)" in suggest_next(task, found_nothing(cut=CUT[1:]))
    found = SearchResult((object(),), Counts())
    assert "(what passes the failing tests would be judged)" in suggest_next(task, found)
    broken_off = suggest_next(task, found_nothing(), broken_off=True)
    assert broken_off.startswith("give more time with --max-seconds, name")


def test_what_nobody_judged_is_counted():
    nothing = RunOutcome(Status.UNREPAIRED)
    assert end_unjudged(nothing, [PASSED]).messages[0].startswith("1 plausible candidate passed")
    assert end_unjudged(nothing, [PASSED] * 3).messages[0].startswith("3 plausible candidates passed")


def test_the_first_that_nobody_judged_is_shown():
    ending = end_unjudged(RunOutcome(Status.UNREPAIRED), [PASSED, replace(PASSED, explanation="")])
    assert ending.messages[1] == "no gate has judged this: uses `a` instead of `b`, in shop.py:price"
    assert ending.brief.endswith(PASSED.diff)
    assert "no gate has judged this: an edit, in" in end_unjudged(ending, [replace(PASSED, explanation="")]).brief


@pytest.mark.parametrize(
    ("outcome", "status", "word"),
    [(Outcome.HANG, Status.UNREPAIRED, "--function"), (Outcome.FAILED, Status.OUT_OF_SCOPE, "install it")],
)
def test_without_suspects_it_is_said_what_makes_some(outcome, status, word):
    found = localized_of("price")
    first = found.diagnoses[0]
    failure = replace(first.failure, outcome=outcome, exceptions=())
    found = replace(found, suspects=(), diagnoses=(replace(first, failure=failure),))
    ending = end_without_suspects(Diagnosed(baseline_of(), found, Seconds()))
    assert ending.status is status
    assert word in ending.next_action
