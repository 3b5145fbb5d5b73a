"""Scores from records: each answer is laid over its tree and compared with the held-out answer, in the sandbox."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import RepairError, UsageError
from analysis.facts import Files, Limits
from corpora.bench.agreement import Agreement, Effort, Patched, Standing, agreement
from corpora.bench.record import BenchRecord
from corpora.bench.score import Score, answer, left_patch, score_without_run
from corpora.bug import Bug, Corpus, Oracle
from repair.front.changes import change_of, reader
from repair.records.change import Change
from sandbox.jail import choose
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import scratch_folder
from sandbox.target import open_target

LIMITS = Limits(wall_seconds=120, test_seconds=20)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where scoring runs: the interpreter for a bug's tests, the isolation, and the seed of generated inputs."""

    python: str
    isolation: str = "auto"
    seed: int = 0


def score(record: BenchRecord, bug: Bug, corpus: Corpus, bench: Bench) -> Score:
    """Score one record. A patch that does not apply is a score and no error; what cannot be compared here is said.

    Of a patch that is no answer nothing is asked but whether it compiles.
    """
    started = time.monotonic()
    found = score_without_run(record, bug)
    if not left_patch(record):
        return found
    with scratch_folder() as scratch:
        tree = scratch / "tree"
        try:
            corpus.write_tree(bug, tree)
            broken, agreed = _compare(record, bug, corpus, bench, tree)
            if broken and answer(record):
                agreed = Agreement(Standing.DIFFERS, "tests", witness=broken)
            found = replace(found, compiled=not broken, agreement=agreed)
        except (RepairError, OSError) as problem:
            found = replace(found, failed=f"not compared: {problem}")
    return replace(found, seconds=round(time.monotonic() - started, 3))


def _compare(record: BenchRecord, bug: Bug, corpus: Corpus, bench: Bench, tree: Path) -> tuple[str, Agreement | None]:
    """What keeps the patch from running, if anything; else, where it is an answer, how it stands to the reference."""
    try:
        change = change_of(left_patch(record), reader(tree))
    except UsageError as problem:
        return f"does not apply: {problem}", None
    environment = bug.environment
    jail = choose(bench.isolation)
    target = open_target(
        str(tree),
        python=bench.python,
        pass_env=environment.pass_env,
        pytest_args=environment.pytest_args,
        environ=os.environ,
        jail=jail,
    )
    with LocalSandbox(target, jail=jail, selection=environment.tests) as sandbox:
        broken = sandbox.compiles(tuple((path, text) for path, text in change.after if path.endswith(".py")))
        if broken or not answer(record):
            return broken, None
        oracle = corpus.oracle(bug)
        patched = Patched(_before(change, oracle, tree), change.after)
        return "", agreement(sandbox, bug, oracle, patched, Effort(LIMITS, bench.seed))


def _before(change: Change, oracle: Oracle, tree: Path) -> Files:
    """The tree's texts of every file that the patch or a reference changes."""
    read = reader(tree)
    answers = (oracle.reference, *oracle.alternatives)
    paths = {path for files in (change.before, change.after, *answers) for path, _ in files}
    texts = ((path, read(path)) for path in sorted(paths))
    return tuple((path, text) for path, text in texts if text is not None)
