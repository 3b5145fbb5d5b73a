"""What a docstring says of single parameters: kinds, defaults, values that there are, and what they must be.

Google's, numpy's and reST's ways to list parameters are known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from analysis.specified.fact_record import Predicate
from analysis.specified.kinds_text import kinds_text, literals_text
from analysis.stated.annotation import kinds_in
from analysis.stated.sentence import plain_text

_LONGEST = 20_000
_HEADER = re.compile(r"^(?:Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters):?$")
_ANY_HEADER = re.compile(r"^[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]+)?:$")
_GOOGLE = re.compile(r"^\*{0,2}(?P<name>[A-Za-z_]\w*)\s*(?:\((?P<type>[^)]*)\))?\s*:\s+(?P<text>\S.*)?$")
_NUMPY = re.compile(r"^(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<type>\S.*)$")
_FIELD = re.compile(
    r"^:(?P<kind>param|parameter|arg|argument|type)\s+(?:(?P<type>[^:]*?)\s+)?(?P<name>\w+)\s*:\s*(?P<text>.*)$"
)
_RULE = re.compile(r"^-{3,}$")

_NUMBER = r"-?\d+(?:\.\d+)?"
_DEFAULT = re.compile(
    r"(?:[Dd]efaults? to|[Dd]efault is|[Tt]he default is|[Bb]y default,?|[Dd]efault(?: value)?:|default=) ?"
    r"(?P<value>None|True|False|-?\d+(?:\.\d+)?|'[^'\\]*'|\"[^\"\\]*\"|\[\]|\(\)|\{\})(?=[\s.,;)]|$)"
)
_VALUES = re.compile(
    r"(?:[Mm]ust be |[Ee]ither |[Cc]an be |[Mm]ay be |^)?(?:one of |any of )?[:{(\[]? ?"
    r"(?P<values>(?:'[^'\\]*'|\"[^\"\\]*\"|\d+)(?:(?:, (?:or |and )?| or | and )(?:'[^'\\]*'|\"[^\"\\]*\"|\d+))+)"
)
_BOUND = re.compile(
    r"must be (?P<sign>at least|at most|greater than or equal to|less than or equal to|no (?:more|less) than|"
    rf"greater than|less than|more than|larger than|smaller than|above|below|>=|<=|>|<) (?P<bound>{_NUMBER})"
)
_ALONE = re.compile(rf"(?:^|[;,(] ?)(?P<sign>at least|at most) (?P<bound>{_NUMBER})(?= ?(?:$|[.;,)](?: |$)))")
"""A bound without a verb: "how many cups, at most 20"."""
_SIGNS = {
    "at least": ">=",
    "at most": "<=",
    "greater than or equal to": ">=",
    "less than or equal to": "<=",
    "no more than": "<=",
    "no less than": ">=",
    "greater than": ">",
    "less than": "<",
    "more than": ">",
    "larger than": ">",
    "smaller than": "<",
    "above": ">",
    "below": "<",
}
_WORDS = {
    r"must be (?:a )?positive(?: (?:number|integer|int|float))?(?=[\s.,;)]|$)": (Predicate.RANGE, "> 0"),
    r"must be (?:a )?(?:non-?negative|not negative)(?=[\s.,;)]|$| number| int)": (Predicate.RANGE, ">= 0"),
    r"must be (?:a )?negative(?=[\s.,;)]|$)": (Predicate.RANGE, "< 0"),
    r"must not be negative": (Predicate.RANGE, ">= 0"),
    r"must not be (?:empty|blank)": (Predicate.LENGTH, ">= 1"),
    r"must be non-?empty": (Predicate.LENGTH, ">= 1"),
    r"must have at least (?P<n>\d+) (?:items|elements|letters|characters)": (Predicate.LENGTH, ">= {n}"),
    r"must have at most (?P<n>\d+) (?:items|elements|letters|characters)": (Predicate.LENGTH, "<= {n}"),
}
_BETWEEN = re.compile(rf"must be (?:between|in the range (?:of )?) ?(?P<low>{_NUMBER}) (?:and|to) (?P<high>{_NUMBER})")
_HEDGED = re.compile(r"\b(?:usually|typically|normally|should|may|might|probably|often|recommended)\b", re.I)


@dataclass(frozen=True, slots=True)
class ParameterFact:
    """One thing that the words say of a parameter; ``line`` counts from the docstring's first line, which is 0."""

    name: str
    predicate: Predicate
    value: str
    quote: str
    line: int


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    type: str
    text: str
    quote: str
    line: int


def parameter_facts(docstring: str, names: Collection[str]) -> Iterator[ParameterFact]:
    """What the docstring says of parameters of these names."""
    for entry in _entries(docstring[:_LONGEST]):
        if entry.name in names:
            found = [*_of_type(entry.type), *said_of_parameter(entry.text)]
            for predicate, value in dict.fromkeys(found):
                yield ParameterFact(entry.name, predicate, value, entry.quote, entry.line)


