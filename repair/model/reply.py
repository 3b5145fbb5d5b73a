"""What a model answered, taken apart as untrusted input: a usable reply, or the reason why it is none.

A server may ignore the schema that it was sent, so nothing is believed for having been promised. The
reply that counts is one complete JSON object; around it only a code fence is tolerated.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MOST_CHARACTERS = 64_000
MOST_EDITS = 8
MOST_IMPORTS = 5
EXPLANATION = 1_000
COMPLETE = frozenset({"stop", "completed", "end_turn", "eos", ""})
"""Reasons for stopping that do not say that something is missing; some servers give none."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer of a model, with why it ended and what it used. ``finish`` is the server's own word."""

    text: str
    finish: str = "stop"
    refusal: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ReplyEdit(_Strict):
    """One edit, as the model writes it: texts only."""

    kind: Literal["update", "patch", "rewrite"]
    target: Annotated[str, Field(description="The expression or statements to replace, exactly as in the function")]
    replacement: Annotated[str, Field(description="What goes there; for a rewrite the whole new function")]


class Reply(_Strict):
    """What we ask for. All edits together are one change. Its schema has the strict form that endpoints want."""

    explanation: Annotated[str, Field(description="What is wrong and what the change does, in at most three sentences")]
    edits: list[ReplyEdit]
    imports: Annotated[list[str], Field(description="Plain import statements that the replacements need; usually none")]


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a reply cannot be used, in words that may be shown to the model."""

    reason: str


def read_reply(completion: ModelReply) -> Reply | Unusable:
    """The reply in a completion. Refuses what is cut off, refused, ambiguous, oversized or not what was asked for."""
    if completion.refusal:
        return Unusable(f"the model refused: {make_plain(completion.refusal, 300)}")
    if completion.finish not in COMPLETE:
        return Unusable(f"the answer was cut off ({make_plain(completion.finish, 40)})")
    if not completion.text.strip():
        return Unusable("the answer is empty")
    if len(completion.text) > MOST_CHARACTERS:
        return Unusable(f"the answer has {len(completion.text)} characters, more than {MOST_CHARACTERS}")
    value = _object_in(completion.text)
    if isinstance(value, Unusable):
        return value
    try:
        reply = Reply.model_validate(value)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the answer"
        said = make_plain(f"{where}: {first['msg']}", 200)
        return Unusable(f"the answer does not have the form asked for: {said}")
    return _refuse_unfit(reply) or reply.model_copy(update={"explanation": make_plain(reply.explanation, EXPLANATION)})


def make_plain(text: str, most: int) -> str:
    """Text of a stranger as one bounded line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _refuse_unfit(reply: Reply) -> Unusable | None:
    """What the form cannot say."""
    if not reply.edits:
        return Unusable("the answer holds no edit")
    if len(reply.edits) > MOST_EDITS or len(reply.imports) > MOST_IMPORTS:
        return Unusable(f"the answer holds more than {MOST_EDITS} edits or {MOST_IMPORTS} imports")
    if len(reply.edits) > 1 and any(edit.kind == "rewrite" for edit in reply.edits):
        return Unusable("a rewrite replaces the whole function and stands alone")
    for edit in reply.edits:
        if edit.kind != "rewrite" and not edit.target.strip():
            return Unusable(f"an edit of kind {edit.kind} names no target")
        if edit.kind != "patch" and not edit.replacement.strip():
            return Unusable(f"an edit of kind {edit.kind} has no replacement")
    edited = (text for edit in reply.edits for text in (edit.target, edit.replacement))
    every = "".join((reply.explanation, *reply.imports, *edited))
    if "\0" in every or any("\ud800" <= c <= "\udfff" for c in every):
        return Unusable("the answer holds null characters or half characters (lone surrogates)")
    return None


_FENCE = re.compile(r"^ {0,3}```[ \t]*(\w*)[ \t]*\r?\n(.*?)^ {0,3}```[ \t]*\r?$", re.DOTALL | re.MULTILINE)


def _object_in(text: str) -> Any | Unusable:
    """The JSON value that the text is, or that its only fenced block holds; a fenced function counts as a rewrite."""
    if text.lstrip().startswith("{"):
        return _parse(text)
    blocks = _FENCE.findall(text)
    if len(blocks) != 1:
        return Unusable("the answer is neither one JSON object nor one fenced block")
    language, body = blocks[0]
    if language.lower() in ("python", "py") or re.match(r"\s*(@|def |async def )", body):
        return {"explanation": "", "edits": [{"kind": "rewrite", "target": "", "replacement": body}], "imports": []}
    return _parse(body)


def _parse(text: str) -> Any | Unusable:
    try:
        return json.loads(text, object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        return Unusable(f"the answer is not one complete JSON object: {make_plain(str(problem), 160)}")


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
