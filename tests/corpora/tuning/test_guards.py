"""Edits that are refused before they cost anything; among them fifty that give a task away."""

import pytest

from corpora.lab.benchmarks.leaking_edits import CHAINS, CLEAN_CHAINS, FIRST, LEAKS, NAMES_OF_TASKS, TASKS
from corpora.lab.benchmarks.tuned import is_refused
from corpora.tuning.guards import find_breach
from corpora.tuning.leaks import find_leak, read_tasks
from corpora.tuning.prompt_text import PromptEdit, normal_form

KNOWN = read_tasks(TASKS, NAMES_OF_TASKS)

HONEST = (
    "Handle every type that the docstring names.",
    "Run the tests before you answer.",
    "Ask whether the title may be empty.",
    "Round only at the end.",
    "Use snake_case names everywhere.",
    "Say in one sentence what was wrong.",
    "Check 0 and 1, and the largest value.",
    "Handle the empty input first, and the one with one item.",
)


def test_there_are_fifty_leaks():
    assert len(set(LEAKS)) == 50


@pytest.mark.parametrize("text", LEAKS)
def test_text_of_a_task_is_refused(text):
    assert find_leak(text, KNOWN, FIRST)


@pytest.mark.parametrize("text", HONEST)
def test_general_advice_is_not(text):
    assert find_leak(text, KNOWN, FIRST) == ""


@pytest.mark.parametrize("kind", CHAINS)
def test_edits_that_give_a_task_away_together_are_refused(kind):
    assert len(CHAINS[kind]) >= 4
    assert [chain for chain in CHAINS[kind] if not is_refused(chain)] == []


@pytest.mark.parametrize("chain", CLEAN_CHAINS)
def test_a_chain_of_general_advice_passes(chain):
    assert not is_refused(chain)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (PromptEdit("insert", 1, " ".join(["word"] * 41)), "words"),
        (PromptEdit("insert", 1, "long " * 39 + "w" * 60), "characters"),
        (PromptEdit("insert", 1, "One sentence. And another."), "several"),
        (PromptEdit("insert", 1, "A\u200bB"), "nobody sees"),
        (PromptEdit("insert", 1, "…"), "no words"),
        (PromptEdit("insert", 1, "## heading"), "heading"),
        (PromptEdit("delete", 3), "filled in"),
        (PromptEdit("delete", 1, "text"), "no text"),
        (PromptEdit("replace", 1, "You write Python."), "changes nothing"),
        (PromptEdit("insert", 9, "Far."), "no sentence"),
        (PromptEdit("insert", 1, "Bold.", bold=True), "plateau"),
        (PromptEdit("insert", 1, "Again."), "before"),
        (PromptEdit("insert", 1, "Mind parse_span."), "names"),
    ],
)
def test_each_breach_is_told(edit, why):
    refused = {normal_form(PromptEdit("insert", 2, "again"), FIRST)}
    assert why in find_breach(edit, FIRST, FIRST, KNOWN, refused, bold=False)


def test_growth_is_capped_over_the_whole_campaign():
    grown = FIRST + "x" * 230
    assert "grow" in find_breach(PromptEdit("insert", 1, "Ten words more."), grown, FIRST, KNOWN, set(), bold=False)
    assert find_breach(PromptEdit("delete", 1), grown + "y" * 100, FIRST, KNOWN, set(), bold=False) == ""


def test_a_bold_edit_may_be_larger_on_a_plateau():
    edit = PromptEdit("insert", 1, "One sentence. And another.", bold=True)
    assert find_breach(edit, FIRST, FIRST, KNOWN, set(), bold=True) == ""


def test_the_last_sentence_stays():
    assert find_breach(PromptEdit("delete", 1), "One.", "One.", KNOWN, set(), bold=False)
