"""The page of one run, made from its record alone.

What a project, a test or a model wrote is hostile here. Each text passes ``_Shown`` on its way into the page. What a
reader could not see is spelled out there, and what is too long is cut with a note; jinja escapes the rest. The
templates hold all markup. No text that is shown decides anything.
"""

from __future__ import annotations

import datetime
import functools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.errors import UsageError
from repair.compare.ready_answers import write_as_test
from repair.records.result import CauseView, PatchView, Result, Status
from repair.show.lines import headline, quote
from repair.show.report.code import SideBySide, compare_sides
from repair.show.report.pictures import Event, draw_convergence, draw_timeline
from repair.show.screen import OTHERWISE, WHO, asked_first, region_of, whose_other
from repair.show.terminal import make_visible
from repair.show.whole import TIERS

TEMPLATES = Path(__file__).parent / "templates"

FIRST_LINE = "<!doctype html><!-- repair report -->"
"""How a page of ours begins."""

MOST_BYTES = 2_000_000
MOST_OF_TEXT = (12_000, 2_000, 200)
"""Characters of one text that are shown: fewer where the page would be larger than ``MOST_BYTES``."""

MOST_LISTED = 40
"""Entries of a list that are shown; how many are left out is said."""

TONES = {
    Status.CERTIFIED: "good",
    Status.PLAUSIBLE: "doubt",
    Status.OUT_OF_SCOPE: "doubt",
    Status.DIAGNOSED: "plain",
    Status.UNCHANGED: "plain",
    Status.NOTHING_FAILS: "plain",
    Status.NOT_REPRODUCED: "plain",
}
"""The colour of a word; all others are ``bad``."""

DECISIONS = {"accept": ("yes", "good"), "reject": ("no", "bad"), "unknown": ("unknown", "doubt")}


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the record of a run holds. ``started`` is when it began, ``made_at`` when the page is made, both in UTC.

    ``certificates`` are the digests of the certificates' bytes by file name.
    """

    run: str
    result: Result
    events: tuple[Event, ...] = ()
    certificates: tuple[tuple[str, str], ...] = ()
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


@dataclass(frozen=True, slots=True)
class CausePart:
    """What one cause came to, or the whole run where there is one cause: the answers, the first one first."""

    anchor: str
    cause: CauseView | None
    answers: tuple[PatchPart, ...]
    others: tuple[PatchPart, ...]


def make_page(recorded: Recorded) -> str:
    """The whole page."""
    page = ""
    for most in MOST_OF_TEXT:
        page = _render(recorded, most)
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def _render(recorded: Recorded, most: int) -> str:
    result, events = recorded.result, recorded.events
    return (
        _environment(most)
        .get_template("page.html")
        .render(
            run=recorded.run,
            result=result,
            headline=headline(result),
            sections=_sections(result),
            several=len(result.causes) > 1,
            timeline=draw_timeline(events, result.seconds.total),
            convergence=draw_convergence(events, result.seconds.total),
            families=_count_families(events),
            ways=[(way, result.counts.tiers[tier]) for tier, way in TIERS.items() if result.counts.tiers.get(tier)],
            certificates=recorded.certificates,
            started=recorded.started,
            made_at=recorded.made_at,
            age=_age(recorded),
            data=_embed(result, most),
        )
    )


@functools.cache
def _environment(most: int) -> Environment:
    """The templates, with what they may use; texts longer than ``most`` are cut."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_Shown(most).finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["tone"] = lambda status: TONES.get(status, "bad")
    made.filters["word"] = lambda decision: DECISIONS.get(decision, (decision, "doubt"))
    made.filters["listed"] = lambda each: tuple(each)[:MOST_LISTED]
    made.filters["left"] = lambda each: max(0, len(each) - MOST_LISTED)
    made.globals["who"] = WHO
    made.globals["first_line"] = Markup(FIRST_LINE)
    made.globals["css"] = Markup((TEMPLATES / "report.css").read_text("utf-8"))
    return made


class _Shown:
    """The one way of texts into the page."""

    def __init__(self, most: int) -> None:
        self._most = most

    def finalize(self, value: Any) -> Any:
        """The value as a text that can be seen, cut where it is too long; markup of the templates stays as it is."""
        return value if isinstance(value, Markup) else make_visible(self.cut(str(value)))

    def cut(self, text: str) -> str:
        """The text as far as it is shown, with a note of what is left out."""
        left = len(text) - self._most
        return text if left <= 0 else f"{text[: self._most]} … [{left} more characters stand in the record]"


def _embed(result: Result, most: int) -> Markup:
    """The result as JSON that may stand in a ``script``: none of ``<``, ``>`` and ``&`` is in it.

    Texts are cut as in the page. Where it is too large all the same, it holds what finds the record.
    """
    shown = _Shown(most)

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return shown.cut(value)
        if isinstance(value, Mapping):
            return {name: cut(each) for name, each in value.items()}
        return [cut(each) for each in value] if isinstance(value, Sequence) else value

    text = json.dumps(cut(result.to_json()))
    if len(text) > MOST_BYTES // 3:
        text = json.dumps({"schema": result.schema, "status": str(result.status), "run": result.run})
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _sections(result: Result) -> tuple[CausePart, ...]:
    """A section for each cause; one for all patches where there is one cause, or a change was checked."""
    if len(result.causes) < 2:
        return (_section("answer", None, result.patches, result),)
    return tuple(
        _section(
            f"cause-{cause.number}", cause, [each for each in result.patches if each.cause == cause.number], result
        )
        for cause in result.causes
    )


def _section(anchor: str, cause: CauseView | None, patches: Sequence[PatchView], result: Result) -> CausePart:
    tests = cause.tests if cause is not None else tuple(each.test for each in result.failures)
    first = [each for each in patches if each.rank == 1]
    others = [each for each in patches if each.rank != 1]
    start = "" if cause is None else f"{anchor}-"
    answers = tuple(
        _answer(f"{start}{f'{number}-' if number > 1 else ''}", each, tests if result.causes else ())
        for number, each in enumerate(first[:MOST_LISTED], 1)
    )
    return CausePart(anchor, cause, answers, tuple(_answer("", each, ()) for each in others[:MOST_LISTED]))


def _answer(prefix: str, patch: PatchView, tests: Sequence[str]) -> PatchPart:
    """``tests`` are those that a fix was asked for: they are named in a command that answers."""
    slowest = max((each.seconds for each in patch.evidence), default=0.0)
    return PatchPart(
        prefix, patch, compare_sides(patch.diff), _card(patch, tests), region_of(patch)[0], max(slowest, 0.001)
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
