"""From a model's answer, as untrusted text, to a usable reply: the plain form, or the strict JSON form.

A server may ignore what it was sent, so nothing is believed for having been promised. No answer is used that is not
known to be complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from repair.model.blocks import reply_of_blocks
from repair.model.labels import LONGEST_WORD, MOST_WORDS
from repair.model.reply import EXPLANATION, ModelReply, Reply, Unusable, UnusableKind, make_plain
from repair.model.reply_json import find_object, reply_of_object

MOST_CHARACTERS = 64_000
MOST_EDITS = 8
MOST_IMPORTS = 5
MOST_PROSE = 4_000
MOST_REASONING = 8_000
COMPLETE = frozenset({"stop", "completed", "end_turn", "eos", ""})
"""Reasons for stopping that do not say that something is missing; some servers give none."""
FILTERED = frozenset({"content_filter", "safety", "recitation", "blocklist"})

_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """The text of an answer that the server calls complete, and what the model thought aloud before it."""

    text: str
    reasoning: str = ""


def whole_answer(answer: ModelReply, most: int = MOST_CHARACTERS) -> WholeAnswer | Unusable:
    """The text of an answer of ``most`` characters. Refuses what is cut off, refused, held back, oversized or empty."""
    if answer.refusal:
        return Unusable(f"the model refused: {make_plain(answer.refusal, 300)}", UnusableKind.REFUSED)
    if answer.finish in FILTERED:
        return Unusable(f"the server held the answer back ({answer.finish})", UnusableKind.FILTERED)
    if len(answer.text) > most:
        said = f"the answer has {len(answer.text)} characters, more than {most}"
        return Unusable(said, UnusableKind.OVER_LONG)
    thought = _THOUGHT.match(answer.text)
    text = answer.text[thought.end() :] if thought else answer.text
    reasoning = _readable(f"{answer.reasoning}\n{thought.group(2) if thought else ''}", MOST_REASONING)
    if answer.finish not in COMPLETE:
        said = f"the answer was cut off ({make_plain(answer.finish, 40)})"
        return Unusable(said, UnusableKind.CUT, _readable(text, MOST_PROSE), reasoning)
    if not text.strip():
        return Unusable("the answer is empty", UnusableKind.EMPTY, reasoning=reasoning)
    return WholeAnswer(text, reasoning)


def read_reply(answer: ModelReply) -> Reply | Unusable:
    """The reply in an answer. Refuses what is cut off, refused, ambiguous, oversized or not what was asked for.

    Which form it has is seen from the text. Nothing in it is parsed as code here.
    """
    whole = whole_answer(answer)
    if isinstance(whole, Unusable):
        return whole
    read = _read_text(whole.text)
    if isinstance(read, Reply):
        read = _refuse_unfit(read) or replace(read, why=make_plain(read.why, EXPLANATION))
    prose = read.prose if isinstance(read, Reply) else whole.text
    return replace(read, prose=_readable(prose, MOST_PROSE), reasoning=whole.reasoning)


def refuse_characters(text: str) -> Unusable | None:
    """Why a text cannot be written as it came: it holds null characters or half characters."""
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        said = "the answer holds null characters or half characters (lone surrogates)"
        return Unusable(said, UnusableKind.CHARACTERS)
    return None


def _read_text(text: str) -> Reply | Unusable:
    """The reply in either form. A fenced object in a text of blocks that is no reply is talk."""
    found = find_object(text)
    if found is None:
        return reply_of_blocks(text)
    read = reply_of_object(found)
    if isinstance(read, Unusable) and not text.lstrip().startswith("{"):
        blocks = reply_of_blocks(text)
        return blocks if isinstance(blocks, Reply) and (blocks.edits or blocks.elsewhere) else read
    return read


def _refuse_unfit(reply: Reply) -> Unusable | None:
    """What the form cannot say."""
    texts = (text for edit in reply.edits for text in (edit.old, edit.text))
    unfit = refuse_characters("".join((reply.why, *reply.imports, *reply.words, *texts)))
    if unfit is not None:
        return unfit
    if not (reply.edits or reply.words or reply.elsewhere):
        return Unusable("the answer holds no edit", UnusableKind.NO_EDIT)
    if len(reply.edits) > MOST_EDITS or len(reply.imports) > MOST_IMPORTS:
        said = f"the answer holds more than {MOST_EDITS} edits or {MOST_IMPORTS} imports"
        return Unusable(said, UnusableKind.FORM)
    if len(reply.words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in reply.words):
        said = f"the answer holds more than {MOST_WORDS} words, or one of more than {LONGEST_WORD} characters"
        return Unusable(said, UnusableKind.FORM)
    if len(reply.edits) > 1 and any(edit.kind == "rewrite" for edit in reply.edits):
        return Unusable("a rewrite replaces the whole function and stands alone", UnusableKind.FORM)
    for edit in reply.edits:
        if edit.kind != "rewrite" and not (edit.place or edit.old.strip()):
            return Unusable(f"an edit of kind {edit.kind} names no place", UnusableKind.FORM)
        if edit.kind != "patch" and not edit.text.strip():
            return Unusable(f"an edit of kind {edit.kind} has no code", UnusableKind.FORM)
    return None


def _readable(text: str, most: int) -> str:
    """Text of a stranger as bounded lines, without control characters and half characters."""
    kept = "".join(c if c.isprintable() or c == "\n" else " " for c in text[: 2 * most].replace("\r\n", "\n")).strip()
    return kept if len(kept) <= most else kept[: most - 1] + "…"
