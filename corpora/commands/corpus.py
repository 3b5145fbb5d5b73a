"""``repair corpus``: look at corpora of bugs, and make new ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from corpora.commands.corpus_mine import mine
from repair.commands.context import CommandContext
from repair.commands.options import ISOLATIONS
from repair.show.terminal import tell, write_text

EXIT_CODES = """\b
Exit codes:
  0    done
  1    done, and some bugs were set aside, or fewer made than wanted
  2    usage
  3    no such corpus, or it cannot be read or run
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

LAYOUT = """\b
A corpus is named LOADER:PATH. flat:DIR is a folder with one folder a bug:
  corpus.toml        optional: [provenance] and [environment] that all bugs share
  BUG-ID/bug.toml    optional: failing, passing, function, description, group, held_out_tests, expected,
                     [provenance], [environment]
  BUG-ID/tree/       what the engine sees; without it the bug's folder itself
  BUG-ID/reference/  optional, held out: files as the fix leaves them
  BUG-ID/alternatives/N/, BUG-ID/held_out/   optional, held out: other fixes, and tests
"""


@click.group(short_help="Look at corpora of bugs, and make new ones", epilog=LAYOUT)
def corpus() -> None:
    """Look at corpora of bugs, and make new ones."""


@corpus.command(
    short_help="Check that every bug is as its corpus says",
    epilog=f"""\b
Examples:
  repair corpus verify flat:corpora/own
  repair corpus verify flat:corpora/own --bugs 'cart-*' --json

{EXIT_CODES}""",
)
@click.argument("name", metavar="CORPUS")
@click.option("--bugs", default="*", metavar="GLOB", help="Only these [default: all]")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Bugs at once [default: the cores]")
@click.option("--python", default="", metavar="PATH", help="The interpreter where a bug names none [default: our own]")
@click.option(
    "--isolation", type=click.Choice(ISOLATIONS), default="auto", help="How the tests are confined [default: auto]"
)
@click.option("--test-seconds", type=float, default=10.0, show_default=True, help="When one test counts as hanging")
@click.option("--seed", type=int, default=0, help="Seed of the shuffled run [default: 0]")
@click.option("--write", is_flag=True, help="Keep the outcome as verified.json in the corpus, where `stats` reads it")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON")
@click.pass_obj
def verify(surroundings: CommandContext, /, name: str, bugs: str, as_json: bool, write: bool, **given: Any) -> int:
    """Check that every bug fails as stated, each time in the same way, and that its reference passes every test.

    What is flaky, or needs what this machine has not, is set aside with the reason. A bug whose `expected` says that it
    is so is as stated.
    """
    from analysis.facts import Limits
    from corpora.source_package import case_cache
    from corpora.verification import verify_corpus, write_verification
    from corpora.verify import Terms
    from repair.show.terminal import write_json
    from sandbox.jail import choose

    limits = Limits(test_seconds=given["test_seconds"])
    terms = Terms(given["python"], limits, given["seed"], case_cache(), tuple(surroundings.env.items()))
    jail = choose(given["isolation"])
    if jail.kind == "none" and given["isolation"] == "auto":
        tell(f"repair: isolation is limited: {jail.detail}")

    jobs = given["jobs"] or os.cpu_count() or 1
    found = verify_corpus(name, bugs, terms, jail, jobs, lambda outcome: tell(_describe_outcome(outcome)))
    if write:
        tell(f"kept as {write_verification(name, found)}")
    if as_json:
        write_json(found.to_json())
    else:
        write_text(f"{len(found.bugs)} verified, {len(found.set_aside)} set aside\n")
        write_text("".join(f"  {each.id}: {each.reason}\n" for each in found.set_aside))
    return 1 if found.set_aside else 0


