"""The worth of each sentence, over a model whose truth is known."""

import dataclasses

import pytest
from fakes.tuned_campaign import PROMPT, DiesAfter, campaign

from analysis.errors import UsageError
from corpora.lab.benchmarks.simulated_prompts import SimulatedModel, Worth, plan_of
from corpora.tuning.ablation import ablate, ablation_size
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.run_campaign import Workbench


def test_ablation_finds_the_needed_sentence_and_is_kept(tmp_path):
    lines = PROMPT.splitlines()
    kept, _ = campaign(tmp_path / "c", tmp_path / "p.txt")
    model = SimulatedModel(kept.plan.tasks, {lines[1]: Worth(needed=0.8)}, 3, (0.5, 0.21))
    bench = Workbench({}, read_tasks(()), model, "simulated", {})
    found = list(ablate(kept, bench))
    assert [one.sentence for one in found] == lines
    assert max(found, key=lambda one: one.worth).number == 2
    assert found[1].low > 0.2
    assert sum(1 for _ in kept.attempts()) == ablation_size(kept)
    assert not {each.task for each in kept.attempts()} & {task.id for task in kept.plan.of_share("sealed")}
    bench = dataclasses.replace(bench, attempter=DiesAfter(model, 0))
    assert list(ablate(kept, bench)) == found


def test_a_prompt_of_one_sentence_has_nothing_to_leave_out(tmp_path):
    plan = dataclasses.replace(plan_of(1, iterations=1, deletions=True), prompt="p.txt", first=digest_of("One.\n"))
    kept = KeptCampaign.begin(tmp_path / "c", plan, "One.\n", read_tasks(()))
    with pytest.raises(UsageError, match="one sentence alone"):
        next(ablate(kept, Workbench({}, read_tasks(()), DiesAfter(None, 0), "simulated", {})))
