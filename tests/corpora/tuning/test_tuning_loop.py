"""Whole campaigns in memory and on disk, over models whose truth is known: what is kept, and what a kill leaves."""

import dataclasses
import json

import pytest
from fakes.tuned_campaign import BAD, GOOD, PROMPT, campaign, edits, run

from corpora.lab.benchmarks.simulated_prompts import (
    ScriptedEdits,
    SimulatedModel,
    Worth,
    advice,
    plan_of,
    prompt_of,
    run_simulation,
)
from corpora.lab.benchmarks.tuned import (
    changed_endpoints,
    gains_in_a_row,
    later_gains,
    leaks,
    null_campaigns,
    planted_gains,
    planted_overfits,
    planted_sentences,
    random_halves,
)
from corpora.tuning.attempts import Attempts
from corpora.tuning.campaign import Rubric, TaskOutcome
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit
from corpora.tuning.tuning_loop import InMemory, Tuning


def test_a_campaign_keeps_what_helps_and_writes_it_once_it_is_accepted(tmp_path):
    kept, model = campaign(tmp_path / "c", tmp_path / "p.txt")
    steps = run(kept, model)
    assert steps[0].accepted
    assert steps[-1].kind == "end"
    assert GOOD in (tmp_path / "p.txt").read_text()
    assert f"+{GOOD}" in kept.diff_file(1).read_text()
    assert any(step.reason.startswith("guard: there is no sentence 9") for step in steps)
    assert {step.kind for step in steps} >= {"edit", "seal", "end"}
    assert kept.steps() == steps


def test_an_endpoint_that_changes_under_its_name_voids_the_campaign():
    plan = plan_of(3, iterations=1, deletions=False)
    model = SimulatedModel(plan.tasks, {GOOD: Worth(rescues=0.8)}, 3)

    class Drifting:
        asked = 0

        def attempt(self, prompt, task, seed):
            found = model.attempt(prompt, task, seed)
            if seed % 1000 or seed < 4_000:
                return found
            return dataclasses.replace(found, word="none" if found.word == "solved" else "solved")

    class Turned(Drifting):
        def attempt(self, prompt, task, seed):
            found = model.attempt(prompt, task, seed)
            fresh = seed >= 3 * 1000 + 10_000
            return dataclasses.replace(found, word="none" if found.word == "solved" else "solved") if fresh else found

    tuning = Tuning(plan, PROMPT, read_tasks(()), Attempts(plan, Turned()), ScriptedEdits(edits()), InMemory())
    steps = tuple(tuning.steps())
    assert [step.kind for step in steps][-2:] == ["void", "end"]
    assert tuning.text == PROMPT


def test_a_plateau_allows_bolder_edits_and_then_ends():
    plan = dataclasses.replace(plan_of(5, iterations=40, deletions=False), plateau=3)
    done = run_simulation(plan, PROMPT, {}, [PromptEdit("insert", 1, text) for text in advice("Weigh", 30)])
    kinds = [step.kind for step in done.steps]
    assert kinds.count("plateau") == 1
    assert "plateau" in done.steps[-1].reason
    assert len(kinds) <= 9


def test_a_budget_ends_a_campaign():
    plan = dataclasses.replace(plan_of(5, iterations=40, deletions=True), most_attempts=10)
    done = run_simulation(plan, PROMPT, {}, None)
    assert "budget" in done.steps[-1].reason


def test_what_a_seal_took_back_is_not_tried_again():
    plan = plan_of(3, iterations=4, deletions=False)
    worth = {GOOD: Worth(rescues=0.9, sealed=1.0)}
    again = [PromptEdit("insert", 3, GOOD), PromptEdit("insert", 2, GOOD.upper()), PromptEdit("insert", 1, BAD)]
    done = run_simulation(plan, PROMPT, {**worth, "unused": Worth()}, [*again[:1], *[again[0]] * 2, again[1]])
    assert done.steps[0].accepted
    assert [step.reason for step in done.steps[1:4]] == ["guard: it was tried before"] * 3
    seal = next(step for step in done.steps if step.kind == "seal")
    assert not seal.accepted
    assert "taken back for good (steps 1)" in seal.reason
    assert done.last == done.first


