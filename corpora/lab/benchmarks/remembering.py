"""What the memory of earlier runs costs when it is full, and whether text of a project gets into its shared file.

The attempts are drawn from a fixed seed, and no run is made. With ``--history`` it is measured what a project's own
commits earn as a source of edits.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, Suspect, TestId
from analysis.relation import Relation
from corpora.lab.benchmarks.history_reach import reach_figures, siblings_figures, twin_figures
from corpora.lab.benchmarks.setup import machine_of, say, versions
from repair.memory.ledger import FILE, LedgerEntry, RunLedger
from repair.memory.run_memory import FAMILIES, RunMemory
from repair.memory.signature import FailureSignature
from repair.records.outcome import RunOutcome
from repair.records.result import Status

KEY, TODAY = b"bench" * 8, 20_000
OUTCOMES = ("certified", "plausible", "unrepaired", "rejected", "applied")
SHAPES = ("short", "short loop", "medium", "medium loop", "long", "long loop")
EXCEPTIONS = ("AssertionError", "KeyError", "TypeError", "ValueError", "IndexError", "own")
SUBCLASSES = ("wrong_value", "missing_key", "wrong_type", "empty", "")


def drawn_attempts(count: int, seed: int) -> Iterator[LedgerEntry]:
    """So many attempts of two years, one a run; the same for the same seed."""
    source = random.Random(seed)
    families = sorted(set(FAMILIES.values()))
    relations = ("", *(each.name.lower() for each in Relation))
    for number in range(count):
        like = FailureSignature(
            source.choice(tuple(FailureClass)).value,
            *(source.choice(words) for words in (SUBCLASSES, relations, EXCEPTIONS, SHAPES)),
        )
        day, family, outcome = TODAY - source.randrange(730), source.choice(families), source.choice(OUTCOMES)
        yield LedgerEntry(f"run-{seed}-{number:06d}", 1, day, like, "search", family, outcome, 40, 2.5)


def cost_of(folder: Path, attempts: int, projects: int, rounds: int) -> dict[str, Any]:
    """Milliseconds of a look-up and of a write in a full ledger, of the first question to it, and its size."""
    ledgers = [RunLedger(folder / FILE, KEY, f"/project-{number}") for number in range(projects)]
    began = time.monotonic()
    for number, ledger in enumerate(ledgers):
        ledger.add(drawn_attempts(attempts // projects, number))
    filled = time.monotonic() - began
    mine, alike = ledgers[0], [each.signature for each in drawn_attempts(rounds, projects)]
    first = _took(lambda: mine.tallies(alike[0], TODAY, of_all=True))
    own = [_took(lambda like=like: mine.tallies(like, TODAY, of_all=False)) for like in alike]  # type: ignore[misc]
    every = [_took(lambda like=like: mine.tallies(like, TODAY, of_all=True)) for like in alike]  # type: ignore[misc]
    writes = [_took(lambda one=one: mine.add([one])) for one in drawn_attempts(rounds, -1)]  # type: ignore[misc]
    size = sum(each.stat().st_size for each in folder.iterdir())
    return {
        "attempts": attempts,
        "fill_seconds": round(filled, 1),
        "first_lookup_ms": round(first[0], 2),
        **_summary("project_lookup", own),
        **_summary("all_lookup", every),
        **_summary("write", writes),
        "megabytes": round(size / 1e6, 1),
    }


def canaries_found(folder: Path, count: int) -> int:
    """How many of so many drawn identifiers are in the file's bytes, after failures made of them were written down.

    They are names of tests, functions, files, exceptions and projects, and texts of messages and sources.
    """
    source = random.Random(count)
    words = [f"canary{source.getrandbits(64):016x}" for _ in range(count)]
    for number in range(0, count - 4, 5):
        path, name, test, exception, project = words[number : number + 5]
        failure = Failure(
            TestId(f"tests/test_{path}.py::{test}"),
            Phase.CALL,
            Outcome.FAILED,
            (SeenError(exception, (exception,), f"{name} is no {path}", ()),),
            f"{name} is no {path}",
        )
        function = FunctionId(f"{path}.py", name, 1)
        ending = RunOutcome(
            Status.UNREPAIRED,
            (Diagnosis(failure, FailureClass.LOGIC, "wrong_value", ()),),
            (Suspect(function, 1.0, ()),),
        )
        memory = RunMemory((RunLedger(folder / FILE, KEY, f"/home/{project}"),), TODAY)
        memory.keep(f"run-{number}", ending, ((f"{path}.py", f"def {name}({test}):\n    return 1\n".encode()),))
        assert not memory.warnings, memory.warnings
    kept = b"".join(each.read_bytes() for each in folder.iterdir())
    return sum(word.encode() in kept for word in words)


def _took(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds on the wall, and of processor time."""
    began, spent = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - began) * 1000, (time.process_time() - spent) * 1000


def _summary(name: str, took: list[tuple[float, float]]) -> dict[str, float]:
    """Half of the times were no longer than the first figure, 95 of 100 than the second; then processor time."""
    walls = sorted(wall for wall, _ in took)
    return {
        f"{name}_ms": round(statistics.median(walls), 2),
        f"{name}_95_ms": round(walls[int(0.95 * (len(walls) - 1))], 2),
        f"{name}_processor_ms": round(statistics.median(spent for _, spent in took), 2),
    }


@click.command()
@click.option("--attempts", type=click.IntRange(100), default=100_000, show_default=True)
@click.option("--projects", type=click.IntRange(1), default=50, show_default=True)
@click.option("--rounds", type=click.IntRange(2), default=200, show_default=True)
@click.option("--canaries", type=click.IntRange(5), default=1_000, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/memory.json"), show_default=True)
@click.option(
    "--history",
    "histories",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A clone whose history is walked forward, and in which twin faults are planted; several times for several",
)
@click.option(
    "--fixes", type=click.IntRange(1), default=25, show_default=True, help="Fixes, and twins, of each history"
)
def main(
    attempts: int, projects: int, rounds: int, canaries: int, out: Path, histories: tuple[Path, ...], fixes: int
) -> None:
    """Measure, print a line a figure, and write the record."""
    with tempfile.TemporaryDirectory(prefix="memory-") as full, tempfile.TemporaryDirectory(prefix="memory-") as small:
        figures = cost_of(Path(full), attempts, projects, rounds)
        figures |= {"canaries": canaries, "canaries_found": canaries_found(Path(small), canaries)}
    if histories:
        figures |= {"twins": twin_figures(histories, fixes), "siblings": siblings_figures(histories, fixes)}
        figures |= {"history": reach_figures(histories, fixes)}
    for name, value in figures.items():
        say(f"{name}: {value}")
    record = {
        "date": f"{datetime.date.today()}",
        "versions": versions(),
        "machine": {**machine_of(), "load": os.getloadavg()},
        "figures": figures,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, indent=1) + "\n")
    say(f"written to {out}")


if __name__ == "__main__":
    main()
