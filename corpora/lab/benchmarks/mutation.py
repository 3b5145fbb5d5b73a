"""`make bench-mutation`: the same mutants of the same functions by mutmut and by us, and what each of them costs."""

from __future__ import annotations

import compileall
import datetime
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from analysis.errors import TargetError
from analysis.facts import digest
from corpora.environment import environment
from corpora.lab.benchmarks.cost import Cost
from corpora.lab.benchmarks.figures import Figure, Measured, Row, join_measured, table, write_record
from corpora.lab.benchmarks.mutant_trees import match_mutants, missing_mutants
from corpora.lab.benchmarks.mutation_asked import Answered, Asked, answered_from_json
from corpora.lab.benchmarks.mutation_work import CASES, REQUIREMENTS, Case
from corpora.lab.benchmarks.mutmut_tree import MutmutMutant, MutmutRun, read_mutants, run_mutmut, settle
from corpora.lab.benchmarks.setup import Setup, machine_of, say, versions
from corpora.lab.benchmarks.steps import Step, StepRecords, engine_digest, measure
from corpora.lab.pinned import fetch
from corpora.source_package import case_cache, unpack
from sandbox.jail import choose

STEADY = Figure("mutants_per_second_vs_mutmut", 10, 20)
STEADY_CPU = Figure("mutants_per_cpu_second_vs_mutmut", 10, 20)
WHOLE = Figure("end_to_end_vs_mutmut", 10, 20)
WHOLE_CPU = Figure("end_to_end_cpu_vs_mutmut", 10, 20)
SAME = Figure("same_survivors", 1.0, 1.0)
MADE = Figure("mutmut_mutants_made", 1.0, 1.0)

NOTICED = ("killed", "timeout", "suspicious", "segfault")
"""What mutmut says of a mutant that the tests do not pass on; we call it killed, or a timeout."""


@dataclass(frozen=True, slots=True)
class Rival:
    """mutmut on one function: a run over one mutant, a run over all, and what became of each.

    For a whole module there is no run over one mutant: what happens once is small beside so many.
    """

    one: MutmutRun | None
    every: MutmutRun
    mutants: tuple[MutmutMutant, ...]
    missing: tuple[str, ...]
    """Names of those that we do not make ourselves."""

    @property
    def each(self) -> Cost:
        """What one further mutant costs; what happens once cancels out, for one function."""
        if self.one is None:
            return self.every.cost.each(self.every.tried)
        more = self.every.tried - self.one.tried
        one, every = self.one.cost, self.every.cost
        return Cost(further_seconds(more, one.wall, every.wall), further_seconds(more, one.cpu, every.cpu))


@dataclass(frozen=True, slots=True)
class Ours:
    """One run of ours in a process of its own, and its wall time from start to end."""

    answered: Answered
    wall: float

    @property
    def more(self) -> int:
        """How many mutants more there are in the run over all than in the one over one of each function."""
        return self.answered.every.mutants - self.answered.one.mutants

    @property
    def each_wall(self) -> float:
        """Seconds of one further mutant; the start of the server cancels out."""
        return further_seconds(self.more, self.answered.one.wall, self.answered.every.wall)

    @property
    def each_cpu(self) -> float:
        """The same in processor time, which only a run without walls tells."""
        return further_seconds(self.more, self.answered.one.cpu, self.answered.every.cpu)

    @property
    def whole(self) -> Cost:
        """What a survey costs from nothing, less the later runs that only this bench makes."""
        answered = self.answered
        return Cost(self.wall - answered.later, answered.suite.cpu + answered.first.cpu)


def further_seconds(more: int, one: float, every: float) -> float:
    """The seconds of each of so many mutants more."""
    if more <= 0 or every <= one:
        raise TargetError(f"Two runs do not differ: {more} mutants more took {one:.2f} and then {every:.2f} s")
    return (every - one) / more


