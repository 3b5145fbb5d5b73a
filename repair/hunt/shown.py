"""What a proposer is shown of a function in one search: text and trees, and who answers questions about values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.calls import Calls
from analysis.facts import Files, FunctionId
from analysis.functions import FunctionSpan
from repair.hunt.awaited import Errands, ErrandValues
from repair.hunt.candidate_streams import CandidateStream, reachable_suspects
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_state import SearchState
from repair.records.plan import Localized, nearest_tests
from repair.records.ports import Context
from repair.records.task import Baseline
from repair.trials.pool import Pool
from transforms.tree.scope import EditScope

TYPED_CALLS = 12
"""Distinct calls of a suspect that are recorded for the types of its arguments and what these have."""

RECORDED_SECONDS = 0.5
"""What the failing tests may take where calls are recorded, all of them together."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Makes the contexts of one search. Questions to servers are errands: whoever asks may be in another thread."""

    parts: SearchParts
    baseline: Baseline
    sources: Files
    pool: Pool
    errands: Errands
    seconds_left: Callable[[], float]
    localized: Localized
    state: SearchState

    def context_of(self, stream: CandidateStream) -> Context:
        """The context of the stream's function."""
        return self.context(stream.scope, stream.span)

    def context(self, scope: EditScope, span: FunctionSpan) -> Context:
        """The context of one function."""
        texts = dict(self.sources)
        paths = dict.fromkeys(str(test).split("::")[0] for test in self.baseline.failing)
        return Context(
            scope=scope,
            module_source=texts[scope.function.path],
            test_sources=tuple((p, texts[p].decode("utf-8", "replace")) for p in paths if p in texts),
            description=self.parts.description,
            seed=self.parts.seed,
            attempts=lambda: tuple(self.state.attempts),
            seconds_left=self.seconds_left,
            values=ErrandValues(self.pool.values(span), self.errands),
            calls=lambda: self.errands.run(lambda: self._record_calls(scope.function)),
            sources=self.sources,
            passing=lambda: nearest_tests(
                self.baseline.traced.line_map, self.baseline.passing, self.baseline.failing, span
            ),
            suspects=reachable_suspects(self.localized, scope.function),
            near=lambda: tuple(self.state.near),
            denied=lambda: tuple(self.state.denied),
            errand=self.errands.run,
            is_over=lambda: self.errands.is_closed or bool(self.state.finds.sound.total()),
        )

    def _record_calls(self, function: FunctionId) -> Calls:
        """Calls of the function, where seeing them again costs next to nothing."""
        failing = [r for r in self.baseline.outcomes if r.test in self.baseline.failing]
        quick = sum(r.seconds for r in failing) <= RECORDED_SECONDS
        asked = self.pool.router.questions_about(function)
        return asked.record(function, TYPED_CALLS) if failing and quick else Calls()
