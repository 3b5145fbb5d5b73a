"""The plain form of a reply: labels, fenced blocks of code that is never escaped, and a line ``END``.

It is read line by line, and the first line outside code that begins with ``END`` ends it: nothing behind these letters
counts. So a reply that is cut before them is known to be cut, whatever the server says. ``docs/model.md`` has the form.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import cast

from repair.model.labels import elsewhere_in, imports_in, is_import, words_in
from repair.model.reply import PLACE, EditWord, Reply, ReplyEdit, Unusable, UnusableKind, make_plain, plain_place

KINDS = "update, patch, insert before, insert after and rewrite"

_LABEL = re.compile(r"[ \t>*_#`-]*(WHY|IMPORTS|WORDS|ELSEWHERE)[*_`]*[ \t]*:[*_`]*[ \t]*(.*)", re.DOTALL)
_END = re.compile(r"[ \t>*_#`-]*END")
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*((?:(?!```|~~~).)*?)[ \t]*\n?")
_KIND = re.compile(r"(update|patch|rewrite|insert[ \t_-]*before|insert[ \t_-]*after)\b[ \t:]*(.*)", re.IGNORECASE)
_PYTHON = re.compile(r"(?:python3?|py3?)(?![\w.+#-])[ \t:]*(.*)", re.IGNORECASE)
_REMARK = re.compile(r"[ \t]*(?:[:#(].*)?")
_QUOTED = re.compile(r"(`+) ?(.+?) ?\1")
_FUNCTION = re.compile(r"\s*(@|def |async def )")


def reply_of_blocks(text: str) -> Reply | Unusable:
    """The reply in a text of labels and blocks, in which line ends may be of either kind."""
    reading = _Reading()
    ended = any(reading.take(line) for line in re.findall(r"[^\n]*\n|[^\n]+", text.replace("\r\n", "\n")))
    if reading.block is not None:
        return Unusable(f"the block {reading.block.shown} is not closed, or a text in it is not", UnusableKind.CUT)
    if not ended:
        return Unusable("the last line `END` is missing: the answer may have been cut off", UnusableKind.CUT)
    return reading.problem or reading.reply()


@dataclass(slots=True)
class _Block:
    """A fenced block that is being read. ``head`` is the edit that it gives the code for."""

    indent: str
    marks: str
    shown: str
    head: ReplyEdit | None
    is_python: bool
    lines: list[str] = field(default_factory=list)
    quote: str = ""

    def closes(self, line: str) -> bool:
        """Whether the line ends the block: not inside a text of the code."""
        stripped = line.strip(" \t\n")
        same = len(stripped) >= len(self.marks) and set(stripped) == {self.marks[0]}
        return same and not self.quote

    def take(self, line: str) -> None:
        """One line of the block, without the indentation that the whole block has."""
        blank = len(line) - len(line.lstrip(" \t"))
        self.lines.append(line[min(blank, len(self.indent)) :])
        if self.is_python:
            self.quote = string_open_after(line, self.quote)

    @property
    def text(self) -> str:
        return "".join(self.lines).removesuffix("\n")


class _Reading:
    """What was read so far."""

    def __init__(self) -> None:
        self.block: _Block | None = None
        self.problem: Unusable | None = None
        self._label = ""
        self._last = ""
        self._said: defaultdict[str, list[str]] = defaultdict(list)
        self._edits: list[ReplyEdit] = []
        self._bare: list[str] = []
        self._prose: list[str] = []

    def take(self, line: str) -> bool:
        """Reads one line; true when it ends the reply."""
        if self.block is not None:
            if self.block.closes(line):
                self._close(self.block)
            else:
                self.block.take(line)
        elif (fence := _FENCE.fullmatch(line)) is not None:
            self.block = self._open(*fence.groups())
        elif _END.match(line):
            return True
        else:
            self._talk(line)
        return False

    def reply(self) -> Reply:
        """The reply, once it has ended."""
        edits = self._edits
        if not edits and len(self._bare) == 1 and _FUNCTION.match(self._bare[0]):
            edits = [ReplyEdit("rewrite", "", "", self._bare[0])]
        said = {label: "".join(lines) for label, lines in self._said.items()}
        return Reply(
            said.get("WHY", "").strip(),
            tuple(edits),
            imports_in(said.get("IMPORTS", "")),
            words_in(said.get("WORDS", "")),
            elsewhere_in(said.get("ELSEWHERE", "")),
            "".join(self._prose),
        )

    def _open(self, indent: str, marks: str, info: str) -> _Block:
        python = _PYTHON.fullmatch(info)
        rest = python.group(1) if python else info
        kind = _KIND.fullmatch(rest) or (None if rest else _KIND.fullmatch(_undecorated(self._last)))
        shown = make_plain(f"{marks}{info}", 60)
        head = None
        if kind is not None:
            head = self._head_of(kind)
        elif python and re.search(r"\b[sS]\d+\b", rest):
            self._refuse(f"{shown} names no kind of edit: there are {KINDS}; an empty patch deletes")
        return _Block(indent, marks, shown, head, is_python=bool(python or kind or not info))

    def _head_of(self, found: re.Match[str]) -> ReplyEdit:
        """The edit that a head asks for, still without code; a place that is none is a problem."""
        kind, place = " ".join(re.split(r"[ \t_-]+", found.group(1).lower())), found.group(2)
        word = cast(EditWord, {"insertbefore": "insert before", "insertafter": "insert after"}.get(kind, kind))
        if word == "rewrite":
            return ReplyEdit(word, "", "", "")
        named = PLACE.match(place)
        rest = place[named.end() :] if named else place
        old = _QUOTED.match(rest)
        strange = not _REMARK.fullmatch(rest[old.end() :] if old else rest)
        if strange or not (named or old):
            self._refuse(f"{word} names no place: write `{word} s7`, `{word} s7..s9` or `{word} `old text``")
        return ReplyEdit(word, plain_place(named) if named else "", old.group(2) if old else "", "")

    def _close(self, block: _Block) -> None:
        self.block = None
        first = block.lines[0].strip() if block.lines else ""
        named = _KIND.fullmatch(first.lstrip("# \t")) if block.head is None and first.startswith("#") else None
        if named is not None and block.is_python and PLACE.match(named.group(2)):
            block.head = self._head_of(named)
            del block.lines[0]
        if block.head is not None:
            head = block.head
            self._edits.append(ReplyEdit(head.kind, head.place, head.old, block.text))
            self._label = ""
        elif block.is_python and self._label in ("IMPORTS", "WORDS"):
            self._said[self._label] += [f"`{line.strip()}`\n" for line in block.lines if line.strip()]
        else:
            self._prose += block.lines
            self._label = ""
            if block.is_python:
                self._bare.append(block.text)

    def _talk(self, line: str) -> None:
        found = _LABEL.fullmatch(line)
        if found is not None:
            self._label, line = found.group(1), found.group(2) or "\n"
        elif self._ends_label(line):
            self._label = ""
        if self._label:
            self._said[self._label].append(line)
        if self._label in ("", "WHY"):
            self._prose.append(line)
        self._last = line.strip() or self._last

    def _ends_label(self, line: str) -> bool:
        if self._label == "IMPORTS":
            return bool(line.strip()) and not is_import(line)
        return (
            self._label in ("WORDS", "ELSEWHERE") and not line.strip() and any(map(str.strip, self._said[self._label]))
        )

    def _refuse(self, reason: str) -> None:
        self.problem = self.problem or Unusable(reason, UnusableKind.FORM)


def _undecorated(line: str) -> str:
    """A line of talk without the marks of a heading, a list or strong words: ``### **patch s7**:`` is ``patch s7``."""
    return re.sub(r"^[\s>#*_-]+(?:\d+[.)]\s*)?|[\s:*_]+$", "", line)


_START = re.compile(r"""#|\"\"\"|'''|"|'""")
_REST = {
    '"""': re.compile(r'(?:\\.|[^\\])*?"""', re.DOTALL),
    "'''": re.compile(r"(?:\\.|[^\\])*?'''", re.DOTALL),
    '"': re.compile(r'(?:\\.|[^\\\n])*?"'),
    "'": re.compile(r"(?:\\.|[^\\\n])*?'"),
}


def string_open_after(line: str, quote: str) -> str:
    """The three quotes that are open behind the line, empty where none are; ``quote`` are those open before it.

    A fence in a docstring closes no block. A text in single quotes ends with its line. Nothing is parsed: a line that
    is no Python gives some answer, too.
    """
    at = 0
    while True:
        if not quote:
            start = _START.search(line, at)
            if start is None or start.group() == "#":
                return ""
            quote, at = start.group(), start.end()
        end = _REST[quote].match(line, at)
        if end is None:
            return quote if len(quote) == 3 else ""
        quote, at = "", end.end()
