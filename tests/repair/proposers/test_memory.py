"""The proposer from the project's past: one candidate in ten, templates first, and nothing without a history."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import FunctionId, Suspect
from analysis.functions import functions_of
from repair.proposers.memory import MOST_STREAMS, SHARE, WORD_SHARE, MemoryProposer
from repair.records.ports import Context, Proposer
from repair.records.task import PatchPlan, Pause
from transforms.ingredients.edit_templates import EditTemplate
from transforms.ingredients.history_words import HistoryWord
from transforms.patch.apply import render
from transforms.tree.candidate import Rejected
from transforms.tree.proposal import Proposal
from transforms.tree.scope import open_scope

SOURCE = b"LIMIT = 3\n\n\ndef tail(rows):\n    # the last\n    return rows[len(rows)]\n"
SCOPE = open_scope(SOURCE, functions_of("m.py", SOURCE)[0])
assert not isinstance(SCOPE, Rejected)
CONTEXT = Context(SCOPE, SOURCE, (), "", 0, lambda: (), lambda: 1.0)
PLAN = PatchPlan(Suspect(FunctionId("m.py", "tail", 4), 1.0, ()), (), (), "")
TEMPLATE = EditTemplate("hole_name_1[len(hole_name_1)]", "hole_name_1[len(hole_name_1) - 1]", 2, 3)
WORDS = (HistoryWord("rows[-LIMIT]", "m.py", 20_000), HistoryWord("elsewhere.x", "m.py", 20_000))


def texts(*, words: tuple[HistoryWord, ...] = (), templates: tuple[EditTemplate, ...] = ()) -> list[str]:
    given = MemoryProposer(words, templates, 20_000).propose(PLAN, CONTEXT)
    made = [render(SCOPE, each) for each in given if isinstance(each, Proposal)]
    return [each.text.decode() for each in made if not isinstance(each, Rejected)]


def test_conforms() -> None:
    proposer: Proposer = MemoryProposer((), (), 0)
    assert (proposer.name, proposer.eager) == ("memory", True)


def test_nothing_learned_is_said_and_proposes_nothing() -> None:
    (only,) = MemoryProposer((), (), 0).propose(PLAN, CONTEXT)
    assert isinstance(only, Pause)
    assert "repair memory learn" in only.said


def test_a_template_is_applied_where_it_fits() -> None:
    (only,) = texts(templates=(TEMPLATE,))
    assert only == "def tail(rows):\n    # the last\n    return rows[len(rows) - 1]\n"


def test_a_template_of_a_statement_keeps_the_comment_before_it() -> None:
    whole = EditTemplate("return hole_name_1[len(hole_name_1)]", "return hole_name_1[-1]", 2, 4)
    (only,) = texts(templates=(whole,))
    assert only == "def tail(rows):\n    # the last\n    return rows[-1]\n"


def test_words_come_behind_templates_and_only_those_that_mean_something_here() -> None:
    found = texts(words=WORDS, templates=(TEMPLATE,))
    assert "len(rows) - 1" in found[0]
    assert any("return rows[-LIMIT]" in text for text in found)
    assert not any("elsewhere" in text for text in found)


def test_a_template_that_brings_what_a_gate_refuses_proposes_nothing() -> None:
    refused = EditTemplate("hole_name_1[len(hole_name_1)]", "exit(hole_name_1)", 2, 3)
    assert texts(templates=(refused,)) == []


def test_all_but_the_first_wait_for_others_and_words_for_longest() -> None:
    both = (TEMPLATE, EditTemplate("hole_name_1[len(hole_name_1)]", "hole_name_1[-1]", 1, 3))
    given = list(MemoryProposer(WORDS, both, 20_000).propose(PLAN, CONTEXT))
    waits = [each.draws for each in given[::2] if isinstance(each, Pause)]
    assert waits[:3] == [0, SHARE, WORD_SHARE]
    assert set(waits[2:]) == {WORD_SHARE}
    edits = [each for each in given[1::2] if isinstance(each, Proposal)]
    assert len(edits) == len(waits) > 3
    assert {each.origin.proposer for each in edits} == {"memory"}
    weights = [each.weight for each in edits]
    assert weights == sorted(weights, reverse=True)


def test_many_suspects_share_one_share() -> None:
    crowded = replace(CONTEXT, suspects=(PLAN.suspect,) * 20)
    given = list(MemoryProposer(WORDS, (TEMPLATE,), 20_000).propose(PLAN, crowded))
    assert {each.draws for each in given[2::2] if isinstance(each, Pause)} == {WORD_SHARE * MOST_STREAMS}
