"""What ``static`` and ``cost`` say of right fixes: the references of corpora, which nobody wrote to please a gate.

A doubt about one of them is a false alarm. Only fixes of one function are weighed, on the tests of the files that the
failing tests stand in.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import click
import platformdirs

from analysis.checkers import new_remarks
from analysis.errors import RepairError
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Outcome, TestId
from analysis.line_counts import WorkReport, excess
from corpora.bench.matching import changed_functions
from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from corpora.environment import environment
from repair.front.ruff import Ruff, find_ruff
from repair.records.functions import as_trial, edit_scope
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

LIMITS = Limits(wall_seconds=120, test_seconds=30)
MOST_TESTS = 150
NOTHING = WorkReport()


@dataclass(frozen=True, slots=True)
class Said:
    """What the two gates see of one right fix. ``why`` says what hindered them, ``opened`` how long the server took."""

    bug: str
    linted: bool = False
    remarks: tuple[str, ...] = ()
    report: WorkReport = NOTHING
    lint_seconds: float = 0.0
    opened: float = 0.0
    weighed: float = 0.0
    why: str = ""

    @property
    def line(self) -> str:
        """One line."""
        found = excess(self.report)
        word = "DOUBT" if found or self.remarks else "counted" if self.report.agreeing_pairs else "not counted"
        grown = sum(any(each.agree for each in row[1:]) for row in self.report.series)
        counts = f"{len(self.report.agreeing_pairs)} of {len(self.report.calls)} calls agree, {grown} series"
        seconds = f"ruff {self.lint_seconds:.2f} s, server {self.opened:.1f} s, counting {self.weighed:.1f} s"
        more = (self.why, *self.remarks, str(found or ""), *self.report.failures[:1])
        return "; ".join(filter(None, (f"{self.bug}: {word}", counts, seconds, *more)))


def said_of(bug: Bug, corpus: Corpus) -> Said:
    """Both gates' view of the bug's reference."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        corpus.write_tree(bug, root)
        fixed = corpus.oracle(bug).reference
        before = tuple((path, (root / path).read_bytes()) for path, _ in fixed if (root / path).is_file())
        function = _one_function(before, fixed)
        if function is None:
            return Said(bug.id, why="the reference changes no function, or several")
        path = function.path
        started = time.monotonic()
        ruff = Ruff(find_ruff(str(root), os.environ.get("PATH", "")), (3, 11))
        remarks = ruff(((path, dict(before)[path]), (path, dict(fixed)[path])))
        said = Said(bug.id, not isinstance(remarks, str), lint_seconds=time.monotonic() - started)
        if not isinstance(remarks, str):
            said = replace(said, remarks=tuple(each.message for each in new_remarks(*remarks)))
        cache = platformdirs.user_cache_path("repair-engine")
        needs = bug.environment.requirements
        python = environment(needs, cache) if needs else bug.environment.python
        target = open_target(str(root), python=python, environ=os.environ)
        with LocalSandbox(target, limits=LIMITS) as sandbox:
            return _weigh(said, bug, sandbox, function, fixed)


def _weigh(said: Said, bug: Bug, sandbox: LocalSandbox, function: FunctionId, fixed: Files) -> Said:
    homes = sorted({test.partition("::")[0] for test in bug.failing})
    run = sandbox.run([TestId(home) for home in homes], fixed)
    if isinstance(run, InvalidRun):
        return replace(said, why=run.detail)
    passing = [each.test for each in run.results if each.outcome is Outcome.PASSED][:MOST_TESTS]
    if not passing:
        return replace(said, why="no test passes with the reference")
    old, new = edit_scope(sandbox.sources(), function), edit_scope(fixed, function)
    started = time.monotonic()
    session = sandbox.warm(passing, fixed)
    if isinstance(session, InvalidRun):
        return replace(said, why=session.detail)
    opened = time.monotonic()
    try:
        report = session.questions.work(as_trial(new, new.text, "reference"), as_trial(new, old.text, "old"))
    finally:
        session.close()
    return replace(said, report=report, opened=opened - started, weighed=time.monotonic() - opened)


def _one_function(before: Files, after: Files) -> FunctionId | None:
    """The only function that the change touches."""
    old = dict(before)
    found = [span.function for path, text in after for span in changed_functions(path, old.get(path, b""), text)]
    return found[0] if len(found) == 1 else None


@click.command()
@click.argument("names", nargs=-1, metavar="CORPUS…")
def main(names: tuple[str, ...]) -> None:
    """Weigh the references of the corpora (without any: flat:corpora/own), one line for each, then the sums."""
    for name in names or ("flat:corpora/own",):
        corpus, every = open_corpus(name), []
        for bug in corpus.bugs():
            if isinstance(bug, Bug):
                every.append(_say_of(bug, corpus))
                click.echo(every[-1].line)
        click.echo(f"{name}: {summarize(every)}")


def _say_of(bug: Bug, corpus: Corpus) -> Said:
    try:
        return said_of(bug, corpus)
    except RepairError as problem:
        return Said(bug.id, why=problem.found)


def summarize(every: Sequence[Said]) -> str:
    """How many were looked at and doubted, and the medians of seconds."""
    linted = [each for each in every if each.linted]
    counted = [each for each in every if each.report.agreeing_pairs]
    doubts = sum(excess(each.report) is not None for each in counted)
    grown = sum(bool(each.report.series) for each in counted)
    medians = (
        _median("ruff", [each.lint_seconds for each in linted]),
        _median("server", [each.opened for each in counted]),
        _median("counting", [each.weighed for each in counted]),
    )
    told = f"static doubts {sum(bool(each.remarks) for each in linted)} of {len(linted)}"
    return f"{told}, cost doubts {doubts} of {len(counted)} ({grown} with larger inputs); medians: {', '.join(medians)}"


def _median(word: str, seconds: Sequence[float]) -> str:
    return f"{word} {median(seconds):.2f} s" if seconds else f"{word} never"


if __name__ == "__main__":
    main()
