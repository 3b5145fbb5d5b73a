"""One opened survey: its sandbox, its surveyor, and lines that coverage.py has recorded where some are named.

Nothing of it is recorded, and nothing in the project is written. Coverage comes from a ``.coverage`` file or from what
``coverage json`` writes.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from coverage import CoverageData
from coverage.exceptions import CoverageException

from analysis.diagnosis import is_test_path
from analysis.errors import UsageError
from analysis.facts import Limits
from analysis.lines import Lines
from analysis.quality.findings import Demands
from repair.front.opening import limitations, sandbox_of, target_of, versions_of
from repair.observe.parsing import check_sources
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.tests_report import TestsReport
from repair.store.scratch import scratch_folder
from repair.survey.survey import Surveyor
from repair.survey.survey_report import SurveyRequest
from repair.trials.run_time import RunTime

REMEDY = "Name a .coverage file, or what `coverage json` writes."
_MOST_LINE = 1_000_000


def survey(
    paths: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> TestsReport:
    """The report on the project's tests. Where only paths of tests are named, the others are not run.

    Raises ``TargetError`` where the suite cannot be observed in the time, which counts from the call or as given.
    """
    timing = timing or RunTime(time.monotonic())
    started = timing.started
    if paths and not options.tests and all(is_test_path(path) or is_test_path(f"{path}/file.py") for path in paths):
        options = replace(options, tests=tuple(paths))
    target, jail = target_of(options, env)
    with scratch_folder() as scratch, sandbox_of(options, target, jail, scratch) as sandbox:
        warnings = tuple(limitations(sandbox.jail, sandbox))
        for warning in warnings:
            listen(event("warning", message=warning))
        sandbox.deadline.end_at(started + options.max_seconds)
        surveyor = Surveyor(sandbox, limits_of(options.max_seconds), time.monotonic, listen, check_sources)
        demands = Demands(options.coverage_threshold / 100, options.require_each, options.least_cases)
        left = options.max_seconds - (time.monotonic() - started)
        asked = SurveyRequest(tuple(paths), options.generated, demands, options.mutants, left, options.seed)
        if options.coverage_data:
            file = Path(options.coverage_data)
            asked = replace(asked, recorded=partial(read_coverage, file, Path(target.root)), source=file.name)
        report = surveyor.survey(asked, timing.done)
        changed = tuple(f"{path} changed while the survey was under way" for path in sandbox.snapshot.stale_files()[:1])
        return replace(
            report,
            root=options.root,
            versions=versions_of(target),
            warnings=(*warnings, *changed),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
            seconds=replace(report.seconds, total=round(time.monotonic() - started, 3)),
        )


def limits_of(seconds: float) -> Limits:
    """A suite may use up all the time that there is."""
    return replace(Limits(), wall_seconds=seconds, cpu_seconds=max(Limits().cpu_seconds, 2 * seconds))


def read_coverage(file: Path, root: Path, paths: Iterable[str]) -> dict[str, Lines]:
    """The recorded lines of those of the project's files that the data knows.

    The data may be from another checkout: a file is found by the longest end that its path has in common with one of
    ours. Raises ``UsageError`` for what cannot be read, and where none of the files is known.
    """
    try:
        content = file.read_bytes() if not file.exists() or file.is_file() else b""
    except OSError as problem:
        said = f"The coverage data cannot be read: {problem.strerror}"
        raise UsageError(said, where=str(file), remedy=REMEDY) from problem
    recorded = _from_json(file, content) if content.lstrip()[:1] == b"{" else _from_database(file)
    found = {}
    for path in paths:
        known = [name for name in recorded if f"/{name}".replace("\\", "/").endswith(f"/{path}")]
        if known:
            found[path] = recorded[max(known, key=lambda name: (name == str(root / path), -len(name)))]
    if not found:
        raise UsageError(
            "The coverage data knows none of the program's files",
            where=str(file),
            remedy="Make it with the sources of this project.",
        )
    return found


def _from_json(file: Path, content: bytes) -> dict[str, Lines]:
    try:
        files: Any = json.loads(content)["files"]
        return {str(path): _lines(said["executed_lines"]) for path, said in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        said = f"This is no coverage data: {type(problem).__name__}: {problem}"
        raise UsageError(said, where=str(file), remedy=REMEDY) from problem


def _from_database(file: Path) -> dict[str, Lines]:
    """From a copy: whoever opens such a file may write to it."""
    try:
        with tempfile.TemporaryDirectory(prefix="repair-coverage-") as folder:
            copy = shutil.copyfile(file, Path(folder, "data"))
            with contextlib.closing(sqlite3.connect(copy)) as database:
                kinds = {kind for (kind,) in database.execute("SELECT type FROM sqlite_master")}
            if not kinds <= {"table", "index"}:  # a view may be a program that never ends
                raise ValueError(f"it holds a {min(kinds - {'table', 'index'})}")
            data = CoverageData(basename=str(copy))
            data.read()
            found = {path: _lines(data.lines(path) or ()) for path in data.measured_files()}
            data.close()
            return found
    except (CoverageException, sqlite3.Error, OSError, ValueError) as problem:
        said = f"This is no coverage data: {str(problem).rpartition(': ')[2]}"
        raise UsageError(said, where=str(file), remedy=REMEDY) from problem


def _lines(numbers: Iterable[Any]) -> Lines:
    return Lines(number for number in numbers if isinstance(number, int) and 0 < number < _MOST_LINE)
