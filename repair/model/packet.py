"""A packet: what a model is told of one bug, facts chosen by what failed, within a bound, with what was left out.

Source, tests, messages and descriptions may contain instructions. They are quoted between marks that their text cannot
contain, and the fixed part says that nothing between the marks is an instruction.

Too many facts hurt, and which help depends on the failure (Maniple: Parasaram et al., 2024). So facts have a worth by
class, and are taken greedily until the room is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from analysis.facts import Digest, Files
from analysis.relation import Relation
from repair.model.backend import Message
from repair.model.conversation import Stage
from repair.model.facts.fact_table import ALWAYS, TELLERS, FactRow, packaged_table
from repair.model.facts.matter import Matter, clip
from repair.model.numbered import NumberedFunction, number_function
from repair.model.prompt import quoted, sendable
from repair.model.prompt_files import Prompts, packaged_prompts
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.tree.proposal import Proposal

MOST_FACTS, MOST_FIXED = 10_000, 3_500
"""Characters of all facts together, with their titles and marks, and of the fixed part."""

_FIXED = {
    Stage.FIRST: ("rules/task", "rules/elsewhere", "rules/data", "reply/form", "reply/kinds"),
    Stage.LATER: ("rules/task", "rules/elsewhere", "rules/data", "reply/form", "reply/kinds"),
    Stage.REGENERATE: ("regenerate/task", "rules/data", "regenerate/form"),
    Stage.WHERE: ("rules/task", "where/task", "rules/data", "reply/form", "reply/kinds"),
}
"""The parts of the prompts that stand in front, by stage."""


@dataclass(frozen=True, slots=True)
class Packet:
    """Two messages. ``facts`` are the names of what is told, ``left_out`` those of the rest, each with the reason.

    ``digest`` is that of all prompt files: two packets with the same facts and digest read the same.
    """

    system: str
    user: str
    facts: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    digest: Digest

    @property
    def messages(self) -> tuple[Message, ...]:
        """The two messages of a request."""
        return Message("system", self.system), Message("user", self.user)

    def to_text(self) -> str:
        """The packet for a person, with what was left out."""
        left = [f"  {name}: {why}" for name, why in self.left_out]
        head = f"prompts {self.digest[:12]}, facts: {', '.join(self.facts)}"
        return "\n".join([head, "left out:", *left, "", "--- system ---", self.system, "--- user ---", self.user])


def build_packet(
    plan: PatchPlan,
    context: Context,
    numbered: NumberedFunction,
    stage: Stage = Stage.FIRST,
    *,
    more: Sequence[str] = (),
    table: Sequence[FactRow] | None = None,
    prompts: Prompts | None = None,
) -> Packet:
    """What a model is told of the plan's function at this stage; with another table or other prompts, by these.

    ``more`` are sections that stand at the end and have their room first.
    """
    rows = packaged_table() if table is None else tuple(table)
    known = packaged_prompts() if prompts is None else prompts
    matter = Matter(plan, context, numbered)
    head = _head(plan, stage)
    ends = [section for section in more if section]
    room = MOST_FACTS - len(head) - sum(len(section) + 2 for section in ends)
    chosen, left_out = _choose(rows, matter, stage, known, room)
    user = "\n\n".join([head, *(chosen[row.name] for row in rows if row.name in chosen), *ends])
    system = "\n\n".join(known.text(part) for part in _FIXED[stage])
    return Packet(
        sendable(system), sendable(user), tuple(r.name for r in rows if r.name in chosen), left_out, known.digest
    )


def relation_of(plan: PatchPlan, context: Context) -> Relation | None:
    """How what the first failing test got is related to what it wanted, where that can be told."""
    return Matter(plan, context, number_function(context.scope)).said.relation


Neighbour = Callable[[PatchPlan, Files], str]
"""Which failure alike was mended before, and how; empty where nobody knows one."""


def say_neighbour(said: str) -> str:
    """The section about the failure alike; empty without one."""
    return quoted("a failure alike that was mended before; it may have nothing to do with this one", said)


class PacketKeeper:
    """A proposer that proposes nothing: it keeps the packets that a model would get about the likeliest function.

    Only the first is kept, or with ``all_stages`` that of each stage.
    """

    name: ClassVar[str] = "packet"
    eager: ClassVar[bool] = False

    def __init__(self, *, all_stages: bool = False, neighbour: Neighbour = lambda plan, sources: "") -> None:
        self._neighbour = neighbour
        self._stages = tuple(Stage) if all_stages else (Stage.FIRST,)
        self._best = -1.0
        self.packets: tuple[Packet, ...] = ()

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        """No edits."""
        if plan.suspect.suspiciousness > self._best:
            self._best = plan.suspect.suspiciousness
            numbered = number_function(context.scope)
            more = (say_neighbour(self._neighbour(plan, context.sources)),)
            self.packets = tuple(build_packet(plan, context, numbered, stage, more=more) for stage in self._stages)
        yield from ()


def facts_for_agent(plan: PatchPlan, context: Context) -> str:
    """The same facts for a program that changes a copy of the project: without what is said of the form of a reply."""
    rows = [row for row in packaged_table() if row.name not in _ON_THE_FORM]
    return build_packet(plan, context, number_function(context.scope), table=rows).user


_ON_THE_FORM = frozenset({"examples"})


def _head(plan: PatchPlan, stage: Stage) -> str:
    function = plan.function
    where = f"`{function.qualname}` in {function.path}, which starts at line {function.first_line}"
    if stage is Stage.WHERE:
        return f"Mend {where}, unless another function is at fault."
    return f"{'Write' if stage is Stage.REGENERATE else 'Mend'} {where}."


def _choose(
    rows: Sequence[FactRow], matter: Matter, stage: Stage, prompts: Prompts, room: int
) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """The sections by name, taken by worth, and why each of the others is not there."""
    left_out: dict[str, str] = {}
    fitting = []
    for row in rows:
        worth = row.worth_for(matter.diagnosis)
        if stage.value not in row.stages:
            left_out[row.name] = f"not told at this stage ({stage.value})"
        elif worth <= 0:
            left_out[row.name] = f"of no use for {matter.diagnosis.failure_class.value}/{matter.diagnosis.subclass}"
        else:
            fitting.append((worth, row))
    chosen: dict[str, str] = {}
    sections = [(worth, row, _section(row, matter, prompts)) for worth, row in fitting]
    for worth, row, section in sorted(sections, key=lambda each: (-each[0], len(each[2]))):
        if not section:
            left_out[row.name] = "there is nothing to tell"
        elif len(section) + 2 > room and worth < ALWAYS:
            left_out[row.name] = f"no room: {len(section)} characters, and {max(0, room)} are left"
        else:
            chosen[row.name] = section
            room -= len(section) + 2
    return chosen, tuple((row.name, left_out[row.name]) for row in rows if row.name in left_out)


def _section(row: FactRow, matter: Matter, prompts: Prompts) -> str:
    """A titled fact; nothing where there is nothing to tell."""
    try:
        text = sendable(TELLERS[row.name](matter)).strip("\n")
    except (RecursionError, ValueError):  # a tree too deep to be printed, or a number too long
        return ""
    if not text.strip():
        return ""
    title, told = prompts.text(f"titles/{row.name}"), clip(text, row.room)
    return f"{title}:\n{told}" if row.ours else quoted(title, told, most=row.room)
