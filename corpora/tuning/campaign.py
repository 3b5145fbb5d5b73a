"""The records of a campaign: its plan, which is written first and never changed, outcomes, and steps of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.errors import UsageError
from analysis.facts import digest
from corpora.json_lines import JsonRecord
from corpora.tuning.decisions import EditVerdict
from corpora.tuning.prompt_text import PromptEdit

PLAN = "repair.tune-plan/2"
STEP, ATTEMPT, PROPOSAL, REVERT = (f"repair.tune-{word}/1" for word in ("step", "attempt", "proposal", "revert"))

Share = Literal["train", "select", "sealed"]
SHARES: tuple[tuple[Share, float], ...] = (("train", 0.5), ("select", 0.3), ("sealed", 0.2))

MOST_OF_ONE = 0.5
"""Of the select or of the sealed tasks: so many may be of one project."""
LEAST_PROJECTS = 5
"""One for training, and two for each of the other shares."""

OutcomeWord = Literal["solved", "plausible", "wrong", "none"]


@dataclass(frozen=True, slots=True)
class Rubric:
    """The rubric: what each outcome is worth, and what the rest adds.

    ``wrong`` is an answer that passes the tests it can see and is wrong by hidden ones. ``tests`` is for the share of
    tests that pass. The others are costs, below zero. A finding of a linter or type checker costs ``finding``, a
    thousand tokens ``tokens``. A second costs ``seconds``, and a call of a tool ``calls``.
    """

    solved: float = 1.0
    plausible: float = 0.8
    wrong: float = -1.0
    none: float = 0.0
    tests: float = 0.0
    finding: float = 0.0
    tokens: float = 0.0
    seconds: float = 0.0
    calls: float = 0.0


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What one attempt at one task came to, by hard facts alone. ``said`` and ``change`` are what a reflector may see.

    - ``status`` is the exit status of the command, ``None`` where it was ended; ``late`` says that its time was up.
    - ``missing`` are files and functions that are required and not there.
    - ``findings`` counts what the linter says.
    - ``tokens``, ``usd`` (US dollars) and ``calls`` are as the command printed them, else 0.
    """

    word: OutcomeWord
    status: int | None = 0
    late: bool = False
    passed: int = 0
    failed: int = 0
    missing: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    findings: int = 0
    seconds: float = 0.0
    tokens: int = 0
    usd: float = 0.0
    calls: int = 0
    said: str = ""
    change: str = ""

    def score(self, weights: Rubric) -> float:
        """What it is worth, with all that it cost."""
        tests = self.passed + self.failed
        share = self.passed / tests if tests else 0.0
        cost = weights.tokens * self.tokens / 1_000 + weights.seconds * self.seconds + weights.calls * self.calls
        return self.worth(weights) + weights.tests * share + weights.finding * self.findings + cost

    def worth(self, weights: Rubric) -> float:
        """What its end alone is worth."""
        worth: float = getattr(weights, self.word)
        return worth


@dataclass(frozen=True, slots=True)
class TuneTask:
    """One task: its project, which is the unit of the splits and of the bootstrap, and the share that it is in."""

    id: str
    project: str
    share: Share


