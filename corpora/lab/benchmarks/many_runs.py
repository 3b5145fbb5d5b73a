"""How long `repair runs` takes with very many runs: as a process, from its start to its end, beside `repair --version`.

The runs are made as the engine makes them but for their writing to disk at once, which would take minutes. Every run
has a result of a certified or an unrepaired fix with one failure, and what goes with it.
"""

from __future__ import annotations

import datetime
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import click

from corpora.lab.benchmarks.setup import machine_of, say, versions
from repair.records.result import CauseView, FailureView, Result, Seconds, Status
from repair.store import atomic
from repair.store.store import RunStore, open_store

FIRST = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

QUERY = 'exception = "KeyError" and status = "unrepaired"'

COMMAND = Path(sys.executable).with_name("repair")

COMMANDS = {
    "version": ("--version",),
    "runs": ("runs",),
    "where": ("runs", "--where", QUERY),
    "errors": ("runs", "--errors", "--where", 'message ~ "no such"'),
    "all_as_json": ("runs", "--all", "--json"),
}


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the wall and of processor time of one command."""

    wall: float
    processor: float


def make_runs(store: RunStore, count: int) -> None:
    """So many runs, a minute apart. Nothing is synchronised with the disk."""
    with mock.patch.object(os, "fsync"), mock.patch.object(atomic, "sync_directory"):
        for number in range(count):
            now = FIRST + datetime.timedelta(minutes=number)
            run = store.make_folder(store.run_named(f"{now:%Y%m%d-%H%M%S}-{number:05x}"))
            (run.path / "events.jsonl").write_text('{"type": "finished"}\n')
            run.save_json("result.json", _result(number, run.id).to_json())


def _result(number: int, run: str) -> Result:
    exception = ("KeyError", "ValueError", "AssertionError")[number % 3]
    test = f"tests/test_shop.py::test_{number % 97}"
    failure = FailureView(test, "logic", "", exception, f"no such item {number}", "shop.price")
    status = (Status.CERTIFIED, Status.UNREPAIRED)[number % 2]
    cause = CauseView(1, (test,), status, "shop.py", "price", 3)
    return Result(status, run, failures=(failure,), causes=(cause,), seconds=Seconds(total=number % 100))


def measure(words: Sequence[str], root: Path, env: dict[str, str], rounds: int) -> list[Took]:
    """The command so many times, after a first one that counts nothing."""
    found = []
    for _ in range(rounds + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        subprocess.run([str(COMMAND), *words], cwd=root, env=env, check=True, stdout=subprocess.DEVNULL)
        wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found.append(Took(wall, spent))
    return found[1:]


@click.command()
@click.option("--runs", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/runs.json"), show_default=True)
def main(runs: int, rounds: int, out: Path) -> None:
    """Measure, print a line a command, and write the record."""
    with tempfile.TemporaryDirectory(prefix="many-runs-") as scratch:
        root, state = Path(scratch) / "project", Path(scratch) / "state"
        root.mkdir()
        (root / "pyproject.toml").write_text("")
        env = {**os.environ, "XDG_STATE_HOME": str(state)}
        with mock.patch.dict(os.environ, env):
            store = open_store(root)
            say(f"making {runs} runs")
            make_runs(store, runs)
            began = time.monotonic()
            store.list_runs()
            figures: dict[str, Any] = {"runs": runs, "index_made_seconds": round(time.monotonic() - began, 2)}
        for name, words in COMMANDS.items():
            took = measure(words, root, env, rounds)
            figures[f"{name}_seconds"] = round(statistics.median(each.wall for each in took), 3)
            figures[f"{name}_least_seconds"] = round(min(each.wall for each in took), 3)
            figures[f"{name}_processor_seconds"] = round(statistics.median(each.processor for each in took), 3)
            say(f"{name}: {figures[f'{name}_seconds']} s, least {figures[f'{name}_least_seconds']} s")
    record = {
        "date": f"{datetime.date.today()}",
        "versions": versions(),
        "machine": {**machine_of(), "load": os.getloadavg()},
        "figures": figures,
        "notes": [f"median of {rounds} rounds; {QUERY}"],
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, indent=1) + "\n")
    say(f"written to {out}")


if __name__ == "__main__":
    main()
