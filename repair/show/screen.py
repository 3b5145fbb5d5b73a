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
    AskedView,
    CauseView,
    ChangeView,
    EffectView,
    EvidenceView,
    FailureView,
    PatchView,
    Result,
    Status,
)
from repair.records.witness_text import MODELS_FIX, which_of
from repair.records.wording import count_noun, list_names
from repair.show.changed_words import DiffRow, read_rows, without_context
from repair.show.lines import STYLES, Line, diff_lines, headline, place, quote, shorten, shorten_both, wrap
from repair.show.whole import alternative_lines

ANNOTATION = 120
"""Columns of a text that others show."""

ROWS = 23
"""Rows of a screen, but for that of the next prompt."""

MOST_ROWS = 40
"""Lines of one change that are shown."""

MOST_MESSAGES = 4
MOST_BRIEF = 8
"""Rows of a brief, and of a message where there are few."""

MOST_OF_CALL = 60
"""Characters of a call, and of what it gave, that are shown."""

MOST_SUSPECTS = 3
MOST_CHANGES = 3
MOST_DOUBTS = 3
MOST_FINDINGS = 5
MOST_WARNINGS = 3
MOST_ALIKE = 2
"""Causes of one block whose messages are shown."""

OTHERWISE = "otherwise"
"""What the other reading of a question is called."""

WHO = {
    "test": "{source} asks for it",
    "person": "a person said so",
    "docstring": "written: {source}",
    "nobody": "nobody says so",
}
"""Who says that a call should change."""

BLAMELESS = (Status.ENVIRONMENT, Status.TEST_DEFECT, Status.FLAKY, Status.UNPARSEABLE)
"""Where no function is at fault none is suspected."""

WEAK = ("none", "landlock-only")
"""Kinds of isolation that leave the user's files or network open."""

ORDER = {"reject": 0, "unknown": 1}


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
        yield from _patch_lines(patches[0], width)
    else:
        for patch in patches:
            yield from ("", Text.assemble(_word(patch), "  ", _where(patch)), *_patch_lines(patch, width))
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


def patch_text(patch: PatchView) -> str:
    """A patch in words for an annotation: the question first, what it does, what changes, and who doubts it."""
    parts = (
        _question(patch, ANNOTATION),
        (patch.explanation,),
        _callers(patch, ANNOTATION),
        _evidence(patch, ANNOTATION),
    )
    return "\n".join(filter(None, (str(line) for part in parts for line in part)))


def region_of(patch: PatchView) -> tuple[int, int]:
    """The first and the last changed line; without any, and of an older record, where the function starts."""
    return (patch.region.first, patch.region.last) if patch.region is not None else (patch.line, patch.line)


def left_causes(result: Result) -> tuple[CauseView, ...]:
    """Of several causes those without a patch."""
    return tuple(cause for cause in result.causes if not cause.patch) if len(result.causes) > 1 else ()


def quiet_lines(result: Result, width: int) -> Iterator[Line]:
    """The verdict, the diff and the question; of a run without a patch how it ended."""
    patches = [patch for patch in result.patches if patch.rank == 1]
    if not patches:
        yield from _head(result, patches, width)
    for patch in patches:
        yield Text.assemble(_word(patch), "  ", _where(patch))
        yield from diff_lines(patch.diff)
        yield from _question(patch, width)
    for cause in left_causes(result) if patches else ():
        yield f"{cause.status}  {place(cause.file, cause.line)}{cause.function}: {list_names(cause.tests, 'test')}"


def _word(patch: PatchView) -> tuple[str, str]:
    return str(patch.status), STYLES.get(patch.status, "bold red")


def _where(patch: PatchView) -> str:
    return f"{place(patch.file, region_of(patch)[0])}{patch.function}"


def _head(result: Result, patches: Sequence[PatchView], width: int) -> Iterator[Line]:
    """The verdict, its place and what it took; what the word means; what was said; what fails without it."""
    first = Text.assemble((str(result.status), STYLES.get(result.status, "bold red")))
    if len(patches) == 1 and len(result.causes) < 2:
        first.append(f"  {_where(patches[0])}")
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
        yield from _failing(result.failures, width, with_patch=bool(patches))
    in_blocks = [said for cause in result.causes for said in cause.messages] if len(result.causes) > 1 else []
    messages = [each for each in result.messages if not any(said in each for said in in_blocks)]
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


