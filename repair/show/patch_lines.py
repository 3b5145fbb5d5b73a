"""One patch in a few lines: its change, what changes for callers, the question with both readings, the evidence.

Of the evidence only what is not "yes" is opened. What is left out stands in the whole answer (``-v``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.text import Text

from repair.records.result import AskedView, ChangeView, EffectView, EvidenceView, PatchView, RiskView, Status
from repair.records.witness_text import MODELS_FIX
from repair.records.wording import count_noun, list_names
from repair.show.changed_words import DiffRow, read_rows, without_context
from repair.show.lines import (
    MOST_SHOWN,
    STYLES,
    Line,
    brief_call,
    counted_unseen,
    place,
    quote,
    rated_like,
    shorten,
    shorten_both,
    wrap,
)

ANNOTATION = 120
"""Columns of a text that others show."""

MOST_ROWS = 40
"""Lines of one change that are shown."""

MOST_OF_CALL = 60
"""Characters of a call, and of what it gave, that are shown."""

MOST_CHANGES = 3
MOST_DOUBTS = 3

OTHERWISE = "otherwise"
"""What the other reading of a question is called."""

WHO = {
    "test": "{source} asks for it",
    "person": "a person said so",
    "docstring": "written: {source}",
    "nobody": "nobody says so",
}
"""Who says that a call should change."""

ORDER = {"reject": 0, "unknown": 1}


def patch_text(patch: PatchView) -> str:
    """A patch in words for an annotation: the question first, what it does, what changes, and who doubts it."""
    parts = (
        question_lines(patch, ANNOTATION),
        (patch.explanation,),
        _callers(patch, ANNOTATION),
        _evidence(patch, ANNOTATION),
    )
    return "\n".join(filter(None, (str(line) for part in parts for line in part)))


def region_of(patch: PatchView) -> tuple[int, int]:
    """The first and the last changed line; without any, and of an older record, where the function starts."""
    return (patch.region.first, patch.region.last) if patch.region is not None else (patch.line, patch.line)


def word_of(patch: PatchView) -> tuple[str, str]:
    """Its word and the style of that."""
    return str(patch.status), STYLES.get(patch.status, "bold red")


def where_is(patch: PatchView) -> str:
    """``shop.py:7: price``: its first changed line, and the function."""
    return f"{place(patch.file, region_of(patch)[0])}{patch.function}"


def patch_lines(patch: PatchView, width: int) -> Iterator[Line]:
    """All of it: what it is for, the change, what changes for callers, the question, and the evidence."""
    yield ""
    yield from wrap(patch.explanation, width, "", "", 3) if patch.explanation else ()
    yield from change_lines(patch, width)
    yield from _callers(patch, width)
    yield from question_lines(patch, width)
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
    calls = _calls_of(patch)
    changes = [replace(each, call=brief_call(each.call, MOST_OF_CALL, patch.diff, calls)) for each in patch.changes]
    short = [each for each in changes if _is_short(each)]
    shown = short or changes[:1]
    said = _describe_changes(shown)[:MOST_CHANGES]
    more = len(changes) - len(shown)
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


def _calls_of(patch: PatchView) -> tuple[str, ...]:
    """All calls that are told of the patch."""
    asked = (each.asked.call for each in patch.evidence if each.asked is not None)
    return (*(each.call for each in patch.changes), *asked)


def _is_short(change: ChangeView) -> bool:
    """Whether a changed call and its ends are read at a glance, as far as they are shown."""
    ends = max(map(len, _shorten_both(change.before, change.after)))
    return not change.call.endswith("…") and max(len(change.call), ends) <= MOST_OF_CALL


def _describe_changes(changes: Sequence[ChangeView]) -> list[str]:
    """``half(3), half(5): 1 becomes 2 (nobody says so)``: calls of which the same is to be said, in one."""
    calls: dict[str, list[str]] = {}
    for change in changes:
        before, after = _shorten_both(change.before, change.after)
        who = WHO.get(change.said_by, "").format(source=change.source)
        if change.said_by == "nobody" and change.source:
            who += f": {change.source} makes this call and passes either way"
        said = f"{before} becomes {after}{f' ({who})' if who else ''}"
        calls.setdefault(said, []).append(change.call)
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
            f"no passing test runs changed {list_names(effect.unrun, 'line', 5)}"
            if len(effect.unrun) > 1
            else (f"no passing test runs changed line {effect.unrun[0]}")
        )


def question_lines(patch: PatchView, width: int) -> Iterator[Line]:
    """The one question, with both readings and what answers each."""
    found = asked_first(patch)
    if found is None:
        for number, question in enumerate(patch.questions[:1]):
            yield from ("", *in_bold(wrap(f"Question: {question}", width, "", "  ")))
            if len(patch.questions) > number + 1:
                yield f"  {count_noun(len(patch.questions) - 1, 'more question')} (-v)"
        return
    first, asked = found
    other_reading = whose_other(asked)
    call = brief_call(asked.call, MOST_SHOWN, patch.diff, _calls_of(patch))
    question = f"What should {call} give?" if other_reading else asked.question
    yield from ("", *in_bold(wrap(f"Question: {question}", width, "", "  ")))
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
    first = asked_first(patch)
    return first is not None and first[1].of_model


def asked_first(patch: PatchView) -> tuple[EvidenceView, AskedView] | None:
    """The evidence whose question is asked, and the question: one that an input tells before one in words alone."""
    asking = [(each, each.asked) for each in patch.evidence if each.asked is not None]
    return min(asking, key=lambda each: not each[1].call, default=None)


def whose_other(asked: AskedView) -> str:
    """What the reading is called that is not this patch's, where the question asks for one of the two; else ``""``."""
    if not asked.call:
        return ""
    return MODELS_FIX if asked.of_model else OTHERWISE


