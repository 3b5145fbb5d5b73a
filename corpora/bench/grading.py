"""All records of a directory scored, each answer once, into lines beside them; and what is known of scores so far.

Scoring comes after the runs and in processes of its own: nothing of an answer is ever near a run. What one answer's
process dies of costs that score alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from analysis.errors import RepairError, TargetError, UsageError
from corpora.bench.judgement import SCHEMA as JUDGEMENT
from corpora.bench.judgement import Judgement, with_judgements
from corpora.bench.ledger import read_records, settled_records
from corpora.bench.manifest import read_manifest
from corpora.bench.record import BenchRecord
from corpora.bench.score import SCHEMA as SCORE
from corpora.bench.score import Score, answer, left_patch, score_without_run
from corpora.bench.scoring import Bench, score
from corpora.bench.summary import ScoredCell, rows
from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.interpreter import interpreter_of
from corpora.json_lines import JsonLines, lines_of
from corpora.source_package import case_cache
from corpora.survivors import work_each

SCORES = "scores.jsonl"
JUDGEMENTS = "judgements.jsonl"

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class _Task:
    """One answer to score, for all the cells that gave it."""

    records: tuple[BenchRecord, ...]
    corpus: str
    bug: Bug
    bench: Bench


def grade(directory: Path, bench: Bench, jobs: int, listen: Callable[[str], None]) -> int:
    """Score what has no score yet, and give the number of cells that were scored.

    Raises ``UsageError`` where nothing was run into the directory. A corpus that is gone leaves its cells unscored,
    and says so.
    """
    records, _ = _records(directory)
    known = {found.cell for found in read_scores(directory) if not found.failed}
    records = tuple(record for record in records if record.ending == "done" and record.result is not None)
    waiting = [record for record in records if record.cell not in known]
    done, tasks = 0, []
    for task in _tasks(waiting, bench, listen):
        if left_patch(task.records[0]):
            tasks.append(task)
        else:
            done += _keep_scores(directory, tuple(score_without_run(record, task.bug) for record in task.records))
    for number, found in enumerate(work_each(_score_task, tasks, jobs, _lost_scores), 1):
        done += _keep_scores(directory, found)
        listen(f"scored {number} of {len(tasks)} answers: {found[0].cell.bug}, {_word(found[0])}")
    return done


def _keep_scores(directory: Path, found: Sequence[Score]) -> int:
    _append(directory / SCORES, *(score.to_json() for score in found))
    return len(found)


def read_rows(directory: Path) -> tuple[tuple[ScoredCell, ...], tuple[str, ...]]:
    """Every cell with its score and the word of a person on it, and a sentence on each line that is damaged."""
    records, said = _records(directory)
    manifest = read_manifest(directory)
    samples = manifest.samples if manifest is not None else {}
    return rows(records, with_judgements(read_scores(directory), read_judgements(directory)), samples), said


def read_scores(directory: Path) -> tuple[Score, ...]:
    """All whole lines of scores."""
    return tuple(_read(directory / SCORES, SCORE, Score.from_json))


def read_judgements(directory: Path) -> tuple[Judgement, ...]:
    """All whole lines of judgements; of several on one answer the last holds."""
    return tuple(_read(directory / JUDGEMENTS, JUDGEMENT, Judgement.from_json))


def judge(directory: Path, judgement: Judgement) -> int:
    """Write a person's word down, and give the number of cells that it is about; raises ``UsageError`` for none."""
    said = (judgement.corpus, judgement.bug, judgement.patch)
    cells = [s for s in read_scores(directory) if (s.cell.corpus, s.cell.bug, s.patch) == said]
    if not (cells and judgement.patch):
        raise UsageError("No scored answer is meant", where=judgement.bug, remedy="`repair bench report` lists them.")
    _append(directory / JUDGEMENTS, judgement.to_json())
    return len(cells)


def _records(directory: Path) -> tuple[tuple[BenchRecord, ...], tuple[str, ...]]:
    """What counts of each cell, and a sentence on each damaged line; raises where no bench was run."""
    records, said = read_records(directory)
    if not records and read_manifest(directory) is None:
        raise UsageError(
            "No records are there", where=str(directory), remedy="Make some: repair bench run … --out DIR."
        )
    return settled_records(records), said


def _tasks(waiting: Sequence[BenchRecord], bench: Bench, listen: Callable[[str], None]) -> Iterator[_Task]:
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
            yield _Task(tuple(same), corpus, bugs[bug], bench)


def _score_task(task: _Task) -> tuple[Score, ...]:
    """One comparison for all cells with the same answer."""
    try:
        bench = replace(task.bench, python=_python(task))
        found = score(task.records[0], task.bug, open_corpus(task.corpus), bench)
    except (RepairError, OSError) as problem:
        return _lost_scores(task, f"not compared: {problem}")
    own = (score_without_run(record, task.bug) for record in task.records)
    return tuple(
        replace(mine, compiled=found.compiled, agreement=found.agreement, seconds=found.seconds, failed=found.failed)
        for mine in own
    )


def _lost_scores(task: _Task, reason: str = "not compared: its process died, twice") -> tuple[Score, ...]:
    return tuple(replace(score_without_run(record, task.bug), failed=reason) for record in task.records)


def _python(task: _Task) -> str:
    return interpreter_of(task.bug.environment, task.bench.python, case_cache(), os.environ)


def _word(found: Score) -> str:
    return str(found.agreement.standing) if found.agreement is not None else found.failed or "no answer"


def _append(path: Path, *values: Any) -> None:
    try:
        with JsonLines(path) as lines:
            lines.append(*values)
    except OSError as problem:
        raise TargetError(
            f"A score cannot be written: {problem.strerror}",
            where=str(path),
            remedy="What was scored before is kept. Make room, then score again.",
        ) from problem


def _read(path: Path, schema: str, make: Callable[[Any], Line]) -> Iterator[Line]:
    """The records of that schema; a line that was torn off is passed over, since what it told is told again."""
    for line in lines_of(path) if path.is_file() else ():
        try:
            values = json.loads(line)
            if isinstance(values, dict) and values.get("schema") == schema:
                yield make(values)
        except ValueError:
            continue
