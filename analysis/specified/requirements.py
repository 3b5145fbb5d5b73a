"""Requirements in Markdown: sentences in EARS' words, user stories and acceptance criteria, with their ids.

A requirement is an item, a row of a table, a paragraph or a heading that begins with an id. Without an id it is a
sentence that says what something "shall" do. Code in fences is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.specified.asserted import Named
from analysis.specified.clauses import clause_facts
from analysis.specified.fact_record import (
    REQUIREMENT_ID,
    Extractor,
    Fact,
    Predicate,
    QuotePlace,
    quote_digest,
    requirement_ids,
)

_USUAL = re.compile(r"^(?:REQ|R|US|AC|FR|NFR|UC|SRS|SPEC|BR|UR|SR|SYS|REQUIREMENT)(?:-|$)")
"""How ids of requirements usually begin; another prefix needs words that oblige."""

_OBLIGES = re.compile(r"\b(?:shall|must|should|has to|have to|SHALL|MUST)\b|^As an? |^Given ")
_SHALL = re.compile(r"\b(?:shall|SHALL)\b")
_ID = rf"[*_`\[(]*(?P<id>{REQUIREMENT_ID})[*_`\])]*"
_BEGIN = re.compile(
    rf"^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?(?:#+\s+)?{_ID}\s*[:.)–—-]*[*_]*\s+(?P<text>\S.*)$"
)
_ROW = re.compile(rf"^\s*\|\s*{_ID}\s*\|(?P<text>.+)\|\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement: its id, its words on one line, its words as they stand, and where."""

    id: str
    text: str
    quote: str
    line: int
    end_line: int


def requirement_facts(path: str, text: str, named: Named) -> Iterator[Fact]:
    """Each requirement of a page, and what it says of functions and operations."""
    for each in read_requirements(text):
        place = QuotePlace(path, each.line, each.end_line)
        yield Fact(each.id, Predicate.STATES, "", place, each.quote, Extractor.MARKDOWN, requirement=each.id)
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`])", each.text):
            yield from clause_facts(sentence, place, each.quote, Extractor.MARKDOWN, named, each.id)


def read_requirements(text: str) -> Iterator[Requirement]:
    """The requirements of a page in their order; an id that stands twice is told twice."""
    lines = text.splitlines()
    at, fenced = 0, ""
    while at < len(lines):
        line = lines[at]
        if _FENCE.match(line):
            mark = line.strip()[:3]
            fenced = "" if fenced == mark else fenced or mark
        if fenced or _FENCE.match(line) or (line.startswith("    ") and not _ITEM.match(line)):
            at += 1
            continue
        row, begun = _ROW.match(line), _BEGIN.match(line)
        if row:
            cells = " ".join(cell.strip() for cell in row["text"].split("|"))
            yield from _requirement(row["id"], cells.strip(), line.strip(), at, at)
            at += 1
        elif begun:
            end = _end_of(lines, at)
            rest = " ".join(each.strip() for each in lines[at + 1 : end + 1] if each.strip())
            quote = "\n".join(each.strip() for each in lines[at : end + 1])
            yield from _requirement(begun["id"], f"{begun['text'].strip()} {rest}".strip(), quote, at, end)
            at = end + 1
        elif _SHALL.search(line) and (_ITEM.match(line) or at == 0 or not lines[at - 1].strip()):
            end = _end_of(lines, at)
            words = " ".join(_ITEM.sub("", each).strip() for each in lines[at : end + 1])
            quote = "\n".join(each.strip() for each in lines[at : end + 1])
            yield Requirement(f"R-{quote_digest(words)[:6]}", words, quote, at + 1, end + 1)
            at = end + 1
        else:
            at += 1


def _requirement(name: str, text: str, quote: str, first: int, last: int) -> Iterator[Requirement]:
    if requirement_ids(name) and (_USUAL.match(name) or _OBLIGES.search(text)):
        yield Requirement(name, text, quote, first + 1, last + 1)


def _end_of(lines: list[str], at: int) -> int:
    """The last line of the item, or of a heading with the paragraph below it."""
    end = at
    heading = lines[at].lstrip().startswith("#")
    if heading and at + 2 < len(lines) and not lines[at + 1].strip():
        below = lines[at + 2]
        begins = not (_ITEM.match(below) or _BEGIN.match(below) or below.startswith(("#", "|")) or _FENCE.match(below))
        if begins and below.strip():
            end = at + 2
    elif heading:
        return at
    while end + 1 < len(lines) and end - at < _MOST_LINES:
        following = lines[end + 1]
        if not following.strip() or _ITEM.match(following) or _BEGIN.match(following):
            break
        if following.lstrip().startswith(("#", "|")) or _FENCE.match(following):
            break
        end += 1
    return end
