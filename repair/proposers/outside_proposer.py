"""A proposer of a third party: its edits carry the name by which it was asked for, whatever it calls itself.

It runs in the engine's process with its rights: whoever installs one beside the engine trusts its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from analysis.errors import OutOfTimeError
from repair.records.events import Listener, event
from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause
from repair.records.wording import words_of_failure
from transforms.tree.proposal import Proposal


@dataclass(frozen=True, slots=True)
class OutsideProposer:
    """Conforms to ``Proposer``: hands on a third party's edits, as edits of that name; its failure ends them."""

    name: str
    proposer: Any
    listen: Listener
    eager: bool = False

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Its edits for the plan's one function, and nothing else that it gives."""
        try:
            for made in self.proposer.propose(plan, context):
                if isinstance(made, Proposal):
                    yield replace(made, origin=replace(made.origin, proposer=self.name))
                elif isinstance(made, Pause):
                    yield made
        except OutOfTimeError:  # of the run itself, whose end is no failure of theirs
            raise
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - a stranger's defect ends its edits, and not the run
            said = f"the proposer {self.name} failed: {words_of_failure(problem)}"
            self.listen(event("warning", message=said))


def make_outside_proposer(name: str, make: Callable[[], Any], listen: Listener) -> OutsideProposer:
    """The proposer of that name; one that cannot be made proposes nothing, which is told."""
    try:
        return OutsideProposer(name, make(), listen)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - a stranger's defect costs its edits, and not the run
        listen(event("warning", message=f"the proposer {name} cannot be made: {words_of_failure(problem)}"))
        return OutsideProposer(name, _Nobody(), listen)


class _Nobody:
    """Stands for a proposer that could not be made."""

    def propose(self, _plan: PatchPlan, _context: Context) -> Iterator[Proposal]:
        return iter(())
