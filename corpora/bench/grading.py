"""All records of a directory scored, each answer once, into lines beside them; and what is known of scores so far.

Scoring comes after the runs and in processes of its own: nothing of an answer is ever near a run. What one answer's
process dies of costs that score alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from analysis.errors import RepairError, UsageError
from corpora.bench.manifest import read_manifest
from corpora.bench.record import BenchRecord, read_records, settled_records
from corpora.bench.score import (
    JUDGEMENT,
    SCORE,
    Judgement,
    Score,
    answer,
    left_patch,
    score_without_run,
    with_judgements,
)
from corpora.bench.scoring import Bench, score
from corpora.bench.summary import ScoredCell, rows
from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.environment import interpreter_of
from corpora.json_lines import Kept, append_lines, records_of
from corpora.os_errors import explained
from corpora.source_package import case_cache
from corpora.workers import work_each

SCORES = "scores.jsonl"
JUDGEMENTS = "judgements.jsonl"


@dataclass(frozen=True, slots=True)
class _Task:
    """One answer to score, for all the cells that gave it."""

    records: tuple[BenchRecord, ...]
    corpus: str
    bug: Bug


def grade(directory: Path, bench: Bench, jobs: int, listen: Callable[[str], None]) -> int:
    """Score what has no score yet, and give the number of cells that were scored.

    Raises ``UsageError`` where nothing was run into the directory. A corpus that is gone leaves its cells unscored,
    and says so.
    """
    records, _ = _records(directory)
    known = {found.cell for found in read_scores(directory) if not found.failed}
    waiting = [r for r in records if r.ending == "done" and r.result is not None and r.cell not in known]
    done, tasks = 0, []
    for task in _tasks(waiting, listen):
        if left_patch(task.records[0]):
            tasks.append(task)
        else:
            done += _append(directory / SCORES, *_without_run(task))
    for number, found in enumerate(work_each(partial(_score_task, bench), tasks, jobs, _lost_scores), 1):
        done += _append(directory / SCORES, *found)
        first = found[0]
        word = str(first.agreement.standing) if first.agreement is not None else first.failed or "no answer"
        listen(f"scored {number} of {len(tasks)} answers: {first.cell.bug}, {word}")
    return done


def read_rows(directory: Path) -> tuple[tuple[ScoredCell, ...], tuple[str, ...]]:
    """Every cell with its score and the word of a person on it, and a sentence on each line that is damaged."""
    records, said = _records(directory)
    manifest = read_manifest(directory)
    samples = manifest.samples if manifest is not None else {}
    judgements = _read(directory / JUDGEMENTS, Judgement, JUDGEMENT)
    return rows(records, with_judgements(read_scores(directory), judgements), samples), said


def read_scores(directory: Path) -> tuple[Score, ...]:
    """All whole lines of scores."""
    return _read(directory / SCORES, Score, SCORE)


def judge(directory: Path, judgement: Judgement) -> int:
    """Write a person's word down, and give the number of cells that it is about; raises ``UsageError`` for none."""
    said = (judgement.corpus, judgement.bug, judgement.patch)
    cells = [s for s in read_scores(directory) if (s.cell.corpus, s.cell.bug, s.patch) == said]
    if not (cells and judgement.patch):
        raise UsageError("No scored answer is meant", where=judgement.bug, remedy="`repair bench report` lists them.")
    _append(directory / JUDGEMENTS, judgement)
    return len(cells)


def _records(directory: Path) -> tuple[tuple[BenchRecord, ...], tuple[str, ...]]:
    """What counts of each cell, and a sentence on each damaged line; raises where no bench was run."""
    records, said = read_records(directory)
    if not records and read_manifest(directory) is None:
        raise UsageError(
            "No records are there", where=str(directory), remedy="Make some: repair bench run … --out DIR."
        )
    return settled_records(records), said


def _tasks(waiting: Sequence[BenchRecord], listen: Callable[[str], None]) -> Iterator[_Task]:
    groups: dict[str, list[BenchRecord]] = {}
    for record in waiting:
        groups.setdefault(record.cell.corpus, []).append(record)
    for corpus, records in groups.items():
        try:
            bugs = {bug.id: bug for bug in open_corpus(corpus).bugs() if isinstance(bug, Bug)}
        except RepairError as problem:
            listen(f"{len(records)} cells of {corpus} stay unscored: {problem}")
            continue
        answers: dict[tuple[str, bytes, bool], list[BenchRecord]] = {}
        for record in records:
            if record.cell.bug in bugs:
                answers.setdefault((record.cell.bug, left_patch(record), bool(answer(record))), []).append(record)
        for (bug, *_), same in answers.items():
            yield _Task(tuple(same), corpus, bugs[bug])


def _score_task(bench: Bench, task: _Task) -> tuple[Score, ...]:
    """One comparison for all cells with the same answer."""
    try:
        python = interpreter_of(task.bug.environment, bench.python, case_cache(), os.environ)
        found = score(task.records[0], task.bug, open_corpus(task.corpus), replace(bench, python=python))
    except (RepairError, OSError) as problem:
        return _lost_scores(task, f"not compared: {problem}")
    return tuple(
        replace(mine, compiled=found.compiled, agreement=found.agreement, seconds=found.seconds, failed=found.failed)
        for mine in _without_run(task)
    )


def _lost_scores(task: _Task, reason: str = "not compared: its process died, twice") -> tuple[Score, ...]:
    return tuple(replace(found, failed=reason) for found in _without_run(task))


def _without_run(task: _Task) -> Iterator[Score]:
    return (score_without_run(record, task.bug) for record in task.records)


def _append(path: Path, *found: Score | Judgement) -> int:
    """Write them down, and give their number."""
    with explained("A score cannot be written", path, "What was scored before is kept. Make room, then score again."):
        append_lines(path, *(line.to_json() for line in found))
    return len(found)


def _read(path: Path, kind: type[Kept], schema: str) -> tuple[Kept, ...]:
    """The records of that schema; a line that was torn off is passed over, since what it held is said again."""
    lines = records_of(path, kind, schema) if path.is_file() else ()
    return tuple(line for line in lines if not isinstance(line, str))
