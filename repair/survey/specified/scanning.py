"""``repair spec scan``: what the files of a project state, beside what they stated at the scan before."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.errors import OutOfTimeError, UsageError
from analysis.specified.fact_record import Fact
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.specified import FactsReport, FactView, SpecRequest
from repair.store.store import open_store
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.scan import ScannedProject, scan_project
from repair.survey.specified.seen import SeenBehaviour, look_at_calls
from repair.survey.survey import open_surveyor
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.scratch import scratch_folder
from sandbox.workspace import Snapshot, take_snapshot


def scan(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> FactsReport:
    """Read the facts of the project, and store them. None of its code runs, unless calls are to be seen."""
    started = (timing or RunTime(time.monotonic())).started
    listen(phase("reading", f"reading what {options.root} states of itself"))
    records = open_store(options.root, options.state_dir)
    store = FactStore(records.directory, records.seals)
    said: tuple[str, ...] = ()
    if asked.seen:
        scanned, said = _scan_with_calls(options, listen, env, started)
    else:
        with copied_project(options) as snapshot:
            scanned = scan_project(snapshot, Path(options.root))
    views = view_facts(scanned)
    before = store.facts()
    store.keep(views)
    report = FactsReport(
        root=options.root,
        facts=restrict(views, asked.paths),
        fresh=tuple(sorted({view.id for view in views} - {view.id for view in before})) if before else (),
        gone=tuple(view for view in before if view.id not in {each.id for each in views}),
        unread=scanned.unread,
        files=scanned.files,
        warnings=(*said, *store.warnings),
        ran=asked.seen,
    )
    return replace(report, seconds=round(time.monotonic() - started, 3))


def _scan_with_calls(
    options: Options, listen: Listener, env: Mapping[str, str], started: float
) -> tuple[ScannedProject, tuple[str, ...]]:
    """What is stated, and what calls of the suite were seen to come to."""
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        scanned = scan_project(sandbox.snapshot, Path(options.root))
        listen(phase("calls", f"running the suite to see the calls of {len(scanned.functions)} functions"))
        try:
            seen = look_at_calls(sandbox, scanned.functions, scanned.facts, sandbox.snapshot.sources(), surveyor.limits)
        except (OutOfTimeError, TimeIsUp):
            seen = SeenBehaviour(problem="the time was over")
        said = (f"no calls were seen: {seen.problem}",) if seen.problem else ()
        return replace(scanned, facts=(*scanned.facts, *seen.facts)), (*warnings, *said)


@contextlib.contextmanager
def copied_project(options: Options) -> Iterator[Snapshot]:
    """The project's files as they are now, in a private copy."""
    with scratch_folder() as scratch:
        yield take_snapshot(options.root, scratch / "project")


def view_facts(scanned: ScannedProject) -> tuple[FactView, ...]:
    """The facts as they are shown and stored: each once, in the order of their files."""
    found = {fact.id: view_fact(fact) for fact in scanned.facts}
    return tuple(sorted(found.values(), key=lambda view: (view.file, view.line, view.id)))


def view_fact(fact: Fact) -> FactView:
    """One fact as it is shown and stored."""
    return FactView(
        fact.id,
        fact.subject,
        fact.predicate.value,
        fact.part,
        fact.when,
        fact.value,
        fact.place.path,
        fact.place.line,
        max(fact.place.line, fact.place.end_line),
        fact.quote,
        fact.digest,
        fact.extractor.value,
        fact.known_by.value,
        fact.sure,
        fact.requirement,
    )


def restrict(views: tuple[FactView, ...], paths: tuple[str, ...]) -> tuple[FactView, ...]:
    """Those facts whose file or subject lies in one of the paths; all of them where none is named."""
    if not paths:
        return views
    for path in paths:
        if not any(_is_of(view, path) for view in views):
            raise UsageError(
                f"Nothing is stated in or of {path!r}",
                remedy="Name a file or folder, a function as PATH:NAME, or an id.",
            )
    return tuple(view for view in views if any(_is_of(view, path) for path in paths))


def _is_of(view: FactView, path: str) -> bool:
    wanted = path.rstrip("/")
    files = (view.file, view.subject.partition(":")[0])
    return wanted in ("", ".", view.subject, view.requirement, *files) or any(
        each.startswith(f"{wanted}/") for each in files
    )
