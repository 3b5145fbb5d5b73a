"""All texts that cheat and all honest ones that look so, judged: which gate stops what."""

from __future__ import annotations

import datetime
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from corpora.lab.adversary import FOLDER, Subject, bench, lay, stopped_by, subjects
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, versions
from repair.records.verdict import PatchStatus

CERTIFIED = Figure("adversarial_certified", 0.0, 0.0, floor=False)
REJECTED = Figure("legitimate_rejected", 0.0, 0.0, floor=False)

_NOTES = ("in-sample: the rules were made with these texts at hand", "legitimate: the right text of each subject too")


@dataclass(frozen=True, slots=True)
class Line:
    """One text with its verdict. ``kind`` is ``right``, ``cheat`` or ``honest``; ``stopped`` names the first gate."""

    subject: str
    kind: str
    group: str
    name: str
    status: str
    stopped: str
    due: bool
    """Whether a doubt about it is in order."""

    @property
    def is_wrong(self) -> bool:
        """A certified cheat, a rejected honest text, or one that is doubted without need."""
        certified = self.status == PatchStatus.CERTIFIED.value
        if self.kind == "cheat":
            return certified
        return not certified and not (self.due and self.status == PatchStatus.PLAUSIBLE.value)


def judge_subject(subject: Subject, directory: Path, names: Sequence[str] = ()) -> Iterator[Line]:
    """The lines of one subject, the right text (``fix``) first; only of the texts that are named, if any are."""
    laid = lay(subject, directory / "tree")
    with bench(subject, laid, directory / "state") as ready:
        texts = [("right", laid.fix)]
        texts += [("honest", text) for text in subject.legitimate] + [("cheat", text) for text in subject.cheats]
        for kind, text in texts:
            if names and text.name not in names:
                continue
            verdict = ready.judge(text)
            group = text.note("family") or text.note("looks like") or "the right text"
            due = bool(text.note("doubt"))
            yield Line(subject.name, kind, group, text.name, verdict.status.value, stopped_by(verdict), due)


def breakdown(lines: Sequence[Line]) -> Iterator[str]:
    """Families by subjects, with how many of them each gate stopped; and how many each gate stopped in all."""
    names = sorted({line.subject for line in lines})
    cheats = [line for line in lines if line.kind == "cheat"]
    yield "| family | " + " | ".join(names) + " |"
    yield "| --- |" + " --- |" * len(names)
    for family in sorted({line.group for line in cheats}):
        cells = [_stops([c for c in cheats if (c.group, c.subject) == (family, name)]) for name in names]
        yield f"| {family} | " + " | ".join(cells) + " |"
    yield ""
    yield f"cheats: {_stops(cheats)}"
    honest = [line for line in lines if line.kind != "cheat"]
    yield f"honest: {_stops(honest)}"


def adversary_figures(lines: Sequence[Line], missing: Sequence[str]) -> Measured:
    """How many texts that cheat are certified, and how many honest ones, the right texts among them, are rejected."""
    cheats = [line for line in lines if line.kind == "cheat"]
    honest = [line for line in lines if line.kind != "cheat"]
    shares = ((CERTIFIED, cheats, PatchStatus.CERTIFIED), (REJECTED, honest, PatchStatus.REJECTED))
    rows = [
        Row(figure, ((f"of {len(among)}", float(_count(among, status))),)) for figure, among, status in shares if among
    ]
    doubted = _count(honest, PatchStatus.PLAUSIBLE)
    numbers = (("adversarial", len(cheats)), ("legitimate", len(honest)), ("legitimate_doubted", doubted))
    return Measured(tuple(rows), numbers, (*_NOTES, *missing))


def _count(lines: Sequence[Line], status: PatchStatus) -> int:
    return sum(line.status == status.value for line in lines)


def _stops(lines: Sequence[Line]) -> str:
    count = Counter(line.stopped or "certified" for line in lines)
    return ", ".join(f"{gate} {number}" for gate, number in sorted(count.items(), key=lambda c: (-c[1], c[0])))


def _has(subject: Subject, names: Sequence[str]) -> bool:
    every = {"fix", *(text.name for text in (*subject.legitimate, *subject.cheats))}
    return not names or not every.isdisjoint(names)


@click.command()
@click.option("--subject", "wanted", multiple=True, help="Only these subjects.")
@click.option("--text", "names", multiple=True, help="Only texts of these names; the right text is ``fix``.")
@click.option("--from", "folder", type=click.Path(path_type=Path, exists=True), default=FOLDER, help="Another folder.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/adversary.json"), show_default=True)
def main(wanted: Sequence[str], names: Sequence[str], folder: Path, out: Path) -> None:
    """Judge every text of every subject. Exit status 1 where one is certified that cheats, or an honest one is not.

    So too where a subject was left out. Beside the record of the figures stands one of all texts (``…-texts.json``).
    """
    lines: list[Line] = []
    missing: list[str] = []
    for subject in subjects(folder):
        if (wanted and subject.name not in wanted) or not _has(subject, names):
            continue
        try:
            with tempfile.TemporaryDirectory() as scratch:
                for line in judge_subject(subject, Path(scratch), names):
                    mark = "!!" if line.is_wrong else "  "
                    click.echo(f"{mark} {line.subject} {line.kind} {line.name}: {line.status} {line.stopped}")
                    lines.append(line)
        except RepairError as problem:
            missing.append(f"{subject.name} was left out: {problem}")
            click.echo(f"!! {missing[-1]}", err=True)
    found = adversary_figures(lines, missing)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine={**machine_of(), "load": os.getloadavg()})
    texts = out.with_name(f"{out.stem}-texts.json")
    texts.write_text(json.dumps([asdict(line) for line in lines], indent=1) + "\n", encoding="utf-8")
    click.echo("\n" + "\n".join(breakdown(lines)))
    click.echo("\n" + table(found))
    sys.exit(1 if not lines or missing or any(line.is_wrong for line in lines) else 0)


if __name__ == "__main__":
    main()
