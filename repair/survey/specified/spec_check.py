"""``repair spec check``: where facts contradict each other, the program or the tests, and what is only written."""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.errors import OutOfTimeError, UsageError
from analysis.specified.contradictions import find_contradictions
from analysis.specified.fact_record import Fact, KnownBy, shortened
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.specified import (
    FactView,
    SpecFinding,
    SpecKind,
    SpecReport,
    SpecRequest,
)
from repair.records.witness_text import describe_behaviour
from repair.records.wording import count_noun
from repair.survey.specified.drift import DriftedFact, DriftOfFunction, find_drift
from repair.survey.specified.fact_store import FactStore, open_facts
from repair.survey.specified.findings import LookedAt, finding_of, keep_words_of, with_words
from repair.survey.specified.gaps import find_gaps, look_at_suite, scores_of
from repair.survey.specified.http_contracts import try_operations
from repair.survey.specified.instances import ClassTexts
from repair.survey.specified.links import Requirements, find_links
from repair.survey.specified.property_drift import PROPERTIES, CalledProgram, find_broken_properties
from repair.survey.specified.readings import hold_readings, with_words_of_people
from repair.survey.specified.scan import ScannedProject, scan_project
from repair.survey.specified.scanning import view_facts
from repair.survey.specified.seen import SeenBehaviour, look_at_calls
from repair.survey.specified.stale import find_stale
from repair.survey.survey import Surveyor, changed_meanwhile, open_surveyor
from repair.survey.survey_report import SurveySeen
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.sandbox import LocalSandbox

DRIFT_SHARE, HTTP_SHARE = 0.5, 0.5
"""The shares of the time that is left by then, for facts that are run, and for requests over HTTP."""


