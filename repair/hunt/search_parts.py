"""What a search works with, whatever it searches for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.facts import Files, Limits
from repair.records.events import Listener
from repair.records.ports import Proposer, Sandbox
from repair.records.task import Baseline, Strategist, first_strategy
from repair.trials.pool import Pool


@dataclass(frozen=True, slots=True)
class SearchParts:
    """Where trials run, who proposes edits, and who hears of it."""

    sandbox: Sandbox
    proposers: tuple[Proposer, ...]
    limits: Limits
    clock: Callable[[], float]
    listen: Listener
    jobs: int
    seed: int
    description: str = ""
    module_imports: bool = False
    """Whether imports that an edit needs may go to module level, as a named exemption."""
    strategist: Strategist = first_strategy
    """What earlier runs say of the proposers; a first run's unless somebody asked for a remembered order."""
    asked_at_once: int = 1
    """About how many functions who waits for outcomes is asked at the same time."""
    joins: bool = True
    """Whether edits that came near are united, and gone on from."""

    @property
    def costs_money(self) -> bool:
        """Whether some proposer waits for outcomes: such a one is paid for its answers."""
        return any(not proposer.eager for proposer in self.proposers)

    @property
    def asked(self) -> frozenset[str]:
        """The names of the proposers that wait for outcomes."""
        return frozenset(proposer.name for proposer in self.proposers if not proposer.eager)

    def open_pool(self, baseline: Baseline, sources: Files) -> Pool:
        """The servers for the failing tests of this baseline; whoever opens them closes them."""
        return Pool(self.sandbox, baseline, sources, self.limits, self.jobs)
