"""A prompt inside a file, as sentences with numbers, and one small edit of it.

A prompt is a whole text file, a part of it under a heading ``## name``, or a string constant of a Python file. What
stands around it keeps every byte.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Literal

from analysis.errors import UsageError

EditWord = Literal["delete", "replace", "insert"]

_BREAK = re.compile(r"(?<=[.!?])[ \t]+|\n+")
_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])[ \t]+")
_HOLE = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class PromptSentence:
    """One sentence of a prompt: its text, and where it starts and ends."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PromptEdit:
    """One edit of one sentence.

    ``at`` is the number of the sentence, from 1 on; an insertion goes behind it, or with 0 before the first. ``why`` is
    the hypothesis, ``predicted`` says on which tasks it should show. ``bold`` ones may be larger.
    """

    kind: EditWord
    at: int
    text: str = ""
    why: str = ""
    predicted: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A prompt with what stands around it in its file. A ``literal`` is written as Python writes it."""

    before: str
    body: str
    after: str
    literal: bool = False
    place: str = field(default="", compare=False)

    def with_body(self, body: str) -> str:
        """The whole text of the file with another prompt."""
        return f"{self.before}{_as_literal(body) if self.literal else body}{self.after}"


def read_part(text: str, place: str) -> PromptPart:
    """The prompt at ``FILE#part`` in the text of that file.

    Raises ``UsageError`` where there is no such part, or a Python file with none named.
    """
    path, _, name = place.partition("#")
    if path.endswith(".py"):
        return _read_constant(text, name, place)
    if not name:
        return PromptPart("", text, "", place=place)
    found = re.search(rf"^## {re.escape(name)}[ \t]*\n", text, re.MULTILINE)
    if found is None:
        known = ", ".join(re.findall(r"^## (\S+)", text, re.MULTILINE)) or "none"
        raise UsageError(
            f"The prompt has no part {name!r}; it has: {known}", where=path, remedy="Name one as FILE#part."
        )
    following = re.search(r"^## ", text[found.end() :], re.MULTILINE)
    end = found.end() + following.start() if following else len(text)
    return PromptPart(text[: found.end()], text[found.end() : end], text[end:], place=place)


def _read_constant(text: str, name: str, place: str) -> PromptPart:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as problem:
        raise UsageError(f"The file of the prompt is no Python: {problem}", where=place, remedy="Mend it.") from problem
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and any(isinstance(t, ast.Name) and t.id == name for t in _targets(node))
    ]
    if len(found) != 1:
        raise UsageError(
            f"{len(found)} string constants are named {name!r}", where=place, remedy="Name one as FILE.py#NAME."
        )
    (value,) = found
    lines = [line.encode() for line in re.split(r"(?<=\n)", text)]
    assert value.end_lineno is not None, "a parsed constant has an end"
    assert value.end_col_offset is not None, "a parsed constant has an end"
    starts = b"".join(lines[: value.lineno - 1]) + lines[value.lineno - 1][: value.col_offset]
    ends = b"".join(lines[: value.end_lineno - 1]) + lines[value.end_lineno - 1][: value.end_col_offset]
    whole = b"".join(lines)
    return PromptPart(starts.decode(), str(value.value), whole[len(ends) :].decode(), literal=True, place=place)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _as_literal(body: str) -> str:
    plain = all(c.isprintable() or c == "\n" for c in body) and "\\" not in body and '"""' not in body
    return f'"""{body}"""' if plain and not body.endswith('"') else repr(body)


def sentences(body: str) -> tuple[PromptSentence, ...]:
    """The sentences of a prompt in their order. Headings and what stands between fences are none, and stay."""
    found: list[PromptSentence] = []
    start, fenced = 0, False
    for line in re.split(r"(?<=\n)", body):
        fence = bool(_FENCE.match(line))
        if not (fenced or fence or line.startswith("#")):
            place = start + (bullet.end() if (bullet := _BULLET.match(line)) else 0)
            first = start
            for gap in [*_BREAK.finditer(body, place, start + len(line)), None]:
                end = gap.start() if gap else start + len(line)
                text = body[first:end].strip()
                if any(c.isalpha() for c in text):
                    found.append(PromptSentence(text, first, end))
                first = gap.end() if gap else end
        fenced ^= fence
        start += len(line)
    return tuple(found)


def apply_edit(body: str, edit: PromptEdit) -> str:
    """The prompt after the edit. Raises ``ValueError`` where it has no sentence of that number."""
    known = sentences(body)
    if not (0 if edit.kind == "insert" else 1) <= edit.at <= len(known):
        raise ValueError(f"there is no sentence {edit.at}; there are {len(known)}")
    if edit.kind == "insert":
        return _insert(body, known, edit.at, edit.text.strip())
    one = known[edit.at - 1]
    if edit.kind == "replace":
        bullet = _BULLET.match(body[one.start : one.end])
        kept = bullet[0] if bullet and not _BULLET.match(edit.text) else ""
        return body[: one.start] + kept + edit.text.strip() + body[one.end :]
    gap = _BREAK.match(body, one.end) or re.compile(r"[ \t]*\n?").match(body, one.end)
    assert gap is not None, "an empty gap always matches"
    kept = "\n" if gap[0].startswith("\n") and not _begins_line(body, one.start) else ""
    return body[: one.start].rstrip(" \t") + kept + body[gap.end() :] if kept else body[: one.start] + body[gap.end() :]


def _begins_line(body: str, place: int) -> bool:
    return place == 0 or body[place - 1] == "\n"


def _insert(body: str, known: tuple[PromptSentence, ...], at: int, text: str) -> str:
    if not known:
        return f"{body.rstrip()}\n{text}\n".lstrip("\n")
    if at == 0:
        return f"{body[: known[0].start]}{text}\n{body[known[0].start :]}"
    end = known[at - 1].end
    return (
        f"{body[:end].rstrip()}\n{text}{body[end:]}"
        if body[end : end + 1] in ("\n", "")
        else (f"{body[:end]} {text}{body[end:]}")
    )


def holes(body: str) -> tuple[str, ...]:
    """What the prompt's user fills in, such as ``{task}``, sorted."""
    return tuple(sorted(_HOLE.findall(body)))


def normal_form(edit: PromptEdit, body: str) -> str:
    """What two edits share that are the same but for letters' case, spaces and punctuation."""
    known = sentences(body)
    old = known[edit.at - 1].text if 1 <= edit.at <= len(known) else ""
    words = " ".join(re.findall(r"\w+", edit.text.casefold()))
    beside = " ".join(re.findall(r"\w+", old.casefold())) if edit.kind != "insert" else ""
    return f"{edit.kind}|{beside}|{words}"
