"""How a run is written down: its record begun, its answer with a certificate, or why there is none."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import RepairError, TargetError, UsageError
from analysis.facts import ArcMap, Files, LineMap, TestId
from repair.compare.answers import PersonsAnswer
from repair.records.change import Change
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.outcome import Judged, RunOutcome
from repair.records.result import Result, Status
from repair.records.secret_names import hide_secrets
from repair.records.verdict import TIME_WAS_UP, Decision, Evidence
from repair.store.certificate import certificate, describe_standing
from repair.store.checklist import keep_checklist
from repair.store.coverage_data import is_coverage_data, write_arcs, write_line_map
from repair.store.line_maps import LineMaps, is_too_large
from repair.store.state import KEY_FILE
from repair.store.store import RunStore, open_store
from repair.store.stored_run import RunRecord
from sandbox.target import Target

COVERAGE = "coverage"
"""The data file of a run: which lines each test of the unpatched program ran."""

LEAST_LEFT = 0.5
"""This share of the time has to be left at the end: then no part of the work was cut short by its own share."""

STEADY = ("regressions", "stability", "controls", "old_tests")
"""Gates that leave a verdict open where tests are not steady, or where their runs broke off."""

CHANCE = frozenset({"unsteady_answer", "chance_passes"})
"""Doubts that say that one program gave two answers."""


UNKEPT = (
    f"your key, {KEY_FILE} in your state directory, cannot be kept: it lasts for this process alone. Later commands"
    " take this run for foreign, and nothing of it is remembered"
)


def begin_record(options: Options, root: str, scratch: Path) -> tuple[RunStore, RunRecord, str]:
    """The run and where it is recorded; where nothing can be kept, a place for this run alone, and a warning."""
    now = datetime.datetime.now(datetime.UTC)
    suffix = f"{now.microsecond:05x}{secrets.token_hex(1)}"
    try:
        store = open_store(root, options.state_dir)
        unkept = "" if store.is_kept else UNKEPT
        return store, store.new_run(now, suffix, time.monotonic), unkept
    except (TargetError, OSError) as problem:
        store = open_store(root, str(scratch / "state"))
        said = f"this run is not kept, and cannot be applied later: {problem}"
        return store, store.new_run(now, suffix, time.monotonic), said


@dataclass(slots=True)
class LinesSeen:
    """Which lines each test of the unpatched program ran; changes when its runs are over.

    ``sources`` are the Python files that ran.
    """

    line_map: LineMap = ()
    sources: Files = ()
    passing: tuple[TestId, ...] = ()
    """The tests that passed."""
    arcs: ArcMap = ()
    """The arcs that each test ran, where the project measures branches and somebody asks for them."""

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of each file that ran."""
        return {path: hashlib.sha256(content).hexdigest() for path, content in self.sources}

    def of_unchanged(self, now: Mapping[str, str]) -> LineMap:
        """The map without the files that are not now what ran: their lines would be those of another text."""
        same = self._unchanged(now)
        return tuple((test, tuple(each for each in files if each[0] in same)) for test, files in self.line_map)

    def arcs_of_unchanged(self, now: Mapping[str, str]) -> ArcMap:
        """The arcs, without those of the same files."""
        same = self._unchanged(now)
        return tuple((test, tuple(each for each in files if each[0] in same)) for test, files in self.arcs)

    def _unchanged(self, now: Mapping[str, str]) -> frozenset[str]:
        return frozenset(path for path, said in self.digests().items() if now.get(path) == said)


def refuse_other_file(path: str) -> None:
    """Raise ``UsageError`` where coverage data would replace a file that is something else."""
    if path and not is_coverage_data(Path(path)):
        raise UsageError(
            "The file for coverage data is there already, and is something else",
            where=path,
            remedy="Name another file with --coverage-file, or move that one away.",
        )


def write_lines(path: str, root: str, seen: LinesSeen, now: Mapping[str, str]) -> str:
    """Write coverage data for the user; what could not be written, in one sentence, or nothing.

    ``now`` are the digests of the working tree.
    """
    if not seen.line_map:
        return f"no coverage data was written to {path}: no run of the suite came to its end"
    try:
        if seen.arcs:
            write_arcs(Path(path), root, seen.arcs_of_unchanged(now))
        else:
            write_line_map(Path(path), root, seen.of_unchanged(now))
    except OSError as problem:
        return f"no coverage data was written to {path}: {problem.strerror}"
    left_out = sorted(path for path, said in seen.digests().items() if now.get(path) != said)
    if not left_out:
        return ""
    return f"{left_out[0]} is not in the coverage data: the tests ran another text of it than the working tree has"


