"""`make soak`: a session of 100,000 candidates, and kills at random moments. Nothing may be left behind."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from corpora.lab.benchmarks.kills import kills
from corpora.lab.benchmarks.long_session import long_session, slope
from corpora.lab.benchmarks.setup import machine_of, say, versions
from sandbox.jail import choose


@click.command()
@click.option("--candidates", type=click.IntRange(min=0), default=100_000, show_default=True)
@click.option("--kills", "rounds", type=click.IntRange(min=0), default=30, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the moments at which something is killed.")
@click.option("--isolation", default="auto", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/soak.json"), show_default=True)
def main(candidates: int, rounds: int, seed: int, isolation: str, out: Path) -> None:
    """Run both, print what was seen, and end with status 1 where anything was left behind."""
    jail = choose(isolation)
    record: dict[str, Any] = {"machine": {**machine_of(), "isolation": jail.kind, "load": os.getloadavg()}}
    record["versions"] = versions()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        if candidates:
            began = time.monotonic()
            session = long_session(candidates, Path(folder, "session"), jail, say)
            later = session.samples[len(session.samples) // 2 :]
            record["session"] = dataclasses.asdict(session)
            click.echo(f"{candidates} candidates in {time.monotonic() - began:.0f} s: {dict(session.states)}")
            click.echo(f"first: {session.samples[0]}\nlast:  {session.samples[-1]}")
            for name in ("engine_mb", "server_mb"):
                click.echo(f"{name}: {1e6 * slope(later, name):+.1f} KB per 1,000 candidates in the second half")
            problems += session.problems
        if rounds:
            found = kills(rounds, Path(folder, "kills"), jail.kind, seed, say)
            record["kills"] = [dataclasses.asdict(kill) for kill in found]
            click.echo(f"{len(found)} kills at random moments, seed {seed}")
            problems += [f"{kill.victim} killed after {kill.after} s: {p}" for kill in found for p in kill.problems]
    record["problems"] = problems
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for problem in problems:
        click.echo(f"LEFT: {problem}")
    click.echo(f"{'Something' if problems else 'Nothing'} was left behind. Written to {out}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
