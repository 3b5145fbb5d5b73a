"""What the engine's own process costs: indexing, memory, and how many candidates a real search runs in a second.

`python -m corpora.bench_engine` prints all figures as JSON. They need the package index once, and a quiet machine.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from analysis.errors import TargetError
from analysis.functions import functions_of
from corpora.benchmarks.work import NETWORKX, PLUGINS
from corpora.cases import HUMANIZE, LRI, ONE_TO_ONE, Case
from corpora.environment import environment
from corpora.release_pair import make_bug_tree
from corpora.source_package import case_cache, fetch, unpack

LINES = 100_000
SEARCHED = (HUMANIZE, ONE_TO_ONE, LRI)

FAULTY = "networkx/algorithms/core.py"
FAULT = (b"if core[u] > core[v]:", b"if core[u] >= core[v]:")
FAILING = "networkx/algorithms/tests/test_core.py"
FAULTY_FUNCTION = "core_number"

# Run by the engine's interpreter: a whole repair in this one process, then the most memory that it ever had.
_REPAIR = """
import json, os, sys
from repair import api
from repair.config import Options
root, python, test, function, seconds, state = sys.argv[1:]
options = Options(root, python=python, tests=(test,), function=function, max_seconds=float(seconds), state_dir=state)
result = api.fix([], options, lambda event: None, dict(os.environ))
with open("/proc/self/status") as status:
    (kilobytes,) = (line.split()[1] for line in status if line.startswith("VmHWM"))
print(json.dumps({"status": str(result.status), "messages": result.messages, "megabytes": int(kilobytes) / 1024}))
"""


@click.command()
@click.option("--dir", "directory", type=click.Path(path_type=Path), default=Path("build/bench"), show_default=True)
@click.option("--max-seconds", type=float, default=60, show_default=True, help="For each repair.")
def main(directory: Path, max_seconds: float) -> None:
    """Print the engine's figures as JSON."""
    click.echo(json.dumps(figures(directory, case_cache(), max_seconds), indent=1))


def figures(directory: Path, cache: Path, max_seconds: float = 60) -> dict[str, Any]:
    """All figures, by the names that they have in the table of the benchmark."""
    tree = large_project(directory, cache)
    return {
        "index_seconds_100kloc": index_seconds_100kloc(tree),
        "engine_mb_100kloc": engine_mb_100kloc(
            tree, environment(PLUGINS, cache), FAILING, FAULTY_FUNCTION, max_seconds
        ),
        "search_candidates_per_second": search_candidates_per_second(SEARCHED, directory, cache, max_seconds),
    }


def large_project(directory: Path, cache: Path) -> Path:
    """A fresh tree of a real library, more than 100,000 lines long, with a fault in one function."""
    root = (directory / str(NETWORKX)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(NETWORKX, cache), root)
    source = (root / FAULTY).read_bytes()
    old, new = FAULT
    if source.count(old) != 1:
        raise TargetError("The line to be spoilt is not there exactly once", where=FAULTY)
    (root / FAULTY).write_bytes(source.replace(old, new))
    return root


def index_seconds_100kloc(root: Path, rounds: int = 3) -> float:
    """Seconds to index all functions of the tree's Python files, for each 100,000 lines; the best of some rounds.

    Processor time: nothing is waited for, so that on a quiet machine it is the time that passes.
    """
    files = [(str(path.relative_to(root)), path.read_bytes()) for path in sorted(root.rglob("*.py"))]
    lines = sum(source.count(b"\n") for _, source in files)
    took = []
    for _ in range(rounds):
        started = time.process_time()
        found = sum(len(functions_of(path, source)) for path, source in files)
        took.append(time.process_time() - started)
        assert found, "a project has functions"
    return round(min(took) * LINES / lines, 3)


def engine_mb_100kloc(root: Path, python: str, test: str, function: str, max_seconds: float) -> float:
    """The most memory (megabytes, resident) that the engine's process has in a whole ``repair fix`` of the tree.

    The function is named, so that every file of the project is indexed. What the tests need is not counted.
    """
    state = root.parent / f"{root.name}-state"
    asked = (str(root), python, test, function, f"{max_seconds:g}", str(state))
    done = subprocess.run([sys.executable, "-P", "-c", _REPAIR, *asked], capture_output=True, text=True, check=False)
    shutil.rmtree(state, ignore_errors=True)
    if done.returncode:
        raise TargetError(f"The repair ended badly: {done.stderr[-500:]}", where=str(root))
    said = json.loads(done.stdout.strip().rpartition("\n")[2])
    if said["status"] not in ("certified", "plausible", "rejected", "unrepaired"):
        raise TargetError(f"There was no search: {said['status']} {' '.join(said['messages'])}", where=str(root))
    return round(float(said["megabytes"]), 1)


def search_candidates_per_second(
    cases: Sequence[Case], directory: Path, cache: Path, max_seconds: float
) -> dict[str, float]:
    """Distinct candidates run, over the seconds of the search, in a real ``repair fix`` of each case."""
    found = {}
    for case in cases:
        root = (directory / case.name).absolute()
        shutil.rmtree(root, ignore_errors=True)
        make_bug_tree(case.pair, root, cache)
        found[case.name] = candidates_per_second(_fixed(root, case, environment(case.requirements, cache), max_seconds))
    return found


def candidates_per_second(result: Mapping[str, Any]) -> float:
    """The rate that a result tells of: what was run, rivals included, over the time of the search.

    What is known from before, or was run twice, is not counted; starting servers and waiting for them is.
    """
    counts, seconds = result["counts"], result["seconds"]
    if not seconds["search"]:
        raise TargetError(f"There was no search: {result['status']}")
    rate: float = (counts["executed"] + counts["rivals"]) / seconds["search"]
    return round(rate, 1)


def _fixed(root: Path, case: Case, python: str, max_seconds: float) -> Mapping[str, Any]:
    """The result of a repair as a user would start it."""
    asked = ["fix", *case.tests, "--root", str(root), "--python", python, "--json", "--proposer", "search"]
    asked += ["--max-seconds", f"{max_seconds:g}"]
    run = subprocess.run([sys.executable, "-P", "-m", "repair", *asked], capture_output=True, text=True, check=False)
    try:
        result: Mapping[str, Any] = json.loads(run.stdout)
    except ValueError as problem:
        raise TargetError(f"The repair gave no result: {run.stderr[-500:]}", where=case.name) from problem
    return result


if __name__ == "__main__":
    main()