def test_an_edit_comes_once_even_when_a_seal_between_took_it_back():
    texts = list(advice("Gain", 3))
    plan = plan_of(3, iterations=7, deletions=False)
    worth = {text: Worth(rescues=0.6, sealed=0.9) for text in texts}
    edits = [PromptEdit("insert", 3, text) for text in (*texts, *texts)]
    done = run_simulation(plan, PROMPT, worth, edits, (0.2, 0.6))
    kinds = [step.kind for step in done.steps]
    if "seal" in kinds[:-2]:
        after = done.steps[kinds.index("seal") + 1 :]
        assert not any(step.accepted for step in after if step.kind == "edit")
    tried = [step.edit.text for step in done.steps if step.screened is not None]
    assert len(tried) == len(set(tried))


def test_the_second_half_of_a_leak_is_refused_once_the_first_one_stands():
    plan = plan_of(3, iterations=3, deletions=False)
    halves = ("Mind the words of", "a title in one line.")
    known = read_tasks(["Give back the words of a title, joined by dashes."])
    model = SimulatedModel(plan.tasks, {halves[0]: Worth(rescues=0.8)}, 3)
    script = [PromptEdit("insert", at, text) for at, text in ((3, halves[0]), (1, halves[1]))]

    def reasons(edits):
        attempts = Attempts(plan, model)
        tuning = Tuning(plan, PROMPT, known, attempts, ScriptedEdits(edits), InMemory())
        return [step.reason for step in tuning.steps() if step.edit is not None]

    assert reasons(script)[1].startswith("guard: it repeats words of a task: 'the words of a title'")
    assert not reasons(script[1:])[0].startswith("guard")


def test_no_seal_is_opened_a_fourth_time():
    plan = plan_of(1, iterations=60, deletions=True)
    done = run_simulation(plan, prompt_of(30), {}, None, (0.9, 0.9))
    assert 1 <= sum(step.kind == "seal" for step in done.steps) <= 3


def test_the_figures_in_their_quick_form():
    null, gains = null_campaigns(6), planted_gains(6)
    assert null.rows[0].worst <= 1 / 6
    assert dict(null.numbers)["naive_false_accept_campaigns"] > 0.5
    assert dict(gains.rows[0].values)["spread"] >= 4 / 6
    row = gains_in_a_row(4)
    assert row.rows[0].worst >= 0.5
    assert 0 < dict(row.numbers)["all_three_are_kept"] <= 1
    assert later_gains(2).rows[0].median >= 0.5
    assert planted_overfits(4).rows[0].worst == 0
    assert planted_sentences(2).rows[1].worst == 0
    assert leaks().rows[0].median == 50
    halves = dict(random_halves(12).numbers)
    assert halves["halves_of_8_words_refused_at_ends"] == 1
    assert halves["halves_of_8_words_refused"] > 0.5
    assert halves["pairs_of_other_sentences_refused"] <= 1 / 12
    void = dict(changed_endpoints(6).numbers)
    assert void["void_by_mistake_few_flips"] == 0
    assert void["void_of_another_model_few_flips"] >= 4 / 6


def test_outcomes_have_their_worth():
    kept = json.loads(json.dumps(plan_of(0, iterations=1, deletions=True).to_json()))
    assert kept["weights"]["wrong"] == -1.0
    assert kept["weights"]["plausible"] == 0.8
    outcome = TaskOutcome("solved", passed=1, failed=3, findings=2, seconds=4.0, tokens=500, calls=3)
    assert outcome.score(Rubric()) == outcome.worth(Rubric()) == 1.0
    weighed = Rubric(tests=0.4, finding=-0.1, tokens=-0.2, seconds=-0.01, calls=-0.05)
    assert outcome.score(weighed) == pytest.approx(1 + 0.1 - 0.2 - 0.1 - 0.04 - 0.15)
    assert outcome.worth(weighed) == 1.0
