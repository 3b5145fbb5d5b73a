"""``repair corpus mine``: bugs from a history or from two releases."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click

from repair.commands.context import CommandContext
from repair.commands.exit_codes import PLAIN_EXIT_CODES
from repair.commands.options import ISOLATIONS
from repair.show.terminal import tell, write_text


@click.command(
    short_help="Find bugs in a history, or between two releases",
    epilog=f"""\b
Examples:
  repair corpus mine --git ../sqlparse --since 2025-06-01 --out mined/sqlparse
  repair corpus mine --releases humanize 4.12.2 4.12.3 --python venv/bin/python --out mined/humanize
  repair bench run mined:mined/sqlparse --config search --out results

{PLAIN_EXIT_CODES}""",
)
@click.option(
    "--git", "repository", type=click.Path(path_type=Path), metavar="REPO", help="A clone, whole and not shallow"
)
@click.option("--releases", nargs=3, metavar="PACKAGE OLD NEW", help="A package of the index and two of its versions")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the corpus is kept")
@click.option("--revision", default="HEAD", metavar="REV", help="Begin there and go back [default: HEAD]")
@click.option("--commits", "most", type=click.IntRange(min=1), metavar="N", help="Look at so many [default: all]")
@click.option("--since", default="", metavar="DATE", help="Only commits from that day on (YYYY-MM-DD)")
@click.option("--python", default="", metavar="PATH", help="Runs the tests; it has what they need [default: our own]")
@click.option(
    "--with",
    "made",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Files that a build makes (src/pkg/_version.py), laid into every tree that lacks them",
)
@click.option("--again", is_flag=True, help="Try once more what was set aside before")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Candidates at once [default: the cores]")
@click.option("--test-seconds", type=float, default=10.0, show_default=True, help="When one test counts as hanging")
@click.option("--isolation", type=click.Choice(ISOLATIONS), default="auto", help="How the tests are confined")
@click.option("--seed", type=int, default=0, help="Seed of the shuffled run [default: 0]")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON")
@click.option("--debug", is_flag=True, help="Show tracebacks")
@click.pass_obj
def mine(
    surroundings: CommandContext,
    /,
    repository: Path | None,
    releases: tuple[str, str, str] | None,
    revision: str,
    most: int | None,
    since: str,
    as_json: bool,
    **given: Any,
) -> int:
    """Find changes of one existing function that came with tests, and keep those whose tests fail without the change.

    Each candidate is tried in order, shuffled and alone, and once with the fix. Doubts (a changed signature, a message
    that speaks of something new) are kept as marks. The same command goes on where it ended, and looks only at what is
    new; mined:DIR names the corpus.
    """
    from analysis.errors import UsageError
    from analysis.facts import Limits
    from corpora.loaders.mined import made_files
    from corpora.mining.mine import Mining, mine_git, mine_releases
    from corpora.source_package import case_cache
    from corpora.verify import Terms
    from repair.records.json_records import to_plain
    from repair.show.terminal import write_json
    from sandbox.jail import choose

    if (repository is None) == (releases is None):
        raise UsageError("Either --git or --releases is needed", remedy="Name one of them.")
    if since and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", since):
        raise UsageError(f"{since!r} is no day", where="--since", remedy="Write YYYY-MM-DD.")
    folder: Path | None = given["made"]
    made = made_files(folder) if folder is not None else ()
    if folder is not None and not made:
        raise UsageError(
            "The folder holds no file", where=str(folder), remedy="Name the folder that holds src/ or the package."
        )
    limits = Limits(test_seconds=given["test_seconds"])
    terms = Terms(given["python"], limits, given["seed"], case_cache(), tuple(surroundings.env.items()))
    jail = choose(given["isolation"])
    if jail.kind == "none" and given["isolation"] == "auto":
        tell(f"isolation is limited: {jail.detail}")
    how = Mining(given["out"], terms, jail, given["jobs"] or os.cpu_count() or 1, made, given["again"])
    if repository is not None:
        found = mine_git(repository, revision, most, since, how, tell)
    else:
        assert releases is not None, "one of them is given"
        found = mine_releases(*releases, how, tell)
    if as_json:
        write_json(to_plain(found))
    else:
        new = f"{found.bugs} new bugs, {found.set_aside} set aside"
        write_text(f"{found.candidates} candidates, {found.known} known: {new}; mined:{given['out']}\n")
    return 0