def _failing(failures: Sequence[FailureView], width: int, *, with_patch: bool) -> Iterator[Line]:
    if not failures:
        return
    what = "Without it" if with_patch else "What fails"
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
    where = _where(patch) if patch is not None else f"{place(cause.file, cause.line)}{cause.function}"
    style = STYLES.get(cause.status, "bold red")
    yield ""
    yield Text.assemble((f"Cause {cause.number}: ", "bold"), (str(cause.status), style), f"  {where}")
    under = f"; on top of cause {list_names(cause.stands_on, 'cause', 3)}" if cause.stands_on else ""
    yield from wrap(f"{list_names(cause.tests, 'test', 1)}{under}", width, rest="    ", most=2)
    if patch is not None:
        yield from _patch_lines(patch, width)
        return
    for message in cause.messages[:2]:
        yield from wrap(message, width, rest="    ", most=2)
    if cause.brief and cause.brief not in cause.messages:
        yield from wrap(cause.brief, width, rest="    ", most=3)
    if cause.next_action:
        yield from wrap(f"Next: {cause.next_action}", width, rest="    ")


def _patch_lines(patch: PatchView, width: int) -> Iterator[Line]:
    yield ""
    yield from wrap(patch.explanation, width, "", "", 3) if patch.explanation else ()
    yield from change_lines(patch, width)
    yield from _callers(patch, width)
    yield from _question(patch, width)
    if patch.second_opinion and not _asks_both(patch):
        yield from wrap(f"{patch.second_opinion[0].upper()}{patch.second_opinion[1:]}", width, "", "  ", 3)
    yield from _evidence(patch, width)


def change_lines(patch: PatchView, width: int) -> Iterator[Line]:
    """The changed lines with their numbers, and below each the marks of the words that differ."""
    rows = without_context(read_rows(patch.diff), 1 if patch.diff.count("\n") < MOST_ROWS else 0)
    rows = tuple(row for row in rows if row.sign != " " or row.text.strip())
    digits = max((len(str(row.new or row.old)) for row in rows), default=1)
    for row in rows[:MOST_ROWS]:
        yield from _row_lines(row, digits, width)
    if len(rows) > MOST_ROWS:
        yield f"  … {count_noun(len(rows) - MOST_ROWS, 'more line')} (-v)"


def _row_lines(row: DiffRow, digits: int, width: int) -> Iterator[Line]:
    style = {"+": "green", "-": "red"}.get(row.sign, "dim")
    lead = f"{row.new or row.old:>{digits + 2}} {row.sign} "
    code, marked = _expand(row)
    room = max(20, width - len(lead))
    start = _window_start(code, marked, room)
    cut = code[start : start + room] if cell_len(code) > room else code
    line = Text(lead + cut, style)
    for begin, end in marked:
        low, high = max(0, begin - start), min(len(cut), end - start)
        if low < high:
            line.stylize("bold reverse", len(lead) + low, len(lead) + high)
    yield line
    if row.sign == "+" and marked:
        yield Text(f"{' ' * len(lead)}{_carets(cut, marked, start)}".rstrip(), style)


