"""One opened survey: its sandbox and its surveyor. Nothing of it is recorded, and nothing in the project is written."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.diagnosis import is_test_path
from analysis.facts import Limits
from analysis.lines import Lines
from analysis.quality.findings import Demands
from repair.front.opening import limitations, sandbox_of, target_of, versions_of
from repair.observe.parsing import check_sources
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.tests_report import TestsReport
from repair.store.scratch import scratch_folder
from repair.survey.coverage_data import read_coverage
from repair.survey.survey import Surveyor
from repair.survey.survey_report import SurveyRequest
from repair.trials.run_time import RunTime


def survey(
    paths: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> TestsReport:
    """The report on the project's tests. Where only paths of tests are named, the others are not run.

    Raises ``TargetError`` where the suite cannot be observed in the time, which counts from the call or as given.
    """
    timing = timing or RunTime(time.monotonic())
    started = timing.started
    if paths and not options.tests and all(_is_of_tests(path) for path in paths):
        options = replace(options, tests=tuple(paths))
    target, jail = target_of(options, env)
    with scratch_folder() as scratch, sandbox_of(options, target, jail, scratch) as sandbox:
        warnings = tuple(limitations(sandbox.jail, sandbox))
        for warning in warnings:
            listen(event("warning", message=warning))
        sandbox.deadline.end_at(started + options.max_seconds)
        surveyor = Surveyor(sandbox, limits_of(options.max_seconds), time.monotonic, listen, check_sources)
        asked = _asked(tuple(paths), options, Path(target.root))
        report = surveyor.survey(
            replace(asked, seconds=options.max_seconds - (time.monotonic() - started)), timing.done
        )
        changed = tuple(f"{path} changed while the survey was under way" for path in sandbox.snapshot.stale()[:1])
        return replace(
            report,
            root=options.root,
            versions=versions_of(target),
            warnings=(*warnings, *changed),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
            seconds=replace(report.seconds, total=round(time.monotonic() - started, 3)),
        )


def _is_of_tests(path: str) -> bool:
    return is_test_path(path) or is_test_path(f"{path}/file.py")


def limits_of(seconds: float) -> Limits:
    """A suite may use up all the time that there is."""
    return replace(Limits(), wall_seconds=seconds, cpu_seconds=max(Limits().cpu_seconds, 2 * seconds))


def _asked(paths: tuple[str, ...], options: Options, root: Path) -> SurveyRequest:
    demands = Demands(options.coverage_threshold / 100, options.require_each, options.least_cases)
    asked = SurveyRequest(paths, options.generated, demands, options.mutants, options.max_seconds, options.seed)
    if not options.coverage_data:
        return asked
    file = Path(options.coverage_data)

    def recorded(known: Sequence[str]) -> Mapping[str, Lines]:
        return read_coverage(file, root, known)

    return replace(asked, recorded=recorded, source=file.name)
