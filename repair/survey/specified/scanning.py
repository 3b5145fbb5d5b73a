"""``repair spec scan``: what the files of a project state, beside what they stated at the scan before."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from analysis.errors import OutOfTimeError, UsageError
from analysis.specified.fact_record import Extractor, Fact
from analysis.specified.mapped_sentences import OpenSentence, ReadMapping
from repair.front.input_proposer import sentence_reader_of
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.specified import FactsReport, FactView, ModelsPart, SpecRequest
from repair.records.wording import count_noun
from repair.survey.specified.fact_store import FactStore, open_facts
from repair.survey.specified.findings import keep_words_of
from repair.survey.specified.readings import HeldReadings, ask_model, hold_readings, with_words_of_people
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
    store = open_facts(options.root, options.state_dir)
    said: tuple[str, ...] = ()
    looked = False
    readings = store.readings()
    if asked.seen:
        scanned, held, said, looked = _scan_with_calls(asked, options, listen, env, started, readings)
    else:
        with copied_project(options) as snapshot:
            scanned = scan_project(snapshot, Path(options.root))
            held = hold_readings(scanned, snapshot, readings, to_ask=asked.by_model)
    part: ModelsPart | None = None
    if asked.by_model:
        wanted = partial(_is_wanted, paths=asked.paths)
        reader = sentence_reader_of(options, env, listen)
        ends = started + options.max_seconds
        listen(phase("asking", f"asking {options.model} what {count_noun(len(held.sentences), 'sentence')} may state"))
        held, part = ask_model(
            held, scanned, reader, options.model, wanted, store.words(), lambda: ends - time.monotonic()
        )
    _keep_words(asked, held, store)
    accepted, unsaid = with_words_of_people(held.facts, store.words())
    before = store.facts()
    views = view_facts(replace(scanned, facts=(*scanned.facts, *accepted, *unsaid)))
    if not looked:
        views = _with_seen(views, before, scanned)
    store.keep(views)
    if readings or held.held:
        store.keep_readings(reading for reading, _ in held.held)
    report = FactsReport(
        root=options.root,
        facts=restrict(views, asked.paths),
        fresh=tuple(sorted({view.id for view in views} - {view.id for view in before})) if before else (),
        gone=tuple(view for view in before if view.id not in {each.id for each in views}),
        unread=scanned.unread,
        files=scanned.files,
        warnings=(*said, *store.warnings),
        ran=asked.seen,
        by_model=part,
    )
    return replace(report, seconds=round(time.monotonic() - started, 3))


def _with_seen(
    views: tuple[FactView, ...], before: tuple[FactView, ...], scanned: ScannedProject
) -> tuple[FactView, ...]:
    """With what an earlier scan saw calls come to, of functions that are still there: this one looked at none."""
    lines = {subject: function.node.lineno for subject, function in scanned.functions.items()}
    kept = (
        replace(view, line=lines[view.subject], end_line=lines[view.subject])
        for view in before
        if view.extractor == Extractor.SEEN and view.subject in lines
    )
    return _in_order((*views, *kept))


def _is_wanted(sentence: OpenSentence, paths: tuple[str, ...]) -> bool:
    """Whether a sentence lies in one of these paths, or speaks of what they name; all do where there are none."""
    names = (sentence.path, sentence.subject.partition(":")[0], sentence.subject, sentence.requirement)
    return not paths or any(_names(path, names) for path in paths)


def _keep_words(asked: SpecRequest, held: HeldReadings, store: FactStore) -> None:
    """What a person says of a model's facts; all of it, or nothing where one is none of these."""
    known = {fact.id for fact in held.facts}
    for name, _, _ in asked.words:
        if name not in known:
            raise UsageError(
                f"There is no fact {name!r} of a model", remedy="`repair spec scan -v` lists facts with their ids."
            )
    keep_words_of(asked, store)


def _scan_with_calls(
    asked: SpecRequest,
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    started: float,
    readings: tuple[ReadMapping, ...],
) -> tuple[ScannedProject, HeldReadings, tuple[str, ...], bool]:
    """What is stated, what calls of the suite were seen to come to, what to mind, and whether calls were seen."""
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        scanned = scan_project(sandbox.snapshot, Path(options.root))
        listen(phase("calls", f"running the suite to see the calls of {len(scanned.functions)} functions"))
        try:
            seen = look_at_calls(sandbox, scanned.functions, scanned.facts, sandbox.snapshot.sources(), surveyor.limits)
        except (OutOfTimeError, TimeIsUp):
            seen = SeenBehaviour(problem="the time was over")
        said = (f"no calls were seen: {seen.problem}",) if seen.problem else ()
        held = hold_readings(scanned, sandbox.snapshot, readings, to_ask=asked.by_model)
        return replace(scanned, facts=(*scanned.facts, *seen.facts)), held, (*warnings, *said), not seen.problem


@contextlib.contextmanager
def copied_project(options: Options) -> Iterator[Snapshot]:
    """The project's files as they are now, in a private copy."""
    with scratch_folder() as scratch:
        yield take_snapshot(options.root, scratch / "project")


def view_facts(scanned: ScannedProject) -> tuple[FactView, ...]:
    """The facts as they are shown and stored: each once, in the order of their files."""
    return _in_order({fact.id: view_fact(fact) for fact in scanned.facts}.values())


def _in_order(views: Iterable[FactView]) -> tuple[FactView, ...]:
    return tuple(sorted(views, key=lambda view: (view.file, view.line, view.id)))


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
    return _names(path, (view.file, view.subject.partition(":")[0], view.subject, view.requirement))


def _names(path: str, names: tuple[str, ...]) -> bool:
    """Whether a path is one of the names, the first two of which are files, or a folder above these."""
    wanted = path.rstrip("/")
    return wanted in ("", ".", *filter(None, names)) or any(each.startswith(f"{wanted}/") for each in names[:2])