def _expand(row: DiffRow) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The line with spaces for tabs, and its marks there."""

    def moved(place: int) -> int:
        return len(row.text[:place].replace("\t", "    "))

    return row.text.replace("\t", "    "), tuple((moved(begin), moved(end)) for begin, end in row.marked)


def _window_start(code: str, marked: Sequence[tuple[int, int]], room: int) -> int:
    """Where a line that is too long begins to be shown, so that its first mark is seen."""
    if cell_len(code) <= room or not marked or marked[0][1] <= room:
        return 0
    return max(0, marked[0][0] - room // 3)


def _carets(cut: str, marked: Sequence[tuple[int, int]], start: int) -> str:
    """``^`` below each marked letter, as wide as the letter is."""
    signs = [any(begin <= number + start < end for begin, end in marked) for number in range(len(cut))]
    return "".join(("^" if sign else " ") * cell_len(letter) for letter, sign in zip(cut, signs, strict=True))


def _callers(patch: PatchView, width: int) -> Iterator[Line]:
    """What changes for callers, and who says so; what is kept, and what no test pins."""
    short = [each for each in patch.changes if _is_short(each)]
    shown = short or list(patch.changes[:1])
    said = _describe_changes(shown)[:MOST_CHANGES]
    more = len(patch.changes) - len(shown)
    said += [f"and {count_noun(more, 'call')} that {'is' if more == 1 else 'are'} longer to read (-v)"] if more else []
    effect = patch.effect
    if effect is not None:
        said += _describe_effect(effect)
    if patch.changes_gap and not said and patch.status is not Status.REJECTED:  # the gate that says no is all
        said.append(f"not known: {patch.changes_gap}")
    if not said:
        inputs = [dict(each.measurements).get("inputs") for each in patch.evidence if each.gate == "behaviour"]
        said += [f"nothing was seen on {inputs[0]} inputs"] if inputs and inputs[0] else []
    if said:
        yield from ("", Text("What changes for callers", "bold"))
    for each in said:
        yield from wrap(each, width, rest="    ", most=3)


def _is_short(change: ChangeView) -> bool:
    """Whether a changed call and its ends are read at a glance."""
    return max(len(change.call), *map(len, _shorten_both(change.before, change.after))) <= MOST_OF_CALL


def _describe_changes(changes: Sequence[ChangeView]) -> list[str]:
    """``half(3), half(5): 1 becomes 2 (nobody says so)``: calls of which the same is to be said, in one."""
    calls: dict[str, list[str]] = {}
    for change in changes:
        before, after = _shorten_both(change.before, change.after)
        who = WHO.get(change.said_by, "").format(source=change.source)
        if change.said_by == "nobody" and change.source:
            who += f": {change.source} makes this call and passes either way"
        said = f"{before} becomes {after}{f' ({who})' if who else ''}"
        calls.setdefault(said, []).append(shorten(change.call, MOST_OF_CALL))
    return [f"{', '.join(each)}: {said}" for said, each in calls.items()]


def _shorten_both(before: str, after: str) -> tuple[str, str]:
    """What a call gave and gives, as briefly as it can be told apart: ``5`` and ``raises KeyError``."""
    same_kind = before.split("(")[0] == after.split("(")[0]

    def brief(text: str) -> str:
        if text.startswith("raises ") and not same_kind:
            return text.partition("(")[0]
        return text.removeprefix("returns ")

    return shorten_both(brief(before), brief(after), MOST_OF_CALL)


def _describe_effect(effect: EffectView) -> Iterator[str]:
    if effect.refactoring:
        yield f"nothing: on {count_noun(effect.inputs, 'input')} they get what they got" if effect.inputs else "nothing"
    elif effect.inputs:
        least = "at least " if effect.bounded else ""
        kept = f"they get what they got on {effect.kept} of {count_noun(effect.inputs, 'input')}"
        yield f"{kept}, something else on {least}{effect.changed}" if effect.changed else kept
    if effect.unrun:
        yield (
            f"no test runs changed {list_names(effect.unrun, 'line', 5)}"
            if len(effect.unrun) > 1
            else (f"no test runs changed line {effect.unrun[0]}")
        )


def _question(patch: PatchView, width: int) -> Iterator[Line]:
    """The one question, with both readings and what answers each."""
    found = asked_first(patch)
    if found is None:
        for number, question in enumerate(patch.questions[:1]):
            yield from ("", *_bold_first(wrap(f"Question: {question}", width, "", "  ")))
            if len(patch.questions) > number + 1:
                yield f"  {count_noun(len(patch.questions) - 1, 'more question')} (-v)"
        return
    first, asked = found
    other_reading = whose_other(asked)
    question = f"What should {shorten(asked.call)} give?" if other_reading else asked.question
    yield from ("", *_bold_first(wrap(f"Question: {question}", width, "", "  ")))
    if asked.call:
        mine, other = _shorten_both(asked.mine, asked.other)
        yield from _reading("this patch", mine, first.answer, width)
        yield from _reading(other_reading or OTHERWISE, other, first.otherwise, width)
        if asked.goes_on:
            yield from wrap(f"Its test: {asked.goes_on}", width, "  ", "    ", 3)
    if len(patch.questions) > 1:
        yield f"  {count_noun(len(patch.questions) - 1, 'more question')} (-v)"


def _asks_both(patch: PatchView) -> bool:
    """Whether the question is that between the patch and a second opinion: then both readings stand there."""
    return any(question.endswith(f"({MODELS_FIX})?") for question in patch.questions[:1])


def asked_first(patch: PatchView) -> tuple[EvidenceView, AskedView] | None:
    """The evidence whose question is asked, and the question: one that an input tells before one in words alone."""
    asking = [(each, each.asked) for each in patch.evidence if each.asked is not None]
    return min(asking, key=lambda each: not each[1].call, default=None)


def whose_other(asked: AskedView) -> str:
    """What the reading is called that is not this patch's, where the question asks for one of the two; else ``""``."""
    names = {which_of(asked.call, asked.mine, asked.other, name): name for name in ("", MODELS_FIX)}
    return names[asked.question] or OTHERWISE if asked.question in names else ""


