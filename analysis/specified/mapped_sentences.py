"""What somebody reads in a sentence that no pattern fits, taken as a fact only where the sentence bears it out.

The reading is a stranger's, a model's say. It is refused unless

- its quote stands byte for byte in the file, at that place, and is the whole sentence;
- its predicate is one of the closed list, and its function, parameter and condition are known ones;
- each value, name and relation of it occurs in the quote.

So a reading can choose between what the words may mean, and can add nothing to them. It may still be wrong.
"""

from __future__ import annotations

import ast
import enum
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from analysis.function_text import last_name
from analysis.specified.clauses import HEDGED
from analysis.specified.docstring_facts import call_condition, facts_from_stated
from analysis.specified.fact_record import Extractor, Fact, KnownBy, Predicate, QuotePlace
from analysis.specified.kinds_text import kinds_from_text
from analysis.specified.quoted_values import quoted_value
from analysis.specified.task_text import LEADING, StatedTask, TaskSentence, flat
from analysis.stated.citation import uncited
from analysis.stated.condition import read_condition
from analysis.stated.docstring import Section, docstring_of, sentences_of
from analysis.stated.fact import (
    AllOf,
    Always,
    AnyOf,
    Certainty,
    Compares,
    Condition,
    End,
    Fixed,
    Gives,
    GivesKind,
    IsEmpty,
    IsSorted,
    IsWithin,
    Negated,
    Raises,
    StatedFact,
    Undecided,
)
from analysis.stated.function import StatedFunction

_LONGEST = 1_000
"""Characters of a sentence that is read so."""

_MOST_LINES_BELOW = 60
"""Lines below the place where a sentence is said to begin."""


@dataclass(frozen=True, slots=True)
class OpenSentence:
    """A sentence that states something, of which no extractor reads a fact.

    ``raw`` are its very characters in the file, line breaks among them. ``subject`` is the function whose docstring it
    stands in; empty in a document.
    """

    path: str
    line: int
    raw: str
    subject: str = ""
    requirement: str = ""

    @property
    def place(self) -> QuotePlace:
        """Its lines."""
        return QuotePlace(self.path, self.line, self.line + self.raw.count("\n"))


@dataclass(frozen=True, slots=True)
class ReadMapping:
    """A sentence's meaning as somebody reads it; all is text, and nothing of it is believed."""

    path: str
    line: int
    quote: str
    subject: str
    predicate: str
    value: str
    part: str = ""
    when: str = ""


class MappingFault(enum.StrEnum):
    """Why a reading is no fact; the values are what people see."""

    QUOTE = "the quote does not stand there"
    PART = "the quote is a part of a sentence"
    HEDGED = "the sentence is hedged, or denies it"
    PREDICATE = "no predicate of that name"
    SUBJECT = "no such function, or another one is named"
    PARAMETER = "no such parameter"
    CONDITION = "the condition is not understood, or is left out"
    VALUE = "the quote does not say the value"
    KNOWN = "the sentence was read before"
    DISPUTED = "somebody disputed it"


def open_sentences(
    documents: Mapping[str, str],
    functions: Mapping[str, StatedFunction],
    sources: Mapping[str, str],
    facts: tuple[Fact, ...],
) -> Iterator[OpenSentence]:
    """The sentences of Markdown pages, and then those of docstrings, in which no extractor reads more than words."""
    read = {(f.place.path, _words(each)) for f in facts if f.predicate is not Predicate.STATES for each in _lines(f)}
    for path, text in documents.items():
        if path.endswith((".md", ".markdown")):
            yield from _of_document(path, text, read)
    known = {path: _Lines.of(text) for path, text in sources.items()}
    for subject, function in functions.items():
        path = subject.partition(":")[0]
        if path in known and not function.node.name.startswith("_"):
            yield from _of_docstring(path, subject, function, known[path], read)


def _lines(fact: Fact) -> Iterator[str]:
    """The quote, and each sentence of it."""
    yield fact.quote
    yield from re.split(r"(?<=[.!?])\s+", fact.quote)


def _words(text: str) -> str:
    return flat(LEADING.sub("", flat(text))).rstrip(" .!?")


def _of_document(path: str, text: str, read: set[tuple[str, str]]) -> Iterator[OpenSentence]:
    lines = _Lines.of(text)
    for each in StatedTask(path, text).sentences:
        pieces = re.split(r"(?<=[.!?])\s+(?=[A-Z`\d])", each.quote)
        if (path, _words(each.quote)) in read:
            continue
        for piece in pieces:
            found = lines.find(piece, each.line)
            if found is not None and len(piece) <= _LONGEST and (path, _words(piece)) not in read:
                yield OpenSentence(path, *found, requirement=each.requirement)


