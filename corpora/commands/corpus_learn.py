"""``repair corpus learn``: what real fixes are made of, counted over histories for the order of the search."""

from __future__ import annotations

import re
from pathlib import Path

import click

from repair.commands.surroundings import PLAIN_EXIT_CODES
from repair.show.terminal import tell, write_text


@click.command(
    short_help="Count what fixes in a history are made of",
    epilog=f"""\b
Examples:
  repair corpus learn --git ../requests --git ../flask --out counts.json
  repair corpus learn --git . --add learned --out ours.json
  repair fix --lf --order ours.json

{PLAIN_EXIT_CODES}""",
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
@click.option("--debug", is_flag=True, help="Show tracebacks")
def learn(
    repositories: tuple[Path, ...], out: Path, start: str | None, since: str, check: int | None, **given: object
) -> int:
    """Count which edit operators give the small fixes of single functions, in which contexts, from which words.

    Nothing is run, and of others' code nothing is kept but counts. `--order FILE` of `repair fix` searches by them.
    """
    from analysis.errors import UsageError
    from corpora.learning.checking import checked
    from corpora.learning.learn import Learning
    from corpora.learning.learn import learn as learned
    from repair.front.order import LEARNED, own_counts, read_counts
    from transforms.enumerate.order import Counts

    if since and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", since):
        raise UsageError(f"{since!r} is no day", where="--since", remedy="Write YYYY-MM-DD.")
    before = None if start is None else own_counts() if start == LEARNED else read_counts(Path(start))
    how = Learning(since=since, **{key: value for key, value in given.items() if key != "debug"})  # type: ignore[arg-type] # click has checked them
    found, each = learned(repositories, how, tell, out, before)
    counted = {source.name for source in before.sources} if before is not None else set()
    if check is not None and not counted.isdisjoint(each):
        raise UsageError(
            f"{min(counted & set(each))} is in the counts that are added to",
            where="--check",
            remedy="Check histories that are in no count yet, or begin without --add.",
        )
    fixes, made = (sum(getattr(source, name) for source in found.sources) for name in ("fixes", "produced"))
    write_text(f"{fixes} small fixes of single functions, {made} of them one edit of our operators; {out}\n")
    if check is not None and any(one.made for one in each.values()):
        for line in checked(each, check, before or Counts()):
            write_text(f"{line}\n")
    return 0
