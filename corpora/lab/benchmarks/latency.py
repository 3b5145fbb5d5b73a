"""How long people wait: `repair fix` to its first patch and to its verdict, `repair check`, beside plain pytest.

Each case is a tree with a fault, its failing tests, and a patch that mends it. The cases stand in this file, and were
listed before anything was measured. All four times of a case are of one session on one machine: plain pytest first.
Cold starts are what the commands themselves count.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from analysis.errors import TargetError
from corpora.bug import Bug
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.cases import CASES, PYTEST, Case
from corpora.lab.release_pair import make_bug_tree
from corpora.loaders.flat import FlatCorpus, files_below
from corpora.source_package import case_cache
from transforms.patch.diff import as_bytes, unified_diff

CART = {
    "cart.py": """\
class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, price, quantity=1):
        if name in self.items:
            old_price, old_quantity = self.items[name]
            self.items[name] = (price, quantity)
        else:
            self.items[name] = (price, quantity)

    def total(self, discount=None):
        total = sum(price * quantity for price, quantity in self.items.values())
        return total - total * discount / 100
""",
    "test_cart.py": """\
from cart import Cart


def test_add():
    cart = Cart()
    cart.add("tea", 3)
    assert cart.items == {"tea": (3, 1)}


def test_add_twice():
    cart = Cart()
    cart.add("tea", 3)
    cart.add("tea", 3, 2)
    assert cart.items["tea"] == (3, 3)


def test_total():
    cart = Cart()
    cart.add("tea", 3, 2)
    assert cart.total() == 6


def test_discount():
    cart = Cart()
    cart.add("tea", 3, 2)
    assert cart.total(50) == 3
""",
}
CARTS = (
    (
        "cart-add",
        "test_add_twice",
        "] = (price, quantity)\n        else",
        "] = (price, old_quantity + quantity)\n        else",
    ),
    ("cart-total", "test_total", "total * discount", "total * (discount or 0)"),
)
"""Two faults of one small project: its name, the failing test, and what mends it."""

OWN = (
    *("text-duration", "text-ordinal", "logic-merge-touching", "logic-version-order", "contract-port-range"),
    *("division-empty-window", "index-grid-neighbours", "none-optional-parent", "key-first-of-group", "timeout-bisect"),
)
"""Bugs of our own corpus, of ten kinds."""

DEADLINE, OVER = 5.0, 2.0
"""Seconds that a command gets where the machine is busy, and how much later it may have ended."""

FIX_SECONDS, FIRST_SECONDS, CHECK_SECONDS, LIBRARY_RATIO = (
    Figure("fix_seconds", 10.0, 5.0, floor=False),
    Figure("first_patch_seconds", 3.0, 2.0, floor=False),
    Figure("check_seconds", 5.0, 3.0, floor=False),
    Figure("library_check_ratio", 1.0, 0.5, floor=False),
)
FIX_STARTS = Figure("fix_cold_starts", 8, 8, floor=False)
CHECK_STARTS = Figure("check_cold_starts", 4, 4, floor=False)
DEADLINES = Figure("deadlines_held", 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Project:
    """A tree ready to be measured. ``library`` says that it is one of the index's, and not a small one."""

    name: str
    root: Path
    tests: tuple[str, ...]
    fix: str
    python: str
    library: bool = False


@dataclass(frozen=True, slots=True)
class Waited:
    """What one case took, in seconds; ``first`` is ``None`` where no patch was plausible."""

    name: str
    library: bool
    pytest: float
    fix: float
    first: float | None
    fix_status: str
    fix_starts: int
    check: float
    check_status: str
    check_starts: int


