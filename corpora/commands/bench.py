"""``repair bench``: run configurations over corpora of bugs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from corpora.commands.bench_report import COMMANDS
from repair.commands.context import CommandContext
from repair.commands.options import split_names
from repair.show.terminal import tell, write_text

EXIT_CODES = """\b
Exit codes:
  0    every cell was measured, whatever came out
  1    done, but the machine failed some cells: --resume tries them again
  2    usage or configuration
  3    no such corpus, a full disk, a scheduler that went away; what was measured is kept
  70   a defect of repair
  130  interrupted (143 by SIGTERM); go on with --resume
"""


@click.group(short_help="Run configurations over corpora of bugs")
def bench() -> None:
    """Run configurations over corpora of bugs, on one machine or on many."""


@bench.command(
    short_help="Run configurations over corpora",
    epilog=f"""\b
Examples:
  repair bench run flat:corpora/own --config search --out results
  repair bench run quixbugs:../QuixBugs --config search,no-gates --max-seconds 60 --out results
  repair bench run flat:corpora/own --config search --out results --resume

Presets: search, model, search+model, no-gates, random. More, and methods of others, stand in bench.toml.

{EXIT_CODES}""",
)
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--config",
    "configurations",
    multiple=True,
    required=True,
    callback=split_names,
    metavar="NAME",
    help="What to run; repeatable",
)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where records are kept")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    metavar="TOML",
    help="Where configurations stand [default: bench.toml in the current folder]",
)
@click.option("--bugs", default="*", metavar="GLOB", help="Only bugs of such ids [default: all]")
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="For each bug [default: what the configuration says]",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Run each bug with this seed [default: 0]")
@click.option("--seeds", type=click.IntRange(min=1), metavar="K", help="Run each bug K times, with seeds from 0 on")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Bugs at once [default: the cores]")
@click.option("--resume", is_flag=True, help="Go on where an earlier run ended; nothing is run twice")
@click.option("--shard", default="1/1", metavar="I/N", help="Only part I of N")
@click.option("--scheduler", default="", metavar="ADDRESS", help="Run on the workers of this Dask scheduler")
@click.option("--python", default="", metavar="PATH", help="Runs the tests, where a bug names none [default: our own]")
@click.option(
    "--in-sample", multiple=True, metavar="CORPUS", help="A method was made or tuned with it: reports keep it apart"
)
@click.option("--held-out", multiple=True, metavar="CORPUS", help="No method was made or tuned with it")
@click.option("--no-score", is_flag=True, help="Leave the comparison with references to `repair bench score`")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but the summary")
@click.option("--no-progress", is_flag=True, help="No live table")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Colour [default: auto]")
@click.option("--debug", is_flag=True, help="Show tracebacks")
@click.pass_obj
def run(surroundings: CommandContext, /, seed: int | None, seeds: int | None, as_json: bool, **given: Any) -> int:
    """Run each configuration on each bug, and append a record of each to DIR.

    A CORPUS is LOADER:PATH, such as flat:corpora/own. Records are JSON lines that reports are made from; whatever ends
    a run, --resume goes on with the first cell that has none.
    """
    import dataclasses
    import functools
    import time

    from analysis.errors import UsageError
    from corpora.bench.grading import grade
    from corpora.bench.live import Board
    from corpora.bench.plan import Shard
    from corpora.bench.run_bench import BenchRequest, run_bench
    from corpora.bench.scoring import Bench
    from repair.records.json_records import to_plain
    from repair.show.terminal import write_json

    if seed is not None and seeds is not None:
        raise UsageError("Both --seed and --seeds", remedy="--seeds K counts from 0; --seed N is one seed.")
    color, quiet = given["color"], given["quiet"]
    request = {field.name: given[field.name] for field in dataclasses.fields(BenchRequest) if field.name in given}
    request["seeds"] = tuple(range(seeds)) if seeds else (seed or 0,)
    request["jobs"] = given["jobs"] or os.cpu_count() or 1
    request["shard"] = Shard.from_text(given["shard"])
    asked = BenchRequest(**request)
    board = functools.partial(Board, color=color, quiet=quiet, progress=not given["no_progress"])
    tally = run_bench(asked, surroundings.env, time.monotonic, board)
    if not given["no_score"]:
        grade(asked.out, Bench(asked.python), asked.jobs, lambda text: None if quiet else tell(text))
    if as_json:
        write_json(to_plain(tally))
    else:
        _write_tally(tally, color)
    return 0 if tally.is_complete else 1


def _write_tally(tally: Any, color: str) -> None:
    import shutil
    import sys

    from corpora.bench.live import render_table, tally_table
    from repair.records.wording import count_noun
    from repair.show.output import use_colour

    width = shutil.get_terminal_size((100, 24)).columns
    colour = use_colour(color, is_terminal=sys.stdout.isatty())
    write_text(render_table(tally_table(tally.counts), width=width, colour=colour))
    if tally.set_aside:
        write_text(f"{count_noun(len(tally.set_aside), 'bug')} set aside, and counted nowhere above.\n")
    if not tally.is_complete:
        write_text(f"Not all cells were measured: {tally.directory} can be gone on with by --resume.\n")


for _command in COMMANDS:
    bench.add_command(_command)
