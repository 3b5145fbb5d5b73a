"""What an expert needs to go on where somebody else stopped: one page of Markdown, from the record alone."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from repair.records.result import PatchView, Result
from repair.records.wording import count_noun
from repair.show.lines import clean, headline, risk_in_words
from repair.show.patch_lines import asked_first
from repair.store.decisions import PersonsDecision

MOST_LISTED = 10


def expert_brief(result: Result, patch: PatchView | None, decisions: Sequence[PersonsDecision]) -> str:
    """The page: what fails, the patch and its question, what speaks against it, what was decided, how to go on."""
    shown = Result.from_json(clean(result.to_json()))
    own = next((each for each in shown.patches if patch is not None and each.digest == patch.digest), None)
    return "\n".join((*_head(shown, own), *_patch(own), *_decided(decisions), *_next(shown))) + "\n"


def _head(result: Result, patch: PatchView | None) -> Iterator[str]:
    where = f": {patch.function} in {patch.file}" if patch is not None else ""
    yield f"# {result.status}{where}"
    yield ""
    yield f"Run {result.run} in {result.root}. {headline(result)}"
    if result.task:
        yield from ("", "## The task", "", *_quoted(result.task))
    if result.failures:
        yield from ("", "## What fails", "")
    for failure in result.failures[:MOST_LISTED]:
        yield f"- `{failure.test}`: {failure.exception}: {' '.join(failure.message.split())}"
    if len(result.failures) > MOST_LISTED:
        yield f"- and {count_noun(len(result.failures) - MOST_LISTED, 'more test')}"
    if result.brief:
        yield from ("", "## What is known of the fault", "", *_quoted(result.brief))
    if result.suspects:
        yield from ("", "## Suspects", "")
    for suspect in result.suspects[:MOST_LISTED]:
        yield f"- `{suspect.file}:{suspect.line}` {suspect.function}: {'; '.join(suspect.reasons)}"


def _patch(patch: PatchView | None) -> Iterator[str]:
    if patch is None:
        return
    yield from ("", "## The patch", "", patch.explanation, "", *_fenced(patch.diff, "diff"))
    for change in patch.changes[:MOST_LISTED]:
        yield f"- `{change.call}`: {change.before} becomes {change.after} (said by {change.said_by or 'nobody'})"
    asked = asked_first(patch)
    if asked is not None:
        evidence, question = asked
        yield from ("", "## The question", "", question.question, "")
        if question.call:
            yield f"- this patch: {question.mine}" + (
                f" (`--answer {shlex.quote(evidence.answer)}`)" if evidence.answer else ""
            )
            other = f" (`--answer {shlex.quote(evidence.otherwise)}`)" if evidence.otherwise else ""
            yield f"- otherwise: {question.other}{other}"
    yield from ("", "## Evidence", "")
    if patch.risk is not None:
        yield f"{risk_in_words(patch.risk)}\n"
    for each in patch.evidence:
        witness = f"; witness: {each.witness}" if each.witness else ""
        yield f"- {each.gate}: {each.decision}: {each.claim}{witness}"
    for said in patch.others_say:
        yield f"- a third party's check, which weighs nothing: {said}"
    for left in patch.not_checked:
        yield f"- not checked: {left}"


def _decided(decisions: Sequence[PersonsDecision]) -> Iterator[str]:
    if decisions:
        yield from ("", "## What was decided so far", "")
    for each in decisions:
        note = f": {clean(each.note)}" if each.note else ""
        yield f"- {each.at or 'at an unknown time'}: {each.said.replace('_', ' ')} by {each.by or 'somebody'}{note}"


def _next(result: Result) -> Iterator[str]:
    yield from ("", "## To go on", "", *_fenced("", "sh")[:1])
    yield f"cd {shlex.quote(result.root)}"
    yield f"repair show {result.run} -v        # everything that is known"
    yield f"repair report {result.run} --open  # the same as a page"
    yield f"repair review {result.run}         # decide"
    yield "```"


def _fenced(text: str, kind: str) -> list[str]:
    """The text in a block that nothing in it closes."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{kind}", *text.removesuffix("\n").split("\n"), fence]


def _quoted(text: str) -> list[str]:
    return [f"> {line}" for line in text.splitlines()]
