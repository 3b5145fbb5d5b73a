"""`make bench-spec`: what `repair spec` reads of a planted project, and what it finds in one with planted faults.

The projects, and what a person reads in them, were written before the extractors were finished. No model takes part.
"""

from __future__ import annotations

import datetime
import os
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, versions
from repair import api
from repair.records.config import Options
from repair.records.specified import SpecFinding, SpecRequest

PLANTED = Path(__file__).parents[1] / "planted"
READ, CHECKED = ("bistro", "shed"), ("depot", "kiosk")
"""Projects of which is known what can be read in them, and what is to be told of them."""

Compared = tuple[list[str], list[str], int, int]
"""What was missed, what was not planted, how many were planted, and how many found."""

FIGURES = tuple(
    Figure(f"spec_{what}_{which}", least, 1.0)
    for what in ("facts", "findings")
    for which, least in (("precision", 0.95), ("recall", 0.90))
)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/spec.json"), show_default=True)
def main(out: Path) -> None:
    """Measure, print the table, and write the record."""
    began, load = time.monotonic(), os.getloadavg()
    with tempfile.TemporaryDirectory() as scratch:
        measured = measure(Path(scratch))
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    seconds = round(time.monotonic() - began)
    machine: dict[str, object] = {**machine_of(), "load_before": load, "seconds": seconds, "command": "make bench-spec"}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])
    click.echo(f"Written to {out}")


def measure(scratch: Path) -> Measured:
    """All planted projects, each in a folder of its own."""
    missing, surplus, expected, read = _joined(facts_compared(scratch / name, scratch / "state", name) for name in READ)
    unseen, untrue, planted, told = _joined(
        findings_compared(scratch / name, scratch / "state", name) for name in CHECKED
    )
    values = (
        1 - len(surplus) / max(1, read),
        1 - len(missing) / expected,
        1 - len(untrue) / max(1, told),
        1 - len(unseen) / planted,
    )
    rows = tuple(Row(figure, (("planted", value),)) for figure, value in zip(FIGURES, values, strict=True))
    notes = (
        f"{expected} facts planted in six formats, {read} read; {planted} findings planted, {told} told",
        *(f"not read: {each}" for each in missing),
        *(f"read, and not planted: {each}" for each in surplus),
        *(f"not found: {each}" for each in unseen),
        *(f"told, and not planted: {each}" for each in untrue),
    )
    return Measured(rows, (), notes)


def _joined(parts: Iterable[Compared]) -> Compared:
    """Those of several projects as one."""
    missing, surplus, expected, found = zip(*parts, strict=True)
    return [*chain(*missing)], [*chain(*surplus)], sum(expected), sum(found)


def unpack_files(text: str, root: Path, prefix: str = "") -> None:
    """Write the files of a text whose parts begin with ``=== PATH``; with a prefix only those whose path has it."""
    for part in text.split("=== ")[1:]:
        name, _, body = part.partition("\n")
        if (":" in name) == bool(prefix) and name.startswith(prefix):
            place = root / name.removeprefix(prefix)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(body, "utf-8")


def _plan(name: str) -> dict[str, Any]:
    return tomllib.loads((PLANTED / f"{name}.toml").read_text("utf-8"))


def facts_compared(root: Path, state: Path, name: str) -> Compared:
    """Facts that were not read, facts that nobody planted, and how many were planted and read."""
    unpack_files((PLANTED / f"{name}.txt").read_text("utf-8"), root)
    options = Options(root=str(root), state_dir=str(state))
    report = api.scan_facts(SpecRequest(), options, lambda event: None, os.environ)
    listed = [fact for section in _plan(name).values() for fact in section["facts"]]
    wanted = Counter((subject, predicate, part, value) for subject, predicate, part, value in listed)
    found = Counter(
        (_base(fact.subject), fact.predicate, fact.part, "" if fact.predicate == "states" else fact.value)
        for fact in report.facts
    )
    return _listed(wanted - found), _listed(found - wanted), wanted.total(), found.total()


def _base(subject: str) -> str:
    """``bill.py:tip`` for ``bistro/bill.py:tip``; names of operations and requirements stay."""
    path, colon, name = subject.partition(".py:")
    return f"{path.rpartition('/')[2]}{colon}{name}" if colon else subject


def _listed(counted: Counter[tuple[str, str, str, str]]) -> list[str]:
    return sorted(" ".join(each) for each in counted.elements())


def findings_compared(root: Path, state: Path, name: str, python: str = sys.executable) -> Compared:
    """Planted findings that were not told, findings that nobody planted, and how many were planted and told."""
    text = (PLANTED / f"{name}.txt").read_text("utf-8")
    unpack_files(text, root)
    options = Options(root=str(root), state_dir=str(state), python=python, mutants=10, max_seconds=600.0)
    api.scan_facts(SpecRequest(), options, lambda event: None, os.environ)
    unpack_files(text, root, "after:")
    report = api.check_facts(SpecRequest(), options, lambda event: None, os.environ)
    plan = _plan(name)
    wanted: list[list[str]] = plan["findings"]
    unseen = [" ".join(each) for each in wanted if not any(_is_told(each, finding) for finding in report.findings)]
    true = [*wanted, *plan["also_true"]]
    untrue = list(_untrue(report.findings, true))
    return unseen, untrue, len(wanted), len(report.findings)


def _untrue(findings: Sequence[SpecFinding], true: Sequence[Sequence[str]]) -> Iterator[str]:
    for finding in findings:
        if not any(_is_told(each, finding) for each in true):
            yield f"{finding.kind.value} {finding.said}"


def _is_told(planted: Sequence[str], finding: SpecFinding) -> bool:
    kind, *words = planted
    text = " ".join((finding.subject, finding.said, finding.file, *finding.quotes))
    return finding.kind.value == kind and all(word in text for word in words)


if __name__ == "__main__":
    main()
