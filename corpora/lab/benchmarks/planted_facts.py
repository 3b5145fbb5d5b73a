"""Faults planted in documented functions, and which of them facts notice.

`python -m corpora.lab.benchmarks.planted_facts` measures. The program as it was released is taken for right, and each
mutant of a function is a program with one known fault. A finding is true where the mutant ends the call otherwise than
the release does. Which mutants break an example, Python's own doctest says, which shares no code with the engine.
"""

from __future__ import annotations

import datetime
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import click

from analysis.calls import CallInput, PlainAnswer
from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId, InvalidRun, Limits
from analysis.function_text import first_line_of
from analysis.specified.fact_record import Extractor, Fact
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.growing import unpacked
from corpora.lab.benchmarks.grown_libraries import LIBRARIES as GROWN
from corpora.lab.benchmarks.healed_library import LIBRARIES as HEALED
from corpora.lab.benchmarks.healed_library import HealedLibrary
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.source_package import case_cache
from repair.compare.answers import module_of
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.ports import Sandbox
from repair.survey.growing.simpler import input_of
from repair.survey.specified.drift import DriftOfFunction, find_drift
from repair.survey.specified.instances import ClassTexts
from repair.survey.specified.scan import ScannedProject, scan_project
from repair.survey.survey import open_surveyor
from transforms.mutants.made import mutants
from transforms.patch.apply import place

PRECISION = Figure("planted_precision", 0.7, 0.95)
RECALL = Figure("planted_recall_of_broken_examples", 0.9, 1.0)

LIBRARIES = {
    **HEALED,
    "w3lib": HealedLibrary(GROWN["w3lib"].package, "w3lib", ".", GROWN["w3lib"].paths),
}
"""Four whose examples the bench of healing uses, and one more."""

DOCTEST = """
import doctest, functools, importlib, sys
module = importlib.import_module(sys.argv[1])
function = functools.reduce(getattr, sys.argv[2].split("."), module)
tests = doctest.DocTestFinder(recurse=False).find(function, sys.argv[2], module, globs=dict(vars(module)))
runner = doctest.DocTestRunner(verbose=False)
for test in tests:
    runner.run(test, out=lambda text: None)
print("doctest", runner.failures, runner.tries)
"""


