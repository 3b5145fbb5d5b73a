"""A docstring's sentences with their lines, and what each of them speaks of.

Google's, numpy's and reST's ways to write sections are known. Examples and blocks of code are left out; so are sections
that say nothing of the end of a call.
"""

from __future__ import annotations

import ast
import enum
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from analysis.function_text import FunctionNode


class Section(enum.Enum):
    """Where a sentence stands."""

    SUMMARY = "summary"
    """In the first paragraph."""
    PROSE = "prose"
    RETURNS = "returns"
    RAISES = "raises"
    """In a section or field about one exception."""
    TYPE = "type"
    """It is no sentence: it names the type of what is returned."""
    SILENT = "silent"
    """In a section that says nothing of the end of a call."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as it is written, on one line; ``raised`` names the exception that its section says it is about."""

    text: str
    line: int
    place: Section
    raised: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    indent: int
    number: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together."""

    lines: tuple[_Line, ...]
    place: Section
    raised: str = ""


_LONGEST_TEXT = 20_000
"""Characters of a docstring that are read."""
_GOOGLE = re.compile(r"^(?P<name>[A-Z][A-Za-z]*(?: [A-Za-z]+)?):(?P<rest>\s+\S.*)?$")
_FIELD = re.compile(r"^:(?P<name>\w+)(?:\s+(?P<of>[^\s:][^:]*))?:\s*(?P<rest>.*)$")
_RULE = re.compile(r"^(?:-{3,}|={3,}|~{3,})$")
_BULLET = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")
_RETURNS = frozenset(("returns", "return"))
_RAISES = frozenset(("raises", "raise", "except", "exception", "exceptions"))
_SILENT = frozenset((
    *("args", "arguments", "parameters", "params", "param", "other parameters", "keyword args", "keyword arguments"),
    *("example", "examples", "note", "notes", "see also", "references", "todo", "warning", "warnings", "attributes"),
    *("yields", "yield", "receives", "usage", "methods", "warns", "doctest", "doctests", "tests"),
))  # fmt: skip
_ENTRY = re.compile(r"^(?::\w+:)?`*~?(?P<name>[A-Za-z_][\w.]*)`*\s*(?::|--|—)\s*(?P<rest>.*)$")
_NAME = re.compile(r"^(?::\w+:)?`*~?(?P<name>[A-Za-z_][\w.]*)`*$")
_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!cf\.)(?<!vs\.)\s+(?=[A-Z0-9`\"'\[(:*]|[a-z_]\w*\()")
_TYPE = re.compile(r"^(?P<type>[A-Za-z_][\w.\[\], |]*?)\s*:\s+(?P<rest>\S.*)$")


def docstring_of(node: FunctionNode | ast.ClassDef | ast.Module) -> tuple[str, int] | None:
    """The docstring as it is written, and the line of the file that it begins in."""
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str(text)) as constant), *_]:
            return text, constant.lineno
    return None


def sentences_of(text: str, line: int) -> Iterator[Sentence]:
    """The sentences of a docstring that begins in this line of its file.

    Of a very long one only the first paragraphs are read.
    """
    if len(text) > _LONGEST_TEXT:
        text = text[:_LONGEST_TEXT].rpartition("\n\n")[0]
    for number, block in enumerate(_blocks(_read_lines(text, line))):
        place = Section.SUMMARY if block.place is Section.PROSE and not number else block.place
        yield from _sentences(block, place)


def _read_lines(text: str, first: int) -> list[_Line]:
    lines = text.expandtabs().splitlines()
    found = [_Line(each.strip(), len(each) - len(each.lstrip()), first + n) for n, each in enumerate(lines)]
    closing = [len(lines[-1])] if len(lines) > 1 and not found[-1].text else []
    body = [*(each.indent for each in found[1:] if each.text), *closing]
    if found:  # what stands behind the quotes has the indentation of the rest
        found[0] = _Line(found[0].text, min(body, default=0), first)
    return found


def _blocks(lines: list[_Line]) -> Iterator[_Block]:
    """Paragraphs, entries and fields, each under the section that it stands in."""
    section, depth, underlined = Section.PROSE, -1, False
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.text:
            at += 1
        elif line.text.startswith((">>>", "...")):
            at = _skip_paragraph(lines, at)
        elif line.text.startswith(".. "):
            at = _skip_deeper(lines, at)
        elif at + 1 < len(lines) and _RULE.match(lines[at + 1].text) and lines[at + 1].indent == line.indent:
            section, depth, underlined = _section_named(line.text), line.indent, True
            at += 2
        elif field := _FIELD.match(line.text):
            block, at = _take_field(lines, at, field)
            section, depth, underlined = Section.PROSE, -1, False
            yield from block
        elif (header := _GOOGLE.match(line.text)) and _is_section(header.group("name")) and not underlined:
            section, depth = _section_named(header.group("name")), line.indent
            rest = header.group("rest")
            if rest:
                taken, at = _take_deeper(lines, at)
                text = _Line(rest.strip(), line.indent, line.number)
                yield from _in_section((text, *taken), section)
                section, depth = Section.PROSE, -1
            else:
                at += 1
        elif section is not Section.PROSE and not underlined and line.indent <= depth:
            section, depth = Section.PROSE, -1
        else:
            taken, at = _take_entry(lines, at, section, underlined=underlined)
            yield from _in_section(taken, section, underlined=underlined)
            if taken[-1].text.endswith("::"):
                at = _skip_indented(lines, at, taken[-1].indent)


def _is_section(name: str) -> bool:
    return name.lower() in _RETURNS | _RAISES | _SILENT


def _section_named(name: str) -> Section:
    lowered = name.strip().lower()
    if lowered in _RETURNS:
        return Section.RETURNS
    return Section.RAISES if lowered in _RAISES else Section.SILENT


def _skip_paragraph(lines: list[_Line], at: int) -> int:
    while at < len(lines) and lines[at].text:
        at += 1
    return at


def _skip_deeper(lines: list[_Line], at: int) -> int:
    return _skip_indented(lines, at + 1, lines[at].indent)


def _skip_indented(lines: list[_Line], at: int, indent: int) -> int:
    while at < len(lines) and (not lines[at].text or lines[at].indent > indent):
        at += 1
    return at


def _take_deeper(lines: list[_Line], at: int) -> tuple[tuple[_Line, ...], int]:
    """The lines right below that are indented deeper."""
    end = at + 1
    while end < len(lines) and lines[end].text and lines[end].indent > lines[at].indent:
        end += 1
    return tuple(lines[at + 1 : end]), end


def _take_entry(lines: list[_Line], at: int, section: Section, *, underlined: bool) -> tuple[tuple[_Line, ...], int]:
    """A paragraph, a bullet, or in a section one entry with what is indented below it."""
    if section is Section.RAISES or (section is Section.RETURNS and underlined):
        below, end = _take_deeper(lines, at)
        return (lines[at], *below), end
    end = at + 1
    while end < len(lines) and lines[end].text and not _begins_anew(lines, end):
        end += 1
    return tuple(lines[at:end]), end


def _begins_anew(lines: list[_Line], at: int) -> bool:
    text = lines[at].text
    header = _GOOGLE.match(text)
    ruled = at + 1 < len(lines) and bool(_RULE.match(lines[at + 1].text))
    return bool(
        _BULLET.match(text)
        or _FIELD.match(text)
        or ruled
        or text.startswith((">>>", ".. "))
        or (header and _is_section(header.group("name")))
    )


def _take_field(lines: list[_Line], at: int, field: re.Match[str]) -> tuple[list[_Block], int]:
    below, end = _take_deeper(lines, at)
    name, of = field.group("name").lower(), (field.group("of") or "").strip()
    text = (_Line(field.group("rest"), lines[at].indent, lines[at].number), *below)
    if name in _RETURNS:
        return [_Block(text, Section.RETURNS)], end
    if name == "rtype":
        return [_Block(text, Section.TYPE)], end
    if name in _RAISES:
        plain = _NAME.match(of)
        return [_Block(text, Section.RAISES, _last(plain.group("name")))] if plain else [], end
    return [], end


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _in_section(lines: tuple[_Line, ...], section: Section, *, underlined: bool = False) -> Iterator[_Block]:
    first = lines[0]
    if section is Section.RAISES:
        entry, bare = _ENTRY.match(first.text), _NAME.match(first.text)
        if entry:
            rest = _Line(entry.group("rest"), first.indent, first.number)
            yield _Block((rest, *lines[1:]), section, _last(entry.group("name")))
        elif bare:
            yield _Block(lines[1:] or (_Line("", first.indent, first.number),), section, _last(bare.group("name")))
    elif section is Section.RETURNS and underlined:
        if len(lines) > 1:  # a value with a name may be one of several
            if " : " not in first.text:
                yield _Block((first,), Section.TYPE)
            yield _Block(lines[1:], section)
        else:
            yield _Block(lines, section)
    elif section is Section.RETURNS and (typed := _TYPE.match(first.text)):
        yield _Block((_Line(typed.group("type"), first.indent, first.number),), Section.TYPE)
        yield _Block((_Line(typed.group("rest"), first.indent, first.number), *lines[1:]), section)
    elif section is not Section.SILENT:
        yield _Block(lines, section)


def _sentences(block: _Block, place: Section) -> Iterator[Sentence]:
    """A block's sentences, each with the line that it begins in."""
    starts: list[tuple[int, int]] = []
    text = ""
    for line in block.lines:
        piece = _BULLET.sub("", line.text) if not text else line.text
        text = f"{text} {piece}" if text else piece
        starts.append((len(text) - len(piece), line.number))
    if not text and block.raised:
        yield Sentence("", block.lines[0].number, place, block.raised)
    at = 0
    for end in [*(match.span() for match in _END.finditer(text)), (len(text), len(text))]:
        said = text[at : end[0]].strip()
        if said:
            number = starts[bisect_right(starts, at, key=itemgetter(0)) - 1][1]
            yield Sentence(" ".join(said.split()), number, place, block.raised)
        at = end[1]
