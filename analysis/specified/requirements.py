"""Requirements in Markdown: sentences in EARS' words, user stories and acceptance criteria, with their ids.

A requirement is an item, a row of a table, a paragraph or a heading that begins with an id. Without an id it is a
sentence that says what something "shall" do. Code in fences is left out.
"""

from __future__ import annotations

import re
from collections import Counter
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
_RULE = re.compile(r"^\s*\|[\s:|-]+\|\s*$")
_RESULT = re.compile(r"^(?:(?:expected|the) )?(?:results?|returns?|output|value|answer)$", re.I)
"""How a column is headed that holds what a call gives."""
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_MOST_LINES, _MOST_ROWS = 12, 200
_MANY = 2


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
    """The requirements of a page in their order; an id that stands twice is told twice.

    What begins with an id of an unusual kind is one if its words oblige, or those of two others of its kind do.
    """
    found = tuple(_with_ids(text.splitlines()))
    obliging = Counter(_prefix(each.id) for each in found if _OBLIGES.search(each.text))
    for each in found:
        if _USUAL.match(each.id) or _OBLIGES.search(each.text) or obliging[_prefix(each.id)] >= _MANY:
            yield each


def _prefix(name: str) -> str:
    return name.rpartition("-")[0]


def _with_ids(lines: list[str]) -> Iterator[Requirement]:
    """What begins with an id, or says "shall"."""
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
            yield from _requirement(row["id"], _row_text(row["text"], _heads_of(lines, at)), line.strip(), at, at)
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
    if requirement_ids(name):
        yield Requirement(name, text, quote, first + 1, last + 1)


def _heads_of(lines: list[str], at: int) -> list[str]:
    """What stands above the cells of a row behind its id; nothing where the table has no head."""
    rules = [n for n in range(max(0, at - _MOST_ROWS), at) if _RULE.match(lines[n])]
    head = lines[rules[-1] - 1] if rules and rules[-1] > 0 else ""
    return [cell.strip() for cell in head.strip().strip("|").split("|")][1:]


def _row_text(cells: str, heads: list[str]) -> str:
    """The cells as a sentence: what stands below "result" is what the call before it returns."""
    said = [cell.strip() for cell in cells.split("|")]
    given = [*map(_RESULT.match, heads), *([None] * len(said))]
    return " ".join(f"returns {cell}" if head else cell for cell, head in zip(said, given, strict=False)).strip()


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
