"""One sentence of a docstring as facts. A sentence that no pattern fits as a whole yields none.

Understood are:

- "Returns 0 for an empty list", "If n is 0, 1 is returned", "True if n is even, False otherwise";
- "None if nothing matches", where the sentence is about the result;
- "Raises ValueError if n is negative";
- "in ascending order", "at most N items", "never negative", and "f(3) -> 6";
- "'3' or '' (which means 1)", where it takes one argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from analysis.stated.annotation import kinds_in
from analysis.stated.condition import LITERAL, Taken, literal_source, read_condition
from analysis.stated.docstring import Section, Sentence
from analysis.stated.fact import (
    AllOf,
    Always,
    AnyOf,
    Argument,
    Certainty,
    Compares,
    Condition,
    End,
    FactSource,
    Fixed,
    Gives,
    GivesKind,
    IsSorted,
    IsWithin,
    Negated,
    Operand,
    Raises,
    StatedFact,
    Undecided,
)

_LONGEST_SENTENCE = 1000
"""Characters. A longer sentence is not understood."""
_LONGEST_VALUE = 200
"""Characters of a value in an example; the places where it may end are tried one by one."""
_MOST_ENDS = 20
_ROLE = re.compile(r":[\w:]+:`~?!?(?:[^`<]*<)?([^`>]+)>?`")
_CODE = re.compile(r"``([^`]+)``|`([^`]+)`|\*\*([^*\s]+)\*\*|(?<![\w*])\*([A-Za-z_]\w*)\*(?![\w*])")
_EMPTY_VALUES = {
    "list": "[]",
    "string": "''",
    "tuple": "()",
    "dict": "{}",
    "dictionary": "{}",
}
_VALUE = rf"(?P<value>{LITERAL}|(?:an |the )?empty (?P<empty>{'|'.join(_EMPTY_VALUES)})|nothing)"
_OTHER = rf"(?P<other>{LITERAL}|(?:an |the )?empty (?P<other_empty>{'|'.join(_EMPTY_VALUES)})|nothing)"
_WHEN = r"(?P<when>if and only if|if|when|whenever|for|where|unless|on|in case|iff)"
_IF = r"(?P<when>if and only if|if|when|unless|iff)"
"""Only words after which the value comes whenever the condition holds: "only if" promises nothing."""
_ERROR = (
    r"(?:an? |the )?(?P<error>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|StopIteration|Warning)|StopIteration)"
)
_RAISED = r"(?:an? |the )?(?P<error>(?:\w+\.)*[A-Z][a-z]\w+)"
"""What is raised: any class, with or without a name that ends in "Error"."""
_GIVES = r"(?:will )?(?:[Rr]eturns?|[Gg]ives?)(?: back)?"
_RAISES = r"(?:will )?(?:[Rr]aises?|[Tt]hrows?)"
_ABOUT_RESULT = re.compile(r"^(?:Returns?|Gives?|Finds?|Gets?|Looks? up|Parses?|Reads?|The|An?|Name|Number) ")
_NOT_SAID = re.compile(r"\b(?:should|you|your|may|might|usually|typically|sometimes|probably|could|default)\b", re.I)
_PAIR = rf"({LITERAL}) ?(?:->|=>|→) ?({LITERAL})"
_MEANT = re.compile(
    rf"(?:{LITERAL},? (?:or |and )?)*(?P<given>{LITERAL}) "
    rf"\((?:which |that |this )?(?:means|meaning|stands for|counts as) (?P<value>{LITERAL})\)"
)
"""A list of values that a function takes, and what the last one comes to: ``'3' or '' (which means 1)``."""
_ASCENDING = r"(?:ascending|increasing|alphabetical|alphabetic|lexicographic|lexicographical|numeric|numerical)"
_DESCENDING = r"(?:descending|decreasing)"


def facts_of(sentence: Sentence, name: str, taken: Taken, source: FactSource) -> Iterator[StatedFact]:
    """What the sentence says of the function of this name; nothing where it is not understood."""
    if len(sentence.text) > _LONGEST_SENTENCE:
        return
    text = plain_text(sentence.text).strip()
    if _NOT_SAID.search(text):
        return
    stated = _Statement(sentence, text.rstrip("."), name, taken, source)
    try:
        found = tuple(stated.facts())
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a value that Python does not take
        return
    yield from found


def plain_text(text: str) -> str:
    """The text without the marks of reST: ``:class:`~a.B``` is ``a.B``."""
    text = _ROLE.sub(lambda match: match.group(1), text)
    return _CODE.sub(lambda match: next(group for group in match.groups() if group), text)


_ITSELF = "ITSELF"
"""Stands for the function's name in a sentence."""


