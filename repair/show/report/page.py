"""The page of one run, made from its record alone.

What a project, a test or a model wrote is hostile here: each text passes the guard of ``markup.py`` on its way into the
page. The templates hold all markup. No text that is shown decides anything.
"""

from __future__ import annotations

import datetime
import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from analysis.errors import UsageError
from analysis.priority import Priority
from repair.compare.ready_answers import write_as_test
from repair.records.result import CauseView, PatchView, Result
from repair.records.run_details import RunDetails
from repair.show.lines import headline, quote
from repair.show.patch_lines import OTHERWISE, asked_first, region_of, whose_other
from repair.show.report.annotated import MutantTable, list_mutants, list_suspect
from repair.show.report.code import SideBySide, compare_sides
from repair.show.report.markup import MOST_LISTED, embed, make_within_bounds, render
from repair.show.report.pictures import Event, draw_convergence, draw_timeline
from repair.show.report.rounds import ReadText, list_rounds
from repair.show.whole import MOST_SHARES, TIERS


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the record of a run holds. ``started`` is when it began, ``made_at`` when the page is made, both in UTC.

    ``certificates`` are the digests of the certificates' bytes by file name.
    """

    run: str
    result: Result
    events: tuple[Event, ...] = ()
    certificates: tuple[tuple[str, str], ...] = ()
    details: RunDetails = field(default_factory=RunDetails)
    priorities: tuple[Priority, ...] = ()
    """Of the functions that the run is about, and of others of the project, the highest first."""
    priorities_gap: str = ""
    """Why there are none."""
    read_text: ReadText = lambda digest: ""
    """Gives the texts that somebody made in the run, by their digests."""
    started: datetime.datetime | None = None
    made_at: datetime.datetime | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a question: whose, what the program does then, how to answer so, and the test that says it."""

    who: str
    does: str
    test: tuple[str, ...]
    command: str


@dataclass(frozen=True, slots=True)
class Card:
    """A question with its readings; ``more`` questions are asked beside it."""

    question: str
    readings: tuple[Reading, ...] = ()
    goes_on: str = ""
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchPart:
    """One judged patch with what is made of it. ``prefix`` stands before the anchors of its parts."""

    prefix: str
    patch: PatchView
    comparison: SideBySide
    card: Card | None
    line: int
    slowest: float
    """Seconds of its slowest gate."""
    mutants: MutantTable | None = None
    shares: tuple[tuple[str, float], ...] = ()
    """The largest parts of its risk, in log-odds."""


@dataclass(frozen=True, slots=True)
class CausePart:
    """What one cause came to, or the whole run where there is one cause: the answers, the first one first."""

    anchor: str
    cause: CauseView | None
    answers: tuple[PatchPart, ...]
    others: tuple[PatchPart, ...]


def make_page(recorded: Recorded) -> str:
    """The whole page."""
    result = recorded.result
    data = embed(result.to_json(), {"schema": result.schema, "status": str(result.status), "run": result.run})
    return make_within_bounds(functools.partial(_render, recorded, data))


def _render(recorded: Recorded, data: Markup, most: int) -> str:
    result, events = recorded.result, recorded.events
    sections = _sections(result, recorded.details)
    asked = {(each.file, each.function) for each in result.patches}
    asked |= {(each.file, each.function) for each in result.suspects}
    return render(
        "page.html",
        most,
        run=recorded.run,
        result=result,
        headline=headline(result),
        sections=sections,
        several=len(result.causes) > 1,
        timeline=draw_timeline(events, result.seconds.total),
        convergence=draw_convergence(events, result.seconds.total),
        families=_count_families(events),
        ways=[(way, result.counts.tiers[tier]) for tier, way in TIERS.items() if result.counts.tiers.get(tier)],
        sources=[list_suspect(each, f"suspect-{number}") for number, each in enumerate(recorded.details.suspects, 1)],
        suspects=recorded.details.suspects,
        rounds=list_rounds(events, recorded.read_text, most),
        own_priorities=[each for each in recorded.priorities if (each.file, each.function) in asked],
        priorities=recorded.priorities,
        priorities_gap=recorded.priorities_gap,
        certificates=recorded.certificates,
        started=recorded.started,
        made_at=recorded.made_at,
        age=_age(recorded),
        data=data,
    )


