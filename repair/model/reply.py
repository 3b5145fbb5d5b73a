"""What a model answered, as records: a usable reply, or the reason why it is none.

``repair/model/read_reply.py`` makes them of text. Their texts are a stranger's: they are bounded and printable, but for
code, which is kept as it came and which nobody has parsed yet.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import Literal

from repair.records.task import kind_of_words
from transforms.tree.proposal import EditKind

EXPLANATION = 1_000
"""Characters of what a model says about its change that go with the patch."""

EditWord = Literal["update", "patch", "insert before", "insert after", "rewrite"]
"""How an edit is asked for. The two insertions are a kind of ``patch``: see ``size_of``."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer of a model, with why it ended and what it used. ``finish`` is the server's own word.

    ``reasoning`` is what the server gave apart from the answer; nothing in it is read as an edit. ``without`` names
    what the endpoint does not take and was asked without: ``temperature``, say.
    """

    text: str
    finish: str = "stop"
    refusal: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning: str = ""
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyEdit:
    """One edit as the model wrote it.

    - ``place`` is what it named: ``s7.value``, ``s7``, ``s7..s9``, nothing for a rewrite.
    - ``old`` is what it quoted as standing there, empty where it quoted nothing. With a place it narrows it down.
    - ``text`` is the new code with its line breaks, never escaped, in any indentation.
    """

    kind: EditWord
    place: str
    old: str
    text: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The model says that another function is at fault. ``path`` is empty where it named a function alone."""

    path: str
    qualname: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer in the form that was asked for. All edits are one change, and all refer to the original text.

    - ``words`` are pieces of code that a fix may contain, likeliest first.
    - ``prose`` is all text outside code, ``why`` among it; ``reasoning`` is what the model thought aloud before it.
    """

    why: str
    edits: tuple[ReplyEdit, ...] = ()
    imports: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    elsewhere: Elsewhere | None = None
    prose: str = ""
    reasoning: str = ""


class UnusableKind(enum.Enum):
    """Why an answer cannot be used."""

    CUT = "cut"
    """It is not complete."""
    REFUSED = "refused"
    """The model would not."""
    FILTERED = "filtered"
    """The server held it back."""
    EMPTY = "empty"
    OVER_LONG = "over-long"
    FORM = "form"
    """It is complete, and not in the form that was asked for."""
    NO_EDIT = "no edit"
    CHARACTERS = "characters"
    """Null characters or half characters."""
    MISSING_TARGET = "missing target"
    AMBIGUOUS_TARGET = "ambiguous target"
    OVERLAP = "overlap"
    """Two of its edits touch the same code."""
    SYNTAX = "syntax"
    NO_CHANGE = "no change"
    SIGNATURE = "signature"
    IMPORT = "import"
    OUTSIDE = "outside"
    """It reaches out of what may be edited."""
    SMALLER_KIND = "smaller kind"
    """Its kind was refused before: a larger one is due."""
    POLICY = "policy"
    """No patch for this failure may do that."""
    HOSTILE = "hostile"
    """It reaches for exits, processes, test frameworks or introspection: the model's turn is over."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why an answer cannot be used: one sentence that may be shown to the model, and its kind.

    ``reason`` is bounded and free of control characters. ``prose`` and ``reasoning`` are what the answer held besides.
    ``size`` is that of the edit whose place was not found, where that is the reason.
    """

    reason: str
    kind: UnusableKind
    prose: str = ""
    reasoning: str = ""
    size: EditKind | None = None


def size_of(edit: ReplyEdit) -> EditKind:
    """The kind of an edit in the words of plans."""
    return kind_of_words(edit.kind)


PLACE = re.compile(r"([sS]\d+)(?:[ \t]*(?:\.\.+|[-–…]|to)[ \t]*([sS]\d+)|((?:\.\w+(?:\[\d+\])?)+))?(?![\w.\[])[ \t]*")
"""A place as models write it: the first statement, then the last one of a range, or the part of a statement."""


def plain_place(found: re.Match[str]) -> str:
    """What ``PLACE`` has found, as an edit holds it: ``s7``, ``s7..s9``, ``s7.value``."""
    first, last, part = found.groups()
    return first.lower() + (f"..{last.lower()}" if last else part or "")


def make_plain(text: str, most: int) -> str:
    """Text of a stranger as one bounded line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"
