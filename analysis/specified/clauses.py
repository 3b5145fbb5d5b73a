"""A requirement's sentence as facts about the functions and operations that it names in backticks.

Understood are:

- calls: "`f(1)` shall return 2", "When f is called with n 1, it returns 2";
- conditions: "When n is negative, `f` shall raise ValueError";
- parameters: "The `n` of `f` must be at most 3";
- all calls: "`f` shall be the inverse of `g`";
- codes: "`POST /x` answers 201".

What is hedged, or names two functions otherwise, yields nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from analysis.specified.asserted import KnownFunction, Named
from analysis.specified.docstring_facts import call_condition, facts_from_stated, literal_source_of, property_in
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.parameters import said_of_parameter
from analysis.specified.plain_calls import with_calls
from analysis.stated.docstring import Section, Sentence
from analysis.stated.fact import Certainty, FactSource, Gives, Raises, StatedFact
from analysis.stated.sentence import facts_of, plain_text

SaidOfSubject = tuple[str, Predicate, str, str]
"""Of which function, what, of which of its parameters, and the value."""

_LONGEST = 2000
_CODE = re.compile(r"`+([^`]+)`+")
HEDGED = re.compile(r"\b(?:may|might|could|usually|typically|normally|probably|sometimes|ideally)\b", re.I)
_MODAL = r"(?:(?:shall|must|should|will|has to|is expected to) )?"
_GIVEN = re.compile(
    rf"\b{_MODAL}(?:returns?|gives?|gets?|yields?|be|is|equals?|equal to|results? in|evaluates? to)"
    r"(?: the value)? (?=\S)|[=-]>\s*|==\s*|→\s*"
)
_RAISED = re.compile(
    rf"\b{_MODAL}(?:raises?|throws?)(?: an?| the)? `*(?P<name>(?:\w+\.)*[A-Z]\w+)`*"
    r"|\ban? `*(?P<other>[A-Z]\w*(?:Error|Exception))`* is raised"
)
_STATUS = re.compile(
    r"`?(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?P<path>/[^\s`]*)`?"
    r".*?\b(?:respond|answer|return|repl)(?:s|y|ies)?(?: with)?(?: an?)?(?: HTTP)?(?: status)?(?: code)? "
    r"`?(?P<code>[1-5]\d\d)\b"
)
_LOWERED = re.compile(r"\b(?:WHEN|IF|THEN|WHILE|WHERE|SHALL|MUST|SHOULD|THE|AND|OR)\b")
_VERBS = (
    (re.compile(r"\b(?:shall|must|should|will) (return|raise|give|throw)\b"), r"\1s"),
    (re.compile(r"\b(?:shall|must|should|will) not\b"), "does not"),
)


def clause_facts(
    text: str, place: QuotePlace, quote: str, extractor: Extractor, named: Named, requirement: str
) -> Iterator[Fact]:
    """The facts that a sentence states; ``quote`` are all words that they rest on."""
    if len(text) > _LONGEST or HEDGED.search(_CODE.sub("", text)):
        return
    status = _STATUS.search(text)
    if status:
        subject = f"{status['method']} {status['path']}"
        yield Fact(subject, Predicate.STATUS, status["code"], place, quote, extractor, requirement=requirement)
        return
    text = with_calls(text, named)
    told = [*_of_parameter(text, named), *_of_property(text, named)]
    if told:
        for subject, predicate, part, value in told:
            yield Fact(subject, predicate, value, place, quote, extractor, part, requirement=requirement)
        return
    spans = list(_CODE.finditer(text))
    calls = [(match, found) for match in spans if (found := _call_in(match[1], named)) is not None]
    bare = {match[1].strip().removesuffix("()") for match in spans} & named.keys()
    if len({match[1] for match, _ in calls}) == 1 and not bare:
        match, (call, function) = calls[0]
        yield from _of_call(text, match.end(), call, function, place, quote, extractor, requirement)
    elif len(bare) == 1 and not calls:
        name = bare.pop()
        yield from _of_name(text, name, named[name], place, quote, extractor, requirement)


_NAME = r"[A-Za-z_]\w*"
_OF_PARAMETER = re.compile(
    rf"^(?:The |the )?(?:parameter |argument |value of )?"
    rf"(?:`(?P<part>{_NAME})` (?:parameter |argument )?of `(?P<name>{_NAME})(?:\(\))?`"
    rf"|`(?P<whole>{_NAME})\.(?P<inner>{_NAME})`) (?P<said>.+)$"
)
_MUST_BE = re.compile(r"\b(?:shall|should|has to|have to|must) (?=(?:not )?be\b|have\b)", re.I)
_WHOLE = re.compile(
    r"(?:[\d'\")\]}]|\b(?:None|True|False|empty|blank|positive|negative|items|elements|letters|characters))$"
)
"""How a sentence ends that says it of all calls: "at most 9 on Sundays" does not."""
_DEFAULTS = re.compile(r"\b(?:(?:shall|should|must) default|defaults) to (?=\S+$)", re.I)


def _of_parameter(text: str, named: Named) -> Iterator[SaidOfSubject]:
    """What a sentence says of one parameter of one function: bounds, values that there are, a default."""
    found = _OF_PARAMETER.match(text)
    function = named.get(found["name"] or found["whole"]) if found is not None else None
    if found is None or function is None:
        return
    part = found["part"] or found["inner"]
    if part not in function.function.stated.taken.names:
        return
    said = found["said"].rstrip(" .")
    if " one of " in said:
        said = _CODE.sub(lambda code: code[1] if _whole_literal(code[1]) else repr(code[1]), said)
    said = _DEFAULTS.sub("defaults to ", _MUST_BE.sub("must ", said))
    if said.startswith(("must ", "defaults to ")) and _WHOLE.search(said):
        for predicate, value in said_of_parameter(said):
            yield function.subject, predicate, part, value


def _of_property(text: str, named: Named) -> Iterator[SaidOfSubject]:
    """What a sentence says of all calls of the function that it begins with: twice is once, undone by another one."""
    plain = plain_text(text).rstrip(" .")
    plain = re.sub(r"\b(?:shall|must|should|will) be\b", "is", plain, flags=re.I)
    plain = re.sub(r"\b(?:shall|must|should|will) never raise\b", "never raises", plain, flags=re.I)
    name = plain.partition(" ")[0].partition("(")[0]
    if name in named and f"`{name}" in text and (found := property_in(plain, name)):
        predicate, value = found
        if predicate not in (Predicate.ROUND_TRIP, Predicate.EQUALS) or value in named:
            yield named[name].subject, predicate, "", value


def _call_in(code: str, named: Named) -> tuple[ast.Call, KnownFunction] | None:
    """The call that the code is, of a function of the program, with something given."""
    try:
        node = ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        node = node.left
    if not isinstance(node, ast.Call):
        return None
    function = named.get(ast.unparse(node.func).rpartition(".")[2])
    takes_nothing = function is not None and not function.function.stated.taken.names
    return (node, function) if function is not None and (node.args or node.keywords or takes_nothing) else None


def _of_call(
    text: str,
    behind: int,
    call: ast.Call,
    function: KnownFunction,
    place: QuotePlace,
    quote: str,
    extractor: Extractor,
    requirement: str,
) -> Iterator[Fact]:
    stated = function.function.stated
    condition = call_condition(call, stated.taken, stated.positional)
    end = _end_in(text[behind:])
    if condition is None or end is None:
        return
    fact = StatedFact(condition, end, quote, place.line, Certainty.CERTAIN)
    yield from facts_from_stated(fact, function.subject, place.path, extractor, requirement, place.end_line)


def _end_in(text: str) -> Gives | Raises | None:
    """The one end that the words behind a call name."""
    if re.search(r"\b(?:not|never|n't|except|unless)\b", _CODE.sub("", text)):
        return None
    raised = _RAISED.search(text)
    if raised:
        return Raises((raised["name"] or raised["other"]).rpartition(".")[2])
    for given in _GIVEN.finditer(text):
        rest = text[given.end() :].strip()
        code = re.match(r"`+([^`]+)`+", rest)
        value = _leading_value(rest)
        if code:
            value = _whole_literal(code[1]) if _ends_well(rest[code.end() :]) else None
        if value is not None:
            return Gives(value)
    return None


def _leading_value(text: str) -> str | None:
    """The literal that the words begin with and end in: "0.", "'a' again" is none with words behind it."""
    text = text.rstrip(" .;,")  # the end of the sentence: "2." is no number with a point
    for end in range(len(text), 0, -1):
        if end == len(text) or not (text[end].isalnum() or text[end] in "_'\""):
            value = _whole_literal(text[:end])
            if value is not None:
                return value if _ends_well(text[end:]) else None
    return None


def _ends_well(rest: str) -> bool:
    """Whether nothing behind a value takes part of it back: "3 or 4" and "3 if it rains" do."""
    words = rest.lstrip(" *`).,;")
    return not words or words.startswith(("as ", "since ", "because "))


def _whole_literal(text: str) -> str | None:
    try:
        return literal_source_of(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_name(
    text: str,
    name: str,
    function: KnownFunction,
    place: QuotePlace,
    quote: str,
    extractor: Extractor,
    requirement: str,
) -> Iterator[Fact]:
    """What a sentence says that names the function alone, read as a sentence of its docstring is."""
    plain = plain_text(text).replace(f"{name}()", name)
    plain = _LOWERED.sub(lambda match: match[0].lower(), plain)
    for pattern, said in _VERBS:
        plain = pattern.sub(said, plain)
    plain = plain[:1].upper() + plain[1:] if not plain.startswith(name) else plain
    sentence = Sentence(plain, place.line, Section.PROSE)
    for fact in facts_of(sentence, name, function.function.stated.taken, FactSource.DOCSTRING):
        own = replace(fact, quote=quote)
        yield from facts_from_stated(own, function.subject, place.path, extractor, requirement, place.end_line)