def _of_docstring(
    path: str, subject: str, function: StatedFunction, source: _Lines, read: set[tuple[str, str]]
) -> Iterator[OpenSentence]:
    own = docstring_of(function.node)
    if own is None:
        return
    for sentence in sentences_of(*own):
        said = sentence.place in (Section.SUMMARY, Section.PROSE, Section.RETURNS) and _SPEAKS.search(sentence.text)
        if said and len(sentence.text) <= _LONGEST and (path, _words(sentence.text)) not in read:
            found = source.find(sentence.text, sentence.line)
            if found is not None:
                yield OpenSentence(path, *found, subject=subject)


_SPEAKS = re.compile(
    r"\b(?:returns?|gives?|yields?|raises?|throws?|must|shall|should|never|always|defaults?|equals?|same|equivalent"
    r"|idempotent|inverse|sorted|order|optional|required|empty|at least|at most|None|True|False|rejects?|refuses?)\b"
)
"""Words of a docstring's sentence that speaks of what a call takes or comes to."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """A text, and where its lines begin."""

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> _Lines:
        return cls(text, (0, *(found.end() for found in re.finditer("\n", text))))

    def find(self, words: str, line: int) -> tuple[int, str] | None:
        """The line in which the words begin, from this one on and not far below, and their very characters."""
        if not 1 <= line <= len(self.starts) or not words.split():
            return None
        start, last = self.starts[line - 1], min(line + _MOST_LINES_BELOW, len(self.starts)) - 1
        end = self.starts[last] if last > line - 1 and last + 1 < len(self.starts) else len(self.text)
        found = re.compile(r"\s+".join(map(re.escape, words.split()))).search(self.text, start, end)
        return (bisect_right(self.starts, found.start()), found[0]) if found else None


def fact_of_mapping(
    mapping: ReadMapping, sentence: OpenSentence, functions: Mapping[str, StatedFunction]
) -> Fact | MappingFault:
    """The fact that a reading of this sentence is, with the certainty of a model; or why it is none."""
    fault = _fault_of_quote(mapping, sentence)
    if fault is not None:
        return fault
    predicate = _MAY_BE_READ.get(mapping.predicate)
    if predicate is None:
        return MappingFault.PREDICATE
    if _is_hedged(predicate, mapping.quote):
        return MappingFault.HEDGED
    if predicate is Predicate.STATUS:
        return _status_fact(mapping, sentence)
    function = functions.get(mapping.subject)
    if function is None or not _is_about(mapping.subject, sentence, functions):
        return MappingFault.SUBJECT
    if not _fits_part(predicate, mapping.part, function):
        return MappingFault.PARAMETER
    condition = _condition(mapping, predicate, function)
    if condition is None:
        return MappingFault.CONDITION
    others = {_own_name(each) for each in functions} - {_own_name(mapping.subject)}
    value = quoted_value(predicate, mapping.value, LEADING.sub("", mapping.quote), others)
    return MappingFault.VALUE if value is None else _fact(mapping, sentence, predicate, value, condition)


_MAY_BE_READ = {each.value: each for each in Predicate if each not in (Predicate.SEEN, Predicate.STATES)}
"""The predicates that a reading may have: what calls were seen to do is no reading, and ``states`` says nothing."""

_OF_PARAMETERS = frozenset((Predicate.ENUM, Predicate.REQUIRED, Predicate.DEFAULT))
_OF_BOTH = frozenset((Predicate.TYPE, Predicate.RANGE, Predicate.LENGTH))
_WITH_CONDITION = frozenset((Predicate.RETURNS, Predicate.RAISES, Predicate.TYPE, Predicate.ORDER))
_MAY_DENY = frozenset((Predicate.NEVER, Predicate.RANGE, Predicate.LENGTH, Predicate.REQUIRED))
"""Predicates that words with "not" and "never" state: "must not be negative"."""
_MAY_HEDGE = _OF_PARAMETERS
"""Predicates that words with "may" state: "may be left out"."""


def _fault_of_quote(mapping: ReadMapping, sentence: OpenSentence) -> MappingFault | None:
    before, quote, after = sentence.raw.partition(mapping.quote) if mapping.quote else ("", "", "")
    if not quote or mapping.path != sentence.path or mapping.line != sentence.line:
        return MappingFault.QUOTE
    whole = _words(f"{before} x").removesuffix("x").strip(_MARKS) == after.strip(_MARKS) == ""
    return None if whole else MappingFault.PART


_MARKS = " .!?*_`()[]|\n"


def _is_hedged(predicate: Predicate, quote: str) -> bool:
    denies = TaskSentence(0, quote).negates
    if predicate is Predicate.NEVER and not denies:
        return True
    hedges = HEDGED.search(re.sub(r"`[^`]*`", "", quote)) is not None
    return (denies and predicate not in _MAY_DENY) or (hedges and predicate not in _MAY_HEDGE)


def _is_about(subject: str, sentence: OpenSentence, functions: Mapping[str, StatedFunction]) -> bool:
    """Whether the sentence may speak of the function: it stands in its docstring, or names no other one in code."""
    if sentence.subject:
        return subject == sentence.subject
    codes = {re.split(r"[^\w.]", code)[0].rpartition(".")[2] for code in re.findall(r"`+([^`]+)`+", sentence.raw)}
    named = {each for each in functions if _own_name(each) in codes}
    return not named or subject in named


def _own_name(subject: str) -> str:
    return subject.rpartition(":")[2].rpartition(".")[2]


def _fits_part(predicate: Predicate, part: str, function: StatedFunction) -> bool:
    if not part:
        return predicate not in _OF_PARAMETERS
    return part in function.stated.taken.names and predicate in _OF_PARAMETERS | _OF_BOTH


def _condition(mapping: ReadMapping, predicate: Predicate, function: StatedFunction) -> Condition | None:
    """The condition, read as a docstring's words are, or a plain call; ``None`` where the quote does not say it.

    A sentence that names a condition has to be read with one.
    """
    when = flat(mapping.when)
    if not when:
        return None if _CONDITIONAL.search(mapping.quote) else Always()
    if predicate not in _WITH_CONDITION or mapping.part or len(when) > _LONGEST:
        return None
    call = _call(when, function)
    if call is not None:  # what it leaves out has its default, of which the words need not speak
        given = (ast.unparse(each) for each in (*call.args, *(each.value for each in call.keywords)))
        said = not any(uncited("", each, mapping.quote) for each in given)
        return call_condition(call, function.stated.taken, function.stated.positional) if said else None
    condition = read_condition(when, function.stated.taken)[0]
    return condition if all(_says_condition(each, mapping.quote) for each in _single(condition)) else None


_CONDITIONAL = re.compile(r"\b(?:if|when|whenever|unless|except|otherwise|only)\b", re.IGNORECASE)


def _call(when: str, function: StatedFunction) -> ast.Call | None:
    try:
        node = ast.parse(when, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    own = function.qualname.rpartition(".")[2]
    return node if isinstance(node, ast.Call) and last_name(node.func) == own else None


def _single(condition: Condition) -> Iterator[Condition]:
    match condition:
        case Negated(inner):
            yield from _single(inner)
        case AnyOf(parts) | AllOf(parts):
            for part in parts:
                yield from _single(part)
        case _:
            yield condition


def _says_condition(condition: Condition, quote: str) -> bool:
    match condition:
        case Compares(left, _, right):
            fixed = [each.source for each in (left, right) if isinstance(each, Fixed)]
            return not any(uncited("", source, quote) for source in fixed)
        case IsEmpty():
            return re.search(r"\b(?:empty|nothing|no|without|blank)\b|\[\]|\(\)|\{\}|''|\"\"", quote, re.I) is not None
        case Undecided():
            return False
    return True


def _fact(mapping: ReadMapping, sentence: OpenSentence, predicate: Predicate, value: str, condition: Condition) -> Fact:
    path, place, requirement = sentence.path, sentence.place, sentence.requirement
    end = None if mapping.part else _end(predicate, value)
    if end is not None:
        stated = StatedFact(condition, end, mapping.quote, sentence.line, Certainty.LIKELY)
        found = facts_from_stated(stated, mapping.subject, path, Extractor.READER, requirement, place.end_line)
        return replace(next(iter(found)), known_by=KnownBy.MODEL)
    sure = not mapping.part or re.search(rf"\b{re.escape(mapping.part)}\b", mapping.quote) is not None
    plain = Fact(mapping.subject, predicate, value, place, mapping.quote, Extractor.READER, mapping.part)
    return replace(plain, requirement=requirement, known_by=KnownBy.MODEL, sure=sure)


def _end(predicate: Predicate, value: str) -> End | None:
    match predicate:
        case Predicate.RETURNS:
            return Gives(value)
        case Predicate.RAISES:
            return Raises(value)
        case Predicate.TYPE if kinds_from_text(value):
            return GivesKind(tuple(sorted(kinds_from_text(value) or ())))
        case Predicate.ORDER:
            return IsSorted(descending=value == "descending")
        case Predicate.RANGE | Predicate.LENGTH:
            sign, _, bound = value.partition(" ")
            least, most = (Fixed(bound), None) if sign == ">=" else (None, Fixed(bound))
            counts = predicate is Predicate.LENGTH
            return IsWithin(least, most, counts_items=counts) if sign in (">=", "<=") else None
    return None


def _status_fact(mapping: ReadMapping, sentence: OpenSentence) -> Fact | MappingFault:
    """A code of an operation that the sentence names, method and path."""
    operation = re.fullmatch(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /\S*", mapping.subject)
    named = rf"{re.escape(mapping.subject)}(?![\w/{{-])"
    if operation is None or not re.search(named, flat(mapping.quote)) or mapping.part:
        return MappingFault.SUBJECT
    if mapping.when or _CONDITIONAL.search(mapping.quote):
        return MappingFault.CONDITION
    if not re.fullmatch(r"[1-5]\d\d", mapping.value) or uncited("", mapping.value, mapping.quote):
        return MappingFault.VALUE
    return _fact(mapping, sentence, Predicate.STATUS, mapping.value, Always())
