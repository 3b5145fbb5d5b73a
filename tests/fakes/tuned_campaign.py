"""A small campaign on disk over a model whose truth is known, and an attempter that is killed."""

import dataclasses

from corpora.lab.benchmarks.simulated_prompts import (
    ScriptedEdits,
    SimulatedModel,
    Worth,
    advice,
    plan_of,
    prompt_of,
)
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.leaks import read_tasks
from corpora.tuning.prompt_text import PromptEdit
from corpora.tuning.run_campaign import (
    REFLECTOR,
    Workbench,
    run_campaign,
)

GOOD, BAD = advice("Gain", 1), advice("Harm", 1)
(GOOD,), (BAD,) = GOOD, BAD
PROMPT = prompt_of(3)


class Killed(BaseException):
    """As if the process had ended."""


class DiesAfter:
    """An attempter that is killed at its attempt of that number."""

    def __init__(self, model, at):
        self.model, self.left = model, at

    def attempt(self, prompt, task, seed):
        self.left -= 1
        if self.left < 0:
            raise Killed
        return self.model.attempt(prompt, task, seed)


def campaign(folder, file, seed=3, **changes):
    """A small campaign on disk, with its model and its edits."""
    file.write_text(PROMPT)
    plan = plan_of(seed, iterations=6, deletions=True, select=40)
    facts = {REFLECTOR: "script"}
    plan = dataclasses.replace(plan, prompt=str(file), first=digest_of(PROMPT), facts=facts, **changes)
    model = SimulatedModel(plan.tasks, {GOOD: Worth(rescues=0.8), BAD: Worth(rescues=-0.1)}, seed)
    return KeptCampaign.begin(folder, plan, PROMPT, read_tasks(())), model


def edits():
    return [PromptEdit("insert", 3, GOOD, "it helps"), PromptEdit("insert", 3, BAD), PromptEdit("insert", 9, "x")]


def run(kept, attempter, script=None):
    bench = Workbench({}, read_tasks(()), attempter, "simulated", {})
    return run_campaign(kept, bench, ScriptedEdits(edits() if script is None else script), lambda line: None)
