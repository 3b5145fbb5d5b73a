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

from analysis.facts import FailureClass
from analysis.relation import Relation
from corpora.lab.benchmarks.canaries import canaries_found, carried_canaries
from corpora.lab.benchmarks.forecast import forecast_figures
from corpora.lab.benchmarks.history_reach import reach_figures, siblings_figures, twin_figures
from corpora.lab.benchmarks.memory_states import stream_figures, verdict_figures
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.unreached import travelling_figures, unreached_figures
from corpora.lab.benchmarks.unrelated import unrelated_figures
from corpora.lab.benchmarks.word_forecast import word_figures
from repair.memory.ledger import FILE, LedgerEntry, RunLedger
from repair.memory.run_memory import FAMILIES
from repair.memory.signature import FailureSignature

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


PARTS = (
    "cost",
    "canaries",
    "streams",
    "twins",
    "history",
    "why",
    "forecast",
    "words",
    "travel",
    "unrelated",
    "verdicts",
)
"""What is measured: the first three need nothing, the last one is slow, and the others need clones."""

OF_HISTORIES = ("twins", "history", "why", "forecast", "words", "travel", "unrelated")


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
    help="A clone whose history is walked forward, and in which faults are planted; several times for several",
)
@click.option(
    "--fixes", type=click.IntRange(1), default=25, show_default=True, help="Fixes, and twins, of each history"
)
@click.option("--bugs", type=click.IntRange(1), default=30, show_default=True, help="Bugs of streams and verdicts")
@click.option("--mistakes", type=click.IntRange(1), default=50, show_default=True, help="Unrelated ones, in all")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="This alone; repeatable")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep what was seen of commits, or said of bugs")
def main(parts: tuple[str, ...], out: Path, **given: Any) -> None:
    """Measure, print a line a figure, and write the record."""
    asked = parts or (*PARTS[:3], *(OF_HISTORIES if given["histories"] else ()))
    if not given["histories"] and set(asked) & set(OF_HISTORIES):
        raise click.UsageError("These parts are measured on clones: name some with --history.")
    figures = {name: value for part in asked for name, value in measure_part(part, **given).items()}
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


def measure_part(
    part: str,
    *,
    attempts: int,
    projects: int,
    rounds: int,
    canaries: int,
    histories: tuple[Path, ...],
    fixes: int,
    bugs: int,
    mistakes: int,
    keep: Path | None,
) -> dict[str, Any]:
    """The figures of one part, by name."""
    with tempfile.TemporaryDirectory(prefix="memory-") as place:
        folder = Path(place)
        match part:
            case "cost":
                return cost_of(folder, attempts, projects, rounds)
            case "canaries":
                (ledger := folder / "ledger").mkdir()
                found = canaries_found(ledger, canaries)
                carried = carried_canaries(folder / "carried", canaries, drawn(200))
                return {"canaries": canaries, "canaries_found": found, "canaries_carried": carried}
            case "streams":
                return {"streams": stream_figures(bugs, drawn)}
            case "verdicts":
                return {"verdicts": verdict_figures(bugs, drawn, keep)}
            case "twins":
                return {"twins": twin_figures(histories, fixes), "siblings": siblings_figures(histories, fixes)}
            case "history":
                return {"history": reach_figures(histories, fixes)}
            case "why":
                return {"why_unreached": unreached_figures(histories, fixes, fixes)}
            case "forecast":
                return {"forecast": forecast_figures(histories, keep, say)}
            case "travel":
                return {"travelling": travelling_figures(histories, say)}
            case "words":
                return {"words": word_figures(histories, keep, say)}
            case _:
                return {"unrelated": unrelated_figures(histories, mistakes, drawn(300), TODAY)}


def drawn(count: int) -> list[LedgerEntry]:
    """So many attempts, always the same."""
    return list(drawn_attempts(count, 26))


if __name__ == "__main__":
    main()
