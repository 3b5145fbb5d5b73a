"""Whether `check` says the same with and without what it keeps: line maps, outcomes of trials, recorded verdicts.

Each patch is judged with `--no-cache`, then in a fresh state, then there again without its recorded verdict, and once
more with it. Status and each gate's decision have to be the same. The patches are the fixes of our own corpus, and
mutants of these.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice, zip_longest
from pathlib import Path

import click

from analysis.functions import functions_of
from corpora.bug import Bug
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.loaders.flat import FlatCorpus, files_below
from repair.records.functions import edit_scope
from repair.store.recorded import GROUNDS
from transforms.mutants.made import mutants
from transforms.patch.apply import place
from transforms.patch.diff import as_bytes, unified_diff

OWN = Path("corpora/own")

SAME = Figure("same_verdicts", 1.0, 1.0)

Said = tuple[str, tuple[tuple[str, str], ...]]
"""The status of a verdict, and each gate with its decision."""


@dataclass(frozen=True, slots=True)
class Change:
    """A patch of one bug: its fix, or one with a ``mutant`` of that."""

    bug: str
    tests: tuple[str, ...]
    mutant: str
    diff: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What was said of one patch: by the way in which it was judged, in their order."""

    bug: str
    mutant: str
    said: dict[str, Said]

    @property
    def is_same(self) -> bool:
        """Whether all ways say the same."""
        return len(set(self.said.values())) == 1


@click.command()
@click.option("--most", type=click.IntRange(min=1), default=200, show_default=True, help="Patches in all.")
@click.option("--skip", type=click.IntRange(min=0), default=0, show_default=True, help="Patches seen before.")
@click.option("--minutes", type=float, default=600.0, show_default=True, help="No patch is begun later.")
@click.option("--max-seconds", type=float, default=120.0, show_default=True, help="For each check.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/recorded.json"), show_default=True)
def main(most: int, skip: int, minutes: float, max_seconds: float, out: Path) -> None:
    """Judge each patch four times, and say where two of them differ."""
    until = time.monotonic() + 60 * minutes
    compared: list[Compared] = []
    for change in islice(list_changes(OWN), skip, skip + most):
        if time.monotonic() > until:
            break
        compared.append(compare_verdicts(change, max_seconds))
        last = compared[-1]
        said = last.said if not last.is_same else next(iter(last.said.values()))[0]
        say(f"{'same' if last.is_same else 'DIFFERS'}  {last.bug} {last.mutant}: {said}")
    found = summarize(compared)
    click.echo(table(found))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine=machine_of())
    out.with_suffix(".patches.json").write_text(json.dumps([asdict(each) for each in compared], indent=1) + "\n")


def list_changes(folder: Path) -> Iterator[Change]:
    """The fix of each bug, then the first mutant of each, then the second, and so on."""
    bugs = [bug for bug in FlatCorpus(folder).bugs() if isinstance(bug, Bug) and bug.fault is not None]
    each = [_changes_of(bug, folder / bug.id) for bug in bugs]
    for row in zip_longest(*each):
        yield from filter(None, row)


def _changes_of(bug: Bug, folder: Path) -> Iterator[Change]:
    before = dict(files_below(folder / "tree"))
    fixed = before | dict(files_below(folder / "reference"))
    yield Change(bug.id, bug.failing, "", _diff(before, fixed))
    assert bug.fault is not None, "those without one were left out"
    path, name = bug.fault.path, bug.fault.qualname
    function = next(span.function for span in functions_of(path, before[path]) if span.function.qualname == name)
    old, new = (edit_scope(tuple(files.items()), function) for files in (before, fixed))
    for mutant in mutants(new, old):
        yield Change(bug.id, bug.failing, mutant.label, _diff(before, {**fixed, path: place(new, mutant.text)}))


def _diff(before: dict[str, bytes], after: dict[str, bytes]) -> str:
    return "".join(unified_diff(p, before[p], text) for p, text in sorted(after.items()) if text != before.get(p))


def compare_verdicts(change: Change, max_seconds: float) -> Compared:
    """What each way of judging says; all projects are copies at one place, and each judgement sees the same files."""
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder, "project"), Path(folder, "state")
        for path, text in files_below(OWN / change.bug / "tree"):
            root.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
            root.joinpath(path).write_bytes(text)
        with ThreadPoolExecutor(1) as beside:
            alone = beside.submit(check, change, root, Path(folder, "other"), max_seconds, "--no-cache")
            said = {"cold": check(change, root, state, max_seconds)}
            for kept in state.rglob(GROUNDS):
                kept.unlink()
            said["kept lines"] = check(change, root, state, max_seconds)
            said["recorded"] = check(change, root, state, max_seconds)
            said["not kept"] = alone.result()
    return Compared(change.bug, change.mutant, said)


def check(change: Change, root: Path, state: Path, max_seconds: float, *options: str) -> Said:
    """What `repair check` says of the patch."""
    words = [sys.executable, "-E", "-P", "-m", "repair", "check", "-", *change.tests, "--root", str(root), *options]
    words += ["--python", sys.executable, "--state-dir", str(state), "--max-seconds", f"{max_seconds:g}", "--json"]
    done = subprocess.run(words, input=as_bytes(change.diff), capture_output=True, check=False)
    result = json.loads(done.stdout)
    decisions = [(e["gate"], e["decision"]) for patch in result["patches"] for e in patch["evidence"]]
    return str(result["status"]), tuple(decisions)


def summarize(compared: list[Compared]) -> Measured:
    """The share of patches of which all ways say the same."""
    same = sum(each.is_same for each in compared)
    shares = (("patches", same / len(compared)),) if compared else ()
    numbers = (("patches", float(len(compared))), ("same", float(same)))
    return Measured((Row(SAME, shares),), numbers, ("status and each gate's decision, four judgements of each patch",))


if __name__ == "__main__":
    main()