def in_bold(lines: Sequence[str]) -> Iterator[Line]:
    """The lines of one sentence, in bold."""
    for line in lines:
        yield Text(line, "bold")


def _reading(who: str, does: str, answer: str, width: int) -> Iterator[Line]:
    """One of the two readings, and what answers so."""
    lead, does = f"  {f'{who}: ':<12}", shorten(does)
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
        said.append(_brief_risk(patch.risk))
    if patch.not_checked:
        said.append(f"{len(patch.not_checked)} not checked")
    said += ["each word: repair help WORD"] if others else []
    yield ""
    yield from in_bold(wrap(f"Evidence: {'; '.join(said)}", width, "", "  "))
    groups = _group(others)
    for claim, gates in groups[:MOST_DOUBTS]:
        word = "no" if gates[0].decision == "reject" else "unknown"
        names = ", ".join(each.gate for each in gates)
        witness = next(
            (each.witness for each in gates if each.witness and not _is_shown(each) and each.witness not in claim), ""
        )
        shown = f"{names}: {word}: {claim}{f'; witness: {shorten(witness)}' if witness else ''}"
        yield from wrap(shown, width, rest="    ", most=2 if len(groups) > 1 else 3)
    for told in patch.others_say[:MOST_DOUBTS]:
        yield from wrap(f"a third party's check: {told}", width, rest="    ", most=2)
    if len(patch.others_say) > MOST_DOUBTS:
        yield f"  and {count_noun(len(patch.others_say) - MOST_DOUBTS, 'more such check')} (-v)"
    left = [each.gate for _, gates in groups[MOST_DOUBTS:] for each in gates]
    if left:
        yield from wrap(f"and what {list_names(left, 'gate', 4)} could not tell (-v)", width)


def _brief_risk(risk: RiskView) -> str:
    """``risk 26.9 % (at most 19 of 100 rated like it were wrong, by 64 judged ones), limit 2.0 %``.

    Where what was counted says otherwise: ``risk 0.0 % as weighed, limit 2.0 %; but 13 of 33 certificates …``.
    """
    number, limit = f"risk {100 * risk.value:.1f} %", f"limit {100 * risk.limit:.1f} %"
    rated, unseen = rated_like(risk) if risk.value > risk.limit else "", counted_unseen(risk)
    if rated and risk.like_upper < risk.value:
        return f"{number} as weighed, {limit}; but {rated}"
    if unseen and risk.value <= risk.limit:
        return f"{number} as weighed, {limit}; but {unseen}"
    return f"{number}{f' ({rated or unseen})' if rated or unseen else ''}, {limit}"


def _is_shown(evidence: EvidenceView) -> bool:
    """Whether the witness stands in the question already."""
    return evidence.asked is not None and bool(evidence.asked.call)


def _group(evidence: Sequence[EvidenceView]) -> list[tuple[str, list[EvidenceView]]]:
    """Gates that say the same as one, those that say no first."""
    found: dict[str, list[EvidenceView]] = {}
    for each in sorted(evidence, key=lambda each: ORDER.get(each.decision, 1)):
        found.setdefault(each.claim, []).append(each)
    return list(found.items())
