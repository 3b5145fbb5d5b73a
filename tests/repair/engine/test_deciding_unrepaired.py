"""What is said of a search that found nothing."""

import pytest

from repair.engine.deciding import next_action, told
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_result import SearchResult
from repair.records.task import RepairTask
from transforms.operators.catalog import MENDING, families


def catch(**given):
    return SearchResult((), 9, 8, 1, **{"executed": 7, "best": "", "exhausted": (), "cut": (), "warnings": (), **given})


def test_exhausted_suspects_are_told_from_those_that_were_cut_and_those_not_begun():
    cut = (Cut("b.py:g (search)", 40), Cut("c.py:h (search)", 0), Cut("d.py:i (search)", 0))
    lines = told(catch(exhausted=("a.py:f (search)",), cut=cut, best="1 of 2 failing tests pass"))
    assert lines == (
        "7 candidates were tried (9 drawn, 1 invalid): none is plausible",
        "the best one: 1 of 2 failing tests pass",
        "exhausted: a.py:f (search)",
        "cut by the budget: b.py:g (search) after 40 edits",
        "not begun: c.py:h (search), d.py:i (search)",
    )


def test_kinds_of_edit_that_came_to_their_end_are_told_from_the_others():
    first, *others = families(MENDING)
    (line,) = told(catch(cut=(Cut("b.py:g (search)", 40, (first,)),)))[1:]
    assert line.endswith(f"after 40 edits; exhausted there: {first}")
    (line,) = told(catch(cut=(Cut("b.py:g (search)", 40, tuple(others)),)))[1:]
    assert line.endswith(f"after 40 edits; not exhausted: {first}")
    (line,) = told(catch(cut=(Cut("b.py:g (search)", 40, (first, *others)),)))[1:]
    assert "not exhausted: pairs of edits" in line


def test_suspects_that_were_never_tried_are_named():
    (line,) = told(catch(beyond=tuple(f"a.py:f{n}" for n in range(7))))[1:]
    assert line.startswith("less suspicious, and never tried unless named: a.py:f0, a.py:f1,")
    assert line.endswith("a.py:f4 and 2 more functions")
    (line,) = told(catch(beyond=("a.py:f0",)))[1:]
    assert line.endswith("unless named: a.py:f0")


def test_a_budget_that_was_spent_before_says_so():
    lines = told(catch(executed=0, cut=(Cut("b.py:g (search)", 0),)))
    assert any("before the search began" in line for line in lines)


def test_nobody_is_told_to_name_the_function_who_has():
    assert "--function" in next_action(RepairTask("/p", ()))
    assert "--function" not in next_action(RepairTask("/p", (), "f"))


@pytest.mark.parametrize("function", ["", "f"])
def test_nobody_is_told_to_wait_where_no_edit_is_left(function):
    said = next_action(RepairTask("/p", (), function), exhausted=True)
    assert "--max-seconds" not in said
    assert "more time will not help" in said
    assert ("--function" in said) is (not function)
