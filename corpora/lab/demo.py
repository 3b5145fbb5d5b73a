"""The demonstration: repair a historical bug of a real library, with no key and no network beyond the package index."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import click

from analysis.errors import RepairError
from corpora.environment import environment
from corpora.lab.cases import CASES, HUMANIZE, Case
from corpora.lab.release_pair import make_bug_tree, write_provenance
from corpora.source_package import case_cache

SECONDS = 120


BY_NAME = {case.name: case for case in CASES}


@click.command()
@click.option("--case", "name", type=click.Choice(sorted(BY_NAME)), default=HUMANIZE.name, show_default=True)
@click.option("--dir", "directory", type=click.Path(path_type=Path), default=Path("build/demo"), show_default=True)
@click.option("--max-seconds", type=float, default=SECONDS, show_default=True)
def main(name: str, directory: Path, max_seconds: float) -> None:
    """Build a real bug from source packages, then let `repair fix` mend it with search alone."""
    try:
        root, python = prepare(BY_NAME[name], directory)
    except RepairError as problem:
        click.echo(f"repair demo: {problem}", err=True)
        sys.exit(problem.exit_code)
    sys.exit(run(BY_NAME[name], root, python, max_seconds))


def prepare(case: Case, directory: Path) -> tuple[Path, str]:
    """The tree with its fault, made afresh, and the interpreter to test it with."""
    pair = case.pair
    root = (directory / pair.new.name).absolute()
    click.echo(f"{pair.new}, with {pair.qualname} ({pair.path}) as it stood in {pair.old.version}:")
    click.echo(f"  {case.fault}\n")
    shutil.rmtree(root, ignore_errors=True)
    cache = case_cache()
    tree = make_bug_tree(pair, root, cache)
    write_provenance(tree)
    return root, environment(case.requirements, cache)


def run(case: Case, root: Path, python: str, max_seconds: float) -> int:
    """Run `repair fix` as a user would, and give its exit status: 0 only for a certified patch."""
    asked = ["fix", *case.tests, "--root", str(root), "--python", python]
    asked += ["--proposer", "search", "--max-seconds", f"{max_seconds:g}"]
    shown = " ".join(f"'{x}'" if set(x) & set(" []") else x for x in asked)
    click.echo(f"$ repair {shown}\n")
    sys.stdout.flush()
    started = time.monotonic()
    status = subprocess.run([sys.executable, "-P", "-m", "repair", *asked], check=False).returncode
    click.echo(f"\n{_closing_words(status)} Exit status {status} after {time.monotonic() - started:.0f} s.", err=True)
    return status


def _closing_words(status: int) -> str:
    if status == 0:
        return "A certified patch; the tree itself is unchanged."
    again = ".venv/bin/python -m corpora.lab.demo --max-seconds 600"
    return f"No certified patch; a slow or busy machine needs more time: {again}."


if __name__ == "__main__":
    main()
