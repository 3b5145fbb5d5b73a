"""What each sentence of a prompt is worth, by leaving it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from analysis.errors import UsageError
from corpora.tuning.attempts import Attempts
from corpora.tuning.evidence import bounds, count_signs, mean_difference
from corpora.tuning.kept_campaign import KeptCampaign
from corpora.tuning.prompt_text import PromptEdit, apply_edit, read_part, sentences
from corpora.tuning.run_campaign import Workbench

ABLATION = "repair.tune-ablation/1"


@dataclass(frozen=True, slots=True)
class SentenceWorth:
    """What one sentence is worth: the mean score that is lost without it, its bounds, tasks won and lost."""

    number: int
    sentence: str
    worth: float
    low: float
    high: float
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class AblationReport:
    """What ``tune ablate --json`` prints."""

    schema: str
    sentences: tuple[SentenceWorth, ...]


def ablation_size(kept: KeptCampaign) -> int:
    """How many attempts an ablation takes in all: every task but the sealed ones, with the prompt and without each."""
    plan = kept.plan
    prompts = 1 + len(sentences(read_part(kept.baseline(plan.first), plan.prompt).body))
    return prompts * sum(task.share != "sealed" for task in plan.tasks) * plan.samples


def ablate(kept: KeptCampaign, bench: Workbench) -> Iterator[SentenceWorth]:
    """The worth of each sentence, by its deletion, on train and select tasks; sealed ones stay unseen.

    Raises ``UsageError`` for a prompt of one sentence.
    """
    plan = kept.plan
    first = kept.baseline(plan.first)
    part = read_part(first, plan.prompt)
    if len(sentences(part.body)) == 1:
        raise UsageError("The prompt has one sentence alone", where=plan.prompt, remedy="Name a larger part.")
    tasks = [task for task in plan.tasks if task.share != "sealed"]
    with kept.hold():
        attempts = Attempts(plan, bench.attempter, kept.attempts(), kept.keep_attempt)
        for number, sentence in enumerate(sentences(part.body), 1):
            without = part.with_body(apply_edit(part.body, PromptEdit("delete", number)))
            pairs = tuple(attempts.pairs(without, first, tasks, range(plan.samples)))
            low, high = bounds(pairs, Random(f"{plan.seed} {number} ablate"))
            won, lost = count_signs(pairs)
            yield SentenceWorth(number, sentence.text, mean_difference(pairs), low, high, won, lost)