def _bold_first(lines: Sequence[str]) -> Iterator[Line]:
    for line in lines:
        yield Text(line, "bold")


def _reading(who: str, does: str, answer: str, width: int) -> Iterator[Line]:
    """One of the two readings, and what answers so."""
    lead, does = f"  {who + ':':<12}", shorten(does)
    option = f"--answer {quote(answer)}" if answer else ""
    if option and cell_len(lead + does) + 3 + cell_len(option) <= width:
        yield f"{lead}{does}   {option}"
        return
    yield from wrap(does, width, lead, " " * len(lead), 3)
    if option:
        yield f"{' ' * len(lead)}{option}"


def _evidence(patch: PatchView, width: int) -> Iterator[Line]:
    """How many gates say yes, the risk, what was not checked; and the gates that say something else."""
    if not patch.evidence:
        return
    others = [each for each in patch.evidence if each.decision != "accept"]
    yes = len(patch.evidence) - len(others)
    said = [f"yes from {yes} of {count_noun(len(patch.evidence), 'gate')}"]
    if patch.risk is not None:
        said.append(f"risk {patch.risk.value:.1%}, limit {patch.risk.limit:.1%}".replace("%", " %"))
    if patch.not_checked:
        said.append(f"{len(patch.not_checked)} not checked")
    yield ""
    yield from _bold_first(wrap(f"Evidence: {'; '.join(said)}", width, "", "  "))
    groups = _group(others)
    for claim, gates in groups[:MOST_DOUBTS]:
        word = "no" if gates[0].decision == "reject" else "unknown"
        names = ", ".join(each.gate for each in gates)
        witness = next(
            (each.witness for each in gates if each.witness and not _is_shown(each) and each.witness not in claim), ""
        )
        shown = f"{names}: {word}: {claim}{f'; witness: {shorten(witness)}' if witness else ''}"
        yield from wrap(shown, width, rest="    ", most=3)
    left = [each.gate for _, gates in groups[MOST_DOUBTS:] for each in gates]
    if left:
        yield from wrap(f"and what {list_names(left, 'gate', 4)} could not tell (-v)", width)


def _is_shown(evidence: EvidenceView) -> bool:
    """Whether the witness stands in the question already."""
    return evidence.asked is not None and bool(evidence.asked.call)


def _group(evidence: Sequence[EvidenceView]) -> list[tuple[str, list[EvidenceView]]]:
    """Gates that say the same as one, those that say no first."""
    found: dict[str, list[EvidenceView]] = {}
    for each in sorted(evidence, key=lambda each: ORDER.get(each.decision, 1)):
        found.setdefault(each.claim, []).append(each)
    return list(found.items())


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


def _closing(result: Result, others: int, width: int, reach: str) -> Iterator[Line]:
    """What to do next, and where the rest is. A command is one line, to be copied."""
    yield ""
    if result.next_action:
        said = f"Next: {result.next_action}"
        yield from _bold_first([said] if result.next_action.startswith("repair ") else wrap(said, width, "", "  "))
    more = f"{count_noun(others, 'alternative')} and all else" if others else "all of it"
    if result.run:
        yield Text(f"{more}: {' '.join(filter(None, (f'repair show {result.run} -v', reach)))}", "dim")