@click.command()
@click.option("--only", default="", help=f"Functions, with commas between: {', '.join(case.name for case in CASES)}.")
@click.option("--workers", default="1,2", show_default=True, help="How many at a time, on both sides.")
@click.option("--resume", is_flag=True, help="Go on with a run that was broken off: same engine, same isolation.")
@click.option("--isolation", default="auto", show_default=True, help="Around our runs; mutmut has none.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/mutation.json"), show_default=True)
def main(only: str, workers: str, resume: bool, isolation: str, out: Path) -> None:
    """Measure, print the table, and write the record. A function that cannot be measured is named."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - {case.name for case in CASES}:
        raise click.UsageError(f"There is no function {sorted(unknown)[0]!r}")
    if not all(count.isdecimal() and int(count) for count in workers.split(",")):
        raise click.UsageError("--workers takes numbers with commas between")
    jail = choose(isolation)
    setup = Setup(out.parent / "mutation-trees", case_cache(), jail, 0, 1, 0, say)
    here = Path(__file__).parents[3]
    with_bytecode(here)
    engine = engine_digest(here)
    records = StepRecords(out.parent / "mutation-steps", digest(engine, jail.kind))
    if not resume:
        records.forget()
    counts = [int(count) for count in workers.split(",")]
    chosen = [case for case in CASES if not names or case.name in names]
    began, load = time.monotonic(), os.getloadavg()
    found = measure(
        [Step(f"{c.name}/{n}", partial(measure_case, c, n)) for n in counts for c in chosen], setup, records
    )
    problems = tuple(f"{done.name} could not be measured: {done.problem}" for done in found if done.problem)
    whole = join_measured([*(done.measured for done in found), Measured(notes=problems)])
    click.echo(table(whole))
    for note in whole.notes:
        click.echo(f"- {note}")
    machine: dict[str, object] = {
        **machine_of(),
        "isolation": jail.kind,
        "load_before": load,
        "load_after": os.getloadavg(),
        "seconds": round(time.monotonic() - began),
        "command": " ".join(["make bench-mutation", *(sys.argv[1:] and [f'ARGS="{" ".join(sys.argv[1:])}"'])]),
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    steps = [{"name": d.name, "seconds": d.seconds, "load": d.load, "problem": d.problem} for d in found]
    write_record(out, whole, date=now, versions={**versions(), "engine": engine}, machine=machine, steps=steps)
    click.echo(f"Written to {out}")
    sys.exit(0 if whole.rows else 3)


def with_bytecode(root: Path) -> None:
    """Give our own packages the byte code that pip gives what it installs, mutmut among it."""
    for name in ("analysis", "transforms", "sandbox", "repair", "corpora"):
        if not compileall.compile_dir(root / name, quiet=1, workers=1):
            raise TargetError("Our own program does not compile", where=str(root / name))


def measure_case(case: Case, workers: int, setup: Setup) -> Measured:
    """One function on so many workers: mutmut twice, then what `repair tests` does, behind walls and without."""
    python = environment(REQUIREMENTS, setup.cache)
    subject = case.subject
    root = str(_tree(case, setup, "ours"))
    asked = Asked(root, python, subject.path, subject.qualname, subject.tests, workers, setup.jail.kind)
    rival = _rival(case, workers, setup, python, root)
    own = run_ours(asked)
    if rival is None:
        return without_rival(case, workers, own)
    return figures(case, workers, rival, own, run_ours(replace(asked, isolation="none")))


def _rival(case: Case, workers: int, setup: Setup, python: str, ours: str) -> Rival | None:
    """mutmut's runs in fresh trees; ``None`` where it leaves the function alone."""
    subject = case.subject
    runs: list[MutmutRun] = []
    mutants: tuple[MutmutMutant, ...] = ()
    for chosen in ("*", "1") if subject.qualname else ("*",):
        root = _tree(case, setup, "mutmut")
        settle(root, subject)
        setup.say(f"mutmut run {subject.names}{chosen}")
        run = run_mutmut(root, python, subject.names + chosen, workers)
        if run is None:
            return None
        if not runs:
            mutants = read_mutants(root, subject)
        runs.append(run)
    source = (Path(ours) / subject.path).read_bytes()
    return Rival(runs[1] if len(runs) > 1 else None, runs[0], mutants, missing_mutants(subject, source, mutants))


def _tree(case: Case, setup: Setup, name: str) -> Path:
    """The package unpacked afresh."""
    root = (setup.directory / f"{case.name}-{name}").absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(case.package, setup.cache), root)
    return root