def record_lines(store: RunStore, record: RunRecord, seen: LinesSeen) -> None:
    """Keep the lines with the run and, for later runs, with the project. What is too large is not kept."""
    if not seen.line_map or is_too_large(seen.line_map):
        return
    with contextlib.suppress(OSError):  # the run has its result without them
        write_line_map(record.run.path / COVERAGE, str(store.root), seen.line_map)
    LineMaps(store.directory, store.seals, str(store.root)).keep(seen.line_map, dict(seen.sources))


def record_checklist(store: RunStore, result: Result, seen: LinesSeen) -> Result:
    """Take the run into the project's checklist; the result with the page that people read."""
    page = keep_checklist(store.directory, result, seen.passing)
    return replace(result, checklist=str(page or ""))


def record_failure(record: RunRecord, listen: Listener, target: Target, problem: RepairError) -> None:
    """Write down that the run has no answer."""
    listen(event("failed", status=problem.status, message=str(problem)))
    with contextlib.suppress(OSError):  # a full disk must not hide what went wrong
        record.save_result(Result(Status(problem.status), record.id, target.root, messages=(str(problem),)))


def may_be_given_again(ending: RunOutcome, warnings: Iterable[str], share_left: float) -> bool:
    """Whether the same question would certainly be answered in the same way.

    So it is not where time was short, where a test or a call was not steady, or where anything was warned of.
    """
    if share_left < LEAST_LEFT or ending.warnings or tuple(warnings) or not ending.judged:
        return False
    words = {ending.status, *(cause.ending.status for cause in ending.causes)}
    checked = (Status.CERTIFIED, Status.PLAUSIBLE, *((Status.REJECTED,) if ending.change is not None else ()))
    asked = [each.submission for each in ending.judged]
    steady = not any(b.flaky or b.unsteady or b.partial or b.lost for b in (each.baseline for each in asked))
    return (
        steady
        and not any(each.unsought and each.unsought.needs_time for each in asked)
        and words <= set(checked)
        and all(map(_is_certain, _all_evidence(ending)))
    )


def _all_evidence(ending: RunOutcome) -> Iterator[Evidence]:
    for each in (ending, *(cause.ending for cause in ending.causes)):
        for judged in each.judged:
            yield from judged.verdict.evidence


def _is_certain(evidence: Evidence) -> bool:
    open_question = evidence.decision is Decision.UNKNOWN
    by_chance = any(doubt.feature in CHANCE for doubt in evidence.doubts)
    return evidence.claim != TIME_WAS_UP and not (open_question and evidence.gate in STEADY) and not by_chance


def record_answer(record: RunRecord, ending: RunOutcome, result: Result, target: Mapping[str, Any]) -> None:
    """Write down the judged candidates, a certificate for each cause, and the result. ``target`` is for a replay."""
    endings = [cause.ending for cause in ending.causes] or [ending]
    for candidate in (judged.submission.candidate for each in endings for judged in each.judged):
        record.save_candidate(candidate.digest, candidate.diff, candidate.files)
    changes = [stack.change for stack in ending.stacks]
    changes += [each.files() for each in endings if each.judged]
    kept = [pair for change in changes for pair in (*change.before, *change.after)]
    for _, content in (*kept, *(pair for cause in ending.causes for pair in cause.base)):
        record.run.save_content(content)
    if len(ending.causes) > 1:
        for cause in (each for each in ending.causes if each.ending.judged):
            judged, change = _answer_of(cause.ending)
            own = replace(result, status=cause.ending.status)
            values = certificate(judged, change, own, target)
            record.save_certificate({**values, **describe_standing(cause, ending)}, cause.number)
    elif ending.judged:
        judged, change = _answer_of(ending)
        record.save_certificate(certificate(judged, change, result, target))
    record.save_result(result)


def _answer_of(ending: RunOutcome) -> tuple[Sequence[Judged], Change]:
    """The answer with its change: one candidate, or all functions of a checked change."""
    return (ending.judged if ending.change else ending.judged[:1]), ending.files()


def describe_target(options: Options, target: Target, answers: Sequence[PersonsAnswer]) -> dict[str, Any]:
    """What a replay has to know to run the same tests in the same way. Names of variables only, never values."""
    return {
        "python": target.interpreter.python,
        "isolation_image": options.isolation_image,
        "tests": list(options.tests),
        "pytest_args": list(hide_secrets(options.pytest_args)),
        "pass_env": list(options.pass_env),
        "gates": options.gates,
        "answers": list(map(str, answers)),
    }
