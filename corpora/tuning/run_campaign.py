"""A campaign from the user's words to the records on disk: begun, gone on with, replayed, and reverted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UsageError
from corpora.os_errors import explained
from corpora.tuning.attempts import Attempter, Attempts
from corpora.tuning.campaign import KeptProposal, TuneStep
from corpora.tuning.kept_campaign import KeptCampaign, diff_of, digest_of
from corpora.tuning.leaks import TaskText, read_tasks
from corpora.tuning.outside_tasks import OutsideAttempter
from corpora.tuning.own_prompts import OwnAttempter, projects_of, texts_of
from corpora.tuning.prompt_text import read_part, sentences
from corpora.tuning.task_table import read_table
from corpora.tuning.tuning_loop import ROTATION, EditSource, ProposedEdit, Tuning

LEAST_TASKS = 60
"""Of the select tasks: with fewer the user is asked."""
REFLECTOR = "reflector"
"""Among the facts of a plan: who proposes edits; empty for deletions alone."""
STATUS = "repair.tune-status/1"
TABLE = "table"
"""Among them: the digest of the table of tasks or, of our own prompts, of the bench's settings and other prompts."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What attempts are made with: tasks and their text, who runs them, settings for the record."""

    projects: Mapping[str, str]
    text: TaskText
    attempter: Attempter
    how: str
    facts: Mapping[str, str]


def outside_bench(command: str, tasks: Path, prompt: str, out: Path, env: Mapping[str, str]) -> Workbench:
    """A command of the user's with a table of tasks. It never sees ``out``, the campaign's folder."""
    table = read_table(tasks)
    attempter = OutsideAttempter(command, table, prompt_file(prompt), env, (out,))
    facts = {"command": command, "tasks": str(tasks.absolute()), TABLE: digest_of(tasks.read_text("utf-8"))}
    return Workbench(table.projects, read_tasks(table.texts(), table.names()), attempter, "command", facts)


def own_bench(
    corpus: str, prompt: str, configuration: str, settings: str, seconds: float, env: Mapping[str, str]
) -> Workbench:
    """Our own prompts over a corpus, with a model where the environment names one.

    ``configuration`` is one of the bench; it stands in the file ``settings``, or is a preset where that is empty.
    """
    projects = projects_of(corpus)
    attempter = OwnAttempter(corpus, prompt_file(prompt), configuration, settings, seconds, env)
    facts = {"corpus": corpus, "configuration": configuration, "seconds": f"{seconds:g}", "settings": settings}
    facts |= {name: env.get(f"REPAIR_{name.upper()}", "") for name in ("model", "base_url")}
    facts |= {TABLE: attempter.digest}
    return Workbench(projects, read_tasks(texts_of(corpus), projects), attempter, "corpus", facts)


def prompt_file(place: str) -> Path:
    """The file of ``FILE#part``."""
    return Path(place.partition("#")[0])


def read_prompt(place: str) -> str:
    """The text of the prompt's file. Raises ``UsageError`` where it cannot be read or has no sentence."""
    file = prompt_file(place)
    with explained("The prompt cannot be read", file, "Check its path.", UsageError):
        content = file.read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError as problem:
        raise UsageError("The prompt is no UTF-8", where=str(file), remedy="Save it as UTF-8.") from problem
    if not sentences(read_part(text, place).body):
        raise UsageError("The prompt has no sentence", where=place, remedy="Name another part.")
    return text


class KeptSteps:
    """Keeps proposals and steps in the campaign's folder, and puts each accepted prompt in the user's file.

    A step that is kept already has to be the same again.
    """

    def __init__(self, kept: KeptCampaign, file: Path, until: float) -> None:
        self._kept, self._file, self._until = kept, file, until
        self._proposals, self._steps = kept.proposals(), kept.steps()

    def proposal(self, iteration: int) -> KeptProposal | None:
        """What was proposed in that iteration."""
        return self._proposals.get(iteration)

    def time_is_up(self) -> bool:
        """Whether the campaign's hours are over."""
        return time.monotonic() >= self._until

    def keep_proposal(self, proposal: KeptProposal) -> None:
        """Keep what was proposed."""
        self._kept.keep_proposal(proposal)

    def keep_step(self, step: TuneStep, texts: Sequence[str]) -> None:
        """Keep a step, then write the user's file. Raises ``UsageError`` where the log says otherwise."""
        if step.number > len(self._steps):
            self._kept.keep_step(step, texts)
        else:
            _refuse_other_step(self._kept, self._steps[step.number - 1], step)
        if step.number >= len(self._steps):
            self._kept.write_prompt(self._file, step.after)


