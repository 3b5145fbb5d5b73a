"""Does the pool say of a candidate what a cold run of its own says?

Both say how a candidate ends and, where a test fails, which is the first to do so. A pair that differs is looked at
again. Where a second cold run says something else, the candidate has no one answer, and is counted apart.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from analysis.errors import RepairError
from analysis.facts import Digest
from analysis.trials import Trial
from corpora.lab.benchmarks.cold import Cold, open_cold
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.kept import KeptVerdicts, kept_file
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.subject import Subject, open_subject, spread_evenly
from corpora.lab.benchmarks.verdicts import Verdict, Word, pool_verdict
from corpora.lab.benchmarks.work import WORKS, Work
from repair.trials.trial_router import Selection, TrialRouter, TrialTier

_LEAST_SECONDS = 120.0
"""For all cold runs, however late it is."""

_PATIENCE = 4.0
"""How much longer the second cold run may take: a hang is not taken for a slow machine."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the pool said of a trial, and in which tier."""

    verdict: Verdict
    tier: str


@dataclass(frozen=True, slots=True)
class Left:
    """Candidates of one function that the pool leaves to a cold run of its own; they are not compared."""

    name: str
    function: str
    count: int
    why: str

    def __str__(self) -> str:
        return f"Left to a cold run of its own: {self.name}, {self.function} {self.count}: {self.why}."


@dataclass(frozen=True, slots=True)
class Pair:
    """One candidate's verdicts from both sides. ``steady``: no second cold run said something else."""

    name: str
    trial: Trial
    pool: Told
    cold: Verdict
    steady: bool = True

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.pool.verdict.agrees(self.cold)

    def __str__(self) -> str:
        said = f"pool {self.pool.verdict} ({self.pool.tier}), cold {self.cold}"
        doubt = "" if self.steady else "; a second cold run says something else"
        return f"{self.name}, {self.trial.function.qualname}, {self.trial.label}: {said}{doubt}"


