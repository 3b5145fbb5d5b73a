"""``repair bench score``, ``report``, ``compare`` and ``judge``: what records are worth, for people and papers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from repair.commands.exit_codes import PLAIN_EXIT_CODES
from repair.commands.options import ISOLATIONS
from repair.show.terminal import tell, write_text

FORMS = ("text", "json", "jsonl", "csv", "latex", "markdown", "html", "predictions", "repairbench")

SAMPLES = ("in-sample", "held-out")

DIRECTORY = click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")


@click.command(short_help="Compare answers with the held-out ones", epilog=PLAIN_EXIT_CODES)
@DIRECTORY
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Answers at once [default: the cores]")
@click.option("--python", default="", metavar="PATH", help="Runs the tests, where a bug names none [default: our own]")
@click.option("--isolation", type=click.Choice(ISOLATIONS), default="auto", help="How the tests are confined")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of the generated inputs [default: 0]")
@click.option("--debug", is_flag=True, help="Show tracebacks")
def score(directory: Path, jobs: int | None, python: str, isolation: str, seed: int, debug: bool) -> int:
    """Score what has no score yet: run each answer and its reference on held-out tests and generated inputs.

    `repair bench run` does this at its end. Scores are lines in DIR; nothing is scored twice.
    """
    from corpora.bench.grading import grade
    from corpora.bench.scoring import Bench

    done = grade(directory, Bench(python, isolation, seed), jobs or os.cpu_count() or 1, tell)
    tell(f"{done} cells are newly scored")
    return 0


@click.command(
    short_help="Tables, pages and exports of a bench",
    epilog=f"""\b
Examples:
  repair bench report results
  repair bench report results --form html --out results.html
  repair bench report results --form predictions --out predictions.jsonl

{PLAIN_EXIT_CODES}""",
)
@DIRECTORY
@click.option("--form", type=click.Choice(FORMS), help="What to write [default: text]")
@click.option("--json", "form", flag_value="json", help="Short for --form json")
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Write there instead of stdout")
@click.option("--debug", is_flag=True, help="Show tracebacks")
def report(directory: Path, form: str | None, out: Path | None, debug: bool) -> int:
    """What the records of DIR come to, from the records alone.

    text: one line a configuration, then configurations in pairs; json: repair.bench/1. jsonl and csv: a line for each
    cell. latex (booktabs) and markdown: a table; html: one page with everything. predictions: SWE-bench's form;
    repairbench: a tree of patches (needs --out).
    """
    from analysis.errors import UsageError
    from corpora.bench.grading import read_rows
    from corpora.bench.reports.exports import reference_diffs, write_repairbench
    from corpora.bench.reports.page import pieces

    every, said = read_rows(directory)
    for sentence in said:
        tell(sentence)
    if form == "repairbench":
        if out is None:
            raise UsageError("A tree of patches needs a folder", remedy="Name it with --out.")
        write_repairbench(every, reference_diffs(every, tell), out)
        return 0
    if out is None:
        for piece in pieces(form or "text", str(directory), every):
            write_text(piece)
        return 0
    with out.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.writelines(pieces(form or "text", str(directory), every))
    return 0


@click.command(
    short_help="Name the bugs that one configuration wins over another",
    epilog=f"""\b
Examples:
  repair bench compare results:search results:random
  repair bench compare before after

{PLAIN_EXIT_CODES}""",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--sample", type=click.Choice(SAMPLES), help="Only corpora of which the run said this")
@click.option("--json", "as_json", is_flag=True, help="Print JSON")
@click.option("--debug", is_flag=True, help="Show tracebacks")
def compare(first: str, second: str, sample: str | None, as_json: bool, debug: bool) -> int:
    """Compare two configurations on the bugs that both have a result for; each is DIR:CONFIGURATION.

    DIR alone will do where it holds one configuration. The test is McNemar's in its exact form.
    """
    from analysis.errors import UsageError
    from corpora.bench.reports.figures import comparison_values
    from corpora.bench.reports.tables import comparison_text
    from corpora.bench.summary import compare as compared
    from repair.show.terminal import write_json

    mine, theirs = _side(first, sample or ""), _side(second, sample or "")
    bugs = [{(row.cell.corpus, row.cell.bug) for row in side if not row.failed} for side in (mine, theirs)]
    if not bugs[0] & bugs[1]:
        raise UsageError(
            "No bug has a result on both sides",
            where=f"{first} and {second}",
            remedy="Both have to be of the same corpora, named alike.",
        )
    if alone := len(bugs[0] ^ bugs[1]):
        tell(f"left out are bugs with a result on one side alone: {alone}")
    names = (mine[0].cell.configuration, theirs[0].cell.configuration)
    found = compared(mine, theirs, (first, second) if names[0] == names[1] else names)
    write_json(comparison_values(found)) if as_json else write_text(comparison_text(found))
    return 0


@click.command(
    short_help="Record what a person says of an answer",
    epilog=f"""\b
Examples:
  repair bench judge results gcd agrees --person "A. Reader" --reason "negative numbers are not specified"

{PLAIN_EXIT_CODES}""",
)
@DIRECTORY
@click.argument("bug")
@click.argument("says", type=click.Choice(("agrees", "differs")))
@click.option("--person", required=True, metavar="NAME", help="Who says so")
@click.option("--reason", required=True, metavar="TEXT", help="Why")
@click.option("--configuration", default="", metavar="NAME", help="Whose answer, where they differ")
@click.option("--debug", is_flag=True, help="Show tracebacks")
def judge(directory: Path, bug: str, says: str, person: str, reason: str, configuration: str, debug: bool) -> int:
    """Record a person's word on the answer to BUG: it counts in every report from then on, and is shown as such."""
    import datetime

    from analysis.errors import UsageError
    from corpora.bench.grading import judge as record
    from corpora.bench.grading import read_scores
    from corpora.bench.score import Judgement

    meant = {
        (found.cell.corpus, found.patch)
        for found in read_scores(directory)
        if found.cell.bug == bug and found.patch and configuration in ("", found.cell.configuration)
    }
    if len(meant) != 1:
        found = f"{len(meant)} different answers" if meant else "No scored answer"
        raise UsageError(f"{found} to {bug}", remedy="Name one with --configuration, or see `repair bench report`.")
    ((corpus, patch),) = meant
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    word: Any = says
    cells = record(directory, Judgement(corpus, bug, patch, word, person, reason, today))
    tell(f"recorded; it holds for {cells} cells")
    return 0


def _side(name: str, sample: str) -> list[Any]:
    """The rows of one configuration, named DIR:CONFIGURATION, or DIR where it is the only one; of one sample alone."""
    from analysis.errors import UsageError
    from corpora.bench.grading import read_rows

    path, _, wanted = (name, "", "") if Path(name).is_dir() else name.rpartition(":")
    every, _ = read_rows(Path(path or name))
    known = list(dict.fromkeys(row.cell.configuration for row in every))
    chosen = wanted or (known[0] if len(known) == 1 else "")
    if chosen not in known:
        found = f"There is no configuration {wanted!r}" if wanted else "There are several configurations"
        raise UsageError(found, where=name, remedy=f"Write {path}:NAME; known are {', '.join(known)}.")
    rows = [row for row in every if row.cell.configuration == chosen and sample in ("", row.sample)]
    if len({row.sample for row in rows}) > 1:
        raise UsageError("The corpora are of several samples", where=name, remedy="Name one of them with --sample.")
    if not rows:
        raise UsageError(f"No corpus was said to be {sample}", where=name, remedy="Leave --sample out.")
    return rows


COMMANDS = (score, report, compare, judge)