@click.command()
@click.option("--only", default="", help="Cases whose names hold this.")
@click.option("--max-seconds", type=float, default=120.0, show_default=True, help="For each command.")
@click.option(
    "--busy",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Runs with a deadline beside two busy loops.",
)
@click.option("--offline", is_flag=True, help="Only what lies in the repository: no libraries of the index.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/latency.json"), show_default=True)
def main(only: str, max_seconds: float, busy: int, offline: bool, out: Path) -> None:
    """Measure each case, then deadlines on a busy machine."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = sys.executable if offline else environment(PYTEST, case_cache())
        projects = (*small_projects(place, python), *(() if offline else libraries(place)))
        chosen = [project for project in projects if only in project.name]
        waited = []
        for project in chosen:
            waited.append(measure(project, place / "state", max_seconds))
            say(describe(waited[-1]))
        held = [hold_deadline(chosen[n % len(chosen)], place / "state") for n in range(busy)] if chosen else []
    found = summarize(waited, held)
    click.echo(table(found))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine=machine_of())
    out.with_suffix(".cases.json").write_text(json.dumps([asdict(each) for each in waited], indent=1) + "\n")


def small_projects(place: Path, python: str) -> Iterator[Project]:
    """The carts, then ours, run by this interpreter: one with pytest alone, as plugins of ours are none of theirs."""
    for name, test, old, new in CARTS:
        root = place / name
        root.mkdir()
        for path, text in CART.items():
            (root / path).write_text(text, encoding="utf-8")
        before = CART["cart.py"].encode()
        assert CART["cart.py"].count(old) == 1, f"{name}: the fault stands in one place"
        fix = unified_diff("cart.py", before, before.replace(old.encode(), new.encode()))
        yield Project(name, root, (f"test_cart.py::{test}",), fix, python)
    corpus = FlatCorpus(Path("corpora/own"))
    bugs = {bug.id: bug for bug in corpus.bugs() if isinstance(bug, Bug)}
    for name in OWN:
        bug, folder = bugs[name], Path("corpora/own", name)
        root = place / name
        shutil.copytree(folder / "tree", root)
        reference = dict(files_below(folder / "reference"))
        diffs = (unified_diff(path, (root / path).read_bytes(), after) for path, after in sorted(reference.items()))
        yield Project(name, root, tuple(bug.failing), "".join(diffs), python)


def libraries(place: Path) -> Iterator[Project]:
    """Historical bugs of five libraries; the first is that of the demonstration."""
    for case in CASES:
        yield _library(case, place)


def _library(case: Case, place: Path) -> Project:
    cache = case_cache()
    tree = make_bug_tree(case.pair, place / case.name, cache)
    return Project(case.name, tree.root, case.tests, tree.fix, environment(case.requirements, cache), library=True)


PLAIN_SECONDS = 60.0
"""After so long plain pytest is ended."""


def measure(project: Project, state: Path, max_seconds: float) -> Waited:
    """Plain pytest, then both commands, one after another."""
    began = time.monotonic()
    command = [project.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    with contextlib.suppress(subprocess.TimeoutExpired):  # a fault may be a loop without an end
        subprocess.run(command, cwd=project.root, capture_output=True, check=False, timeout=PLAIN_SECONDS)
    plain = time.monotonic() - began
    fixed, fix, first = _run(["fix", *project.tests], project, state, max_seconds)
    checked, check, _ = _run(["check", "-", *project.tests], project, state, max_seconds)
    return Waited(
        project.name,
        project.library,
        round(plain, 3),
        round(fix, 3),
        first,
        str(fixed["status"]),
        sum(fixed.get("cold_starts", {}).values()),
        round(check, 3),
        str(checked["status"]),
        sum(checked.get("cold_starts", {}).values()),
    )


def _run(
    asked: Sequence[str], project: Project, state: Path, seconds: float
) -> tuple[dict[str, Any], float, float | None]:
    """The result of one command, the seconds to it, and those to the first patch that passes the tests."""
    shutil.rmtree(state, ignore_errors=True)  # what was learned from a run before would answer
    words = [
        sys.executable,
        "-E",
        "-P",
        "-m",
        "repair",
        *asked,
        "--root",
        str(project.root),
        "--python",
        project.python,
    ]
    words += ["--state-dir", str(state), "--max-seconds", f"{seconds:g}", "--output-format", "jsonl"]
    began, first, last = time.monotonic(), None, b""
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None, "it is a pipe"
        assert child.stdout is not None, "it is a pipe"
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(as_bytes(project.fix))
        child.stdin.close()
        for line in child.stdout:
            last = line
            if first is None and json.loads(line).get("type") == "candidate":
                first = round(time.monotonic() - began, 3)
    try:
        result: dict[str, Any] = json.loads(last)
    except ValueError as problem:
        raise TargetError(f"repair {asked[0]} gave no result", where=project.name) from problem
    return result, time.monotonic() - began, first


def hold_deadline(project: Project, state: Path) -> bool:
    """Whether a check with a deadline has ended in time beside two busy loops."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        return _run(["check", "-", *project.tests], project, state, DEADLINE)[1] <= DEADLINE + OVER
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def describe(waited: Waited) -> str:
    """One line about a case."""
    first = f"{waited.first:.1f}" if waited.first is not None else "-"
    return (
        f"{waited.name}: pytest {waited.pytest:.1f} s; "
        f"fix {first}/{waited.fix:.1f} s, {waited.fix_starts} cold starts, {waited.fix_status}; "
        f"check {waited.check:.1f} s, {waited.check_starts} cold starts, {waited.check_status}"
    )


def summarize(waited: Sequence[Waited], held: Sequence[bool]) -> Measured:
    """The figures with their targets. A library's ratio is what `check` took of six times plain pytest and 3 s."""
    small, large = [w for w in waited if not w.library], [w for w in waited if w.library]
    ratios = [(w.name, w.check / (6 * w.pytest + 3)) for w in large]
    columns = (
        (FIX_SECONDS, [(w.name, w.fix) for w in small]),
        (FIRST_SECONDS, [(w.name, w.first) for w in small if w.first is not None]),
        (CHECK_SECONDS, [(w.name, w.check) for w in small]),
        (LIBRARY_RATIO, ratios),
        (FIX_STARTS, [(w.name, float(w.fix_starts)) for w in waited]),
        (CHECK_STARTS, [(w.name, float(w.check_starts)) for w in waited]),
        (DEADLINES, [("busy", sum(held) / len(held))] if held else []),
    )
    rows = tuple(Row(figure, tuple(values)) for figure, values in columns if values)
    numbers: list[tuple[str, float]] = [("cases", len(waited)), ("busy_runs", len(held))]
    if small:
        numbers.append(("check_over_pytest", statistics.median(w.check / w.pytest for w in small)))
        numbers.append(("fix_over_pytest", statistics.median(w.fix / w.pytest for w in small)))
    return Measured(rows, tuple(numbers), ("wall times; all of a case in one session, one after another",))


if __name__ == "__main__":
    main()
