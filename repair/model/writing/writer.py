"""One part of a program asked of a model, in a thread of its own: who writes tests does not see the implementation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from repair.model.asking import ModelClient, Spent
from repair.model.backend import Message, ModelRequest
from repair.model.prompt import quoted
from repair.model.prompt_files import packaged_prompts
from repair.model.reply import Unusable
from repair.model.writing.sections import Check, read_sections, section_marks
from repair.records.result import Cost
from repair.records.written import NotAsked, ReplyPart, Unwritten, WritingRequest, WrittenFiles

LONGEST_TASK = 64_000
"""Characters of a task: more is not sent."""


@dataclass(frozen=True, slots=True)
class ModelsPrograms:
    """Asks one model. ``check`` says which files cannot be parsed."""

    client: ModelClient
    check: Check
    seed: int = 0

    def write(
        self, asked: WritingRequest, before: tuple[Unwritten, ...], seconds_left: Callable[[], float]
    ) -> WrittenFiles | Unwritten | NotAsked:
        """The files of the part, or why there are none. What came ``before`` of the same request is told with it."""
        prompts = packaged_prompts()
        request = ModelRequest(
            messages_of(asked, before),
            temperature=0.0 if not before else 0.4,
            seed=self.seed,
            prompt=str(prompts.digest),
            bug="the program",
            purpose=f"the {asked.part.lower()}",
        )
        answer = self.client.ask(request, seconds_left)
        if isinstance(answer, Spent):
            return NotAsked(answer.reason)
        read = read_sections(answer, frozenset({asked.part}), self.check)
        return Unwritten(read.kind.value, read.reason) if isinstance(read, Unusable) else read

    @property
    def cost(self) -> Cost:
        """What was used so far."""
        return self.client.meter.cost


def messages_of(asked: WritingRequest, before: tuple[Unwritten, ...] = ()) -> tuple[Message, ...]:
    """The question: what to write and in which form, and then the task and what else is known, as data."""
    prompts, part = packaged_prompts(), asked.part
    rules = [
        prompts.text(f"making/{part.lower()}"),
        prompts.text("rules/data"),
        prompts.text("making/form", marks="\n".join(section_marks(frozenset({part})))),
    ]
    if asked.heads and part is ReplyPart.IMPLEMENTATION:
        rules.append(prompts.text("making/keep"))
    if before:
        rules.append(prompts.text("making/again", reason=before[-1].reason.rstrip(".")))
    told = (
        quoted("The task", asked.task, most=LONGEST_TASK),
        quoted("Sentences of the task that say something", asked.sentences),
        quoted("Public names and signatures", asked.heads),
        quoted("What failed before", asked.failures),
    )
    return Message("system", "\n\n".join(rules)), Message("user", "\n\n".join(filter(None, told)))
