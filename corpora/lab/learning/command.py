"""`make learn`: what real fixes are made of, counted over histories for the order of the search."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click

from analysis.errors import RepairError, UsageError
from corpora.lab.learning.checking import check_counts
from corpora.lab.learning.learn import Learning, learn
from repair.front.run_inputs import LEARNED, own_counts, read_counts
from repair.show.terminal import tell
from transforms.enumerate.order import FixCounts


@click.command(
    epilog="""\b
Examples:
  python -m corpora.lab.learning.command --git ../requests --git ../flask --out counts.json
  python -m corpora.lab.learning.command --git . --add learned --out ours.json
  repair fix --lf --order ours.json"""
)
@click.option(
    "--git",
    "repositories",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    metavar="REPO",
    help="A clone, whole and not shallow; repeatable",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="Where counts are kept",
)
@click.option("--add", "start", metavar="FILE", help="Add to these counts; `learned` are those of the engine")
@click.option("--revision", default="HEAD", metavar="REV", help="Begin there and go back [default: HEAD]")
@click.option("--commits", type=click.IntRange(min=1), metavar="N", help="Look at so many of each [default: all]")
@click.option("--fixes", type=click.IntRange(min=1), metavar="N", help="At most so many fixes of each [default: all]")
@click.option("--since", default="", metavar="DATE", help="Only commits from that day on (YYYY-MM-DD)")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep there what was seen of each commit, and do not look at it again",
)
@click.option("--others", is_flag=True, help="Count changes too whose message speaks of no fix, apart")
@click.option(
    "--check",
    type=click.IntRange(min=0),
    metavar="N",
    help="Say too how likely each history's fixes are by the others' counts, and where N of each stand in the stream",
)
def main(repositories: tuple[Path, ...], out: Path, start: str | None, check: int | None, **given: Any) -> None:
    """Count which edit operators give the small fixes of single functions, in which contexts, from which words.

    Nothing is run, and of others' code nothing is kept but counts. `--order FILE` of `repair fix` searches by them.
    """
    try:
        lines = _learned_lines(repositories, out, _counts_before(start), check, Learning(**given))
    except RepairError as problem:
        click.echo(f"learn: {problem}", err=True)
        sys.exit(problem.exit_code)
    for line in lines:
        click.echo(line)


def _counts_before(start: str | None) -> FixCounts | None:
    if start is None:
        return None
    return own_counts() if start == LEARNED else read_counts(Path(start))


def _learned_lines(
    repositories: tuple[Path, ...], out: Path, before: FixCounts | None, check: int | None, how: Learning
) -> list[str]:
    """Lines that say what was counted, and, if asked, how well the counts of some histories serve the others."""
    if how.since and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", how.since):
        raise UsageError(f"{how.since!r} is no day", where="--since", remedy="Write YYYY-MM-DD.")
    found, each = learn(repositories, how, tell, out, before)
    counted = {source.name for source in before.sources} if before is not None else set()
    if check is not None and not counted.isdisjoint(each):
        raise UsageError(
            f"{min(counted & set(each))} is in the counts that are added to",
            where="--check",
            remedy="Check histories that are in no count yet, or begin without --add.",
        )
    fixes, made = (sum(getattr(source, name) for source in found.sources) for name in ("fixes", "produced"))
    lines = [f"{fixes} small fixes of single functions, {made} of them one edit of our operators; {out}"]
    if check is not None and any(one.made for one in each.values()):
        lines += check_counts(each, check, before or FixCounts())
    return lines


if __name__ == "__main__":
    main()