def run_ours(asked: Asked) -> Ours:
    """Our side in a process of its own; raises ``TargetError`` where it does not come to an end."""
    words = [sys.executable, "-m", "corpora.lab.benchmarks.mutation_child"]
    began = time.monotonic()
    run = subprocess.run(words, input=json.dumps(asdict(asked)), capture_output=True, text=True, check=False)
    wall = time.monotonic() - began
    if run.returncode:
        raise TargetError(f"Our own run failed: {run.stderr.strip()[-300:]}", where=asked.root)
    return Ours(answered_from_json(json.loads(run.stdout)), wall)


def figures(case: Case, workers: int, rival: Rival, own: Ours, bare: Ours) -> Measured:
    """All figures of one function, from the runs of both sides; ours are behind walls and without.

    What ends behind walls hands its CPU time to nobody: CPU times are those of the run without.
    """
    name = f"{case.name}×{workers}"
    count = len(rival.mutants)
    states = match_mutants(rival.mutants, own.answered.mutants)
    differing = tuple(differences(rival.mutants, states))
    each, cpu, whole_cpu = own.each_wall, bare.each_cpu, bare.whole.cpu
    rows = (
        Row(STEADY, ((name, rival.each.wall / each),)),
        Row(STEADY_CPU, ((name, rival.each.cpu / cpu),)),
        Row(WHOLE, ((name, rival.every.cost.wall / own.whole.wall),)),
        Row(WHOLE_CPU, ((name, rival.every.cost.cpu / whole_cpu),)),
        Row(SAME, ((name, 1 - len(differing) / (count - states.count(None))),)),
        Row(MADE, ((name, 1 - len(rival.missing) / count),)),
    )
    key = f"{case.name}_{workers}".replace("-", "_")
    ours = [state for _, _, state in own.answered.mutants]
    numbers = (
        (f"mutants_{key}", float(count)),
        (f"survivors_{key}", float(states.count("survived"))),
        (f"own_mutants_{key}", float(len(ours))),
        (f"own_survivors_{key}", float(ours.count("survived"))),
        (f"tests_{key}", float(own.answered.tests)),
        (f"mutmut_ms_{key}", 1000 * rival.each.wall),
        (f"mutmut_cpu_ms_{key}", 1000 * rival.each.cpu),
        (f"mutmut_own_rate_{key}", rival.every.per_second),
        (f"mutmut_whole_seconds_{key}", rival.every.cost.wall),
        (f"mutmut_whole_cpu_seconds_{key}", rival.every.cost.cpu),
        (f"ours_ms_{key}", 1000 * each),
        (f"ours_cpu_ms_{key}", 1000 * cpu),
        (f"ours_suite_seconds_{key}", own.answered.suite.wall),
        (f"ours_whole_seconds_{key}", own.whole.wall),
        (f"ours_whole_cpu_seconds_{key}", whole_cpu),
    )
    what = case.subject.qualname or case.subject.path
    notes = [f"{case.name}: {what}, {case.shape}, {case.package}."]
    notes += [f"{case.name}: {said}" for said in (*differing, *own.answered.reasons)]
    notes += [f"{case.name}: we do not make mutmut's {each}" for each in rival.missing]
    return Measured(rows, numbers, tuple(notes))


def without_rival(case: Case, workers: int, own: Ours) -> Measured:
    """What we do with a function that mutmut leaves alone."""
    states = Counter(state for _, _, state in own.answered.mutants)
    said = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    key = f"{case.name}_{workers}".replace("-", "_")
    numbers = (
        (f"own_mutants_{key}", float(sum(states.values()))),
        (f"own_noticed_{key}", float(states["killed"] + states["timeout"])),
        (f"ours_whole_seconds_{key}", own.whole.wall),
    )
    note = f"{case.name}: {case.subject.qualname} is {case.shape}: mutmut {version('mutmut')} makes no mutant of it."
    return Measured((), numbers, (f"{note} Ours: {said}.",))


def differences(mutants: Sequence[MutmutMutant], states: Sequence[str | None]) -> list[str]:
    """A sentence for each mutant of both sides that one side's tests notice and the other's do not."""
    return [
        f"{mutant.name} is {mutant.state} to mutmut and {state} to us"
        for mutant, state in zip(mutants, states, strict=True)
        if state is not None and (mutant.state in NOTICED) is not (state in ("killed", "timeout"))
    ]


if __name__ == "__main__":
    main()
