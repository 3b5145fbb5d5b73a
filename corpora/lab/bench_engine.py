"""What the engine's own process costs: indexing, memory, and how many candidates a real search runs in a second."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from analysis.functions import functions_of
from corpora.environment import environment
from corpora.lab.benchmarks.work import NETWORKX
from corpora.lab.cases import HUMANIZE, LRI, ONE_TO_ONE, Case
from corpora.lab.pinned import fetch
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import unpack

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
from repair.records.config import Options
root, python, test, function, seconds, state = sys.argv[1:]
options = Options(root, python=python, tests=(test,), function=function, max_seconds=float(seconds), state_dir=state)
result = api.fix([], options, lambda event: None, dict(os.environ))
with open("/proc/self/status") as status:
    (kilobytes,) = (line.split()[1] for line in status if line.startswith("VmHWM"))
print(json.dumps({"status": str(result.status), "messages": result.messages, "megabytes": int(kilobytes) / 1024}))
"""


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


def candidates_per_second(result: Mapping[str, Any]) -> float:
    """The rate that a result tells of: what was run, rivals included, over the time of the search.

    What is known from before, or was run twice, is not counted; starting servers and waiting for them is.
    """
    counts, seconds = result["counts"], result["seconds"]
    if not seconds["search"]:
        raise TargetError(f"There was no search: {result['status']}")
    rate: float = (counts["executed"] + counts["rivals"]) / seconds["search"]
    return round(rate, 1)


def run_fix(case: Case, directory: Path, cache: Path, max_seconds: float) -> Mapping[str, Any]:
    """The result of a repair of a fresh tree as a user would start it."""
    root = (directory / case.name).absolute()
    shutil.rmtree(root, ignore_errors=True)
    make_bug_tree(case.pair, root, cache)
    python = environment(case.requirements, cache)
    asked = ["fix", *case.tests, "--root", str(root), "--python", python, "--json", "--proposer", "search"]
    asked += ["--max-seconds", f"{max_seconds:g}"]
    run = subprocess.run([sys.executable, "-P", "-m", "repair", *asked], capture_output=True, text=True, check=False)
    try:
        result: Mapping[str, Any] = json.loads(run.stdout)
    except ValueError as problem:
        raise TargetError(f"The repair gave no result: {run.stderr[-500:]}", where=case.name) from problem
    return result
