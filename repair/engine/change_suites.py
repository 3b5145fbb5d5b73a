"""The suites before and after a change: what is observed of them, and which tests the change has to mend."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace

from analysis.diagnosis import is_test_path
from analysis.errors import UsageError
from analysis.facts import BROKEN, InvalidRun, Outcome, TestId, TestRun
from analysis.functions import span_of
from repair.engine.engine import Engine
from repair.observe.baseline import begin_observing, is_asked, stands_in
from repair.observe.complete_runs import SuiteWatch, TooSlowError
from repair.observe.nearest_first import count_collected
from repair.observe.observation import Observation
from repair.observe.patched import is_quick, suite_with
from repair.observe.touching import pick_first, touching_tests
from repair.observe.uncollected import find_hidden, was_hidden
from repair.records.change import Change
from repair.records.plan import index_functions
from repair.records.task import Baseline
from transforms.patch.foreign_change import FunctionChange


@dataclass(frozen=True, slots=True)
class ChangeSuites:
    """Runs the suites of one change. The ``engine`` works on the program before it, with the tests after it.

    ``demanded`` are tests that fail before and that a person asks for, whatever else is named.
    """

    engine: Engine
    change: Change
    demanded: tuple[TestId, ...] = ()

    def observe(
        self,
        wanted: Sequence[TestId],
        seed: int,
        beside: Executor,
        watch: SuiteWatch,
        functions: Sequence[FunctionChange],
    ) -> Observation:
        """The program before the change. Where the suite is too slow, by the tests that the change can touch.

        Raises ``TooSlowError`` where nothing is known of these.
        """
        engine = self.engine
        begin = functools.partial(
            begin_observing, engine.sandbox, wanted, engine.limits, seed, beside, expect_failure=False, again=False
        )
        texts = dict(engine.sources)
        at_once = all(stands_in(name, texts) for name in wanted)
        try:
            return begin(watch=watch, at_once=at_once)
        except TooSlowError as slow:
            touched = self._find_touched(slow.run, functions)
            if wanted or not touched:
                raise
            try:
                observed = begin(watch=watch, part=touched).what_all_runs_say()
            except UsageError:  # a test that was known is there no more
                raise slow from None
            tests = f"{len(touched)} of {count_collected(slow.run)} observed"
            said = f"{tests}, those known to run what changes: the whole suite takes longer than observing it may"
            told = replace(observed, lost=(*observed.lost, said)) if isinstance(observed, Baseline) else observed
            return Observation(told)

    def _find_touched(self, slow: InvalidRun, functions: Sequence[FunctionChange]) -> tuple[TestId, ...]:
        """The tests that are there, and that ran a changed function or lie in a changed file, as far as is known."""
        texts = dict(self.engine.sources)
        index = index_functions(texts, sorted({each.function.path for each in functions}))
        spans = [span_of(index.get(each.function.path, ()), each.function) for each in functions]
        known = pick_first(touching_tests(self.engine.known_lines(), [span for span in spans if span is not None]))
        changed = {path for path, _ in self.change.after}
        if not slow.collected:  # it was ended before
            return known
        return tuple(test for test in slow.collected if test in known or test.partition("::")[0] in changed)

    def run_after(self, watch: SuiteWatch, tests: Sequence[TestId], *, trace: bool = True) -> TestRun | None:
        """The suite, or these tests, with the change."""
        sandbox, limits = self.engine.sandbox.for_purpose("patched suite"), watch.bound(self.engine.limits)
        return suite_with(sandbox, self.change.after, limits, tests, trace=trace)

    def choose_tests_to_mend(
        self, before: Baseline, wanted: Sequence[TestId], watch: SuiteWatch, ahead: Future[TestRun | None] | None
    ) -> tuple[Baseline, TestRun | None]:
        """The baseline with the tests to mend: those asked for, else those that the change turns green.

        Tests that could not even be collected before (their module needs what the change adds) are
        failures before as well. Beside it stands the suite with the change and its lines, where that is quick.
        ``ahead`` is its run where that was begun beside the one before the change.
        """
        traced = is_quick(before)
        added = {path for path, _ in self.change.after if is_test_path(path) and path.endswith(".py")}
        part = [
            *map(TestId, sorted(added)),
            *(r.test for r in before.outcomes if r.test.partition("::")[0] not in added),
        ]
        if ahead is not None and not before.partial:
            after = ahead.result()
        else:
            after = self.run_after(watch, part if before.partial else (), trace=traced)
        if after is None:
            return before, None
        known = {r.test: r for r in before.outcomes}
        excused = {e.node for e in before.traced.collection_errors} | {p for p, _ in self.change.after}
        new = tuple(was_hidden(each.test) for each in find_hidden(after, {TestId(e) for e in excused}, known))
        broken = {r.test for r in (*before.outcomes, *new) if r.outcome in BROKEN} - set(before.flaky)
        asked = {t for t in broken if is_asked(t, wanted)} if wanted else broken
        failing = {t for t in asked if wanted or after.outcome(t) is Outcome.PASSED} | (broken & set(self.demanded))
        outcomes = tuple(sorted((*before.outcomes, *new), key=lambda r: r.test))
        chosen = replace(before, failing=tuple(sorted(failing)), outcomes=outcomes)
        return chosen, after if traced else None
