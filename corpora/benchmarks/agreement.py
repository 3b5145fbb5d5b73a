"""Does the pool say of a candidate what a cold run of its own says?"""

from __future__ import annotations

import contextlib
import os
import queue
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from analysis.facts import Digest, InvalidRun
from analysis.trials import Trial, TrialOutcome, TrialState
from corpora.benchmarks.cold import Cold, opened_cold
from corpora.benchmarks.figures import Measured, row
from corpora.benchmarks.setup import Setup
from corpora.benchmarks.subject import Subject, evenly, opened
from corpora.benchmarks.work import WORKS


@dataclass(frozen=True, slots=True)
class Agreement:
    """``compared`` candidates got a verdict from both. ``abstained`` are those that the pool hands on to a cold run."""

    name: str
    compared: int
    agreed: int
    passed: int
    abstained: int
    differences: tuple[str, ...]


def agreeing(setup: Setup) -> Measured:
    """The pool's verdicts beside one cold run for each candidate, spread over the libraries as evenly as they reach."""
    found: list[Agreement] = []
    for place, work in enumerate(WORKS):
        wanted = setup.candidates - sum(a.compared for a in found)
        share = min(work.most, -(-wanted // (len(WORKS) - place)))
        with opened(work, setup.directory, setup.cache, setup.jail) as subject:
            found.append(agreement(subject, evenly(subject.trials, share), setup.say))
    return agreement_figures(found)


def agreement_figures(found: Sequence[Agreement]) -> Measured:
    """One share over all candidates, and every difference by name."""
    total = sum(a.compared for a in found)
    share = sum(a.agreed for a in found) / total
    counts: Sequence[tuple[str, float]] = (
        ("verdict_candidates", total),
        ("verdict_agreed", sum(a.agreed for a in found)),
        ("verdict_passed_cold", sum(a.passed for a in found)),
        ("verdict_abstained", sum(a.abstained for a in found)),
    )
    spread = ", ".join(f"{a.name} {a.compared}" for a in found)
    notes = (f"verdict_agreement over {spread}.", *(d for a in found for d in a.differences))
    return Measured((row("verdict_agreement", {"all": share}),), tuple(counts), notes)


def agreement(subject: Subject, trials: Sequence[Trial], say: Callable[[str], None]) -> Agreement:
    """Run each trial in the pool, as a search does, and cold; the verdict is whether all tests pass."""
    warm = pool_outcomes(subject, trials)
    asked = [trial for trial in trials if warm[trial.digest].state is not TrialState.INVALID]
    say(f"{subject.name}: {len(asked)} cold runs")
    return compared(subject.name, trials, warm, cold_words(subject, asked))


def compared(
    name: str, trials: Sequence[Trial], warm: Mapping[Digest, TrialOutcome], cold: Mapping[Digest, str]
) -> Agreement:
    """Count both sides' verdicts."""
    asked = [trial for trial in trials if trial.digest in cold]
    passed = [trial for trial in asked if cold[trial.digest] == "passed"]
    differing = [t for t in asked if (warm[t.digest].state is TrialState.PASSED) != (cold[t.digest] == "passed")]
    said = (
        f"{name}, {t.function.qualname}, {t.label}: pool {warm[t.digest].state.value}, cold {cold[t.digest]}"
        for t in differing
    )
    return Agreement(name, len(asked), len(asked) - len(differing), len(passed), len(trials) - len(asked), tuple(said))


def pool_outcomes(subject: Subject, trials: Sequence[Trial]) -> dict[Digest, TrialOutcome]:
    """What the pool says of all trials, all functions of the subject through one server.

    Those of a function that the canary does not notice are invalid, as they would be run cold.
    """
    server = subject.sandbox.warm(subject.tests, limits=subject.limits)
    assert not isinstance(server, InvalidRun), f"no warm server for {subject.name}: {server}"
    try:
        served = {f for f in {t.function for t in trials} if server.effective(f)}
        found = {o.digest: o for o in server.trials(t for t in trials if t.function in served)}
    finally:
        server.close()
    unserved = (t.digest for t in trials if t.function not in served)
    return {**found, **{each: TrialOutcome(each, TrialState.INVALID, None, "needs a cold run") for each in unserved}}


def cold_words(subject: Subject, trials: Iterable[Trial]) -> dict[Digest, str]:
    """The word of one cold run for each trial, a lane for each processor."""
    free: queue.SimpleQueue[Cold] = queue.SimpleQueue()

    def word(trial: Trial) -> tuple[Digest, str]:
        cold = free.get()
        try:
            return trial.digest, cold.run(trial)[0]
        finally:
            free.put(cold)

    lanes = os.cpu_count() or 1
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(lanes) as threads:
        for _ in range(lanes):
            free.put(stack.enter_context(opened_cold(subject)))
        return dict(threads.map(word, trials))