@dataclass(frozen=True, slots=True)
class _Overlaid:
    """A sandbox in which files lie over the project; ``seen`` holds what calls gave there."""

    sandbox: Sandbox
    files: Files
    seen: dict[CallInput, str] = field(default_factory=dict)

    def call_apart(
        self, function: FunctionId, calls: Sequence[CallInput], files: Files = (), *, limits: Limits | None = None
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        """As the sandbox does."""
        answers = self.sandbox.call_apart(function, calls, self.files, limits=limits)
        if not isinstance(answers, InvalidRun):
            self.seen.update(
                (given, each.digest if each is not None else "") for given, each in zip(calls, answers, strict=True)
            )
        return answers


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """One mutant: whether a tried call ends otherwise, how many findings are true and how many false.

    ``breaks_example`` is what doctest says; ``None`` where the function has no example, or none that holds.
    """

    where: str
    apart: bool
    true: int
    false: int
    breaks_example: bool | None


@dataclass(frozen=True, slots=True)
class PlantedLibrary:
    """What became of a library: its functions whose facts were held against calls, and findings on the release."""

    functions: int
    facts: int
    on_release: tuple[str, ...]
    faults: tuple[PlantedFault, ...]


@click.command()
@click.option("--only", default=",".join(LIBRARIES), show_default=True, help="Libraries.")
@click.option("--most", default=12, show_default=True, help="Functions of a library at most, by chance.")
@click.option("--mutants", "wanted", default=10, show_default=True, help="Faults of a function at most, by chance.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/planted.json"), show_default=True)
def main(only: str, most: int, wanted: int, out: Path) -> None:
    """Measure, print the table, and write the record."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - LIBRARIES.keys():
        raise click.UsageError(f"There is no library {sorted(unknown)[0]!r}")
    began, load = time.monotonic(), os.getloadavg()
    found = {name: measure_library(LIBRARIES[name], most, wanted, out.parent) for name in names}
    measured = figures_of(found)
    click.echo(table(measured))
    click.echo("\n".join(f"- {note}" for note in measured.notes))
    machine: dict[str, object] = {
        **machine_of(),
        "load_before": load,
        "load_after": os.getloadavg(),
        "seconds": round(time.monotonic() - began),
        "command": " ".join(["python -m corpora.lab.benchmarks.planted_facts", *sys.argv[1:]]),
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])


def figures_of(found: dict[str, PlantedLibrary]) -> Measured:
    """Precision over all findings, and recall among the faults that break an example; by library."""
    precision, recall, notes = [], [], []
    for name, each in found.items():
        true = sum(fault.true for fault in each.faults)
        told = true + sum(fault.false for fault in each.faults) + len(each.on_release)
        broken = [fault for fault in each.faults if fault.breaks_example]
        seen = sum(fault.true > 0 for fault in broken)
        apart = [fault for fault in each.faults if fault.apart]
        precision += [(name, true / told)] if told else []
        recall += [(name, seen / len(broken))] if broken else []
        notes.append(
            f"{name}: {each.functions} functions, {each.facts} facts held, {len(each.faults)} faults; {told} findings, "
            f"{true} true; {len(broken)} faults break an example, {seen} of these found; {len(apart)} end a tried "
            f"call otherwise, {sum(fault.true > 0 for fault in apart)} of these found"
        )
        notes += [f"{name}: on the release: {said}" for said in each.on_release]
        notes += [f"{name}: not found: {fault.where}" for fault in broken if not fault.true]
        notes += [f"{name}: false on a fault: {fault.where}" for fault in each.faults if fault.false]
    rows = [Row(figure, tuple(values)) for figure, values in ((PRECISION, precision), (RECALL, recall)) if values]
    return Measured(tuple(rows), (), tuple(notes))


def measure_library(library: HealedLibrary, most: int, wanted: int, folder: Path) -> PlantedLibrary:
    """Faults of so many of its documented functions, drawn by chance with a seed."""
    tree = unpacked(library.package, folder)
    python = environment(library.requirements, case_cache())
    options = Options(root=str(tree.resolve()), max_seconds=3600.0, python=python)
    with open_surveyor(options, lambda _: None, os.environ, time.monotonic()) as (sandbox, surveyor, _):
        scanned = scan_project(sandbox.snapshot, tree.resolve())
        facts = _facts_by_function(scanned, library.paths)
        subjects = random.Random(0).sample(sorted(facts), min(most, len(facts)))
        functions, held, said, faults = 0, 0, [], []
        with tempfile.TemporaryDirectory() as scratch:
            program = _Program(
                sandbox, scanned, sandbox.snapshot.sources(), surveyor.limits, Path(scratch), python, library
            )
            shutil.copytree(tree, program.copy)
            for subject in subjects:
                say(f"{library.package}: {subject}")
                release = _Overlaid(sandbox, ())
                right = program.drift(release, subject, facts[subject])
                if right.held:
                    functions, held = functions + 1, held + right.held
                    said += [f"{subject}: {each.call.source}: {each.fact.quote}" for each in right.drifted]
                    faults += list(program.faults(subject, facts[subject], release, wanted))
    return PlantedLibrary(functions, held, tuple(said), tuple(faults))


def _facts_by_function(scanned: ScannedProject, paths: Sequence[str]) -> dict[str, list[Fact]]:
    """What is stated, other than by tests, of the functions of these files that are no methods."""
    found: dict[str, list[Fact]] = {}
    for fact in scanned.facts:
        function = scanned.functions.get(fact.subject)
        if fact.means is None or function is None or function.is_method or fact.extractor is Extractor.TEST:
            continue
        path = fact.subject.partition(":")[0]
        if any(path == each or path.startswith(f"{each}/") for each in paths):
            found.setdefault(fact.subject, []).append(fact)
    return found


@dataclass(frozen=True, slots=True)
class _Program:
    """A library that is scanned, with a copy in which doctest runs."""

    sandbox: Sandbox
    scanned: ScannedProject
    sources: Files
    limits: Limits
    scratch: Path
    python: str
    library: HealedLibrary

    @property
    def copy(self) -> Path:
        return self.scratch / "copy"

    def drift(self, sandbox: _Overlaid, subject: str, facts: Sequence[Fact]) -> DriftOfFunction:
        """The facts of a function that the program there breaks."""
        texts = ClassTexts(self.scanned.trees, self.sources, self.scanned.facts)
        function = self.scanned.functions[subject]
        return find_drift(cast(Sandbox, sandbox), subject, function, self.sources, facts, self.limits, texts)

    def faults(self, subject: str, facts: Sequence[Fact], release: _Overlaid, wanted: int) -> Iterator[PlantedFault]:
        """What is found of the function's mutants, as many as are wanted."""
        path, _, qualname = subject.partition(":")
        own = FunctionId(path, qualname, first_line_of(self.scanned.functions[subject].node))
        try:
            scope = edit_scope(self.sources, own)
            every = list(mutants(scope))
        except UnparseableError:
            return
        holds = self.doctest(path, qualname, None) is False
        for mutant in random.Random(0).sample(every, min(wanted, len(every))):
            text = place(scope, mutant.text)
            faulty = _Overlaid(self.sandbox, ((path, text),))
            found = self.drift(faulty, subject, facts)
            apart = any(release.seen.get(given, each) != each for given, each in faulty.seen.items())
            given = [input_of(each.call) for each in found.drifted]
            known = [each for each in given if each is not None and each not in release.seen]
            if known:
                release.call_apart(own, known, limits=self.limits)
            true = sum(each is not None and release.seen.get(each) != faulty.seen.get(each) for each in given)
            breaks = self.doctest(path, qualname, text) if holds else None
            where = f"{qualname}, line {mutant.line}: {mutant.label}"
            yield PlantedFault(where, apart, true, len(given) - true, breaks)

    def doctest(self, path: str, qualname: str, text: bytes | None) -> bool | None:
        """Whether an example of the function fails in the copy with this text of its file; ``None`` without any."""
        file = self.copy / path
        before = file.read_bytes()
        words = [self.python, "-c", DOCTEST, module_of(path, self.sources), qualname]
        env = {"PYTHONPATH": str(self.copy / self.library.sources), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            file.write_bytes(text if text is not None else before)
            ran = subprocess.run(words, cwd=self.scratch, env=env, capture_output=True, timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return None
        finally:
            file.write_bytes(before)
        last = ran.stdout.decode("utf-8", "replace").split()[-3:]
        match last:
            case ["doctest", failures, tries] if tries != "0":
                return failures != "0"
        return None


if __name__ == "__main__":
    main()