def _sections(result: Result, details: RunDetails) -> tuple[CausePart, ...]:
    """A section for each cause; one for all patches where there is one cause, or a change was checked."""
    if len(result.causes) < 2:
        return (_section("answer", None, result.patches, result, details),)
    return tuple(
        _section(
            f"cause-{cause.number}",
            cause,
            [each for each in result.patches if each.cause == cause.number],
            result,
            details,
        )
        for cause in result.causes
    )


def _section(
    anchor: str, cause: CauseView | None, patches: Sequence[PatchView], result: Result, details: RunDetails
) -> CausePart:
    tests = cause.tests if cause is not None else tuple(each.test for each in result.failures)
    first = [each for each in patches if each.rank == 1]
    others = [each for each in patches if each.rank != 1]
    start = "" if cause is None else f"{anchor}-"
    answers = tuple(
        _answer(f"{start}{f'{number}-' if number > 1 else ''}", each, tests if result.causes else (), details)
        for number, each in enumerate(first[:MOST_LISTED], 1)
    )
    return CausePart(
        anchor, cause, answers, tuple(_answer("", each, (), RunDetails()) for each in others[:MOST_LISTED])
    )


def _answer(prefix: str, patch: PatchView, tests: Sequence[str], details: RunDetails) -> PatchPart:
    """``tests`` are those that a fix was asked for: they are named in a command that answers."""
    slowest = max((each.seconds for each in patch.evidence), default=0.0)
    known = details.of_patch(patch.digest)
    return PatchPart(
        prefix,
        patch,
        compare_sides(patch.diff),
        _card(patch, tests),
        region_of(patch)[0],
        max(slowest, 0.001),
        None if known is None else list_mutants(known.mutants, f"{prefix}line", known.line, known.text),
        tuple(sorted(patch.risk.shares.items(), key=lambda each: -abs(each[1]))[:MOST_SHARES]) if patch.risk else (),
    )


def _card(patch: PatchView, tests: Sequence[str]) -> Card | None:
    first = asked_first(patch)
    if first is None:
        return Card(patch.questions[0], more=patch.questions[1:]) if patch.questions else None
    evidence, asked = first
    more = tuple(each for each in patch.questions if each != asked.question)
    if not asked.call:
        return Card(asked.question, more=more)
    said = (
        ("this patch", asked.mine, evidence.answer),
        (whose_other(asked) or OTHERWISE, asked.other, evidence.otherwise),
    )
    readings = tuple(Reading(who, does, _test_of(answer), _command(answer, tests)) for who, does, answer in said)
    return Card(asked.question, readings, asked.goes_on, more)


def _test_of(answer: str) -> tuple[str, ...]:
    """The lines of a test that says it; none where there is no ready answer, or a record has what is none."""
    try:
        return write_as_test(answer) if answer else ()
    except UsageError:
        return ()


def _command(answer: str, tests: Sequence[str]) -> str:
    """The command that answers so; of a check, which may have been given a diff, the option alone."""
    option = f"--answer {quote(answer)}" if answer else ""
    if not (option and tests):
        return option
    return " ".join(("repair fix", *map(quote, tests[:MOST_LISTED]), option))


def _count_families(events: Sequence[Event]) -> tuple[tuple[str, int], ...]:
    """How many edits of each family, or of each source that has none, ended in trials; the most first."""
    found: Counter[str] = Counter()
    for each in events:
        ended = each.get("ended") if each.get("type") == "progress" else None
        for family, count in ended.items() if isinstance(ended, Mapping) else ():
            found[str(family)] += count if isinstance(count, int) else 0
    return tuple(found.most_common(MOST_LISTED))


def _age(recorded: Recorded) -> str:
    """How old the run is when the page is made; ``""`` where that is not known."""
    if recorded.started is None or recorded.made_at is None:
        return ""
    seconds = max(0.0, (recorded.made_at - recorded.started).total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'s' if count != 1 else ''}"
    return "less than a minute"
