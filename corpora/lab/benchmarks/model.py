"""`make bench-model`: search, a model and both together, where the model is an oracle whose truth is known.

Beside it stands what the two do for each other, with and without. The search builds edits of a model's words
(`words_reach.py`), and near edits are united (`fusion.py`).

Three configurations mend the same bugs in the same time, and the two with the oracle have the same requests and get the
same answers. Their patches are judged like all others and compared with the reference. A run that ends early goes on
where it was.
"""

from __future__ import annotations

import datetime
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import mean
from typing import Any

import click

from corpora.bench.configuration import PRESETS, Configuration
from corpora.bench.grading import grade, read_rows
from corpora.bench.manifest import manifest_of, write_manifest
from corpora.bench.method import measure
from corpora.bench.plan import Job, make_plan, open_corpora
from corpora.bench.record import BenchRecord, Ledger, read_records
from corpora.bench.run_bench import left_to_do, open_crew, run_jobs
from corpora.bench.scoring import Bench
from corpora.bench.statistics import Paired, compare_pairs
from corpora.bench.summary import ScoredCell, first_seeds
from corpora.bug import Bug, Corpus
from corpora.lab.benchmarks.figures import Figure, Measured, Row, join_measured, table, write_record
from corpora.lab.benchmarks.fusion import PAIR_EDITS, Tried, fusion_figures, try_bugs
from corpora.lab.benchmarks.noisy_oracle import NEAR, Chances, Place, Script, script_of, serve
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.words_reach import Reached, reach, words_figures

SEARCH, MODEL, HYBRID = ARMS = ("search", "model", "hybrid")

REQUESTS = 3

SERVED = "served.txt"
"""The answers that each cell got, one JSON object a line. It is no record of the bench, so no reader of one sees it."""

SHARES = ("plausible", "certified", "agrees", "wrong_certified")
AMOUNTS = ("requests", "wasted", "tokens")

ORACLE_GAIN = Figure("hybrid_noisy_oracle", 0.25, 0.4)
"""Hybrid less model alone, as shares of the bugs whose answer agrees with the reference."""


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@click.option("--bugs", default="*", show_default=True, help="Only bugs of such ids.")
@click.option("--most", type=click.IntRange(min=1), default=60, show_default=True, help="So many bugs at most.")
@click.option("--requests", type=click.IntRange(min=1), default=REQUESTS, show_default=True, help="For each bug.")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="For each bug and configuration.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--arms", type=click.Choice(ARMS), multiple=True, default=ARMS, show_default=True)
@click.option("--python", default="", metavar="PATH", help="Runs the tests of real bugs.")
@click.option("--fixes", type=click.IntRange(min=0), default=30, show_default=True, help="That words are to reach.")
@click.option("--pairs", type=click.IntRange(min=0), default=30, show_default=True, help="Two-place bugs to fuse.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Bugs at once.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/model"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/model.json"), show_default=True)
def main(
    corpora: tuple[str, ...],
    bugs: str,
    most: int,
    requests: int,
    seconds: float,
    seed: int,
    arms: tuple[str, ...],
    python: str,
    fixes: int,
    pairs: int,
    jobs: int,
    folder: Path,
    out: Path,
) -> None:
    """Mend bugs of these CORPORA by search, by an oracle, and by both, and say what came of it."""
    configurations = tuple(configuration_of(arm, seconds) for arm in arms)
    opened, notes = open_corpora(corpora)
    by_name = {corpus.name: corpus for corpus in opened}
    plan = make_plan(opened, configurations, (seed,), pattern=bugs, python=python)
    scripts = _scripts(plan.jobs, by_name, most)
    every = [job for job in plan.jobs if (job.cell.corpus, job.bug.id) in scripts]
    folder.mkdir(parents=True, exist_ok=True)
    write_manifest(folder, manifest_of(list(by_name), configurations, (seed,), plan, _now(), {}))
    keys = [(job.cell.corpus, job.bug.id) for job in every]
    places = {str(n): Place(scripts[key], seed, Chances(), requests) for n, key in enumerate(keys)}
    numbers = {job.cell: str(n) for n, job in enumerate(every)}

    def listen(record: BenchRecord, repeat: bool) -> None:
        served = places[numbers[record.cell]].served
        kept = {**asdict(record.cell), "served": [[each.kind, each.maker] for each in served]}
        with (folder / SERVED).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(kept) + "\n")
        served.clear()
        say(
            f"{record.cell.configuration}: {record.cell.bug}: {record.result.status if record.result else record.error}"
        )

    with Ledger(folder) as ledger, serve(places) as url, open_crew(measure, jobs, "") as crew:
        asked = [
            replace(job, configuration=replace(job.configuration, base_url=f"{url}/{n}/v1"))
            for n, job in enumerate(every)
        ]
        waiting = left_to_do(asked, read_records(folder)[0])
        say(f"{len(waiting)} of {len(asked)} cells to run: {len(scripts)} bugs")
        run_jobs(waiting, crew, ledger, listen)
    grade(folder, Bench(python), jobs, say)
    rows = bug_rows(first_seeds_of_arms(read_rows(folder)[0]), read_served(folder))
    together = (_reach_words(opened, fixes, seed), _fuse(opened, pairs, seed))
    measured = join_measured((figures_of_rows(rows, notes), *(part for part in together if part is not None)))
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    machine = {**machine_of(), "load": os.getloadavg()}
    write_record(out, measured, date=_now(), versions=versions(), machine=machine, steps=rows)


def configuration_of(arm: str, seconds: float) -> Configuration:
    """The bench's preset of this name, with the oracle for a model."""
    (preset,) = (each for each in PRESETS if each.name == arm)
    return replace(preset, model="" if arm == SEARCH else "noisy-oracle", max_seconds=seconds)


