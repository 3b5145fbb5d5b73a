"""One screen of a result, for somebody who decides: what is above the fold is what matters.

First the verdict, its place and time, and the change with its words marked. Then what changes for callers and who says
so, and the question with both readings. Of the evidence only what is not "yes" is opened. The next command comes last.
What is left out here stands in the whole answer (``-v``).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from repair.records.result import (
    CauseView,
    FailureView,
    PatchView,
    Result,
    Status,
)
from repair.records.wording import count_noun, list_names
from repair.show.lines import STYLES, Line, diff_lines, headline, place, shorten, wrap
from repair.show.patch_lines import in_bold, patch_lines, question_lines, where_is, word_of
from repair.show.whole import alternative_lines, describe_cold_starts

ROWS = 23
"""Rows of a screen, but for that of the next prompt."""

MOST_MESSAGES = 4
MOST_BRIEF = 8
"""Rows of a brief, and of a message where there are few."""

MOST_BRIEF_OF_A_CAUSE = 4
MOST_SUSPECTS = 3
MOST_FINDINGS = 5
MOST_WARNINGS = 3
MOST_ALIKE = 2
"""Causes of one block whose messages are shown."""

BLAMELESS = (Status.ENVIRONMENT, Status.TEST_DEFECT, Status.FLAKY, Status.UNPARSEABLE, Status.NOT_REPRODUCED)
"""Where no function is at fault none is suspected."""

WEAK = ("none", "landlock-only")
"""Kinds of isolation that leave the user's files or network open."""

FOREIGN = "foreign"
"""What stands for the author of a change that `check` judges. The engine's own name of it would load the engine."""

STARTS, STARTS_OF_A_CAUSE, STARTS_OF_A_CHECK = 8, 4, 4
"""Cold starts of pytest that are meant for one cause, for each further one, and for a check."""