@dataclass(frozen=True, slots=True)
class TunePlan(JsonRecord):
    """All that decides how a campaign goes, but for what models and commands answer.

    - ``prompt`` is the place of the prompt, ``FILE#part``; ``first`` is the digest of the file at the beginning.
    - ``how`` names what is run: a command or a corpus with a model; ``facts`` are all its settings, for the record.
    - ``samples`` are attempts of each task under each prompt, ``sealed_samples`` those of a sealed one.
    - ``margin`` is what a deletion may cost, as a share of the tasks.
    - ``most_attempts``, ``most_tokens`` and ``most_usd`` (US dollars) are the budget.
    - ``price`` is that of a million tokens, for attempts that do not say what they cost.
    - Every second edit is a deletion, unless ``deletions`` is off.
    """

    called = "the plan"
    schema: str
    prompt: str
    first: str
    how: str
    tasks: tuple[TuneTask, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    weights: Rubric = field(default_factory=Rubric)
    model: str = ""
    temperature: float | None = None
    seed: int = 0
    samples: int = 2
    sealed_samples: int = 8
    margin: float = 0.10
    error: float = 0.05
    iterations: int = 40
    plateau: int = 8
    most_attempts: int = 100_000
    most_tokens: int | None = None
    most_usd: float | None = None
    price: float | None = None
    most_hours: float | None = None
    deletions: bool = True

    def of_share(self, share: Share) -> tuple[TuneTask, ...]:
        """The tasks of one share."""
        return tuple(task for task in self.tasks if task.share == share)


@dataclass(frozen=True, slots=True)
class TuneAttempt(JsonRecord):
    """One attempt as it is kept: the prompt by its digest, the task, the number of the sample, and the outcome."""

    called = "an attempt"
    schema: str
    prompt: str
    task: str
    sample: int
    outcome: TaskOutcome


@dataclass(frozen=True, slots=True)
class KeptProposal(JsonRecord):
    """What a proposer said in one iteration: an edit, or why it has none. ``ends`` says that it has no more.

    ``tokens`` and ``usd`` are what its answer cost.
    """

    called = "a proposal"
    schema: str
    iteration: int
    edit: PromptEdit | None
    reason: str = ""
    ends: bool = False
    tokens: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class TuneStep(JsonRecord):
    """One line of the log: a decision, all that it rests on, and the digests of the prompt before and after it.

    ``attempts``, ``tokens`` and ``usd`` are what the campaign has cost up to here.
    """

    called = "a step"
    schema: str
    number: int
    kind: Literal["edit", "seal", "plateau", "void", "end"]
    accepted: bool
    reason: str
    before: str
    after: str
    attempts: int
    edit: PromptEdit | None = None
    screened: EditVerdict | None = None
    judged: EditVerdict | None = None
    tokens: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class KeptRevert(JsonRecord):
    """That a person went back to the prompt of that digest, as it was before that step."""

    called = "a revert"
    schema: str
    before_step: int
    digest: str


def split_tasks(projects: Mapping[str, str]) -> tuple[TuneTask, ...]:
    """The tasks, whose projects are given, in three shares. A project is in one share, and always in the same.

    Large projects come first, the largest before others. They are for training unless another share would lack some:
    what is accepted should not rest on one. The others come in the order of their digests; each goes where most is
    lacking. Raises ``UsageError`` for fewer than three projects.
    """
    sizes = Counter(projects.values())
    if len(sizes) < len(SHARES):
        raise UsageError(
            f"The tasks are of {len(sizes)} projects; three shares need three at least",
            remedy="Name more tasks, or their projects.",
        )
    wanted = {name: share * len(projects) for name, share in SHARES}
    needs: dict[Share, int] = {name: 1 if name == "train" or len(sizes) < LEAST_PROJECTS else 2 for name in wanted}
    held: dict[Share, int] = dict.fromkeys(wanted, 0)
    placed: dict[str, Share] = {}
    large = {project: size for project, size in sizes.items() if size > MOST_OF_ONE * wanted["select"]}
    order = sorted(sizes, key=lambda project: (-large.get(project, 0), digest("project of a task", project)))
    for number, project in enumerate(order):
        lacking: list[Share] = [name for name in wanted if needs[name] > 0]
        is_scarce = sum(needs[name] for name in lacking) >= len(order) - number
        others: list[Share] = ["train"] if project in large else list(wanted)
        share = max(lacking if is_scarce else others, key=lambda name: wanted[name] - held[name])
        placed[project] = share
        held[share] += sizes[project]
        needs[share] -= 1
    return tuple(TuneTask(task, projects[task], placed[projects[task]]) for task in sorted(projects))


def describe_share(tasks: Sequence[TuneTask], share: Share) -> str:
    """How many tasks a share has, of how many projects, and how much of it the largest one is."""
    sizes = Counter(task.project for task in tasks if task.share == share)
    largest = max(sizes.values(), default=0) / max(1, sizes.total())
    return f"{sizes.total()} {share} of {len(sizes)} projects, {largest:.0%} of the largest"


def crowded_share(tasks: Sequence[TuneTask]) -> str:
    """Which share rests on one project, as a sentence; empty where none does.

    No edit can be accepted by one project alone, and what one project gains would count for all by more than half.
    """
    for share in ("select", "sealed"):
        sizes = Counter(task.project for task in tasks if task.share == share)
        project, most = max(sizes.items(), key=lambda each: (each[1], each[0]), default=("", 0))
        if len(sizes) < 2 or most > MOST_OF_ONE * sizes.total():
            return f"{most} of {sizes.total()} {share} tasks are of one project, {project}"
    return ""