def measure_agreement(setup: Setup) -> Measured:
    """The pool's verdicts beside one cold run for each candidate, spread over the libraries as evenly as they reach."""
    pairs: list[Pair] = []
    left: list[Left] = []
    notes: list[str] = []
    works = setup.works or WORKS
    until = max(setup.until, time.monotonic() + _LEAST_SECONDS)
    for place, work in enumerate(works):
        share = min(work.most, -(-(setup.candidates - len(pairs)) // (len(works) - place)))
        seconds = (until - time.monotonic()) / (len(works) - place)
        if seconds <= 0:
            notes.append(f"{work.name} was not compared: the time was over.")
            continue
        try:
            found, handed_on = _pairs_of_work(work, setup, share, time.monotonic() + seconds)
        except (RepairError, OSError, AssertionError) as problem:
            notes.append(f"{work.name} could not be compared: {type(problem).__name__}: {str(problem)[:300]}")
            setup.say(notes[-1])
            continue
        pairs += found
        left += handed_on
    measured = agreement_figures(pairs, left)
    return Measured(measured.rows, measured.numbers, (*measured.notes, *notes))


def agreement_figures(pairs: Sequence[Pair], left: Sequence[Left] = ()) -> Measured:
    """One share over all candidates, how both sides' words go together, and every difference by name."""
    steady = [pair for pair in pairs if pair.steady]
    if not steady:
        return Measured(notes=("verdict_agreement: no candidate got a verdict from both sides.",))
    counts = (
        ("verdict_candidates", len(steady)),
        ("verdict_agreed", sum(pair.agrees for pair in steady)),
        ("verdict_agreed_on_passing", sum(_passes(pair.pool.verdict) is _passes(pair.cold) for pair in steady)),
        ("verdict_passed_cold", sum(_passes(pair.cold) for pair in steady)),
        ("verdict_handed_on", sum(each.count for each in left)),
        ("verdict_unsteady", sum(not pair.steady for pair in pairs)),
    )
    share = sum(pair.agrees for pair in steady) / len(steady)
    each = Counter(pair.name for pair in steady)
    tiers = Counter(pair.pool.tier for pair in steady)
    notes = [
        f"verdict_agreement over {', '.join(f'{name} {count}' for name, count in each.items())};"
        f" in {', '.join(f'{tier} {count}' for tier, count in sorted(tiers.items()))}.",
        *confusion(steady),
        *map(str, left),
        *(f"Differs: {pair}" for pair in pairs if not pair.agrees),
    ]
    return Measured((row("verdict_agreement", {"all": share}),), counts, tuple(notes))


def confusion(pairs: Sequence[Pair]) -> Iterator[str]:
    """For each word of a cold run, what the pool says; another test than the cold run's is named as such."""
    for word in Word:
        said = Counter(_describe_pair(pair) for pair in pairs if pair.cold.word is word)
        if said:
            yield f"Cold {word}: the pool says {', '.join(f'{told} {count}' for told, count in said.most_common())}."


def _describe_pair(pair: Pair) -> str:
    word = pair.pool.verdict.word
    return f"{word} in another test" if word is pair.cold.word and not pair.agrees else str(word)


def _passes(verdict: Verdict) -> bool:
    return verdict.word is Word.PASSED


def _pairs_of_work(work: Work, setup: Setup, share: int, until: float) -> tuple[list[Pair], list[Left]]:
    with open_subject(work, setup.directory, setup.cache, setup.jail) as subject:
        kept = KeptVerdicts(kept_file(setup.directory.parent, work, subject.sandbox.target.interpreter.python))
        return agreement(subject, spread_evenly(subject.trials, share), kept, until, setup.say)


def agreement(
    subject: Subject, trials: Sequence[Trial], kept: KeptVerdicts, until: float, say: Callable[[str], None]
) -> tuple[list[Pair], list[Left]]:
    """Both verdicts for each trial that the pool takes; those without a cold one when the time is over are left out."""
    known = sum(kept.get(trial.digest) is not None for trial in trials)
    say(f"{subject.name}: {len(trials)} candidates, {known} cold verdicts kept")
    pool, left = pool_verdicts(subject, trials)
    asked = [trial for trial in trials if trial.digest in pool]
    first = cold_verdicts(subject, [trial for trial in asked if kept.get(trial.digest) is None], until, kept.add)
    cold = {trial.digest: kept.get(trial.digest) or first.get(trial.digest) for trial in asked}
    pairs = [Pair(subject.name, t, pool[t.digest], said) for t in asked if (said := cold[t.digest]) is not None]
    differing = [pair.trial for pair in pairs if not pair.agrees]
    second = cold_verdicts(subject, differing, float("inf"), lambda trial, verdict: None, _PATIENCE)
    looked = [_judge_again(pair, second.get(pair.trial.digest)) for pair in pairs]
    for pair in looked:
        if not pair.agrees:
            say(str(pair))
    return looked, left


def _judge_again(pair: Pair, second: Verdict | None) -> Pair:
    """The pair after a second cold run, which had more time: where only the time was short, the second one counts."""
    if second is None or second == pair.cold:
        return pair
    late = pair.cold.word is Word.TIMEOUT
    return Pair(pair.name, pair.trial, pair.pool, second if late else pair.cold, steady=late)


def pool_verdicts(subject: Subject, trials: Sequence[Trial]) -> tuple[dict[Digest, Told], list[Left]]:
    """What the pool says of the trials, tier by tier as in a search, and what it leaves to cold runs."""
    asked = Selection(
        subject.tests, subject.sandbox.sources(), subject.limits, subject.sandbox.limits, passes=True, jobs=_workers()
    )
    router = TrialRouter(subject.sandbox, asked)
    try:
        functions = Counter(trial.function for trial in trials)
        cold = {each for each in functions if router.tier_of(each) is TrialTier.COLD}
        told = {o.digest: o for o in router.trials(trial for trial in trials if trial.function not in cold)}
        left = [Left(subject.name, each.qualname, functions[each], router.why(each)) for each in cold]
    finally:
        router.close()
    single = Counter(t.function for t in trials if t.digest in told and told[t.digest].tier == TrialTier.COLD)
    left += [Left(subject.name, each.qualname, count, "what these texts change") for each, count in single.items()]
    pool = {each: Told(pool_verdict(o), o.tier) for each, o in told.items() if o.tier != TrialTier.COLD}
    return pool, left


def cold_verdicts(
    subject: Subject,
    trials: Sequence[Trial],
    until: float,
    keep: Callable[[Digest, Verdict], None],
    patience: float = 1.0,
) -> Mapping[Digest, Verdict]:
    """One cold run's verdict for each trial, a worker for each processor; no run begins after the time is over."""
    if not trials:
        return {}
    free: queue.SimpleQueue[Cold] = queue.SimpleQueue()
    found: dict[Digest, Verdict] = {}

    def look(trial: Trial) -> None:
        if time.monotonic() >= until:
            return
        cold = free.get()
        try:
            found[trial.digest] = cold.verdict(trial, patience)
        finally:
            free.put(cold)
        keep(trial.digest, found[trial.digest])

    with contextlib.ExitStack() as stack, ThreadPoolExecutor(_workers()) as threads:
        for _ in range(_workers()):
            free.put(stack.enter_context(open_cold(subject)))
        list(threads.map(look, trials))
    return found


def _workers() -> int:
    return os.cpu_count() or 1