_RETURNS = rf"(?:(?:{_ITSELF} |[Ii]t )?{_GIVES} )"
_SORTED = re.compile(rf"{_RETURNS}(?:an? |the )?(?:new )?sorted (?:list|tuple|copy) of [\w ]+")
_ORDERED = re.compile(
    rf"{_RETURNS}(?:an? |the |all )?(?:list|tuple|\w+s)(?: of [\w ]+)?,? (?:sorted )?(?:in )?"
    rf"(?:(?P<up>{_ASCENDING})|(?P<down>{_DESCENDING}))(?: order)?"
)
_BY_SOMETHING = re.compile(r"\b(?:by|on|according|reverse|using|pairs?|items|dict\w*|set)\b", re.I)
_AT_MOST = re.compile(rf"{_RETURNS}(?:a list of )?(?:up to|at most|no more than) (?P<most>\w+) [\w ]*s")
_NEVER_NEGATIVE = re.compile(
    rf"{_RETURNS}?[\w ]+, (?:which is )?never negative|{_RETURNS}an? non-negative (?:number|integer|int|float|value)"
)


@cache
def _patterns(about_result: bool, is_around: bool) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """The forms of a clause with a condition, and whether each speaks of an exception.

    Around the function, in the docstring of its class or module, it has to be named.
    """
    subject = (
        rf"(?:{_ITSELF} )" if is_around else rf"(?:(?:{_ITSELF}|[Ii]t|[Tt]his|[Tt]h(?:e|is) (?:function|method)) )?"
    )
    optional = "" if is_around else "?"
    given = rf"(?:{subject}{_GIVES} ){optional}{_VALUE}(?: is returned)?"
    lead = r"(?:If|When|Whenever|For|In case) (?P<if>[^,]+), (?:then )?"
    told = (
        (rf"{given} {_WHEN} (?P<if>.+?),? (?:and |or )?(?:otherwise|else) (?:{_GIVES} )?{_OTHER}", False),
        (rf"{given} {_WHEN} (?P<if>.+?),? (?:and |or )?{_OTHER},? otherwise", False),
        (rf"{given} {_WHEN} (?P<if>.+?)(?:,? (?:and |or )?(?:otherwise|else) .+)", False),
        (rf"{given} {_WHEN if about_result else _IF} (?P<if>.+)", False),
        (rf"{subject}{_GIVES} {_VALUE} {_WHEN} (?P<if>.+)", False),
        (rf"{lead}{subject}{_GIVES} {_VALUE}", False),
        (rf"{subject}{_RAISES} {_RAISED} {_WHEN} (?P<if>.+)", True),
        (rf"{lead}{subject}{_RAISES} {_ERROR}", True),
    )
    unnamed = (
        (rf"{lead}{_VALUE} is returned", False),
        (rf"{_ERROR} is raised {_WHEN} (?P<if>.+)", True),
        (rf"{lead}{_ERROR} is raised", True),
    )
    return tuple((re.compile(pattern), raises) for pattern, raises in (*told, *(() if is_around else unnamed)))


