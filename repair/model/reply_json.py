"""The strict JSON form of a reply: one object, read by its schema and by nothing that a server promised.

The object ends the reply. What stands behind it is talk, so that a cut there changes no edit.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from repair.model.reply import (
    PLACE,
    EditWord,
    Elsewhere,
    Reply,
    ReplyEdit,
    Unusable,
    UnusableKind,
    make_plain,
    plain_place,
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class JsonEdit(_Strict):
    """One edit: texts only."""

    kind: EditWord
    place: Annotated[str, Field(description="Statement id, range of ids, or part of a statement; empty for a rewrite")]
    old: Annotated[str, Field(description="What stands there now, exactly; may be empty where the place says it all")]
    text: Annotated[
        str, Field(description="The new code; for a rewrite the whole function; empty deletes (patch only)")
    ]


class JsonElsewhere(_Strict):
    """Another function that is at fault."""

    path: str
    qualname: str
    reason: str


class JsonReply(_Strict):
    """What is asked for. Its schema has the strict form that endpoints want: every key is required."""

    why: Annotated[str, Field(description="What is wrong and what the change does, in at most three sentences")]
    edits: list[JsonEdit]
    imports: Annotated[list[str], Field(description="Plain import statements that the new code needs; usually none")]
    words: Annotated[list[str], Field(description="Expressions, names or texts that a fix may contain; may be empty")]
    elsewhere: Annotated[JsonElsewhere | None, Field(description="Set only where another function is at fault")]


def reply_of_object(text: str) -> Reply | Unusable:
    """The reply in the JSON object that the text starts with; spaces before it do not count."""
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant)
    try:
        value, _ = decoder.raw_decode(text.lstrip())
    except (ValueError, RecursionError) as problem:
        said = make_plain(str(problem), 160)
        return Unusable(f"the answer is not one complete JSON object: {said}", UnusableKind.CUT)
    try:
        read = JsonReply.model_validate(value)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the answer"
        said = make_plain(f"{where}: {first['msg']}", 200)
        return Unusable(f"the answer does not have the form asked for: {said}", UnusableKind.FORM)
    places = [PLACE.fullmatch(edit.place.strip()) for edit in read.edits]
    strange = [e.place for e, found in zip(read.edits, places, strict=True) if e.place.strip() and found is None]
    if strange:
        said = make_plain(strange[0], 60)
        return Unusable(f"{said!r} is no place: write s7, s7..s9 or s7.value", UnusableKind.FORM)
    there = read.elsewhere
    return Reply(
        read.why,
        tuple(
            ReplyEdit(e.kind, plain_place(found) if found else "", e.old, e.text)
            for e, found in zip(read.edits, places, strict=True)
        ),
        tuple(read.imports),
        tuple(read.words),
        None if there is None else Elsewhere(there.path, there.qualname, there.reason),
        read.why,
    )


_FIRST_FENCE = re.compile(r"^[ \t]*(?:```+|~~~+)(.*\n)", re.MULTILINE)


def find_object(text: str) -> str | None:
    """The text from its JSON object on: it begins with it, or its first fenced block does."""
    if text.lstrip().startswith("{"):
        return text.lstrip()
    fence = _FIRST_FENCE.search(text)
    if fence is None or fence.group(1).strip().lower() not in ("", "json"):
        return None
    inner = text[fence.end() :].lstrip()
    return inner if inner.startswith("{") else None


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