def screen_lines(result: Result, alternatives: int, width: int, reach: str = "") -> Iterator[Line]:
    """The answer, and so many runners-up.

    Where it is higher than a screen, empty lines are left out, the last ones first. ``reach`` are the options that a
    next command needs where this one was typed.
    """
    lines = list(_all_lines(result, alternatives, width, reach))
    height = sum(max(1, -(-Text(str(line)).cell_len // width)) for line in lines)
    empty = [number for number, line in enumerate(lines) if not str(line)]
    gone = empty[max(0, len(empty) - max(0, height - ROWS)) :]
    return (line for number, line in enumerate(lines) if number not in gone)


def _all_lines(result: Result, alternatives: int, width: int, reach: str) -> Iterator[Line]:
    patches = [patch for patch in result.patches if patch.rank == 1]
    yield from _head(result, patches, width)
    if len(result.causes) > 1:
        for _, alike in itertools.groupby(result.causes, key=_kind_of_block):
            causes = tuple(alike)
            yield from _causes_lines(causes, width) if len(causes) > 1 else _cause_lines(causes[0], result, width)
    elif len(patches) == 1:
        yield from patch_lines(patches[0], width)
    else:
        for patch in patches:
            yield from ("", Text.assemble(word_of(patch), "  ", where_is(patch)), *patch_lines(patch, width))
    others = [patch for patch in result.patches if patch not in patches]
    for patch in others[:alternatives]:
        yield from alternative_lines(patch)
    if alternatives > len(others) and patches:
        left = result.counts.plausible - len(result.patches)
        why = f"time was up for {left} more" if left > 0 else "no more were found"
        yield from ("", f"{count_noun(len(others), 'runner-up', 'runners-up')} of {alternatives} asked for: {why}")
    if not patches and len(result.causes) < 2:
        yield from _without_patch(result, width)
    yield from _listed(
        "Beside the functions", [f"{place(f.file, f.line)}{f.claim}" for f in result.findings], MOST_FINDINGS, width
    )
    in_blocks = tuple(message for cause in result.causes for message in cause.messages if message)
    yield from _listed(
        "Warnings", [said for said in result.warnings if not said.endswith(in_blocks)], MOST_WARNINGS, width
    )
    yield from _closing(result, len(others[alternatives:]), width, reach)


def left_causes(result: Result) -> tuple[CauseView, ...]:
    """Of several causes those without a patch."""
    return tuple(cause for cause in result.causes if not cause.patch) if len(result.causes) > 1 else ()


def quiet_lines(result: Result, width: int) -> Iterator[Line]:
    """The verdict, the diff and the question; of a run without a patch how it ended."""
    patches = [patch for patch in result.patches if patch.rank == 1]
    if not patches:
        yield from _head(result, patches, width)
    for patch in patches:
        yield Text.assemble(word_of(patch), "  ", where_is(patch))
        yield from diff_lines(patch.diff)
        yield from question_lines(patch, width)
    for cause in left_causes(result) if patches else ():
        yield f"{cause.status}  {place(cause.file, cause.line)}{cause.function}: {list_names(cause.tests, 'test')}"


def _head(result: Result, patches: Sequence[PatchView], width: int) -> Iterator[Line]:
    """The verdict, its place and what it took; what the word means; what was said; what fails without it."""
    first = Text.assemble((str(result.status), STYLES.get(result.status, "bold red")))
    if len(patches) == 1 and len(result.causes) < 2:
        first.append(f"  {where_is(patches[0])}")
    elif len(result.causes) > 1:
        first.append(f"  {_count_causes(result)}")
    elif patches:
        first.append(f"  {count_noun(len(patches), 'changed function')}")
    spent = "; ".join(_spent(result, len(patches)))
    said = headline(result) if len(result.causes) < 2 else ""
    in_first = first.cell_len + 2 + cell_len(spent) <= width
    yield _beside(first, spent, width) if in_first else first
    if spent and not in_first:
        yield Text(f"  {spent}", "dim")
    yield from wrap(said, width) if said else ()
    told = " ".join((*result.messages, result.brief))
    if len(result.causes) < 2 and not (result.failures and result.failures[0].test in told):
        what = "Without it" if patches or result.of_change else "What fails"
        yield from _failing(result.failures, width, what, with_patch=bool(patches))
    in_blocks = [said for cause in result.causes for said in cause.messages] if len(result.causes) > 1 else []
    messages = [
        each
        for each in result.messages
        if each.rstrip(".") != said.rstrip(".") and not any(other in each for other in in_blocks)
    ]
    for message in messages[:MOST_MESSAGES]:
        yield from wrap(message, width, most=2 if len(messages) > MOST_MESSAGES else MOST_BRIEF)
    if len(messages) > MOST_MESSAGES:
        yield f"  and {len(messages) - MOST_MESSAGES} more (-v)"


def _beside(left: Text, right: str, width: int) -> Text:
    """Both in one line, the second at its end."""
    return Text.assemble(left, " " * max(2, width - left.cell_len - cell_len(right)) if right else "", (right, "dim"))


def _spent(result: Result, judged: int) -> Iterator[str]:
    """Time, candidates and money; and the walls where there are hardly any."""
    if result.seconds.total:
        yield f"{result.seconds.total:.1f} s"
    if result.counts.executed + result.counts.remembered > judged:  # a search; ``check`` runs what it was given
        yield count_noun(result.counts.candidates, "candidate")
    if result.cost.requests:
        yield count_noun(result.cost.requests, "model request") + (f" (${result.cost.usd:.4f})" * bool(result.cost.usd))
    if result.isolation in WEAK:
        yield f"isolation {result.isolation}"


def _failing(failures: Sequence[FailureView], width: int, what: str, *, with_patch: bool) -> Iterator[Line]:
    if not failures:
        return
    first = failures[0]
    said = next(iter(first.message.strip().splitlines()), "")
    why = said if said and first.exception == "AssertionError" else ": ".join(filter(None, (first.exception, said)))
    more = f" and {count_noun(len(failures) - 1, 'more test')}" if len(failures) > 1 else ""
    if with_patch:
        line = f"{what}: {first.test}{more}: {shorten(why)}"
        yield set_cell_size(f"  {line}", width - 1).rstrip() + "…" if cell_len(line) + 2 > width else f"  {line}"
    else:
        many = f" ({count_noun(len(failures), 'test')})" if len(failures) > 1 else ""
        yield from wrap(f"{what}{many}: {first.test}", width, rest="    ", most=2)
        yield from wrap(shorten(why), width, "    ", "    ", 2)


def _count_causes(result: Result) -> str:
    """``3 causes: 2 certified, 1 unrepaired``."""
    words = Counter(str(cause.status) for cause in result.causes)
    return f"{len(result.causes)} causes: {', '.join(f'{count} {word}' for word, count in words.items())}"


def _kind_of_block(cause: CauseView) -> tuple[int, str, str]:
    """Equal for neighbours that are shown in one block: no function is at fault in them, and the same helps."""
    return (0 if cause.status in BLAMELESS and not cause.patch else cause.number, cause.status, cause.next_action)


def _causes_lines(causes: Sequence[CauseView], width: int) -> Iterator[Line]:
    """One block of causes in which no function is at fault."""
    first, last = causes[0], causes[-1]
    tests = count_noun(sum(len(cause.tests) for cause in causes), "test")
    style = STYLES.get(first.status, "bold red")
    yield ""
    yield Text.assemble((f"Causes {first.number} to {last.number}: ", "bold"), (str(first.status), style), f"  {tests}")
    messages = [message for cause in causes for message in cause.messages[:1]]
    for message in messages[:MOST_ALIKE]:
        yield from wrap(message, width, rest="    ", most=4)
    if len(messages) > MOST_ALIKE:
        yield f"  and {len(messages) - MOST_ALIKE} more (-v)"
    if first.next_action:
        yield from wrap(f"Next: {first.next_action}", width, rest="    ")


def _cause_lines(cause: CauseView, result: Result, width: int) -> Iterator[Line]:
    """The block of one cause: its word and place, its tests, its patch or why there is none."""
    patch = next((p for p in result.patches if p.cause == cause.number and p.rank == 1), None)
    where = where_is(patch) if patch is not None else f"{place(cause.file, cause.line)}{cause.function}"
    style = STYLES.get(cause.status, "bold red")
    yield ""
    yield Text.assemble((f"Cause {cause.number}: ", "bold"), (str(cause.status), style), f"  {where}")
    under = f"; on top of cause {list_names(cause.stands_on, 'cause', 3)}" if cause.stands_on else ""
    yield from wrap(f"{list_names(cause.tests, 'test', 1)}{under}", width, rest="    ", most=2)
    if patch is not None:
        yield from patch_lines(patch, width)
        return
    for message in cause.messages[:2]:
        yield from wrap(message, width, rest="    ", most=2)
    told = [text for text in cause.brief.splitlines() if text.strip() and text not in cause.messages]
    yield from [row for text in told for row in wrap(text, width, rest="    ", most=3)][:MOST_BRIEF_OF_A_CAUSE]
    if cause.next_action:
        yield from wrap(f"Next: {cause.next_action}", width, rest="    ")


def _without_patch(result: Result, width: int) -> Iterator[Line]:
    """What is known where there is no patch: a brief, and who is suspected."""
    if result.brief and result.brief not in result.messages:
        yield ""
        said = {message.rstrip(".").lower() for message in result.messages}
        texts = [text for text in result.brief.splitlines() if text.strip().rstrip(".").lower() not in said]
        lines = [line for text in texts for line in (wrap(text, width, "", "  ") or [""])]
        yield from lines[:MOST_BRIEF]
        if len(lines) > MOST_BRIEF:
            yield f"  … {count_noun(len(lines) - MOST_BRIEF, 'more line')} (-v)"
    if result.status not in BLAMELESS:
        yield from _listed(
            "Suspects",
            [f"{place(s.file, s.line)}{s.function}: {'; '.join(s.reasons)}".rstrip(": ") for s in result.suspects],
            MOST_SUSPECTS,
            width,
        )


def _listed(heading: str, entries: Sequence[str], most: int, width: int) -> Iterator[Line]:
    if entries:
        yield from ("", Text(heading, "bold"))
    for entry in entries[:most]:
        yield from wrap(entry, width, rest="    ", most=2)
    if len(entries) > most:
        yield f"  and {len(entries) - most} more (-v)"


def describe_many_starts(result: Result) -> str:
    """More starts of pytest than are meant for such a command, with what they were for; ``""`` for fewer."""
    further = max(0, len(result.causes) - 1)
    meant = STARTS_OF_A_CHECK if result.of_change else STARTS + STARTS_OF_A_CAUSE * further
    if sum(result.cold_starts.values()) <= meant:
        return ""
    return f"{describe_cold_starts(result.cold_starts)}; {meant} are meant"


def _closing(result: Result, others: int, width: int, reach: str) -> Iterator[Line]:
    """What to do next, and where the rest is. A command is one line, to be copied."""
    yield ""
    shown = f"repair show {result.run}"
    is_named = bool(result.run) and result.next_action.endswith(shown) and not reach and not others
    if result.next_action:
        said = f"Next: {result.next_action}{' -v' if is_named else ''}"
        yield from in_bold([said] if result.next_action.startswith("repair ") else wrap(said, width, "", "  "))
    more = f"{count_noun(others, 'alternative')} and all else" if others else "all of it"
    if result.run and not is_named:
        yield Text(f"{more}: {' '.join(filter(None, (f'repair show {result.run} -v', reach)))}", "dim")
    if said := describe_many_starts(result):
        yield from (Text(line, "dim") for line in wrap(said, width, "", "  ", most=2))
