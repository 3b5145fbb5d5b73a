"""A proposer of a third party: its edits carry the name by which it was asked for, whatever it calls itself.

It runs in the engine's process with its rights: whoever installs one beside the engine trusts its code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from analysis.errors import RepairError
from repair.records.events import Listener, event
from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause
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
        except RepairError:
            raise
        except Exception as problem:  # noqa: BLE001 - a stranger's defect ends its edits, and not the run
            said = f"the proposer {self.name} failed: {type(problem).__name__}: {problem}"
            self.listen(event("warning", message=said))
