"""What a candidate costs in the pool: forks and batches, one core and two, behind walls and without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts import InvalidRun
from analysis.trials import Trial, TrialState
from corpora.lab.benchmarks.cost import Cost, meter_cost
from corpora.lab.benchmarks.subject import Subject
from sandbox.jail_protocol import NO_JAIL
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

SINGLES_FIRST = 32
"""A session gives so many trials a fork of their own before it batches; what is timed comes after them."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run trials: ``alone`` each in a fork of its own, else as a session does once it has begun to batch."""

    name: str
    alone: bool
    jobs: int = 1
    walls: bool = True


FORK = Variant("fork", alone=True)
BATCH = Variant("batch", alone=False)
BATCH_ALL = Variant("batch_all", alone=False)
FORK_TWO = Variant("fork_two", alone=True, jobs=2)
FORK_OPEN = Variant("fork_open", alone=True, walls=False)


@dataclass(frozen=True, slots=True)
class Steady:
    """A subject's trials that end by themselves (of others a deadline would be measured), and those that fail."""

    trials: tuple[Trial, ...]
    failing: tuple[Trial, ...]


def costs(
    subject: Subject, work: Sequence[tuple[Variant, Sequence[Trial]]], rounds: int
) -> dict[str, tuple[Cost, ...]]:
    """For each variant the cost of a candidate in each round; the variants take turns, so that load hits all alike."""
    found: dict[str, list[Cost]] = {variant.name: [] for variant, _ in work}
    with contextlib.ExitStack() as stack:
        servers = [(v, ask_alone(v, trials), stack.enter_context(open_server(subject, v))) for v, trials in work]
        for _, trials, server in servers:
            for _ in range(1 + SINGLES_FIRST // len(trials)):
                run_all(server, trials)
        for place in range(rounds):
            for variant, trials, server in servers[:: 1 if place % 2 else -1]:
                found[variant.name].append(time_trials(server, trials))
    return {name: tuple(each) for name, each in found.items()}


def ask_alone(variant: Variant, trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """The trials as they are asked for: a patient one, as a search asks for again, shares its fork with no other."""
    return tuple(replace(trial, patient=variant.alone) for trial in trials)


@contextlib.contextmanager
def open_server(subject: Subject, variant: Variant) -> Iterator[WarmServer]:
    """A warm server of that kind; closed at the end."""
    with contextlib.ExitStack() as stack:
        sandbox = subject.sandbox
        if not variant.walls:
            sandbox = stack.enter_context(LocalSandbox(sandbox.target, limits=sandbox.limits, jail=NO_JAIL))
        server = sandbox.warm(subject.tests, limits=subject.limits, jobs=variant.jobs)
        assert not isinstance(server, InvalidRun), f"no warm server for {subject.name}: {server}"
        stack.callback(server.close)
        assert not server.hindrance(subject.trials[0].function), f"the canary of {subject.name} is not noticed"
        yield server


def run_all(server: WarmServer, trials: Sequence[Trial]) -> dict[str, TrialState]:
    """The state of each trial, by digest."""
    return {outcome.digest: outcome.state for outcome in server.trials(trials)}


def time_trials(server: WarmServer, trials: Sequence[Trial]) -> Cost:
    """What one candidate costs, the engine's own part included."""
    with meter_cost(server.pid) as meter:
        states = run_all(server, trials)
    lost = [state for state in states.values() if state not in (TrialState.PASSED, TrialState.FAILED)]
    assert len(states) == len(trials), "each trial has one outcome"
    assert len(lost) * 20 <= len(trials), f"{len(lost)} of {len(trials)} trials were not run to an end"
    return meter.cost.each(len(trials))


def find_steady(subject: Subject) -> Steady:
    """Run all trials once to see how they end."""
    with open_server(subject, FORK_TWO) as server:
        states = run_all(server, ask_alone(FORK_TWO, subject.trials))
    failing = tuple(t for t in subject.trials if states[t.digest] is TrialState.FAILED)
    ended = tuple(t for t in subject.trials if states[t.digest] in (TrialState.PASSED, TrialState.FAILED))
    assert failing, f"no mutant of {subject.name} fails"
    return Steady(ended, failing)
