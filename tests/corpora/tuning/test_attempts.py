"""What a campaign has used, and the limits that end it: in attempts, tokens and dollars."""

import dataclasses

import pytest

from corpora.lab.benchmarks.simulated_prompts import plan_of, prompt_of
from corpora.tuning.attempts import Attempts
from corpora.tuning.campaign import TaskOutcome
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit
from corpora.tuning.tuning_loop import InMemory, ProposedEdit, Tuning

PROMPT = prompt_of(3)


class Costly:
    """Solves nothing, and says what that took."""

    def __init__(self, tokens=0, usd=0.0):
        self.outcome = TaskOutcome("none", tokens=tokens, usd=usd)

    def attempt(self, prompt, task, seed):
        return self.outcome


class CostlyEdits:
    """Proposes an edit that breaks a guard, at a price."""

    def propose(self, situation):
        return ProposedEdit(PromptEdit("insert", 99, "x"), tokens=1_000, usd=0.5)


def run(attempter, source=None, **limits):
    plan = dataclasses.replace(plan_of(1, iterations=30, deletions=source is None), **limits)
    attempts = Attempts(plan, attempter)
    return tuple(Tuning(plan, PROMPT, read_tasks(()), attempts, source, InMemory()).steps())[-1], attempts


@pytest.mark.parametrize(
    ("attempter", "limits", "said"),
    [
        (Costly(tokens=10), {"most_tokens": 400}, "the budget of 400 tokens is used up"),
        (Costly(usd=0.01), {"most_usd": 0.4}, "the budget of 0.4 US dollars is used up"),
        (Costly(tokens=10), {"most_usd": 0.4, "price": 1_000.0}, "the budget of 0.4 US dollars is used up"),
        (Costly(), {"most_tokens": 400}, "no attempt says how many tokens it took"),
        (Costly(tokens=10), {"most_usd": 0.4}, "no attempt says how many US dollars it took"),
    ],
)
def test_a_limit_that_is_reached_or_cannot_be_kept_ends_the_campaign(attempter, limits, said):
    last, attempts = run(attempter, **limits)
    assert last.kind == "end"
    assert said in last.reason
    assert attempts.count <= 2 * len(attempts._plan.tasks)


def test_a_limit_that_is_not_reached_ends_nothing():
    last, _ = run(Costly(tokens=1, usd=0.001), most_tokens=10_000_000, most_usd=10_000.0)
    assert "budget" not in last.reason


def test_what_a_reflector_takes_is_counted():
    last, attempts = run(Costly(tokens=1, usd=1e-6), CostlyEdits(), most_usd=1.0)
    assert "the budget of 1 US dollars" in last.reason
    assert attempts.tokens == attempts.count + 2_000
    assert 1 < last.usd < 1.001


def test_an_attempt_counts_once():
    attempts = Attempts(plan_of(1, iterations=1, deletions=False), Costly(tokens=7))
    for _ in range(3):
        attempts.outcome(PROMPT, "train-000", 0)
    assert (attempts.count, attempts.tokens) == (1, 7)
