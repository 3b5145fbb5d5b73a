"""One search in a tree as `repair fix` runs it, without gates: what it finds, and after how many edits."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import TestId
from repair.front.run_inputs import limits_of
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.observe.baseline import observe
from repair.observe.groups import groups
from repair.records.plan import localize
from repair.records.ports import Proposer
from repair.records.task import Baseline, Budget
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target


@dataclass(frozen=True, slots=True)
class Searched:
    """What one search came to, and how many tests it was to mend."""

    failing: int
    result: SearchResult

    @property
    def found(self) -> bool:
        """Whether some edit passes."""
        return bool(self.result.survivors)

    @property
    def origins(self) -> tuple[str, ...]:
        """Who made what was found, and by which operators."""
        return tuple(f"{o.proposer}:{o.operator}" for o in (s.candidate.origin for s in self.result.survivors))


def search_tree(
    root: Path,
    tests: Sequence[str],
    proposers: Sequence[Proposer],
    seconds: float,
    *,
    most: int | None = None,
    joins: bool = True,
    seed: int = 0,
    function: str = "",
) -> Searched:
    """Search for the first group of failing tests; ``TargetError`` where there is nothing to mend.

    ``most`` bounds the edits that are drawn, ``function`` names the one that may be edited.
    """
    limits = limits_of(seconds)
    target = open_target(str(root), environ=os.environ)
    with LocalSandbox(target, limits=limits, selection=tuple(tests)) as sandbox:
        seen = observe(sandbox, tuple(map(TestId, tests)), limits, seed)
        if not isinstance(seen, Baseline):
            raise TargetError(f"There is nothing to mend: {seen}", where=str(root))
        sources = sandbox.sources()
        group = next(groups(seen, localize(seen, sources, function)), None)
        if group is None:
            raise TargetError("No function of the tree is a suspect", where=str(root))
        parts = SearchParts(
            sandbox, tuple(proposers), limits, time.monotonic, lambda event: None, jobs=1, seed=seed, joins=joins
        )
        with contextlib.closing(parts.open_pool(group.baseline, sources)) as pool:
            budget = Budget(max_seconds=seconds, max_candidates=most)
            result = SearchLoop(parts, group.baseline, group.localized, sources, budget, pool).run()
        return Searched(len(group.baseline.failing), result)
