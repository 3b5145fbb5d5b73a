"""How many grown tests stand in the way of a fix: grown on a program with a known bug, run on upstream's fix.

Tests are grown of the file at fault, as a user would grow them. Where a bug names none, it is the first file that the
fix changes. What the fix makes of it is read when the tests are there.
`python -m corpora.lab.benchmarks.overpinning CORPUS…`, where `cases` are the five cases of two releases.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.facts import Files
from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.environment import environment, interpreter_of
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.cases import CASES
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import case_cache
from repair.api import grow
from repair.records.config import Options
from repair.records.grown import GrowRequest, SaidBy

BROKEN = Figure("overpinned_required", 0.1, 0.0, floor=False)


@dataclass(frozen=True, slots=True)
class BuggyProgram:
    """A tree with a bug, the file at fault, its interpreter, and the files as the fix leaves them."""

    name: str
    root: Path
    path: str
    python: str
    fix: Files
    tests: tuple[str, ...] = ()


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@click.option("--seconds", default=120, show_default=True, help="Time for a bug, the suite's own runs included.")
@click.option("--most", default=1000, show_default=True, help="Bugs of a corpus at most.")
@click.option("--only", default="", help="The bugs of these names alone, behind commas.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/overpinning.json"), show_default=True)
def main(corpora: tuple[str, ...], seconds: int, most: int, only: str, out: Path) -> None:
    """Grow, fix, run; print what broke, and write the record."""
    load = os.getloadavg()
    rows, numbers, notes = [], [], []
    for corpus in corpora:
        ran, broken, bugs = Counter[str](), Counter[str](), 0
        with tempfile.TemporaryDirectory() as folder:
            for program in _programs(corpus, Path(folder), most, set(filter(None, only.split(",")))):
                say(f"{corpus}: {program.name}")
                bugs += 1
                own_ran, own_broken, problem = measure(program, seconds)
                say(f"  {problem or f'{dict(own_ran)} ran, {dict(own_broken)} broke'}")
                ran += own_ran
                broken += own_broken
                notes += [f"{program.name}: {problem}"] if problem else []
                notes += [
                    f"{program.name}: {count} {kind} of {own_ran[kind]} broke" for kind, count in own_broken.items()
                ]
        numbers += [(f"{corpus}_bugs", float(bugs))]
        numbers += [(f"{corpus}_{kind}_{what}", float(found[kind])) for kind in SaidBy
                    for what, found in (("ran", ran), ("broke", broken))]  # fmt: skip
        if ran[SaidBy.REQUIRED]:
            rows.append((corpus, broken[SaidBy.REQUIRED] / ran[SaidBy.REQUIRED]))
        shares = ", ".join(f"{broken[kind]} of {ran[kind]} {kind}" for kind in SaidBy if ran[kind])
        notes.append(f"{corpus}: {bugs} bugs; the fix breaks {shares or 'nothing: no test was grown'}")
    measured = Measured((Row(BROKEN, tuple(rows)),) if rows else (), tuple(numbers), tuple(notes))
    click.echo(table(measured) if rows else "")
    click.echo("\n".join(f"- {note}" for note in notes))
    machine: dict[str, object] = {**machine_of(), "load_before": load, "load_after": os.getloadavg()}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])


def _programs(corpus: str, folder: Path, most: int, only: Set[str]) -> Iterator[BuggyProgram]:
    if corpus == "cases":
        for case in CASES[:most]:
            tree = make_bug_tree(case.pair, folder / case.name, case_cache())
            python = environment(case.requirements, case_cache())
            path = case.pair.path
            yield BuggyProgram(case.name, tree.root, path, python, ((path, tree.after),))
        return
    opened = open_corpus(corpus)
    bugs = [bug for bug in opened.bugs() if isinstance(bug, Bug) and (not only or bug.id in only)]
    for bug in bugs[:most]:
        root = folder / bug.id
        opened.write_tree(bug, root)
        python = interpreter_of(bug.environment, "", case_cache(), os.environ)
        fix = opened.oracle(bug).reference
        changed = [path for path, _ in fix if path.endswith(".py") and (root / path).exists()]
        path = bug.fault.path if bug.fault is not None else next(iter(changed), "")
        if path:
            yield BuggyProgram(bug.id, root, path, python, fix, bug.environment.tests)


def measure(program: BuggyProgram, seconds: int) -> tuple[Counter[str], Counter[str], str]:
    """Tests by who says so: how many ran on the fixed program, and how many broke; and why there are none."""
    asked = GrowRequest(paths=(program.path,), cwd=str(program.root))
    options = Options(root=str(program.root), python=program.python, max_seconds=float(seconds), tests=program.tests)
    try:
        report = grow(asked, options, lambda _: None, os.environ)
    except RepairError as problem:
        return Counter(), Counter(), str(problem).splitlines()[0]
    for path, content in (*program.fix, *((file.path, file.text.encode()) for file in report.files)):
        file = program.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    standing = {test.name.rpartition("::")[2]: str(test.standing) for test in report.tests}
    ran, broken = Counter[str](), Counter[str]()
    for name, passed in _run(program, [file.path for file in report.files]):
        kind = standing.get(name.partition("[")[0], "unknown")
        ran[kind] += 1
        broken[kind] += not passed
    why = "" if ran else "; ".join(each.not_checked for each in report.functions if each.not_checked) or "no test grown"
    return ran, +broken, why


def _run(program: BuggyProgram, paths: list[str]) -> Iterator[tuple[str, bool]]:
    """Each grown test on the fixed program, and whether it passed."""
    if not paths:
        return
    report = program.root / "grown.xml"
    words = [program.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *paths]
    subprocess.run(words, cwd=program.root, capture_output=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    for case in ET.parse(report).getroot().iter("testcase"):
        yield case.get("name", ""), not len(case)


if __name__ == "__main__":
    main()