def _reach_words(corpora: Sequence[Corpus], most: int, seed: int) -> Measured | None:
    """What words reach of so many fixes of these corpora; ``None`` where none was asked for or found."""
    reached: list[Reached] = []
    for corpus in corpora:
        bugs = (bug for bug in corpus.bugs() if isinstance(bug, Bug))
        for each in reach(corpus, bugs, most - len(reached), seed):
            say(each.line)
            reached.append(each)
    return words_figures(reached) if reached else None


def _fuse(corpora: Sequence[Corpus], most: int, seed: int) -> Measured | None:
    """What is mended of so many two-place bugs of these corpora; ``None`` where none was asked for or made."""
    tried: list[Tried] = []
    for corpus in corpora:
        for each in try_bugs(corpus, most - len(tried), PAIR_EDITS, seed):
            say(each.line)
            tried.append(each)
    return fusion_figures(tried) if tried else None


def _scripts(jobs: Sequence[Job], corpora: Mapping[str, Corpus], most: int) -> dict[tuple[str, str], Script]:
    """What the oracle knows, by corpus and bug; of bugs without a reference in one function nothing."""
    found: dict[tuple[str, str], Script] = {}
    seen: set[tuple[str, str]] = set()
    for job in jobs:
        key = (job.cell.corpus, job.bug.id)
        if key in seen or len(found) >= most:
            continue
        seen.add(key)
        script = script_of(job.bug, corpora[job.cell.corpus])
        if isinstance(script, Script):
            found[key] = script
        else:
            say(f"{job.bug.id} is left out: {script}")
    return found


def first_seeds_of_arms(cells: Sequence[ScoredCell]) -> list[ScoredCell]:
    """What counts of all cells: each bug once for each arm, where the machine has not failed it."""
    by_arm = ([cell for cell in cells if cell.cell.configuration == arm and not cell.failed] for arm in ARMS)
    return [cell for own in by_arm for cell in first_seeds(own)]


def read_served(folder: Path) -> dict[tuple[str, str, str], list[tuple[str, str]]]:
    """The kinds and makers of the answers that each arm got, by corpus, bug and arm: those of its last attempt."""
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    path = folder / SERVED
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        kept = json.loads(line)
        key = (kept["corpus"], kept["bug"], kept["configuration"])
        found[key] = [(kind, maker) for kind, maker in kept["served"]]
    return found


def bug_rows(
    cells: Sequence[ScoredCell], served: Mapping[tuple[str, str, str], Sequence[tuple[str, str]]]
) -> list[dict[str, Any]]:
    """One row for each bug and arm."""
    return [_row(cell, served.get((cell.cell.corpus, cell.cell.bug, cell.cell.configuration), ())) for cell in cells]


def _row(cell: ScoredCell, served: Sequence[tuple[str, str]]) -> dict[str, Any]:
    result = cell.record.result
    assert result is not None, "cells that the machine has failed are left out"
    drawn = Counter(kind for kind, _ in served)
    return {
        "corpus": cell.cell.corpus,
        "bug": cell.cell.bug,
        "arm": cell.cell.configuration,
        "plausible": cell.answered,
        "certified": cell.certified,
        "agrees": cell.agrees,
        "wrong_certified": cell.certified and cell.differs,
        "requests": result.cost.requests,
        "wasted": cell.wasted_requests,
        "tokens": result.cost.input_tokens + result.cost.output_tokens,
        "usd": None,
        "origin": cell.origin,
        "served": dict(drawn),
        "near_by_others": sum(answer == (NEAR, "others") for answer in served),
    }


def figures_of_rows(rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()) -> Measured:
    """What the rows come to: each arm by itself, and the hybrid beside either of the others on the same bugs."""
    numbers, said = list[tuple[str, float]](), list(notes)
    arms = {arm: {(r["corpus"], r["bug"]): r for r in rows if r["arm"] == arm} for arm in ARMS}
    for arm, own in arms.items():
        if own:
            numbers += [(f"{arm}_bugs", len(own))]
            numbers += [(f"{arm}_{name}", mean(float(r[name]) for r in own.values())) for name in SHARES]
            numbers += [(f"{arm}_{name}_a_bug", mean(r[name] for r in own.values())) for name in AMOUNTS]
            origins = Counter(r["origin"] for r in own.values() if r["origin"])
            said.append(f"{arm}: {len(own)} bugs, answers by {dict(origins) or 'nobody'}; US dollars: unknown")
    gain = []
    for other in (MODEL, SEARCH):
        both = sorted(arms[HYBRID].keys() & arms[other].keys())
        if not both:
            continue
        for name in ("plausible", "agrees"):
            pairs = [(bool(arms[HYBRID][key][name]), bool(arms[other][key][name])) for key in both]
            paired = compare_pairs(pairs)
            numbers.append((f"hybrid_over_{other}_{name}_p", paired.p))
            said.append(_describe(other, name, paired))
        if other == MODEL:
            gain.append(("bugs", mean(arms[HYBRID][k]["agrees"] - arms[MODEL][k]["agrees"] for k in both)))
    near = sum(r["served"].get(NEAR, 0) for r in rows)
    if near:
        numbers.append(("near_misses_by_others", sum(r["near_by_others"] for r in rows) / near))
    return Measured((Row(ORACLE_GAIN, tuple(gain)),) if gain else (), tuple(numbers), tuple(said))


def _describe(other: str, name: str, paired: Paired) -> str:
    counts = f"{paired.both} both, {paired.only_first} hybrid alone, {paired.only_second} {other} alone"
    return f"hybrid beside {other}, {name}: {counts}, {paired.neither} neither; exact p {paired.p:.3f}"


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


if __name__ == "__main__":
    main()