@corpus.command(
    short_help="Say what a corpus is made of",
    epilog=f"""\b
Examples:
  repair corpus stats flat:corpora/own
  repair corpus stats quixbugs:QuixBugs --picture quixbugs.svg

{EXIT_CODES}""",
)
@click.argument("name", metavar="CORPUS")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.svg", help="Draw it too")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Bugs at once [default: the cores]")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON")
def stats(name: str, picture: Path | None, jobs: int | None, as_json: bool) -> int:
    """Say what a corpus is made of: kinds, classes of failures, sizes of changes, dates, shapes of functions.

    Nothing is run: classes are known where `repair corpus verify --write` has kept them.
    """
    from corpora.os_errors import explained
    from corpora.stats import bar_chart, stats_of
    from repair.show.terminal import write_json

    found = stats_of(name, jobs or os.cpu_count() or 1)
    panels = (
        ("Kinds of bugs", found.kinds),
        ("Classes of failures", found.classes),
        ("Changed lines", found.lines),
        ("Changed nodes", found.nodes),
        ("Dates", found.dates),
        ("Shapes of functions", found.shapes),
    )
    title = f"{name}: {found.bugs} bugs, {found.refuse} of them not to be mended, {found.set_aside} set aside"
    if picture is not None:
        with explained("The picture cannot be written", picture):
            picture.write_text(bar_chart(title, panels), encoding="utf-8")
    if as_json:
        write_json(found.to_json())
    else:
        write_text(f"{title}\n")
        for panel, counts in panels:
            lines = (f"  {count:5d}  {label}\n" for label, count in counts)
            write_text(f"\n{panel}\n{''.join(lines)}" if counts else "")
    return 0


@corpus.command(
    short_help="Make a corpus of seeded faults",
    epilog=f"""\b
Examples:
  repair corpus inject src/mylib --out faults --count 50
  repair corpus inject . --out ../faults --kind swap_op --function 'parse_*' --depth 2

{EXIT_CODES}""",
)
@click.argument("tree", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The new corpus")
@click.option("--count", type=click.IntRange(min=1), default=10, show_default=True, help="How many bugs")
@click.option("--kind", default="*", metavar="GLOB", help="Only these operators, such as swap_op [default: all]")
@click.option("--depth", type=click.IntRange(1, 2), default=1, show_default=True, help="Edits of one function in a bug")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides which faults are drawn")
@click.option("--function", default="*", metavar="GLOB", help="Only these: QUALNAME or PATH:QUALNAME [default: all]")
@click.option("--tests", multiple=True, metavar="SELECTION", help="Files or node ids that are the suite")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at once [default: the cores]")
@click.option("--python", default="", metavar="PATH", help="The project's interpreter [default: its .venv]")
@click.option(
    "--isolation", type=click.Choice(ISOLATIONS), default="auto", help="How the tests are confined [default: auto]"
)
@click.option("--test-seconds", type=float, default=10.0, show_default=True, help="When one test counts as hanging")
@click.option("--json", "as_json", is_flag=True, help="Print what was made as JSON")
@click.pass_obj
def inject(surroundings: CommandContext, /, tree: Path, out: Path, tests: tuple[str, ...], **given: Any) -> int:
    """Put seeded faults into a project whose tests pass, and write those that tests notice as a flat corpus.

    Each fault is in one function and fails the same tests twice; the reference is the project as it is. The same seed
    makes the same corpus.
    """
    from analysis.facts import Limits
    from corpora.inject import Wish, refuse_taken, write_injected
    from corpora.inject import inject as injected
    from repair.show.terminal import write_json
    from sandbox.jail import choose
    from sandbox.sandbox import LocalSandbox
    from sandbox.scratch import scratch_folder
    from sandbox.target import open_target

    refuse_taken(out, tree)
    jail = choose(given["isolation"])
    target = open_target(str(tree), python=given["python"], environ=surroundings.env, jail=jail)
    wish = Wish(*(given[key] for key in ("count", "kind", "depth", "seed", "function")))
    limits = Limits(test_seconds=given["test_seconds"])
    with scratch_folder() as scratch, LocalSandbox(target, jail=jail, scratch=str(scratch), selection=tests) as sandbox:
        jobs = given["jobs"] or os.cpu_count() or 1
        made = injected(sandbox, wish, limits, jobs, tell)
        names = write_injected(out, Path(target.root), made.bugs, tests)
    if given["as_json"]:
        write_json(
            {"written": len(names), "bugs": list(names), "tried": made.tried_count, "dropped": dict(made.dropped)}
        )
    else:
        dropped = ", ".join(f"{count} {word}" for word, count in made.dropped) or "none"
        write_text(f"{len(names)} bugs in {out}; {made.tried_count} faults tried, dropped: {dropped}\n")
    return 0 if len(names) == wish.count else 1


def _describe_outcome(outcome: Any) -> str:
    """One bug's outcome in one line."""
    reason = getattr(outcome, "reason", None)
    if reason is not None:
        return f"{outcome.id}: set aside: {reason}"
    kind = outcome.said or f"{outcome.failure_class}/{outcome.subclass}"
    passed = f"its fix passes {outcome.checked}" if outcome.checked else "no known fix"
    return f"{outcome.id}: verified: {len(outcome.failing)} failing, {len(outcome.passing)} passing; {kind}; {passed}"


corpus.add_command(mine)