def _entries(docstring: str) -> Iterator[_Entry]:
    lines = docstring.expandtabs().splitlines()
    at, depth, numpy = 0, -1, False
    entry_depth = -1
    while at < len(lines):
        text, indent = lines[at].strip(), len(lines[at]) - len(lines[at].lstrip())
        field = _FIELD.match(text)
        ruled = at + 1 < len(lines) and bool(_RULE.match(lines[at + 1].strip()))
        if field:
            body, at_next = _below(lines, at, indent)
            words = " ".join([field["text"], *body]).strip()
            kind = words if field["kind"] == "type" else field["type"] or ""
            said = "" if field["kind"] == "type" else words
            yield _Entry(field["name"], kind, said, " ".join([text, *body]), at)
            at = at_next
        elif _HEADER.match(text) and (ruled or text.endswith(":")):
            depth, numpy, entry_depth = indent, ruled, -1
            at += 2 if ruled else 1
        elif depth >= 0 and text and (ruled or (not numpy and indent <= depth) or _ANY_HEADER.match(text)):
            depth = -1
            at += 1 if not (ruled or _HEADER.match(text)) else 0
            if ruled:
                at += 2
        elif depth >= 0 and text and (entry_depth < 0 or indent == entry_depth):
            entry_depth = indent
            body, at_next = _below(lines, at, indent)
            match = (_NUMPY if numpy else _GOOGLE).match(text)
            if match:
                head = [] if numpy else [match["text"] or ""]
                yield _Entry(
                    match["name"], match["type"] or "", " ".join([*head, *body]).strip(), " ".join([text, *body]), at
                )
            at = at_next
        else:
            at += 1


def _below(lines: list[str], at: int, indent: int) -> tuple[list[str], int]:
    """The lines right below that are indented deeper, and where they end."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    return [line.strip() for line in lines[at + 1 : end]], end


def _of_type(said: str) -> Iterator[tuple[Predicate, str]]:
    """``int, optional``, ``{'a', 'b'}``, ``str or None``, ``int, default: 3``."""
    text = plain_text(said).strip()
    values = re.match(r"^\{(?P<values>[^{}]*)\}", text)
    if values:
        row = _literals(values["values"])
        if row:
            yield Predicate.ENUM, row
    else:
        kinds = [
            kinds_in(word) for word in re.split(r" or |, (?=\w+$)", re.split(r",? ?(?:optional|default)", text)[0])
        ]
        if kinds and all(kinds):
            yield Predicate.TYPE, kinds_text(kind for each in kinds for kind in each)
    default = _DEFAULT.search(text.replace("default ", "default: ") if "default:" not in text else text)
    if default:
        yield Predicate.DEFAULT, repr(ast.literal_eval(default["value"]))


def said_of_parameter(said: str) -> Iterator[tuple[Predicate, str]]:
    """What words about one parameter say of it: "must be at least 2", "defaults to 10"."""
    text = plain_text(" ".join(said.split()))
    defaults = {repr(ast.literal_eval(match["value"])) for match in _DEFAULT.finditer(text)}
    if len(defaults) == 1:
        yield Predicate.DEFAULT, defaults.pop()
    for sentence in re.split(r"(?<=[.;])\s+", text):
        if _HEDGED.search(sentence):
            continue
        lowered = sentence[:1].lower() + sentence[1:]
        yield from _bounds_in(lowered)


def _bounds_in(text: str) -> Iterator[tuple[Predicate, str]]:
    """What "must" says, where the sentence gives no condition."""
    if re.search(r"\b(?:if|when|unless)\b", text):
        return
    for pattern, (predicate, value) in _WORDS.items():
        match = re.search(pattern, text)
        if match:
            yield predicate, value.format(**match.groupdict())
    between = _BETWEEN.search(text)
    if between:
        yield Predicate.RANGE, f">= {between['low']}"
        yield Predicate.RANGE, f"<= {between['high']}"
    bound = _BOUND.search(text) or _ALONE.search(text)
    if bound:
        yield Predicate.RANGE, f"{_SIGNS.get(bound['sign'], bound['sign'])} {bound['bound']}"
    values = re.search(r"must be (?:either |one of |any of )", text)
    if values and (row := _VALUES.match(text[values.end() :])) and (listed := _literals(row["values"])):
        yield Predicate.ENUM, listed


def _literals(text: str) -> str:
    """A row of literals that are separated by commas or words, in our spelling; empty where one is none."""
    words = [word.strip() for word in re.split(r",\s*(?:or |and )?|\s+or\s+|\s+and\s+", text) if word.strip()]
    try:
        return literals_text([ast.literal_eval(word) for word in words])
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return ""