def check_facts(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> SpecReport:
    """The findings, with what people said of them. Nothing of the project is written.

    Raises ``UsageError`` for a word on a finding that is not there.
    """
    started = (timing or RunTime(time.monotonic())).started
    store = open_facts(options.root, options.state_dir)
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        scanned = scan_project(sandbox.snapshot, Path(options.root))
        held = hold_readings(scanned, sandbox.snapshot, store.readings())
        accepted, read = with_words_of_people(held.facts, store.words())
        scanned = replace(scanned, facts=(*scanned.facts, *accepted))
        known = find_links(scanned, dict(sandbox.snapshot.sources()))
        end = started + options.max_seconds
        seen = look_at_suite(surveyor, options)
        scores = scores_of(seen) if isinstance(seen, SurveySeen) else {}
        listen(phase("drift", f"running what is stated of {count_noun(len(scanned.functions), 'function')}"))
        parts = [
            _contradictions(scanned, read),
            _stale(scanned, sandbox, known, store.facts()),
            _drift(scanned, read, sandbox, surveyor, _share(end, DRIFT_SHARE), scores),
            _seen(scanned, sandbox, surveyor),
            try_operations(scanned, sandbox, surveyor.limits, _share(end, HTTP_SHARE) - time.monotonic()),
            find_gaps(scanned, sandbox, surveyor, known, seen, options.mutants, end),
        ]
        every = [each for part in parts for each in part.findings if _is_asked(each, asked.paths)]
        keep_words(asked, every, store)
        return SpecReport(
            root=options.root,
            facts=len(view_facts(replace(scanned, facts=(*scanned.facts, *read)))),
            findings=with_words(every, store.words(), scores),
            unread=scanned.unread,
            checked=tuple(said for part in parts for said in part.checked),
            not_checked=tuple(said for part in parts for said in part.not_checked),
            warnings=(*warnings, *store.warnings, *changed_meanwhile(sandbox)),
            seconds=round(time.monotonic() - started, 3),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
        )


def _share(end: float, share: float) -> float:
    """The moment at which so much of the time from now on is over."""
    now = time.monotonic()
    return now + share * max(0.0, end - now)


def _is_asked(finding: SpecFinding, paths: Sequence[str]) -> bool:
    places = (finding.file, finding.subject.partition(":")[0], finding.subject, finding.id)
    return not paths or any(path in places or places[0].startswith(f"{path}/") for path in paths)


def keep_words(asked: SpecRequest, findings: Sequence[SpecFinding], store: FactStore) -> None:
    """Keep what people say of findings: all of it, or nothing where one of the findings is not there."""
    known = {each.id for each in findings}
    for name, _, _ in asked.words:
        if name not in known:
            raise UsageError(f"There is no finding {name!r}", remedy="`repair spec check` lists them with their ids.")
    keep_words_of(asked, store)


def _contradictions(scanned: ScannedProject, read: Sequence[Fact]) -> LookedAt:
    """Among what is stated; and between that and what a model ``read``, which allows for nothing and does not count."""
    found = find_contradictions(scanned.facts, scanned.functions)
    if read:
        with_read = find_contradictions((*scanned.facts, *read), scanned.functions)
        found += tuple(each for each in with_read if KnownBy.MODEL in (each.one.known_by, each.other.known_by))
    findings = tuple(
        finding_of(
            SpecKind.CONTRADICTION,
            each.one.subject,
            each.said,
            each.one.place.path,
            each.one.place.line,
            (each.one.cite(), each.other.cite()),
            words=(each.one.digest, each.other.digest),
            sure=each.one.sure and each.other.sure,
            by_model=KnownBy.MODEL in (each.one.known_by, each.other.known_by),
        )
        for each in found
    )
    return LookedAt(findings, (f"contradictions: {count_noun(len(scanned.facts), 'fact')} held against one another",))


def _stale(scanned: ScannedProject, sandbox: LocalSandbox, known: Requirements, before: Sequence[FactView]) -> LookedAt:
    named = {path for test in known.tests for path, _ in test.files}
    exists = {path: path in sandbox.snapshot.read([path]) for path in named}
    findings = tuple(find_stale(scanned, dict(sandbox.snapshot.sources()), known, before, exists))
    quotes = sum(len(test.quotes) for test in known.tests)
    said = f"stale quotes: {count_noun(quotes, 'quote')} of tests, {count_noun(len(before), 'fact')} of the last scan"
    missing = () if before else ("changed requirements: there was no scan before (`repair spec scan`)",)
    return LookedAt(findings, (said,), missing)


def _drift(
    scanned: ScannedProject,
    read: Sequence[Fact],
    sandbox: LocalSandbox,
    surveyor: Surveyor,
    until: float,
    scores: Mapping[str, float],
) -> LookedAt:
    """Each function's facts run, those first that deserve it most, by ``scores``. What a model ``read`` runs by itself,
    after the rest."""
    facts: dict[tuple[KnownBy | None, str], list[Fact]] = {}
    for fact in (*scanned.facts, *read):
        if fact.means is not None and fact.subject in scanned.functions:
            by_model = KnownBy.MODEL if fact.known_by is KnownBy.MODEL else None
            facts.setdefault((by_model, fact.subject), []).append(fact)
    sources = sandbox.snapshot.sources()
    texts = ClassTexts(scanned.trees, sources, scanned.facts)
    found: list[DriftOfFunction] = []
    late = 0

    def place(each: tuple[tuple[KnownBy | None, str], list[Fact]]) -> tuple[bool, float, int]:
        (by_model, subject), own = each
        return by_model is not None, -scores.get(subject, 0.0), -len(own)

    for (_, subject), own in sorted(facts.items(), key=place):
        if time.monotonic() >= until:
            late += 1
            continue
        try:
            found.append(find_drift(sandbox, subject, scanned.functions[subject], sources, own, surveyor.limits, texts))
        except (OutOfTimeError, TimeIsUp):
            late += 1
    with contextlib.suppress(OutOfTimeError, TimeIsUp):
        for each in _properties(scanned, read, sandbox, surveyor):
            found.append(each)
            if time.monotonic() >= until:
                break
    findings = tuple(_drift_finding(each) for one in found for each in one.drifted)
    held, calls = sum(each.held for each in found), sum(each.calls for each in found)
    reasons = Counter(_plain_reason(each.problem) for each in found if each.problem)
    not_run = [f"drift of {count_noun(n, 'function')}: {reason}" for reason, n in reasons.most_common()]
    if late:
        not_run.append(f"drift of {count_noun(late, 'function')}: the time was over")
    said = f"drift: {count_noun(held, 'fact')} held against {count_noun(calls, 'call')}"
    return LookedAt(findings, (said,), tuple(not_run))


def _properties(
    scanned: ScannedProject, read: Sequence[Fact], sandbox: LocalSandbox, surveyor: Surveyor
) -> Iterator[DriftOfFunction]:
    """Properties that are stated, on generated inputs; which inputs, what a model ``read`` has no part in."""
    facts: dict[str, list[Fact]] = {}
    for fact in (*scanned.facts, *(each for each in read if each.predicate in PROPERTIES)):
        if fact.subject in scanned.functions:
            facts.setdefault(fact.subject, []).append(fact)
    sources = sandbox.snapshot.sources()
    texts = ClassTexts(scanned.trees, sources, scanned.facts)
    program = CalledProgram(sandbox, scanned.functions, facts, sources, surveyor.limits, texts)
    stated = [subject for subject, own in facts.items() if any(each.predicate in PROPERTIES for each in own)]
    yield from (find_broken_properties(program, subject) for subject in stated)


def _plain_reason(problem: str) -> str:
    """A reason without its line and place, so that the same one is told once."""
    return shortened(re.sub(r"^line \d+ | \(in [^()]*\)$", "", problem))


def _drift_finding(drifted: DriftedFact) -> SpecFinding:
    fact, call, does = drifted.fact, drifted.call.source, describe_behaviour(drifted.does)
    then = f", {drifted.then}" if drifted.then else ""
    return finding_of(
        SpecKind.DRIFT,
        fact.subject,
        f"{call} {does}{then}, and not as it is said: {fact.predicate.value} {fact.value}",
        fact.place.path,
        fact.place.line,
        (fact.cite(),),
        call,
        words=(fact.digest, fact.value),
        sure=fact.sure,
        by_model=fact.known_by is KnownBy.MODEL,
    )


def _seen(scanned: ScannedProject, sandbox: LocalSandbox, surveyor: Surveyor) -> LookedAt:
    """Results of another kind than what is said, seen while the suite ran."""
    sources = sandbox.snapshot.sources()
    try:
        seen = look_at_calls(sandbox, scanned.functions, scanned.facts, sources, surveyor.limits)
    except (OutOfTimeError, TimeIsUp):
        seen = SeenBehaviour(problem="the time was over")
    if seen.problem:
        return LookedAt((), (), (f"results of the suite's calls: {shortened(seen.problem)}",))
    findings = tuple(
        finding_of(
            SpecKind.DRIFT,
            each.fact.subject,
            f"{each.test} saw {each.kind} given back ({shortened(each.text)}), and it is said: {each.fact.value}",
            each.fact.place.path,
            each.fact.place.line,
            (each.fact.cite(),),
            words=(each.fact.digest, each.kind),
            sure=each.fact.sure,
        )
        for each in seen.strange
    )
    return LookedAt(findings, (f"results of the suite's calls: {count_noun(seen.functions, 'function')} seen",))