class _Statement:
    """A sentence on its way to facts."""

    def __init__(self, sentence: Sentence, text: str, name: str, taken: Taken, source: FactSource) -> None:
        own = re.escape(name)
        self._sentence = sentence
        self._taken = taken
        self._source = source
        self._own = own
        self._earlier: list[tuple[Condition, Certainty]] = []
        """The conditions of the clauses so far: "otherwise" stands for none of them."""
        self._is_around = source in (FactSource.CLASS, FactSource.MODULE)
        self._plain = text
        self._text = re.sub(rf"(?:[Tt]he )?(?:function |method )?(?<![\w.]){own}(?:\(\))? (?=\w)", f"{_ITSELF} ", text)

    def facts(self) -> Iterator[StatedFact]:
        """What it says, read as the place where it stands asks for."""
        if self._sentence.place is Section.RAISES:
            return self._read_raises_entry()
        return self._read_type() if self._sentence.place is Section.TYPE else self._read()

    def _read(self) -> Iterator[StatedFact]:
        """Facts of a sentence that is not about one exception alone."""
        yield from self._read_examples()
        if self._is_around and _ITSELF not in self._text:
            return
        about = self._sentence.place is Section.RETURNS
        told = self._sentence.place is Section.SUMMARY and bool(_ABOUT_RESULT.match(self._text))
        for number, clause in enumerate(_clauses(self._text)):
            found = tuple(self._read_clause(clause.strip(), about_result=about or (told and number > 0)))
            if not found and number == 0 and not self._is_around:
                found = tuple(self._read_alternative(clause.strip(), about_result=about))
            yield from found
            self._earlier += [(each.condition, each.certainty) for each in found] or [
                (Undecided(clause), Certainty.LIKELY)
            ]
        if not self._is_around:
            yield from self._read_shape()

    def _read_type(self) -> Iterator[StatedFact]:
        """``str or None``, where a section names the type of what is returned."""
        found = [kinds_in(word) for word in re.split(r" or ", self._text)]
        if all(found):
            kinds = tuple(dict.fromkeys(kind for each in found for kind in each))
            yield self._fact(Always(), Certainty.LIKELY, GivesKind(kinds))

    def _read_raises_entry(self) -> Iterator[StatedFact]:
        """An entry of a section about exceptions: the name stands before it."""
        text = self._text
        match = re.match(r"^(?:(?:is )?raised )?(?:if|when|whenever|in case|for|on) (?P<rest>.+)$", text, re.I)
        unless = re.match(r"^(?:is )?(?:raised )?unless (?P<rest>.+)$", text, re.I)
        end = Raises(self._sentence.raised)
        if match:
            yield self._fact(*read_condition(match.group("rest"), self._taken), end)
        elif unless:
            condition, certainty = read_condition(unless.group("rest"), self._taken)
            yield self._fact(_negate(condition), certainty, end)
        else:
            yield self._fact(Undecided(text), Certainty.LIKELY, end)

    def _read_clause(self, clause: str, *, about_result: bool) -> Iterator[StatedFact]:
        """``returns VALUE if C``, ``raises E if C``, ``if C, returns VALUE``, with what holds otherwise."""
        for pattern, raises in _patterns(about_result, self._is_around):
            match = pattern.fullmatch(clause)
            if match:
                end = Raises(match.group("error").rpartition(".")[2]) if raises else _value(match, "value", "empty")
                yield from self._conditional(match, end)
                return
        if not self._is_around:
            yield from self._read_noun(clause)

    def _read_noun(self, clause: str) -> Iterator[StatedFact]:
        """``raises E`` alone, ``an empty list gives 0``, ``rows of unequal length raise E``."""
        bare = re.fullmatch(rf"(?:(?P<if>[^,:()]+) )?{_RAISES} {_ERROR}", clause)
        gives = re.fullmatch(rf"(?P<if>[^,:()]+) {_GIVES} {_VALUE}", clause)
        if bare:
            phrase = bare.group("if") or ""
            condition, certainty = read_condition(_lowered(phrase), self._taken)
            if not re.search(r"\b(?:not|never|n't|and|or)\b|^(?:it|this|which|that)\b", phrase, re.I):
                yield self._fact(condition, certainty, Raises(bare.group("error").rpartition(".")[2]))
        elif gives:
            condition, certainty = read_condition(_lowered(gives.group("if")), self._taken)
            if not isinstance(condition, Undecided):
                yield self._fact(condition, certainty, _value(gives, "value", "empty"))

    def _conditional(self, match: re.Match[str], end: End) -> Iterator[StatedFact]:
        groups = match.groupdict()
        phrase = groups["if"]
        condition: Condition = Undecided(phrase)
        certainty = Certainty.LIKELY
        if not _breaks_off(phrase):
            read, certainty = read_condition(phrase, self._taken)
            condition = _negate(read) if groups.get("when") == "unless" else read
        yield self._fact(condition, certainty, end)
        if groups.get("other"):
            every = [*self._earlier, (condition, certainty)]
            sure = all(each is Certainty.CERTAIN for _, each in every)
            held = AnyOf(tuple(each for each, _ in every)) if self._earlier else condition
            otherwise = Certainty.CERTAIN if sure else Certainty.LIKELY
            yield self._fact(_negate(held), otherwise, _value(match, "other", "other_empty"))

    def _read_alternative(self, clause: str, *, about_result: bool) -> Iterator[StatedFact]:
        """``…, or VALUE if C`` at the end of a sentence about the result."""
        speaks = about_result or _ABOUT_RESULT.match(clause) or self._sentence.place is Section.SUMMARY
        match = re.fullmatch(
            rf"(?P<before>.+?),? or (?:else )?{_VALUE}(?: {_WHEN} (?P<if>.+))?", clause
        ) or re.fullmatch(rf"(?P<before>.+?), {_VALUE} {_IF} (?P<if>.+)", clause)
        if not speaks or not match or re.search(r"\b(?:set|sets|pass|to|is|be|either)$", match.group("before")):
            return
        if re.search(LITERAL + "$", match.group("before")):  # "True or False", "0 or 1"
            return
        if match.group("if") is None:
            yield self._fact(Undecided(""), Certainty.LIKELY, _value(match, "value", "empty"))
        else:
            yield from self._conditional(match, _value(match, "value", "empty"))

    def _read_shape(self) -> Iterator[StatedFact]:
        """``Returns a sorted list``, ``…, in descending order``, ``Returns at most N items``, ``never negative``."""
        text = self._text
        if _SORTED.fullmatch(text) and not _BY_SOMETHING.search(text):
            yield self._fact(Always(), Certainty.LIKELY, IsSorted())
        ordered = _ORDERED.fullmatch(text)
        if ordered and not _BY_SOMETHING.search(text):
            yield self._fact(Always(), Certainty.LIKELY, IsSorted(descending=bool(ordered.group("down"))))
        most = _AT_MOST.fullmatch(text)
        if most and (bound := self._bound(most.group("most"))) is not None:
            yield self._fact(Always(), Certainty.LIKELY, IsWithin(most=bound, counts_items=True))
        if self._sentence.place in (Section.RETURNS, Section.SUMMARY) and _NEVER_NEGATIVE.fullmatch(text):
            yield self._fact(Always(), Certainty.CERTAIN, IsWithin(least=Fixed("0")))

    def _bound(self, word: str) -> Operand | None:
        if word in self._taken.names:
            return Argument(word)
        return Fixed(literal_source(word)) if re.fullmatch(LITERAL, word) else None

    def _read_examples(self) -> Iterator[StatedFact]:
        """``f(3) -> 6`` within a sentence."""
        for match in re.finditer(
            rf"(?<![\w.]){self._own}\((?P<given>[^()]*)\) ?(?:->|=>|→|==|returns|gives) ?", self._plain
        ):
            condition = self._call_condition(match.group("given"))
            value = _leading_literal(self._plain[match.end() :])
            if condition is not None and value:
                yield self._fact(condition, Certainty.CERTAIN, Gives(value))
        pairs = re.sub(r"^(?:[Ee]\.g\.|[Ff]or example|[Ee]xamples?):?,? ", "", self._text)
        if self._taken.sole and re.fullmatch(rf"{_PAIR}(?:[,;] {_PAIR})*", pairs):
            for match in re.finditer(_PAIR, pairs):
                left, right = (literal_source(each) for each in match.groups())
                condition = Compares(Argument(self._taken.sole), "==", Fixed(left))
                yield self._fact(condition, Certainty.LIKELY, Gives(right))
        about_result = self._sentence.place in (Section.RETURNS, Section.TYPE)
        meant = _MEANT.fullmatch(pairs) if self._taken.sole and not about_result else None
        if meant is not None:
            condition = Compares(Argument(self._taken.sole), "==", Fixed(literal_source(meant["given"])))
            yield self._fact(condition, Certainty.LIKELY, Gives(literal_source(meant["value"])))

    def _call_condition(self, given: str) -> Condition | None:
        try:
            call = ast.parse(f"f({given})", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if not isinstance(call, ast.Call) or len(call.args) > len(self._taken.names):
            return None
        passed = {self._taken.names[n]: node for n, node in enumerate(call.args)}
        passed |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        parts: list[Condition] = []
        for name in self._taken.names:
            source = _source_of(passed[name]) if name in passed else self._taken.default(name)
            if source is None:
                return None
            parts.append(Compares(Argument(name), "==", Fixed(source)))
        return AllOf(tuple(parts)) if parts and set(passed) <= set(self._taken.names) else None

    def _fact(self, condition: Condition, certainty: Certainty, end: End) -> StatedFact:
        said = self._sentence
        quote = f"{said.raised}: {said.text}".rstrip(": ") if said.raised else said.text
        quote = f"Returns: {quote}" if said.place is Section.TYPE else quote
        return StatedFact(condition, end, quote, said.line, certainty, self._source)


_BARE_VALUE = re.sub(r"\?P<\w+>", "?:", _VALUE)
_FURTHER_VALUE = re.compile(rf",? ?(?:;|and|or|,) (?={_BARE_VALUE} {_WHEN.replace('?P<when>', '?:')} )")
_FURTHER_ERROR = re.compile(
    rf",? (?:and|or) (?={_RAISED.replace('?P<error>', '?:')} {_WHEN.replace('?P<when>', '?:')} )"
)


def _clauses(text: str) -> Iterator[str]:
    """What stands between semicolons, and of "raises A if x and B if y", or "0 on x and 1 on y", each by itself."""
    for clause in re.split(r"; ", text):
        for pattern, lead in (
            (_FURTHER_ERROR, rf"(?:.* )?{_RAISES} "),
            (_FURTHER_VALUE, rf"(?:{_RETURNS})?{_VALUE} {_WHEN} "),
        ):
            pieces = pattern.split(clause)
            if len(pieces) > 1 and (begun := re.match(lead, pieces[0])):
                yield pieces[0]
                verb = "raises " if pattern is _FURTHER_ERROR else _verb_of(begun.group())
                yield from (f"{verb}{piece}" for piece in pieces[1:])
                break
        else:
            yield clause


def _verb_of(lead: str) -> str:
    """``returns `` where the clause begins so, with its subject."""
    match = re.match(_RETURNS, lead)
    return match.group() if match else ""


def _lowered(phrase: str) -> str:
    return phrase[:1].lower() + phrase[1:] if phrase[1:2].islower() or phrase[1:2] == " " else phrase


def _negate(condition: Condition) -> Condition:
    return Undecided(f"not {condition.text}") if isinstance(condition, Undecided) else Negated(condition)


def _breaks_off(phrase: str) -> bool:
    """Whether more follows the condition than the condition: "n is 0, and 1 else for the rest"."""
    return bool(re.search(r", (?:or|and|but|else|otherwise|return)|\b(?:else|otherwise|except|unless|but)\b", phrase))


def _value(match: re.Match[str], value: str, empty: str) -> Gives:
    said = match.group(value)
    if match.group(empty):
        return Gives(_EMPTY_VALUES[match.group(empty)])
    return Gives("None" if said == "nothing" else literal_source(said))


def _leading_literal(text: str) -> str:
    """The literal that the text begins with, as source; empty where there is none."""
    for match in islice(re.finditer(r"[,;.]?(?:\s|$)|[;,]\s|\)", text), _MOST_ENDS):
        if match.start() > _LONGEST_VALUE:
            break
        try:
            return _literal(text[: match.start()])
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return ""


def _literal(written: str | ast.expr) -> str:
    """What is written, as source that can be read again: ``1e999`` is infinite, which no literal is."""
    source = repr(ast.literal_eval(written))
    ast.literal_eval(source)
    return source


def _source_of(node: ast.expr) -> str | None:
    try:
        return _literal(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