class ReplayedSteps:
    """Knows what was kept, and writes nothing: each step, its prompts and its diff have to be the same again."""

    def __init__(self, kept: KeptCampaign) -> None:
        self._kept, self._proposals, self.known = kept, kept.proposals(), kept.steps()

    def proposal(self, iteration: int) -> KeptProposal:
        """What was proposed in that iteration. Raises ``UsageError`` where nothing is known: the records end here."""
        if iteration not in self._proposals:
            raise self.ending(len(self.known))
        return self._proposals[iteration]

    def time_is_up(self) -> bool:
        """It was told in a proposal."""
        return False

    def keep_proposal(self, proposal: KeptProposal) -> None:
        """All are kept."""

    def keep_step(self, step: TuneStep, texts: Sequence[str]) -> None:
        """Compare a step with the log. Raises ``UsageError`` where that has another one, or none."""
        if step.number > len(self.known):
            raise self.ending(len(self.known))
        _refuse_other_step(self._kept, self.known[step.number - 1], step)
        before, tried, _ = texts
        self._kept.baseline(step.after)
        place = self._kept.diff_file(step.number)
        if step.edit is not None and (not place.exists() or place.read_bytes() != diff_of(before, tried).encode()):
            raise UsageError(
                f"The diff of step {step.number} is not that of its edit",
                where=str(place),
                remedy="It was changed or taken away; the log says what was done.",
            )

    def ending(self, number: int) -> UsageError:
        """The error that the log ends after that step."""
        return UsageError(
            f"The log ends after step {number}, before its campaign does; {number} decisions are the same",
            where=str(self._kept.folder),
            remedy="Where it was killed, go on with `repair tune run --resume`; else the log was shortened.",
        )


def _refuse_other_step(kept: KeptCampaign, known: TuneStep, step: TuneStep) -> None:
    if known != step:
        raise UsageError(
            f"Step {step.number} of the log is not what its records lead to",
            where=str(kept.folder),
            remedy="The records were changed, or the campaign is of another version: begin a new one.",
        )


def run_campaign(
    kept: KeptCampaign, bench: Workbench, source: EditSource | None, say: Callable[[str], None]
) -> tuple[TuneStep, ...]:
    """Run the campaign, or go on with it, to its end. The prompt's file changes with each acceptance, and only then."""
    with kept.hold():
        if kept.reverted_to:
            kept.write_prompt(prompt_file(kept.plan.prompt), kept.reverted_to)  # a kill may have come between
            raise UsageError("The campaign was reverted", where=str(kept.folder), remedy="Begin a new one.")
        hours = kept.plan.most_hours
        until = float("inf") if hours is None else time.monotonic() + 3600 * hours
        keeper = KeptSteps(kept, prompt_file(kept.plan.prompt), until)
        attempts = Attempts(kept.plan, bench.attempter, kept.attempts(), kept.keep_attempt)
        first = kept.baseline(kept.plan.first)
        steps = []
        for step in Tuning(kept.plan, first, kept.task_text(), attempts, source, keeper).steps():
            steps.append(step)
            say(step_line(step))
        return tuple(steps)


def replay(kept: KeptCampaign) -> tuple[TuneStep, ...]:
    """Every decision made again from the records alone. Raises ``UsageError`` at the first that differs in any bit.

    So it does where the log ends before the campaign does, and where it goes on behind that. Raises ``TargetError`` for
    records that are torn or cannot be read.
    """
    kept.refuse_torn()
    keeper = ReplayedSteps(kept)
    attempts = Attempts(kept.plan, None, kept.attempts())
    source = _Nobody() if kept.plan.facts.get(REFLECTOR) else None
    first, steps = kept.baseline(kept.plan.first), list[TuneStep]()
    try:
        for step in Tuning(kept.plan, first, kept.task_text(), attempts, source, keeper).steps():
            steps.append(step)
    except TargetError as problem:
        if len(steps) < len(keeper.known):
            raise
        raise keeper.ending(len(steps)) from problem
    if len(steps) < len(keeper.known):
        raise UsageError(
            f"The log goes on after step {len(steps)}, where its campaign ends",
            where=str(kept.folder),
            remedy="Lines were added to it: take them away, or begin a new campaign.",
        )
    return tuple(steps)


class _Nobody:
    """Proposes nothing: a replay has all proposals."""

    def propose(self, situation: object) -> ProposedEdit:
        """Never asked."""
        raise UsageError("A proposal is not kept", remedy="Only what was proposed then can be replayed.")


def revert(kept: KeptCampaign, number: int | None) -> str:
    """Put back the prompt before that step, or the first one; hand back its digest. The campaign is over by that."""
    with kept.hold():
        steps = {step.number: step.before for step in kept.steps()}
        if number is not None and number not in steps:
            raise UsageError(f"There is no step {number}", where=str(kept.folder), remedy="See `repair tune log`.")
        digest = kept.plan.first if number is None else steps[number]
        file = prompt_file(kept.plan.prompt)
        kept.baseline(digest)
        kept.is_written(file, digest)  # what could refuse does so before it is logged
        if kept.reverted_to != digest:
            kept.keep_revert(digest, number or 1)
        kept.write_prompt(file, digest)
        return digest


def step_line(step: TuneStep) -> str:
    """One step as a line for people."""
    edit = f"{step.edit.kind} {step.edit.at}: " if step.edit is not None else ""
    word = {True: "accepted", False: "rejected"}[step.accepted] if step.kind == "edit" else step.kind
    return f"{step.number:3} {word:9} {edit}{step.reason}"


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What ``tune status --json`` prints: how many steps there are, whether a person went back, and the last step."""

    schema: str
    steps: int
    reverted: bool
    last: TuneStep | None


def lines_taken(kept: KeptCampaign) -> int:
    """How many proposals of the campaign came from its reflector."""
    known = kept.proposals().values()
    return sum(not each.ends and (each.edit is None or each.edit.why != ROTATION) for each in known)
