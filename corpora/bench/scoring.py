"""Scores from records: each answer is laid over its tree and compared with the held-out answer, in the sandbox."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import RepairError, UsageError
from analysis.facts import Files, Limits
from corpora.bench.agreement import Agreement, Effort, Patched, Standing, agreement
from corpora.bench.record import BenchRecord
from corpora.bench.score import Score, answer, left_patch, score_without_run
from corpora.bug import Bug, Corpus, Oracle
from repair.api import change_of, reader
from repair.records.change import Change
from repair.store.scratch import scratch_folder
from sandbox.jail import choose
from sandbox.sandbox import LocalSandbox
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
    told = score_without_run(record, bug)
    patch = left_patch(record)
    if not patch:
        return told
    asked = corpus.oracle if answer(record) else None
    with scratch_folder() as scratch:
        tree = scratch / "tree"
        try:
            corpus.write_tree(bug, tree)
            told = _score_patch(told, patch, bug, asked, tree, bench)
        except (RepairError, OSError) as problem:
            told = replace(told, failed=f"not compared: {problem}")
    return replace(told, seconds=round(time.monotonic() - started, 3))


def _score_patch(
    told: Score, patch: bytes, bug: Bug, asked: Callable[[Bug], Oracle] | None, tree: Path, bench: Bench
) -> Score:
    """The score of a patch; ``asked`` gives the held-out answer where it is to be compared."""
    try:
        change = change_of(patch, reader(tree))
    except UsageError as problem:
        return _unlike(told, f"does not apply: {problem}", asked)
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
        if broken:
            return _unlike(told, broken, asked)
        if asked is None:
            return replace(told, compiled=True)
        oracle = asked(bug)
        patched = Patched(_before(change, oracle, tree), change.after)
        found = agreement(sandbox, bug, oracle, patched, Effort(LIMITS, bench.seed))
    return replace(told, compiled=True, agreement=found)


def _unlike(told: Score, witness: str, asked: object) -> Score:
    return replace(told, agreement=Agreement(Standing.DIFFERS, "tests", witness=witness)) if asked else told


def _before(change: Change, oracle: Oracle, tree: Path) -> Files:
    """The tree's texts of every file that the patch or a reference changes."""
    read = reader(tree)
    answers = (oracle.reference, *oracle.alternatives)
    paths = {path for files in (change.before, change.after, *answers) for path, _ in files}
    texts = ((path, read(path)) for path in sorted(paths))
    return tuple((path, text) for path, text in texts if text is not None)
